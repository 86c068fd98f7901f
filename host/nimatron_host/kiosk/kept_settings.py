"""The settings that the operator changes, in a file: a simulated Pico's flash ends with it."""

import json
import logging
from pathlib import Path

from nimatron import machines, protocol, settings
from nimatron.settings import TABLE
from nimatron_host.kiosk import whole_file

FILE = "settings.json"
_NAMES = {row[0] for row in TABLE}

log = logging.getLogger("nimatron.kiosk")


class KeptSettings:
    """values: what is kept at `path`, name: value. If the file cannot be used, the log says so
    once, and the exhibit plays on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._broken = False
        self.values: dict[str, str] = {}
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            self.values = {name: str(kept[name]) for name in kept if name in _NAMES}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError) as why:
            self._complain(why)

    def hear(self, answer: str) -> None:
        """Take in the answer to a line of the operator's; keep what it says is saved."""
        _, _, said = protocol.parse(answer)
        if said.get("saved") != "1":
            return
        if said.get("machine") in settings.MACHINES:
            said = machines.settings(said["machine"])
        changed = {name: str(said[name]) for name in said if name in _NAMES}
        self.values = self.values | changed
        try:
            whole_file.write(self._path, json.dumps(self.values, indent=2) + "\n")
        except OSError as why:
            self._complain(why)

    def _complain(self, why: Exception) -> None:
        if not self._broken:
            log.warning("settings are not being kept in %s: %s", self._path, why)
        self._broken = True
