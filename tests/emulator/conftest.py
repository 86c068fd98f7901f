"""One emulated Pico that has booted for each MicroPython image, for all tests of a worker
(tests/conftest.py gives the files that use it to one worker): a boot costs seconds."""

import pytest

from nimatron_sim.circuit import Circuit
from nimatron_sim.emulated import image

BOUNCE_MS = 5


@pytest.fixture(scope="session")
def micropython(request):
    """The image that the test is about. See tests/images.py."""
    return request.param


@pytest.fixture(scope="session")
def emulated(emulated, micropython):
    """The module that has EmulatedPico."""
    return emulated


@pytest.fixture(scope="session")
def boot_drive(micropython):
    """For tests that write one file for a Pico's boot drive, which needs an image for a board with
    a Pico's flash."""
    system = image.load(micropython)
    if not system.board:
        pytest.skip(f"no such file is written for the {system.title}")


@pytest.fixture(autouse=True)
def _with_that_image(request, monkeypatch):
    if "micropython" in request.fixturenames:
        file = request.getfixturevalue("micropython")
        monkeypatch.setenv(image.VARIABLE, str(file))


@pytest.fixture(scope="session")
def pico(emulated, micropython):
    """A Pico with contacts that bounce, in its attract show or wherever the last test left it."""
    pico = emulated.EmulatedPico(Circuit(bounce_ms=BOUNCE_MS), image=micropython)
    pico.settle()
    return pico


@pytest.fixture
def boot(emulated, tmp_path):
    """boot(main): a Pico with another main.py in the place of ours. It boots in a moment."""

    def boot(main, **changes):
        file = tmp_path / "main.py"
        file.write_text(main)
        files = {**changes.pop("files", {}), "main.py": file}
        return emulated.EmulatedPico(files=files, **changes)

    return boot
