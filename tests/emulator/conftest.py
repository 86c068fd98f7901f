"""One emulated Pico that has booted, for all tests of a worker (tests/conftest.py gives the files
that use it to one worker): a boot costs seconds."""

import pytest

from nimatron_sim.circuit import Circuit

BOUNCE_MS = 5


@pytest.fixture(scope="session")
def pico(emulated):
    """A Pico with contacts that bounce, in its attract show or wherever the last test left it."""
    pico = emulated.EmulatedPico(Circuit(bounce_ms=BOUNCE_MS))
    pico.settle()
    return pico


@pytest.fixture
def boot(emulated, tmp_path):
    """boot(main): a Pico with another main.py in the place of ours; it boots in a moment."""

    def boot(main, **changes):
        file = tmp_path / "main.py"
        file.write_text(main)
        files = {"main.py": file, **changes.pop("files", {})}
        return emulated.EmulatedPico(files=files, **changes)

    return boot
