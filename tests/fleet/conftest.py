"""A real Mosquitto, a reader of everything, and bridges in processes of their own."""

import contextlib

import pytest

from mosquitto import MOSQUITTO, Bridge, Mosquitto, Reader


@pytest.fixture
def mosquitto(tmp_path):
    """mosquitto(*lines): a broker that runs, with these lines in its configuration."""
    if not MOSQUITTO:
        pytest.skip("Mosquitto is not installed; on Debian: sudo apt install mosquitto")
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
