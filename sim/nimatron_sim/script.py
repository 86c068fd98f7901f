"""Scripts of presses: one verb per line, one moment after another."""

from nimatron_sim.errors import UserError

TAP_DOWN_MS = 80
TAP_UP_MS = 120
HOLD_DOWN_MS = 900  # longer than the default of the firmware's hold_ms

USAGE = {
    "wait": "wait MS",
    "press": "press BUTTON",
    "release": "release BUTTON",
    "tap": "tap BUTTON [N]",
    "hold": "hold BUTTON [N]",
    "send": "send LINE",
    "power": "power off|on",
}
_DOWN_MS = {"tap": TAP_DOWN_MS, "hold": HOLD_DOWN_MS}
_LONGEST_MS = 1_000_000_000


def timeline(text, buttons):
    """Return [(ms, verb, argument)] for a script, and the time in ms when the script ends.

    The only verbs in the result are press, release, send and power. Raises a UserError that names
    the line if the text is not a valid script.
    """
    moments = []
    now = 0
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split("#")[0].split() if line.strip()[:4] != "send" else line.split()
        if not words:
            continue
        try:
            now = _step(moments, now, words, line, buttons)
        except ValueError as why:
            raise UserError(f"line {number}: {why}") from None
    return moments, now


def _step(moments, now, words, line, buttons):
    verb, args = words[0], words[1:]
    if verb not in USAGE:
        raise ValueError(f'unknown verb "{verb}". Choose from: {", ".join(sorted(USAGE))}')
    if verb == "send":
        if not args:
            raise ValueError("usage: " + USAGE[verb])
        moments.append((now, verb, line.strip()[len(verb) :].strip()))
        return now
    if not args or len(args) > (2 if verb in _DOWN_MS else 1):
        raise ValueError("usage: " + USAGE[verb])
    if verb == "wait":
        return now + _number(args[0])
    if verb == "power":
        if args[0] not in ("off", "on"):
            raise ValueError("usage: " + USAGE[verb])
        moments.append((now, verb, args[0]))
        return now
    button = args[0]
    if button not in buttons:
        raise ValueError(f'unknown button "{button}". Choose from: {", ".join(buttons)}')
    if verb not in _DOWN_MS:
        moments.append((now, verb, button))
        return now
    for _ in range(_number(args[1]) if len(args) > 1 else 1):
        moments.append((now, "press", button))
        now += _DOWN_MS[verb]
        moments.append((now, "release", button))
        now += TAP_UP_MS
    return now


def _number(word):
    if not word.isdigit() or int(word) > _LONGEST_MS:
        raise ValueError(f"{word} is not a number from 0 to {_LONGEST_MS}")
    return int(word)
