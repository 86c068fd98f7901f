"""Errors that the person at the keyboard can fix."""


class UserError(Exception):
    """An error whose one-line text gives the cause and the remedy. `status` is the exit status of
    a command that fails with this error."""

    status = 1


class UsageError(UserError):
    """An error in the command line itself."""

    status = 2


class TierUnavailable(UserError):
    """An error for a computer that cannot run this kind of Pico."""


def stopped(why: BaseException) -> UserError:
    """Return the error for a Pico that has stopped on its own."""
    return UserError(f"the Pico has stopped: {type(why).__name__}: {' '.join(str(why).split())}")


def check_refused(refused: int, lines: int) -> None:
    """Raise UserError if the console has refused some of the lines from a pipe."""
    if refused:
        verb = "was" if refused == 1 else "were"
        raise UserError(f"{refused} of {lines} lines {verb} refused")
