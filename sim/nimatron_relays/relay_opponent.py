"""The circuit of relays in place of the firmware's opponent.py, on the flash of a simulated Pico.
On this Pico, the firmware's own opponent.py is renamed to _computed.py."""

from nimatron._computed import EQUALIZER, LEVELS, NAMES, PERFECT, equalize  # noqa: F401
from nimatron._computed import choose as _computed
from nimatron_relays import nimatron_1940


def choose(game, position, misere, slip, dice):
    """Return the option that the machine chooses. The circuit can only play Nim, without slips."""
    if game.name == "nim" and not slip and len(position) == 4:
        return nimatron_1940.choose(position, misere)
    return _computed(game, position, misere, slip, dice)
