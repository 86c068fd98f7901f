"""The errors of `nimatron fleet` on the command line, each in one line."""

import pytest

from nimatron_host.fleet import broker

URL = "mqtts://desk@broker.example.org"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "the following arguments are required: --mqtt"),
        (["--mqtt", "mqtts://desk:secret@example.org"], "a password on the command line"),
        (["--mqtt", "https://example.org"], "is not the URL of a broker"),
        (["--mqtt", "mqtts://"], "is not the URL of a broker"),
        (["--mqtt", "mqtt://example.org:99999"], "is not the URL of a broker"),
        (["--mqtt", "mqtt://example.org/topic"], "is not the URL of a broker"),
        (["--mqtt", "mqtt://example.org", "--ca", "ca.pem"], "are for TLS"),
        (["--mqtt", "local", "--ca", "ca.pem"], "needs no password and no certificate"),
        (["--mqtt", URL, "--key", "key.pem"], "Name that with --cert"),
        (["--mqtt", "local:0"], "is not the URL of a broker"),
        (["--mqtt", "locally"], "is not the URL of a broker"),
        (["--mqtt", "local", "hall-1"], "hall-1 is not NAME=PORT"),
        (["--mqtt", "local", "a/b=/dev/x"], "a/b=/dev/x is not NAME=PORT"),
        (["--mqtt", "local", "a=/dev/x", "b=/dev/x"], "stand for one exhibit"),
        (["--mqtt", "local", "a=/dev/x", "a=/dev/y"], "stand for one exhibit"),
        (["--mqtt", "local", "--allow", "deploy"], "no such command"),
        (["--mqtt", "local", "--keep", "0"], "whole number of 1 or more"),
        (["--mqtt", "local", "--name", "a b"], "cannot be a level"),
    ],
)
def test_wrong_usage_takes_one_line(nimatron, words, why):
    status, said, complaint = nimatron("fleet", *words)
    assert (status, said) == (2, "")
    assert why in complaint and complaint.count("\n") == 1
    assert "secret" not in complaint


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("--ca", "cannot use the CA certificate"),
        ("--cert", "cannot use the certificate"),
        ("--password-file", "cannot read the password from"),
    ],
)
@pytest.mark.parametrize("content", [None, b"\xff nonsense"])
def test_files_that_cannot_be_used_take_one_line(nimatron, tmp_path, option, why, content):
    file = tmp_path / "file"
    if content:
        file.write_bytes(content)
    status, _, complaint = nimatron("fleet", "--mqtt", URL, option, str(file))
    assert status == 1 and why in complaint and complaint.count("\n") == 1


def test_the_password_comes_from_a_file_or_the_environment(tmp_path, monkeypatch):
    (tmp_path / "password").write_text("one two\n")
    assert broker.parse(URL, tmp_path / "password").password == "one two"
    assert broker.parse(URL).password is None
    monkeypatch.setenv("NIMATRON_MQTT_PASSWORD", "three")
    found = broker.parse(URL)
    where = (found.host, found.port, found.user, found.password)
    assert where == ("broker.example.org", 8883, "desk", "three")
    assert "three" not in repr(found) and not found.shouts
    assert broker.parse("mqtt://desk@example.org").shouts
    assert not broker.parse("mqtt://desk@127.0.0.1").shouts


def test_local_is_the_broker_of_this_computer():
    assert str(broker.parse("local")) == "127.0.0.1:1883"
    assert str(broker.parse("local:1999")) == "127.0.0.1:1999"
