"""Firefox, driven by puppeteer-core. Playwright drives only its own Firefox."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import needs
from nimatron import games

SCRIPT = Path(__file__).with_name("in_firefox.mjs")
WON = {
    "before": [0, 1, 2],
    "picked": [1, 2],
    "lit": ["you-win"],
    "cards": len(games.names()),
    "wide": [True] * 4,
    "trouble": [],
}


class Firefox:
    """A context manager for a Firefox with its home in this folder. After a match on the page with
    this URL, or in its frame, the answer is WON. For the other question, see SCRIPT."""

    def __init__(self, home):
        program = needs.firefox()
        script = needs.PUPPETEER / SCRIPT.name  # next to its package, where node looks for it
        shutil.copy(SCRIPT, script)
        self._node = subprocess.Popen(
            ["node", script, program, home / "profile"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"HOME": str(home)},
        )

    def ask(self, question):
        print(question, file=self._node.stdin, flush=True)
        return json.loads(self._node.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._node.kill()
        self._node.communicate()
