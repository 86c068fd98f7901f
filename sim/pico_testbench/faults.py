"""The errors that the simulated hardware raises when it refuses something."""


class Fault(BaseException):
    """An error that no firmware can catch, because a real board would not report it."""


class PinConflict(Fault):
    """An error for two users of one pin, or for a function that a pin does not have."""


class NotModelled(Fault):
    """An error for a use of the hardware that is not simulated."""
