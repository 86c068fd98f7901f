"""A bridge and a real Mosquitto: logins, access lists, and wishes that wait."""

import re
import subprocess
from pathlib import Path

import pytest

import needs
from hall import Hall
from mosquitto import until
from nimatron_host.fleet import topics

PAGE = Path(__file__).parents[2] / "docs/how-to/museum/many-exhibits.md"
USERS = {"bridge": "b-secret", "keeper": "k-secret", "viewer": "v-secret"}

pytestmark = pytest.mark.parametrize("hall", [1], indirect=True)


@pytest.fixture
def exhibit(hall):
    return hall.ids()[0]


@pytest.fixture
def url(watched):
    return f"mqtt://127.0.0.1:{watched[0].port}"


@pytest.fixture
def watching(watched):
    return watched[1]


@pytest.fixture
def bridging(hall, exhibit, watching, url, bridge):
    """Return a bridge of the exhibit that lets the broker press buttons."""
    running = bridge("--mqtt", url, "--allow", "press", *hall.words())
    until(lambda: watching.of("stats", exhibit), "it is there")
    return running


@pytest.fixture
def certificates(tmp_path):
    """Return a CA from openssl, and its certificates for 127.0.0.1 and for the user bridge."""

    def openssl(*words):
        subprocess.run(
            [needs.program("openssl"), *words], cwd=tmp_path, check=True, capture_output=True
        )

    new = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    for name in ("ca", "another"):
        openssl(*new, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")
    for name, more in (
        ("127.0.0.1", "subjectAltName=IP:127.0.0.1"),
        ("bridge", "keyUsage=digitalSignature"),
    ):
        signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-subj", f"/CN={name}", "-addext", more)
        openssl(*new, *signed, "-keyout", f"{name}.key", "-out", f"{name}.pem")
    return tmp_path


def secured(folder, *more):
    """Return the configuration on PAGE, with its files in this folder."""
    page = PAGE.read_text(encoding="utf-8")
    config, acl = re.findall(r"^```\n((?:listener|# The bridges).+?)^```", page, re.M | re.S)
    (folder / "acl").write_text(acl)
    passwords = folder / "passwords"
    passwords.write_text("".join(f"{user}:{word}\n" for user, word in USERS.items()))
    subprocess.run([needs.program("mosquitto_passwd", "mosquitto"), "-U", passwords], check=True)
    for file, there in {
        "ca.pem": "ca.pem",
        "broker.pem": "127.0.0.1.pem",
        "broker.key": "127.0.0.1.key",
        "passwords": "passwords",
        "acl": "acl",
    }.items():
        config = config.replace(f"/etc/mosquitto/{file}", str(folder / there))
    return [
        line
        for line in config.splitlines()
        if line.split()[0] not in ("listener", "persistence", "max_queued_messages")
    ] + list(more)


def test_broker_access_rules(hall, exhibit, certificates, mosquitto, reader, bridge):
    folder = certificates
    broker = mosquitto(*secured(folder))
    url, ca = f"mqtts://bridge@127.0.0.1:{broker.port}", ("--ca", str(folder / "ca.pem"))
    password = "NIMATRON_MQTT_PASSWORD"
    refused = []
    for where, words, env, why in (
        (url.replace("bridge@", ""), ca, {}, "name the user, mqtts://USER@127.0.0.1"),
        (url.replace("127.0.0.1", "localhost"), ca, {}, "Use a name from its certificate"),
        (url, (), {}, "CERTIFICATE_VERIFY_FAILED"),
        (url, ("--ca", str(folder / "another.pem")), {}, "To name its CA: --ca"),
        (url, ca, {}, "give the password with --password-file FILE"),
        (url, ca, {password: "wrong"}, "check user and password"),
    ):
        name = f"refused-{len(refused)}"
        one = bridge("--mqtt", where, *words, *hall.words(), env=env, name=name)
        refused.append((one, why))
    for one, why in refused:
        assert one.process.wait(60) == 1
        assert why in one.said.splitlines()[-1]
    right = bridge("--mqtt", url, *ca, *hall.words(), env={password: USERS["bridge"]})
    viewer, keeper = (
        reader(broker.port, client=name, user=name, password=USERS[name], ca=folder / "ca.pem")
        for name in ("viewer", "keeper")
    )
    until(lambda: viewer.of("state", exhibit), "the viewer sees the exhibit")
    viewer.say("do", exhibit, text="level easy")
    viewer.say("want", exhibit, "level", text="easy", retain=True)
    keeper.say("do", exhibit, text="level child")
    until(lambda: viewer.answers(exhibit), "the keeper's command arrives")
    assert [told["asked"] for told in viewer.answers(exhibit)] == ["level child"]
    assert "easy" not in right.said


def test_a_certificate_instead_of_a_password(hall, certificates, mosquitto, bridge):
    folder = certificates
    lines = [line for line in secured(folder) if not line.startswith("password_file")]
    broker = mosquitto(*lines, "require_certificate true", "use_identity_as_username true")
    shown = ("--cert", str(folder / "bridge.pem"), "--key", str(folder / "bridge.key"))
    url = f"mqtts://127.0.0.1:{broker.port}"
    running = bridge("--mqtt", url, "--ca", str(folder / "ca.pem"), *shown, *hall.words())
    until(lambda: ": connected" in running.said, "it is let in")


@pytest.mark.long("10 s, until the bridge gives up hearing itself")
def test_an_access_list_that_swallows_everything_is_named(hall, mosquitto, bridge, tmp_path):
    (tmp_path / "acl").write_text("topic read nothing\n")
    broker = mosquitto("allow_anonymous true", f"acl_file {tmp_path / 'acl'}")
    running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: "must let this user read and write" in running.said, "a line")
    hall.visit(1)
    until(lambda: len(running.kept()) == len(hall.said(1)), "nothing is sent")
    assert "connected" not in running.said


