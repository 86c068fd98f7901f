"""One booted emulated Pico for each MicroPython image, for all tests of a worker, because a boot
takes seconds. tests/conftest.py gives the files that use it to one worker."""

import pytest

from judges.rp2040js import package
from nimatron_sim.cabinet import Circuit
from nimatron_sim.emulated import bootable_image

BOUNCE_MS = 5


@pytest.fixture(scope="session")
def micropython(request):
    """Return the image for the test. See tests/images.py."""
    return request.param


@pytest.fixture(scope="session")
def emulated(emulated, micropython):
    """Return the module that contains EmulatedPico."""
    return emulated


@pytest.fixture(scope="session")
def boot_drive(micropython):
    """Skip a test that writes a file for a Pico's boot drive if the board's flash is different."""
    system = bootable_image.load(micropython)
    if not system.board:
        pytest.skip(f"no such file is written for the {system.title}")


@pytest.fixture(autouse=True)
def _with_that_image(request, monkeypatch):
    if "micropython" in request.fixturenames:
        file = request.getfixturevalue("micropython")
        monkeypatch.setenv(bootable_image.VARIABLE, str(file))


@pytest.fixture(scope="session")
def pico(emulated, micropython):
    """Return a Pico with contacts that bounce, in its attract show or wherever the last test left
    it."""
    pico = emulated.EmulatedPico(Circuit(bounce_ms=BOUNCE_MS), image=micropython)
    pico.settle()
    return pico


@pytest.fixture(scope="session")
def second(emulated):
    """Return the class of a Pico on rp2040js."""
    package.node()
    from judges.rp2040js.second_pico import SecondPico

    return SecondPico


@pytest.fixture
def pico_class(request, emulated):
    """Return the class of the Pico that `boot` boots. With the parameter "second", it is
    `second`."""
    if getattr(request, "param", "") == "second":
        return request.getfixturevalue("second")
    return emulated.EmulatedPico


@pytest.fixture
def boot(pico_class, tmp_path):
    """Return boot(main), which returns a Pico with another main.py in place of ours. It boots in a
    moment."""
    booted = []

    def boot(main, **changes):
        file = tmp_path / "main.py"
        file.write_text(main)
        files = {**changes.pop("files", {}), "main.py": file}
        booted.append(pico_class(files=files, **changes))
        return booted[-1]

    yield boot
    for pico in booted:
        if end := getattr(pico.circuit.chip, "end", None):
            end()  # the process of rp2040js
