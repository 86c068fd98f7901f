"""The firmware's opponent.py with the circuit of relays in its place, on the flash of a simulated
Pico. There, the firmware's own file has the name _computed.py."""

from nimatron._computed import EQUALIZER, LEVELS, NAMES, PERFECT, equalize  # noqa: F401
from nimatron._computed import choose as _computed
from nimatron_relays import nimatron_1940


def choose(game, position, misere, slip, dice):
    """Return the option that the machine leaves. The circuit knows Nim only, and makes no
    slips."""
    if game.name == "nim" and not slip and len(position) == 4:
        return nimatron_1940.choose(position, misere)
    return _computed(game, position, misere, slip, dice)
