"""Typing at a plain terminal: mistakes taken back, keys without a meaning, Ctrl-C, and echo."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typed import slow_down, typed

from nimatron_sim.simulated_pico import SimulatedPico

CTRL_C = (
    'error reason=control-byte got=0x03 try=maintenance text="Ctrl-C works in maintenance mode'
    ' only"'
)


def shown(pico, data):
    """Return the bytes that come back when these bytes are typed."""
    back = []
    pico.on_sent = back.append
    pico.send_bytes(data)
    pico.run(10)
    pico.on_sent = None
    return b"".join(back)


@pytest.mark.parametrize("key", [b"\x08", b"\x7f"])
def test_backspace_takes_back_the_last_character(pico, key):
    assert typed(pico, b"seed 12" + key + b"3\r") == ["ok seed=13"]
    assert typed(pico, b"x" + 9 * key + b"seed 4\r") == ["ok seed=4"]
    assert typed(pico, b"xy" + 2 * key + b"\r") == []


def test_a_line_that_is_too_long_stays_too_long(pico):
    line = b"x" * 500 + b"\x08" * 490
    assert typed(pico, line + b"\r")[0].startswith("error reason=line-too-long ")


@pytest.mark.parametrize(
    "keys",
    [
        b"\x1b[A",
        b"\x1b[[A",
        b"\x1b[C",
        b"\x1b[3~",
        b"\x1b[1;5D",
        b"\x1bOP",
        b"\x1bx",
        b"\x1b\x1b[D",
        b"\x1b[?6h",
    ],
)
def test_an_escape_sequence_is_ignored(pico, keys):
    assert typed(pico, b"se" + keys + b"ed" + keys + b" 1\r") == ["ok seed=1"]


@pytest.mark.parametrize("escape", [b"\x1b", b"\x1b[", b"\x1b[1;", b"\x1bO"])
def test_an_escape_that_ends_early_takes_no_enter_with_it(pico, escape):
    assert typed(pico, b"seed 1" + escape + b"\r") == ["ok seed=1"]
    assert typed(pico, b"seed 12\x1b\x083\r") == ["ok seed=13"]


def test_ctrl_c_is_answered_at_once_and_drops_the_line(pico):
    assert typed(pico, b"take 1\x03") == [CTRL_C]
    assert typed(pico, b"\x03\x03") == [CTRL_C, CTRL_C]
    assert typed(pico, b"seed 1\r") == ["ok seed=1"]


def test_a_program_ends_the_echo_with_its_first_line(pico):
    pico.ask("echo on")
    assert b"ok name=nimatron" in shown(pico, b"version 482913\r\n")
    assert shown(pico, b"seed 4\r\n") == b"ok seed=4\n"


def test_nothing_is_echoed_until_asked_for(pico):
    assert shown(pico, b"see\x08ed 1\r\n") == b"ok seed=1\n"


def test_echo_repeats_typed_characters(pico):
    assert pico.ask("echo on") == "ok echo=on"
    assert shown(pico, b"seedx") == b"seedx"
    assert shown(pico, b"\x7f 12\x08") == b"\b \b 12\b \b"
    assert shown(pico, b"\x1b[D") == b""
    assert shown(pico, b"\r\n") == b"\nok seed=1\n"
    assert shown(pico, b"me") == b"me"
    assert shown(pico, b"\x03") == b"\n" + CTRL_C.encode() + b"\n"
    assert shown(pico, b"\x08") == b""
    assert shown(pico, b"\r\r") == b"\n\n"
    assert shown(pico, b"\x01\xff") == b"??"
    assert shown(pico, b"\x08\x08\r") == b"\b \b" * 2 + b"\n"
    assert shown(pico, b"echo off\n") == b"echo off\nok echo=off\n"
    assert shown(pico, b"seed 1\r") == b"ok seed=1\n"


def test_help_is_a_table_for_a_person_who_types(pico):
    assert typed(pico, b"help\n")[1] == 'event help usage="choose game|level|players NAME"'
    pico.ask("echo on")
    *table, answer = typed(pico, b"help\n")[1:]  # after the echo
    assert answer.startswith("ok commands=buttons,choose,")
    assert table[:2] == ["buttons     [on|off]", "choose      game|level|players NAME"]
    assert "hint" in table


def test_echo_is_off_after_each_start(pico):
    pico.ask("echo on")
    pico.ask("reboot")
    pico.run(1000)
    assert shown(pico, b"seed 1\r") == b"ok seed=1\n"
    assert pico.told("echo maybe")["reason"] == "not-allowed"


def test_echo_delays_no_press(pico):
    pico.start(7, 7, 7, 7)
    pico.ask("echo on")
    slow_down(pico)
    pico.send_bytes(b"x" * 300 + b"\r")
    pico.run(10)
    pico.press("row1")
    pico.run(5)
    assert pico.rows[0] == 6


KEYS = st.lists(
    st.one_of(st.sampled_from([b"\x1b", b"[", b"A", b"O", b"\x08", b"\x7f", b"\r"]), st.binary()),
    max_size=40,
)


@given(KEYS, st.booleans())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_random_keys_do_no_harm(keys, echo):
    pico = SimulatedPico()
    pico.settle()
    if echo:
        pico.ask("echo on")
    typed(pico, b"".join(keys) + b"\r")
    assert pico.ask("echo off") == "ok echo=off"
    assert pico.ask("seed 7") == "ok seed=7" and pico.resets == []
