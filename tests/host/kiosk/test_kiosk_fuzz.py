"""Random bytes. After bytes on a WebSocket, the server still runs, other visitors are served, and
the machine gets only button presses and the commands of a visit. After bytes on a cable, the page
shows the machine again when it sends valid lines."""

import asyncio
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import PATIENCE_S

import hostile
from nimatron import protocol
from nimatron.board import BUTTONS
from nimatron_host.device.real_pico import DeviceSession
from nimatron_play.machine import Machine
from nimatron_play.surroundings import Surroundings
from served_kiosk import until, visiting

VISIT = {"level", "status", "health", "stats", "settings", "version", "pick", "choose", "new"}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside),
    max_leaves=5,
)
PLAYING = ["press", "release", "touch", "game", "level", "lesson", "find", "alone", "here"]
OTHERS = ["token", "table", "invite", "language", "beat", "n", "send", "said"]
VERBS = st.sampled_from([*PLAYING, *OTHERS])
KNOWN = st.sampled_from([*BUTTONS, "0", "27", "1", "en", "nim", "child", 1, 2])
MESSAGES = st.one_of(
    st.dictionaries(VERBS, VALUES | KNOWN, max_size=2).map(json.dumps),
    VALUES.map(json.dumps),
    st.text(max_size=60),
    st.sampled_from(["[" * 990, '{"press":' * 100, "0" * 999, '{"send":"' + "é" * 480 + '"}']),
    st.binary(max_size=60),
    st.integers(1001, 70_000).map("x".__mul__),
    st.just("half open"),
)


@given(st.lists(st.lists(MESSAGES, max_size=15), min_size=1, max_size=3))
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
def test_no_message_upsets_it(viewers):
    async def run():
        async with visiting() as house:
            friend, _ = await house.look()
            vandals = [await house.look(own=True) for _ in viewers]
            await asyncio.gather(
                *(shout(vandal[0], said) for vandal, said in zip(vandals, viewers, strict=True))
            )
            house.session.lit(0b1010101)
            seen = {"lamps": []}
            while seen["lamps"][:7] != [1, 0] * 3 + [1]:
                seen |= await friend.receive_json(timeout=PATIENCE_S)
            for vandal, _ in vandals:
                leave(vandal)
            await until(lambda: sum(len(table.machine.viewers) for table in house.tables.all) == 1)
            await friend.send_json({"press": "go"})
            await house.done("press go")
            await friend.send_json({"release": "go"})
            await house.done("release go")
            for session in house.sessions:
                check_told(session.done)

    asyncio.run(run())


def leave(vandal):
    """Leave without a message, as when a cable is pulled."""
    if transport := transport_of(vandal):
        transport.abort()


def transport_of(vandal):
    """Return the transport, or None after a disconnection."""
    return getattr(vandal._response.connection, "transport", None)


async def shout(vandal, messages):
    for message in messages:
        if vandal.closed:
            return
        try:
            if message == "half open":
                if transport := transport_of(vandal):
                    transport.pause_reading()
                await asyncio.sleep(0)
            elif isinstance(message, bytes):
                await vandal.send_bytes(message)
            else:
                await vandal.send_str(message)
        except (ConnectionError, UnicodeEncodeError):
            return  # shown out


def check_told(done):
    """Check that the machine got only allowed messages, and that no button is still down."""
    down: set[str] = set()
    for what in done:
        verb, _, rest = what.partition(" ")
        if verb == "press":
            assert rest in BUTTONS and rest not in down
            down.add(rest)
        elif verb == "release":
            down.remove(rest)
        elif verb == "send":
            assert rest.isprintable() and len(rest) <= protocol.LONGEST
            assert rest.split()[0] in VISIT
    assert not down


class Cable:
    """A line on which nothing is sent."""

    def send(self, text):
        pass


def test_no_line_of_a_pico_upsets_it():
    said = hostile.said_in_a_match()
    assert any(line.startswith("event over") for line in said)

    warned = []
    session = DeviceSession(Cable(), lambda record: machine.take([record]), None)
    machine = Machine(session, [], Surroundings(warn=warned.append))
    for data in hostile.lines(10_000, 1, said):
        session._hear(data.decode("utf-8", "replace"))
    for line in ("event boot", "event state=player", "ok rows=3,4,5,0", "event lamps=7,15,31,0"):
        session._hear(line)
    assert 0 < len(warned) < 100 and not [text for text in warned if not text.isprintable()]
    assert machine.view.state == "player" and sum(machine.state["lamps"]) == 12