def test_wishes_wait_for_exhibit_and_bridge(hall, exhibit, watching, url, bridge):
    def wish(key, text):
        watching.say("want", exhibit, key, text=text, retain=True)

    wish("level", "child")
    wish("brightness", "4000")
    running = bridge("--mqtt", url, *hall.words())
    until(lambda: watching.level(exhibit) == "child", "it was wanted before")
    until(lambda: len(watching.answers(exhibit)) == 2, "each wish is answered once")
    hall.pull(1)
    until(lambda: not watching.online(exhibit), "the cable is out")
    wish("level", "easy")
    hall.tell(1, "level strong")
    hall.plug(1)
    until(lambda: watching.level(exhibit) == "easy", "it was wanted in the time between")
    running.kill()
    until(lambda: watching.of("bridge", running.NAME) == topics.OFFLINE, "its last will")
    wish("level", "")
    hall.tell(1, "level perfect")
    running.start()
    until(lambda: watching.level(exhibit) == "perfect", "there is no wish any more")
    answers = {told["asked"]: told for told in watching.answers(exhibit)}
    assert answers["set brightness 4000"]["values"]["reason"] == "out-of-range"
    assert set(answers) == {"set level child", "set level easy", "set brightness 4000"}


def test_a_command_to_a_dark_exhibit_is_answered(hall, exhibit, watching, url, bridge, bridging):
    def told(line):
        watching.say("do", exhibit, text=line)

        def answers():
            return [told for told in watching.answers(exhibit) if told["asked"] == line]

        return until(answers, f"an answer to {line}")

    hall.pull(1)
    until(lambda: not watching.online(exhibit), "the cable is out")
    (answer,) = told("level easy")
    since = answer["values"]["since"]
    assert not answer["ok"] and answer["values"]["reason"] == topics.OFFLINE
    assert since <= answer["at"] and since in answer["values"]["text"]

    hall.plug(1)  # the bridge is killed, the cable is pulled, and the bridge comes back
    until(lambda: watching.online(exhibit), "it is back")
    bridging.kill()
    hall.pull(1)
    assert watching.online(exhibit)
    bridging.start()
    until(lambda: not watching.online(exhibit), "the bridge knows that it was there")
    (answer,) = told("level fair")
    assert not answer["ok"] and answer["values"]["since"] > since

    hall.replug(1)  # to another computer, whose bridge answers alone
    bridge("--mqtt", url, *hall.words(), name="the-other")
    until(lambda: watching.of("state", exhibit)["bridge"] == "the-other", "that has it")
    (answer,) = told("level child")
    assert answer["ok"]


