"""The operator's choices and a simulated Pico's settings survive a restart of the server."""

import contextlib
import json

import pytest

from nimatron_host.kiosk.served_table import Kiosk
from nimatron_host.kiosk.state_files import PAGES, SETTINGS, Pages, Settings, quiet_hours
from nimatron_host.kiosk.tokens import Tokens
from nimatron_host.live import on_tier
from served_kiosk import OPERATOR, until


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / SETTINGS


@contextlib.asynccontextmanager
async def started(path, *lines):
    """Yield a kiosk whose simulated Pico has the settings in `path`."""
    kept = Settings(path)
    kiosk = Kiosk(on_tier("sim", settings=kept.values), list(lines), kept=kept)
    kiosk.start()
    try:
        await until(lambda: "level" in kiosk.machine.facts.told.get("settings", {}))
        yield kiosk
    finally:
        await kiosk.stop()


async def test_what_the_operator_sets_is_set_again_after_a_restart(path):
    async with started(path) as kiosk:
        for line in ("set mute 1", "level easy", "set verdict_ms 1", "machine nimrod-1951"):
            kiosk.machine.send(line, kiosk.kept.hear)
        await until(lambda: any("machine=nimrod-1951" in line for line in kiosk.machine.said))
        assert SETTINGS in [file.name for file in path.parent.iterdir()]
    async with started(path) as kiosk:
        settings = kiosk.machine.facts.told["settings"]
        assert settings["mute"] == "1" and settings["openings"] == "nimrod-1951"
        assert settings["verdict_ms"] == "8000"  # refused


async def test_options_win_for_one_start(path):
    async with started(path) as kiosk:
        kiosk.machine.send("level easy", kiosk.kept.hear)
        await until(lambda: path.exists())
    async with started(path, "level child") as kiosk:
        facts = kiosk.machine.facts
        facts.ask()
        await until(lambda: facts.told["settings"]["level"] == "child")
        kiosk.machine.send("set mute 1", kiosk.kept.hear)
        await until(lambda: "mute" in path.read_text())
    async with started(path) as kiosk:
        assert kiosk.machine.facts.told["settings"]["level"] == "easy"


@pytest.mark.parametrize("text", ["", "[]", "1", "\0", '{"level": ["easy"]}', '{"level": 7}'])
async def test_a_spoilt_file_stops_no_exhibit(path, text, caplog):
    path.parent.mkdir()
    path.write_text(text)
    async with started(path) as kiosk:
        assert kiosk.machine.facts.told["settings"]["level"] == "perfect"
    assert len(caplog.records) <= 1


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    kept = Settings(tmp_path / "file" / SETTINGS)
    for _ in range(3):
        kept.hear("ok mute=1 saved=1")
    assert len(caplog.records) == 1 and "settings are not being kept" in caplog.text


def test_what_the_pico_has_not_saved_is_not_kept(path):
    kept = Settings(path)
    kept.hear("ok mute=1 saved=0")
    kept.hear("error reason=not-allowed key=mute got=2")
    assert not path.exists()


async def test_only_the_operators_answers_are_kept(open_house, path):
    house = await open_house(tokens=Tokens(operator=OPERATOR), kept=Settings(path))
    house.session.record({"console": "ok level=easy saved=1"})  # of an option
    operator = await house.operate()
    await operator.send_json({"send": "set mute 1"})
    await house.done("send set mute 1")
    for line in house.session.done[1:]:
        mine = line == "send set mute 1"
        house.session.record({"console": "ok mute=1 saved=1" if mine else "ok rule=normal"})
    await until(path.exists)
    assert json.loads(path.read_text()) == {"mute": "1"}


def test_choices_for_the_pages_outlive_the_server(tmp_path, caplog):
    path = tmp_path / "state" / PAGES
    pages = Pages(path)
    assert (pages.volume, pages.quiet, pages.language) == (6, None, "")
    for choice in (("volume", "9"), ("quiet", "18:00-09:00"), ("language", "de")):
        pages.change(*choice)
        assert pages.saved
    kept = Pages(path)
    assert (kept.volume, kept.quiet, kept.language) == (9, quiet_hours("18:00-09:00"), "de")
    for name, wrong in (
        *(("volume", volume) for volume in ("11", "-1", "loud", "")),
        *(("quiet", quiet) for quiet in ("18:00-18:00", "?")),
        ("language", "tlh"),
    ):
        with pytest.raises(ValueError):
            kept.change(name, wrong)
        assert kept.told == {"volume": "9", "quiet": "18:00-09:00", "language": "de"}
    kept.change("quiet", "")
    assert json.loads(path.read_text())["quiet"] == ""
    assert not caplog.text


@pytest.mark.parametrize("text", ["", "[]", '{"volume": "loud"}', '{"quiet": 5}'])
def test_a_volume_that_cannot_be_read_is_said_once(tmp_path, caplog, text):
    path = tmp_path / PAGES
    path.write_text(text)
    assert Pages(path).volume == 6
    assert caplog.text.count("not being kept") == 1


def test_the_sound_that_0_2_kept_is_read(tmp_path):
    path = tmp_path / PAGES
    path.write_text('{"volume": 3, "quiet": "18:00-09:00"}')
    assert Pages(path).told == {"volume": "3", "quiet": "18:00-09:00", "language": ""}


async def test_options_of_the_start_win_until_the_operator_chooses(open_house, tmp_path):
    pages = Pages(tmp_path / PAGES)
    pages.change("quiet", "18:00-09:00")
    given = quiet_hours("01:00-02:00")
    house = await open_house(
        tokens=Tokens(operator=OPERATOR), pages=pages, quiet=given, language="fr"
    )
    chosen = house.machine.surroundings.pages.told
    assert (chosen["quiet"], chosen["language"]) == ("01:00-02:00", "fr")
    operator = await house.operate()
    for message in ({"quiet": "03:00-04:00"}, {"volume": "99"}, {"volume": "4"}):
        await operator.send_json(message)
    await until(lambda: house.machine.state["volume"] == 4)
    assert house.machine.surroundings.pages.told["quiet"] == "03:00-04:00"
    await operator.send_json({"language": "es"})
    await until(lambda: house.machine.state["language"] == "es")
    Kiosk(on_tier("sim"), [], pages=pages, quiet=given, language="fr", first=False)
    assert house.machine.state["language"] == pages.language == "es"
