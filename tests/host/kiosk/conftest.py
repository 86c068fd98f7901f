"""Fixtures of the kiosk's tests."""

import aiohttp
import pytest

from chromium import PATIENCE_MS, until
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
def visit(browser):
    """Yield visit(served, …), which opens a page of a kiosk or of an address, and waits for a
    state. prepare(page) comes first. At the end, no page may have failed."""
    contexts, trouble = [], []

    def refused(said):
        if "Content Security" in said.text:
            trouble.append(said.text)

    def come(served, size=(1366, 768), prepare=lambda page: None, state=None, **options):
        context = browser.new_context(
            viewport=dict(zip(("width", "height"), size, strict=True)),
            **{"locale": "en-US"} | options,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", refused)
        prepare(page)
        page.goto(getattr(served, "url", served))
        if state:
            until(page, state)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not trouble


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
