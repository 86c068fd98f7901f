"""The values that the kiosk keeps from one start to the next: the settings of a simulated Pico,
and the first volume and language of the pages. matches.py and tokens.py use the same folder."""

import json
import logging
import os
import re
from dataclasses import dataclass
from datetime import datetime
from datetime import time as clock
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from nimatron import machines, protocol, settings
from nimatron_play import words
from nimatron_play.surroundings import VOLUME, VOLUMES

SETTINGS = "settings.json"
PAGES = "sound.json"  # 0.2 kept only the sound
_NAMES = {row[0] for row in settings.TABLE}

log = logging.getLogger("nimatron.kiosk")


def folder(given: Path | None) -> Path:
    """Return the folder: `given`, or the folder from systemd (StateDirectory=), or a folder in
    this user's state folder."""
    if given:
        return given
    if systemd := os.environ.get("STATE_DIRECTORY"):
        return Path(systemd.partition(":")[0])
    return user_state_path("nimatron", appauthor=False)


def write(path: Path, values: dict[str, Any]) -> None:
    """Write all values or nothing, even if the power fails. Only this user can read the file.
    Raises OSError."""
    new = path.with_suffix(".new")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new.unlink(missing_ok=True)
    door = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(door, "w", encoding="utf-8") as file:
        file.write(json.dumps(values, indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


class _Kept:
    """Values in a file. If the file cannot be used, the log reports this once, and the exhibit
    continues. `saved` is True if the values are in the file."""

    _what: str  # a name of the values for the log

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._broken = self.saved = False
        try:
            self._take(json.loads(path.read_text(encoding="utf-8")) if path else {})
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, AttributeError) as why:
            self._complain(why)

    def _take(self, kept: Any) -> None:
        raise NotImplementedError

    def _save(self, values: dict[str, Any]) -> None:
        self.saved = False
        if not self._path:
            return
        try:
            write(self._path, values)
            self.saved = True
        except OSError as why:
            self._complain(why)

    def _complain(self, why: Exception) -> None:
        if not self._broken:
            log.warning("%s not being kept in %s: %s", self._what, self._path, why)
        self._broken = True


class Settings(_Kept):
    """The settings that the operator changes, as {name: value} in `values`. The kiosk keeps them
    because a simulated Pico loses its flash when it ends."""

    _what = "settings are"

    def __init__(self, path: Path) -> None:
        self.values: dict[str, str] = {}
        super().__init__(path)

    def _take(self, kept: Any) -> None:
        self.values = {name: str(kept[name]) for name in kept if name in _NAMES}

    def hear(self, answer: str) -> None:
        """Read the answer to an operator's line, and keep the saved values."""
        _, _, said = protocol.parse(answer)
        if said.get("saved") != "1":
            return
        if said.get("machine") in settings.MACHINES:
            said = machines.settings(said["machine"])
        self.values = self.values | {name: str(said[name]) for name in said if name in _NAMES}
        self._save(self.values)


@dataclass(frozen=True)
class Quiet:
    """A period from one time of day to another, which may be on the next day."""

    begin: clock
    end: clock

    def __str__(self) -> str:
        return f"{self.begin:%H:%M}-{self.end:%H:%M}"

    def now(self, now: clock | None = None) -> bool:
        """Return True if the time `now` is in the quiet hours."""
        now = now or datetime.now().time()
        if self.begin <= self.end:
            return self.begin <= now < self.end
        return now >= self.begin or now < self.end


def quiet_hours(text: str) -> Quiet:
    """Return the quiet hours in a text such as 22:00-08:00. Raises ValueError."""
    if not re.fullmatch(r"\d\d:\d\d-\d\d:\d\d", text):
        raise ValueError(f"{text} is not two times such as 22:00-08:00")
    begin, _, end = text.partition("-")
    if begin == end:
        raise ValueError(f"{text} begins and ends at the same time, so it is never quiet")
    try:
        return Quiet(clock.fromisoformat(begin), clock.fromisoformat(end))
    except ValueError:
        raise ValueError(f"{text} has an impossible time. Write 00:00 to 23:59") from None


class Pages(_Kept):
    """The operator's choices for the visitors' pages. `volume`, one of VOLUMES, is the volume of a
    new page. `quiet` contains the hours without sound, or None. `language` is the language of a
    new page, or "" for the language of the browser."""

    _what = "the volume, quiet hours and language are"

    def __init__(self, path: Path | None = None) -> None:
        self.volume = VOLUME
        self.quiet: Quiet | None = None
        self.language = ""
        super().__init__(path)

    @property
    def silent(self) -> bool:
        return bool(self.quiet and self.quiet.now())

    @property
    def told(self) -> dict[str, Any]:
        """Return the choices for the operator's page and the file."""
        quiet = str(self.quiet or "")
        return {"volume": str(self.volume), "quiet": quiet, "language": self.language}

    def change(self, name: str, value: str) -> None:
        """Keep a new choice. Quiet hours are a text such as 22:00-08:00, or "". Raises
        ValueError."""
        self._take(self.told | {name: value})
        self._save(self.told)

    def _take(self, kept: Any) -> None:
        volume, quiet = str(kept.get("volume", VOLUME)), kept.get("quiet", "")
        language = kept.get("language", "")
        if volume not in map(str, VOLUMES):
            raise ValueError(f"the volume is 0 to {VOLUMES[-1]}, not {volume}")
        if language and language not in words.codes():
            raise ValueError(f"no language has the code {language}")
        self.quiet = quiet_hours(quiet) if quiet else None
        self.volume = int(volume)
        self.language = language
