"""A hall, a real Mosquitto, a reader of everything, and bridges in separate processes."""

import contextlib

import pytest

import needs
from hall import Hall
from mosquitto import Bridge, Command, Mosquitto, Reader


@pytest.fixture
def kept():
    """Return kept(one), which returns its argument, and kills or closes it at the end of the
    test."""
    with contextlib.ExitStack() as stack:

        def kept(one):
            stack.callback(getattr(one, "kill", None) or one.close)
            return one

        yield kept


@pytest.fixture
def hall(request):
    """Yield a hall of two Picos, or the number in an indirect parameter."""
    with Hall(getattr(request, "param", 2)) as hall:
        yield hall


@pytest.fixture
def mosquitto(tmp_path, kept):
    """Return mosquitto(*lines), which starts a broker with these lines in its configuration."""
    needs.program("mosquitto")

    def mosquitto(*lines):
        one = kept(Mosquitto(tmp_path / "mosquitto", lines or ("allow_anonymous true",)))
        one.start()
        return one

    return mosquitto


@pytest.fixture
def reader(kept):
    """Return reader(broker), which returns a Reader at the broker on this port."""
    return lambda port, **how: kept(Reader(port, **how))


@pytest.fixture
def bridge(tmp_path, kept):
    """Return bridge(*words), which starts a Bridge with these words on its command line."""
    return lambda *words, **how: kept(Bridge(tmp_path, *words, **how)).start()


@pytest.fixture
def command(tmp_path, kept):
    """Return command(*words), which starts a Command."""
    return lambda *words, **how: kept(Command(tmp_path / "command.log", *words, **how))


@pytest.fixture
def watched(mosquitto, reader):
    """Return a broker and its reader, which the broker remembers when it is killed."""
    broker = mosquitto()
    watching = reader(broker.port)
    broker.remember(watching.CLIENT)
    return broker, watching
