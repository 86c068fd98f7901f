"""A bridge and a real Mosquitto: who gets in, who may say what, and wishes that wait."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import needs
from hall import Hall
from mosquitto import Bridge, until
from nimatron_host.fleet import topics

PAGE = Path(__file__).parents[2] / "docs/how-to/museum/many-exhibits.md"
USERS = {"bridge": "b-secret", "keeper": "k-secret", "viewer": "v-secret"}


@pytest.fixture
def hall():
    with Hall(1) as hall:
        yield hall


@pytest.fixture
def certificates(tmp_path):
    """A CA, and a certificate of 127.0.0.1 and one of the user bridge from it, by openssl."""

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
    """The configuration on that page, with files of this folder."""
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


def as_user(folder, name):
    return {"ca": folder / "ca.pem", "user": name, "password": USERS[name]}


def test_who_gets_in_and_who_may_say_what(hall, certificates, mosquitto, reader, bridge):
    folder = certificates
    broker = mosquitto(*secured(folder))
    (exhibit,) = hall.ids()
    url = f"mqtts://bridge@127.0.0.1:{broker.port}"
    stranger = bridge("--mqtt", url.replace("bridge@", ""), "--ca", str(folder / "ca.pem"))
    assert stranger.process.wait(60) == 1
    assert "name the user, mqtts://USER@127.0.0.1" in stranger.said
    other = bridge("--mqtt", url.replace("127.0.0.1", "localhost"), "--ca", str(folder / "ca.pem"))
    assert other.process.wait(60) == 1
    assert "call it by a name that its certificate has" in other.said
    for words, env, why in (
        ([], {}, "CERTIFICATE_VERIFY_FAILED"),
        (["--ca", str(folder / "another.pem")], {}, "name its CA with --ca"),
        (["--ca", str(folder / "ca.pem")], {}, "give the password with --password-file FILE"),
        (
            ["--ca", str(folder / "ca.pem")],
            {"NIMATRON_MQTT_PASSWORD": "wrong"},
            "check user and password",
        ),
    ):
        refused = bridge("--mqtt", url, *words, *hall.words(), env=env)
        assert refused.process.wait(60) == 1
        assert why in refused.said.splitlines()[-1]
    right = bridge(
        *("--mqtt", url, "--ca", str(folder / "ca.pem"), *hall.words()),
        env={"NIMATRON_MQTT_PASSWORD": USERS["bridge"]},
    )
    watching = reader(broker.port, **as_user(folder, "viewer"))
    keeper = reader(broker.port, client="keeper", **as_user(folder, "keeper"))
    until(lambda: watching.of("state", exhibit), "the viewer sees the exhibit")
    watching.say("do", exhibit, text="level easy")
    watching.say("want", exhibit, "level", text="easy", retain=True)
    keeper.say("do", exhibit, text="level child")
    until(lambda: watching.answers(exhibit), "the keeper's command arrives")
    assert [told["asked"] for told in watching.answers(exhibit)] == ["level child"]
    assert "easy" not in right.said


def test_a_certificate_instead_of_a_password(hall, certificates, mosquitto, reader, bridge):
    folder = certificates
    lines = [line for line in secured(folder) if not line.startswith("password_file")]
    broker = mosquitto(*lines, "require_certificate true", "use_identity_as_username true")
    shown = ("--cert", str(folder / "bridge.pem"), "--key", str(folder / "bridge.key"))
    url = f"mqtts://127.0.0.1:{broker.port}"
    bridging = bridge("--mqtt", url, "--ca", str(folder / "ca.pem"), *shown, *hall.words())
    until(lambda: "connected" in bridging.said, "it is let in")


@pytest.mark.long("10 s, until the bridge gives up hearing itself")
def test_an_access_list_that_swallows_everything_is_said(hall, mosquitto, bridge, tmp_path):
    (tmp_path / "acl").write_text("topic read nothing\n")
    broker = mosquitto("allow_anonymous true", f"acl_file {tmp_path / 'acl'}")
    bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: "its access list must let this user read and write" in bridging.said, "a line")
    hall.visit(1)
    until(lambda: bridging.numbered() == len(hall.said(1)), "nothing is sent")
    assert "connected" not in bridging.said


def test_wishes_wait_for_whoever_is_away(hall, mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    (exhibit,) = hall.ids()

    def level():
        state = watching.of("state", exhibit)
        return state and state["settings"]["level"]

    watching.say("want", exhibit, "level", text="child", retain=True)
    watching.say("want", exhibit, "brightness", text="4000", retain=True)
    bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: level() == "child", "it was wanted before")
    until(lambda: len(watching.answers(exhibit)) == 2, "each wish is answered once")
    hall.pull(1)
    until(lambda: watching.of("status", exhibit) == topics.OFFLINE, "the cable is out")
    watching.say("want", exhibit, "level", text="easy", retain=True)
    watching.say("do", exhibit, text="level fair")
    until(lambda: watching.answers(exhibit)[-1]["asked"] == "level fair", "an answer at once")
    hall.tell(1, "level strong")
    hall.plug(1)
    until(lambda: level() == "easy", "it was wanted meanwhile")
    bridging.kill()
    until(lambda: watching.of("bridge", bridging.NAME) == topics.OFFLINE, "its last will")
    watching.say("want", exhibit, "level", text="", retain=True)
    hall.tell(1, "level perfect")
    bridging.start()
    until(lambda: level() == "perfect", "nobody wants anything else any more")
    answers = {told["asked"]: told for told in watching.answers(exhibit)}
    assert answers["set brightness 4000"]["values"]["reason"] == "out-of-range"
    assert answers.pop("level fair")["values"]["reason"] == topics.OFFLINE
    assert set(answers) == {"set level child", "set level easy", "set brightness 4000"}


def test_whoever_commands_a_dark_exhibit_is_told_since_when(
    hall, mosquitto, reader, bridge, tmp_path
):
    broker = mosquitto()
    watching = reader(broker.port)
    (exhibit,) = hall.ids()
    url = f"mqtt://127.0.0.1:{broker.port}"
    bridging = bridge("--mqtt", url, *hall.words())
    until(lambda: watching.of("stats", exhibit), "it is there")

    def told(line):
        watching.say("do", exhibit, text=line)
        return until(
            lambda: [told for told in watching.answers(exhibit) if told["asked"] == line],
            f"an answer to {line}",
        )

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
    other = Bridge(tmp_path / "other", "--mqtt", url, *hall.words(), name="the-other")
    (tmp_path / "other").mkdir()
    try:
        other.start()
        until(lambda: watching.online(exhibit), "the other bridge has it")
        (answer,) = told("level child")
        assert answer["ok"]
        (answer,) = told("level strong")
        assert answer["ok"]
        last = [(told["asked"], told["ok"]) for told in watching.answers(exhibit)][-2:]
        assert last == [("level child", True), ("level strong", True)]
    finally:
        other.kill()


def test_commands_are_passed_on_or_refused_with_a_reason(hall, mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    (exhibit,) = hall.ids()
    bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--allow", "press", *hall.words())
    until(lambda: watching.of("state", exhibit), "it is there")
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
    until(lambda: watching.of("state", exhibit)["settings"]["level"] == "easy", "it shows")
    assert watching.of("status", exhibit) == topics.ONLINE


def test_a_retained_command_is_not_done_again_and_again(hall, mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    (exhibit,) = hall.ids()
    watching.say("do", exhibit, text="reboot", retain=True)
    bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: watching.online(exhibit), "it is there")
    bridging.kill()
    bridging.start()
    until(lambda: "retained" in json.dumps(watching.answers(exhibit)), "a refusal")
    assert all(told["asked"] == "reboot" and not told["ok"] for told in watching.answers(exhibit))
    assert not [what for what, _ in watching.events(exhibit) if what == "boot"]


def test_an_exhibit_that_restarts_is_asked_anew(hall, mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    (exhibit,) = hall.ids()
    bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: watching.of("stats", exhibit), "it is there")
    watching.say("do", exhibit, text="reboot")
    until(lambda: watching.answers(exhibit), "it says that it does")
    hall.rest(1)
    until(lambda: watching.of("stats", exhibit).get("resets.reboot") == 1, "it counts that")
    until(lambda: watching.of("state", exhibit)["state"] == "attract", "and shows")
    (boot,) = [values for what, values in watching.events(exhibit) if what == "boot"]
    assert boot["why"] == "reboot"


def test_two_exhibits_that_say_the_same_of_themselves(mosquitto, reader, bridge):
    broker = mosquitto()
    with Hall(1) as one, Hall(1) as other:
        words = [one.words()[0], other.words()[0].replace("hall-1", "hall-2")]
        bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *words)
        until(lambda: "is left out: another exhibit of this bridge" in bridging.said, "a line")
        ports = [word.partition("=")[2] for word in words]
        kept = [port for port in ports if f"{port} is hall" in bridging.said]
        assert len(kept) == 1
        (one if kept[0] == ports[0] else other).pull(1)
        until(lambda: all(f"{port} is hall" in bridging.said for port in ports), "its turn")
