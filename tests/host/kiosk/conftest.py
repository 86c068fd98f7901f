"""Fixtures of the kiosk's tests."""

import pytest

from served_kiosk import Served


@pytest.fixture(autouse=True)
def state_folder(tmp_path, monkeypatch):
    """What `nimatron kiosk` keeps, it keeps with the test."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))


@pytest.fixture
def serve():
    """serve(lines, …) starts a Served that ends with the test."""
    served = []

    def start(*lines, **options):
        served.append(Served(lines, **options))
        return served[-1]

    yield start
    for one in served:
        one.stop()
