"""The `nimatron` command on a computer without POSIX: `python without_posix.py WORDS...`.

Everything that Windows lacks is removed, but only for our modules, because libraries have their
own code for Windows. The modules in the environment variable AWAY are not installed. A text that
is read or written in the encoding of the locale is also an error.
"""

import builtins
import os
import signal
import sys
import warnings
from types import ModuleType

AWAY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
# The names that Python's documentation lists as available only on Unix.
LACKS = {
    os: (
        "O_NOCTTY O_NONBLOCK O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_SYNC chown chroot fchdir fchmod "
        "fchown fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp "
        "getpriority getsid getuid killpg lchown lockf mkfifo nice openpty posix_fadvise "
        "posix_spawn pread preadv pwrite pwritev sched_getaffinity sendfile set_blocking setsid "
        "setuid statvfs sync sysconf tcgetpgrp ttyname uname wait wait3 wait4"
    ),
    signal: (
        "ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE "
        "SIGPROF SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH alarm "
        "getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigwait"
    ),
}


def _without(module, names):
    less = ModuleType(module.__name__)
    less.__dict__.update({k: v for k, v in vars(module).items() if k not in names.split()})
    less.name = "nt"
    return less


def take_away() -> None:
    """Remove these names from modules that are imported from now on."""
    less = {module.__name__: _without(module, names) for module, names in LACKS.items()}
    imported = builtins.__import__

    def without(name, globals=None, locals=None, fromlist=(), level=0):
        if (globals or {}).get("__name__", "").startswith("nimatron"):
            if name in AWAY:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in less:
                return less[name]
        return imported(name, globals, locals, fromlist, level)

    builtins.__import__ = without
    warnings.filterwarnings("error", category=EncodingWarning, module="nimatron")


if __name__ == "__main__":
    take_away()
    sys.modules.update(dict.fromkeys(os.environ.get("AWAY", "").split(",")))
    from nimatron_host.cli import main

    sys.exit(main())
