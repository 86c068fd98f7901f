"""The page in Firefox, driven by npm's puppeteer-core, because Playwright drives only a Firefox of
its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nimatron import games

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
FOLDER = Path(sys.prefix) / "firefox"  # its node_modules has puppeteer-core
SCRIPT = Path(__file__).with_name("in_firefox.mjs")
_MISSING = (
    "needs Firefox (apt-get install firefox-esr), node, and puppeteer-core: make .venv/firefox"
)


@pytest.mark.long("a match in Firefox")
def test_a_match_in_firefox(serve, tmp_path):
    if not (FIREFOX and shutil.which("node") and (FOLDER / "node_modules").exists()):
        pytest.skip(_MISSING)
    script = FOLDER / SCRIPT.name  # beside its package, where node looks for it
    shutil.copy(SCRIPT, script)
    ended = subprocess.run(
        ["node", script, FIREFOX, tmp_path / "profile", serve("new 3").url],
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
        "cards": len(games.PANEL),
        "comfort": True,
        "wide": [True] * 4,
        "trouble": [],
    }
