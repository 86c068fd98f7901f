"""A real Mosquitto, a reader of everything, and bridges in processes of their own."""

import contextlib
import subprocess
import sys

import pytest

import needs
from mosquitto import Bridge, Command, Mosquitto, Reader


@pytest.fixture
def mosquitto(tmp_path):
    """mosquitto(*lines): a broker that runs, with these lines in its configuration."""
    needs.program("mosquitto")
    started = []

    def mosquitto(*lines):
        one = Mosquitto(tmp_path / f"mosquitto-{len(started)}", lines or ("allow_anonymous true",))
        started.append(one)
        one.start()
        return one

    yield mosquitto
    for one in started:
        one.kill()


@pytest.fixture
def reader():
    """reader(port): a Reader at the broker on this port."""
    with contextlib.ExitStack() as stack:

        def reader(port, **how):
            one = Reader(port, **how)
            stack.callback(one.close)
            return one

        yield reader


@pytest.fixture
def bridge(tmp_path):
    """bridge(*words): a Bridge that runs, with these words on its command line."""
    with contextlib.ExitStack() as stack:

        def bridge(*words, env=None):
            one = Bridge(tmp_path, *words, env=env)
            stack.callback(lambda: print(one.said))  # for whoever looks at a failure
            stack.callback(one.kill)
            return one.start()

        yield bridge


@pytest.fixture
def command(tmp_path, nimatron):
    """command(*words): a Command that runs. command.output(*words): what one prints that ends by
    itself. command.refused(*words): the complaint of one that fails, run in this process."""
    with contextlib.ExitStack() as stack:

        def command(*words, **how):
            one = Command(tmp_path / "command.log", *words, **how)
            stack.callback(one.kill)
            return one

        def output(*words):
            return subprocess.run(
                [sys.executable, "-m", "nimatron_host", *words],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout

        def refused(*words):
            status, said, complaint = nimatron(*words)
            assert (status, said) == (1, "")
            return complaint

        command.output, command.refused = output, refused
        yield command
