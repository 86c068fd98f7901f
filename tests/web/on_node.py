"""A program for tests to call, on MicroPython in WebAssembly, which node runs."""

import base64
import json
import subprocess
from pathlib import Path

from nimatron_host.site import site
from nimatron_sim.web import romfs, webassembly

_HERE = Path(__file__).parent
_LOAD = Path(webassembly.__file__).with_name("pico.js")


class OnNode:
    """A program, such as nimatron_play.live_main, whose start(given) has been called."""

    def __init__(self, program, given):
        self._node = subprocess.Popen(
            [webassembly.node(), _HERE / "on_node.mjs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._tell(
            {
                "runtime": (webassembly.folder() / webassembly.SCRIPT).as_uri(),
                "load": _LOAD.as_uri(),
                "rom": base64.b64encode(romfs.image(site.python(compiled=False))).decode(),
                "program": program,
            }
        )
        self.call("start", json.dumps(given))

    def call(self, name, *args):
        """Call a method of the program's object, and return its value."""
        self._tell([name, *args])
        answer = self._node.stdout.readline()
        assert answer, "the program has ended"
        return json.loads(answer)

    def end(self):
        self._node.stdin.close()
        self._node.wait(timeout=60)
        self._node.stdout.close()

    def _tell(self, what):
        self._node.stdin.write(json.dumps(what) + "\n")
        self._node.stdin.flush()
