"""The page in Firefox, driven by puppeteer-core. Playwright drives only its own Firefox."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import needs
from nimatron import games

SCRIPT = Path(__file__).with_name("in_firefox.mjs")


@pytest.mark.long("a match in Firefox")
def test_a_match_in_firefox(serve, tmp_path):
    firefox = needs.firefox()
    script = needs.PUPPETEER / SCRIPT.name  # next to its package, where node looks for it
    shutil.copy(SCRIPT, script)
    ended = subprocess.run(
        ["node", script, firefox, tmp_path / "profile", serve("new 3").url],
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": str(tmp_path)},
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        "before": 3,
        "picked": [1, 2],
        "won": True,
        "cards": len(games.names()),
        "comfort": True,
        "wide": [True] * 4,
        "trouble": [],
    }
