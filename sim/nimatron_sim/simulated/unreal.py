"""What the simulated hardware refuses."""


class Fault(BaseException):
    """Something no firmware can catch, because on a real board nobody would have told it."""


class PinConflict(Fault):
    """Two users of one pin, or a pin used against its nature."""


class NotModelled(Fault):
    """The firmware uses the hardware in a way that the simulator does not know."""
