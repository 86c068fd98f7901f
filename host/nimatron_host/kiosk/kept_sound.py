"""What the operator sets of the pages' sound, in a file: the volume, and when there is none."""

import json
import logging
from pathlib import Path
from typing import Any

from nimatron_host.kiosk import quiet_hours, whole_file
from nimatron_host.kiosk.quiet_hours import Quiet
from nimatron_play.defaults import VOLUME, VOLUMES

FILE = "sound.json"

log = logging.getLogger("nimatron.kiosk")


class KeptSound:
    """volume: of a fresh page, one of VOLUMES; quiet: when pages make no sound, or None. path:
    where both are kept. If the file cannot be used, the log says so once, and `saved` is False.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.volume = VOLUME
        self.quiet: Quiet | None = None
        self.saved = False
        self.changes = 0
        self._path = path
        self._broken = False
        try:
            kept = json.loads(path.read_text(encoding="utf-8")) if path else {}
            self._take(kept.get("volume", VOLUME), kept.get("quiet", ""))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, AttributeError) as why:
            self._complain(why)

    @property
    def told(self) -> dict[str, Any]:
        """What the operator's page shows."""
        return {
            "volume": self.volume,
            "quiet": str(self.quiet or ""),
            "saved": self.saved,
            "changes": self.changes,
        }

    def change(self, volume: str, quiet: str) -> None:
        """Set both, and keep them; quiet: such as 22:00-08:00, or "". Raises ValueError."""
        self._take(volume, quiet)
        self.changes += 1
        self.saved = False
        if not self._path:
            return
        kept = {"volume": self.volume, "quiet": str(self.quiet or "")}
        try:
            whole_file.write(self._path, json.dumps(kept, indent=2) + "\n")
            self.saved = True
        except OSError as why:
            self._complain(why)

    def _take(self, volume: object, quiet: str) -> None:
        if str(volume) not in map(str, VOLUMES):
            raise ValueError(f"the volume is from 0 to {VOLUMES[-1]}, not {volume}")
        self.quiet = quiet_hours.parse(quiet) if quiet else None
        self.volume = int(str(volume))

    def _complain(self, why: Exception) -> None:
        if not self._broken:
            log.warning("the volume and quiet hours are not being kept in %s: %s", self._path, why)
        self._broken = True
