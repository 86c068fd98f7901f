"""Errors that the person at the keyboard can fix."""


class UserError(Exception):
    """An error whose one-line text has the cause and the remedy. `status` is the exit status of a
    command that ends with it."""

    status = 1


class UsageError(UserError):
    """The command line itself is wrong."""

    status = 2


class TierUnavailable(UserError):
    """This computer lacks something that a kind of Pico needs."""


def stopped(why: BaseException) -> UserError:
    """The error for a Pico that has ended on its own."""
    return UserError(f"the Pico has stopped: {type(why).__name__}: {' '.join(str(why).split())}")


def check_refused(refused: int, lines: int) -> None:
    """Raise UserError if some of the lines that a pipe has sent to a console were refused."""
    if refused:
        verb = "was" if refused == 1 else "were"
        raise UserError(f"{refused} of {lines} lines {verb} refused")
