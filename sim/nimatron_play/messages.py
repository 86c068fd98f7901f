"""Messages from pages: JSON objects with one key. Presses may also have a serial number `n`."""

import json


class Bad(Exception):
    """The exception for a message that is dropped, with the reason."""


def read(text: str) -> tuple[str, str, int | None]:
    """Return a message's verb, its argument, and its serial number or None. Raises Bad."""
    try:
        message = json.loads(text)
        serial = message.pop("n", None) if isinstance(message, dict) else None
        ((verb, what),) = message.items()
    except (ValueError, AttributeError, RuntimeError):  # not JSON, or nested too deeply
        raise Bad("not a JSON object with one key") from None
    if not isinstance(what, str):
        raise Bad("its value is not a string")
    if serial is not None and (type(serial) is not int or not 0 < serial < 1 << 53):
        raise Bad("its serial number is not a positive integer")
    return verb, what, serial


class News:
    """The difference between a state and the previous state."""

    def __init__(self):
        self._known: dict = {}

    def since(self, seen: dict) -> dict:
        """Return the part of this state that differs from the previous state."""
        known, self._known = self._known, seen
        return {key: seen[key] for key in seen if key not in known or known[key] != seen[key]}
