"""Fixtures of the kiosk's tests."""

import aiohttp
import pytest

from served_kiosk import Phone, Served, visiting


@pytest.fixture(autouse=True)
def state_folder(tmp_path, monkeypatch):
    """Keep the state of `nimatron kiosk` in the folder of the test."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))


@pytest.fixture
def serve(request):
    """Return serve(lines, …), which starts a Served that ends with the test."""

    def start(*lines, **options):
        served = Served(lines, **options)
        request.addfinalizer(served.stop)
        return served

    return start


@pytest.fixture
def open_house(opened):
    """Return the coroutine function open_house(…), for a House until the end of the test."""
    return lambda *args, **options: opened.enter_async_context(visiting(*args, **options))


@pytest.fixture
def phones(opened):
    """Return phones(served, count), to use as `phone, …, come = await phones(…)`. The phones are
    pages at the wall's table. come(table) opens another page, with the link to this table, or at
    its own table."""

    async def phones(served, count=1):
        session = await opened.enter_async_context(aiohttp.ClientSession())

        async def come(table="", you=""):
            url = f"{served.url}look?table={table}&you={you}"
            phone = Phone(await opened.enter_async_context(session.ws_connect(url)))
            await phone.until(lambda now: now.get("state", "off") not in ("off", "boot"))
            return phone

        return [*[await come(served.machine.visit.name) for _ in range(count)], come]

    return phones
