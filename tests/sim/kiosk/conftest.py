"""What the tests of the kiosk share."""

import pytest

from served_kiosk import Served


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
