"""Simulated hands that press the buttons of a live Pico. Each action takes its usual time on the
Pico's own clock, even if the computer stutters."""

from nimatron_sim.script import HOLD_DOWN_MS, TAP_DOWN_MS

_NOTICED_US = 45_000  # us between two moves of a contact, which the firmware takes 25 ms to see
_HURRY_US = 500_000  # taps further ahead than this are dropped, for example from a key held down


class Hands:
    """Simulated hands at a Pico."""

    def __init__(self, pico):
        self._pico = pico
        self._finger_free = 0  # the time when the last tap ends
        self._noticed = {}  # button: the time of its last move
        self._down = set()

    def press(self, button):
        """Push a button down, and keep it down."""
        self._move(button, True)

    def release(self, button):
        self._move(button, False)

    def tap(self, button):
        """Press and release a button like a person with one finger, one tap after another."""
        self._tap(button, TAP_DOWN_MS)

    def hold(self, button):
        """Press and release a button like `tap`, but slowly enough for a long press."""
        self._tap(button, HOLD_DOWN_MS)

    def send(self, line):
        """Type a line at the console."""
        self._pico.send(line)

    def _move(self, button, down):
        """Move a contact, but only after the firmware had time to see its last move. This matters
        because presses over a bad connection can come in bursts."""
        now = self._pico.clock.now
        at = max(self._noticed.get(button, 0), now)
        if down == (button in self._down) or (down and at > now + _HURRY_US):
            return
        (self._down.add if down else self._down.discard)(button)
        self._noticed[button] = at + _NOTICED_US
        self._pico.clock.call_at(at, self._pico.press if down else self._pico.release, button)

    def _tap(self, button, down_ms):
        now = self._pico.clock.now
        if self._finger_free > now + _HURRY_US:
            return
        down = max(self._finger_free, now)
        up = down + down_ms * 1000
        self._finger_free = up + _NOTICED_US
        self._pico.clock.call_at(down, self._pico.press, button)
        self._pico.clock.call_at(up, self._pico.release, button)