def test_a_bridge_forgets_an_exhibit_that_another_bridge_has(
    hall, exhibit, watched, bridging, url, bridge
):
    """Otherwise, at its next connection it would claim the exhibit and report it as dark."""
    broker, watching = watched
    hall.pull(1)
    until(lambda: not watching.online(exhibit), "the cable is out")
    hall.replug(1)
    other = bridge("--mqtt", url, *hall.words(), name="the-other")
    until(lambda: watching.of("state", exhibit)["bridge"] == "the-other", "that has it")
    heard = len(watching.heard)
    broker.kill()
    broker.start()
    for one in (bridging, other):
        until(lambda one=one: one.said.count(": connected") == 2, "it is back")
        until(lambda one=one: watching.of("figures", one.NAME), "its figures")
    watching.say("do", exhibit, text="level fair")
    until(lambda: watching.answers(exhibit), "an answer")
    told = [text for topic, text in watching.heard[heard:] if topic.endswith(f"{exhibit}/status")]
    assert topics.OFFLINE not in told and watching.online(exhibit)


def test_commands_are_passed_on_or_refused_with_a_reason(exhibit, watching, bridging):
    told = {
        "level easy": (True, "level", "easy"),
        "level godlike": (False, "reason", "not-allowed"),
        "maintenance": (False, "reason", "not-allowed"),
        "stats begin 2026": (False, "reason", "not-allowed"),
        "press new": (True, "state", "opening"),
    }
    for line in told:
        watching.say("do", exhibit, text=line)
    until(lambda: len(watching.answers(exhibit)) == len(told), "an answer to each")
    for answer in watching.answers(exhibit):
        ok, key, value = told[answer["asked"]]
        assert (answer["ok"], answer["values"][key]) == (ok, value)
    until(lambda: watching.level(exhibit) == "easy", "it shows")


def test_a_retained_command_is_refused(exhibit, watched, watching, bridging):
    broker, _ = watched
    watching.say("do", exhibit, text="level child", retain=True)
    until(lambda: len(watching.answers(exhibit)) == 1, "live, it is done")
    # A bridge that restarts can get it before it knows its exhibits. This one knows them.
    broker.remember("level child")
    broker.kill()
    broker.start()
    (again,) = until(lambda: watching.answers(exhibit)[1:], "a refusal")
    assert not again["ok"] and again["values"]["reason"] == "retained"


def test_an_exhibit_that_restarts_is_asked_again(hall, exhibit, watching, bridging):
    watching.say("do", exhibit, text="reboot")
    until(lambda: watching.answers(exhibit), "an answer")
    hall.rest(1)
    until(lambda: watching.of("stats", exhibit).get("resets.reboot") == 1, "it counts that")
    until(lambda: watching.of("state", exhibit)["state"] == "attract", "and shows")
    (boot,) = [values for what, values in watching.events(exhibit) if what == "boot"]
    assert boot["why"] == "reboot"


def test_two_exhibits_with_the_same_number(hall, url, bridge):
    with Hall(1) as other:
        halls = {one.stands[0].port: one for one in (hall, other)}
        words = [f"hall-{n}={port}" for n, port in enumerate(halls)]
        running = bridge("--mqtt", url, *words)
        until(lambda: "is ignored: another exhibit of this bridge" in running.said, "a line")
        (kept,) = [port for port in halls if f"{port} is hall" in running.said]
        halls[kept].pull(1)
        until(lambda: all(f"{port} is hall" in running.said for port in halls), "its turn")
