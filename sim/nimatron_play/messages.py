"""The messages of pages: JSON objects with one key. Presses may also have a serial number `n`."""

import json


class Bad(Exception):
    """A message that is dropped, with the reason."""


def read(text: str) -> tuple[str, str, int | None]:
    """The verb of a message, its argument, and its serial number, if any. Raises Bad."""
    try:
        message = json.loads(text)
        serial = message.pop("n", None) if isinstance(message, dict) else None
        ((verb, what),) = message.items()
    except (ValueError, AttributeError, RuntimeError):  # or too deep
        raise Bad("not a JSON object with one key") from None
    if not isinstance(what, str):
        raise Bad("its value is not a string")
    if serial is not None and (type(serial) is not int or not 0 < serial < 1 << 53):
        raise Bad("its serial number is not a positive integer")
    return verb, what, serial


class News:
    """The changes of a state since the last one."""

    def __init__(self):
        self._known: dict = {}

    def since(self, seen: dict) -> dict:
        """The part of this state that differs from the one before."""
        known, self._known = self._known, seen
        return {key: seen[key] for key in seen if key not in known or known[key] != seen[key]}
