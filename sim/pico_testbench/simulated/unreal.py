"""Errors of the simulated hardware, for whatever it refuses."""


class Fault(BaseException):
    """An error that no firmware can catch, because a real board would not report it."""


class PinConflict(Fault):
    """Two users of one pin, or a pin used against its nature."""


class NotModelled(Fault):
    """The firmware uses the hardware in a way that is not simulated."""


def lacking(what):
    """The error for a feature that only the emulated Pico has."""
    return NotModelled("the simulated Pico has no %s: the emulated one does" % what)
