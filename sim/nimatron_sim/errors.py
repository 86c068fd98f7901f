"""What the person at the keyboard can mend."""


class UserError(Exception):
    """The text, one line, says what is wrong and what to do about it. `status`: the exit status of
    a command that ends by it."""

    status = 1


class UsageError(UserError):
    """The command line itself is wrong."""

    status = 2


class TierUnavailable(UserError):
    """This computer lacks what a kind of Pico needs."""


def stopped(why: BaseException) -> UserError:
    """The Pico has ended by itself."""
    return UserError(f"the Pico has stopped: {type(why).__name__}: {' '.join(str(why).split())}")
