"""`nimatron stats`, `settings`, `logs`, `health` and `replay`: reports from the Pico."""

import json
import re
import textwrap
from collections.abc import Callable
from datetime import date
from typing import Any

from nimatron import protocol
from nimatron.states import OUTCOMES
from nimatron_host.device.link import SerialLink
from nimatron_host.output import aligned
from nimatron_play import words as plain_words
from nimatron_play.pico_reports import names
from nimatron_wiring.fault_place import fault_place

_WORDS = plain_words.table(plain_words.PLAIN)
_WIDTH = 80
_INDENT = "    "
_UNKNOWN = "unknown"  # the firmware's value for an unknown fact
_SOME = "some of "  # the firmware's prefix if several values are allowed


def stats(port: str, as_json: bool = False, begin: bool = False) -> str:
    """Return the statistics. If `begin` is true, reset them to zero first. Raises UserError."""
    with SerialLink(port) as line:
        line.nimatron()
        told = _nested(line.query(f"stats begin {date.today()}" if begin else "stats"))
    return json.dumps(told) if as_json else _stats_text(told)


def words(key: str | None = None, value: str | None = None) -> None:
    """Check the typed words for a setting. Raises ValueError if they cannot be sent."""
    for what, word in (("key", key), (f"value for {key}", value)):
        if word is None:
            continue
        if not word:
            raise ValueError(f"the {what} is empty")
        if " " in word:
            raise ValueError(f"the {what} has a space in it. Put only commas between names")
        if not (word.isascii() and word.isprintable()):
            raise ValueError(f"the {what} has a character in it that no setting has")


def settings(
    port: str, key: str | None = None, value: str | None = None, as_json: bool = False
) -> str:
    """Return all settings, or the setting `key`, which is first set to `value` if given. Raises
    UserError."""
    saved = True
    lines: list[str] = []
    with SerialLink(port, lines.append) as line:
        line.nimatron()
        if value is not None:
            saved = line.query(f"set {key} {value}").get("saved") != "0"
        if key:
            found = [line.query(f"settings {key}")]
        else:
            line.query("settings all")
            found = _events(lines, "setting")
    told = [_setting(said) for said in found]
    if as_json:
        unsaved = {} if saved else {"saved": False}
        return json.dumps({setting.pop("key"): setting | unsaved for setting in told})
    text = "\n\n".join(map(_setting_text, told))
    if not saved:
        text += "\nIt is like this until the Pico restarts: it could not be saved."
    return text


def logs(port: str, clear: bool = False, as_json: bool = False) -> str:
    """Return the crash log, or a sentence if it is empty. Raises UserError."""
    lines: list[str] = []
    with SerialLink(port, lines.append) as line:
        line.nimatron()
        line.query("log")
        if clear:
            line.query("log clear")
    entries = _events(lines, "log")
    if as_json:
        return json.dumps([{key: number(entry[key]) for key in entry} for entry in entries])
    return "\n\n".join(map(_failure, entries)) or "no failures"


def health(port: str, as_json: bool = False) -> str:
    """Return the health of the Pico. Raises UserError."""
    with SerialLink(port) as line:
        line.nimatron()
        said = line.query("health")
    if as_json:
        lists = {
            key: names(said[key])
            for key in ("failed", "stuck", "lamps")
            if said.get(key, _UNKNOWN) != _UNKNOWN
        }
        facts = {key: None if text == _UNKNOWN else number(text) for key, text in said.items()}
        return json.dumps(facts | lists)
    return _health_text(said)


def flight(port: str, now: bool = False) -> str:
    """Return the lines of a Pico's flight recording: the current session if `now` is true,
    otherwise the last failure. Raises UserError."""
    lines: list[str] = []
    with SerialLink(port, lines.append) as line:
        line.nimatron()
        said = line.query("log dump now" if now else "log dump")
    piece = protocol.EVENT, "flight"
    pieces = [told for told in lines if protocol.parse(told)[:2] == piece]
    return "\n".join([*pieces, protocol.format(protocol.OK, *said.items())]) + "\n"


def _events(lines: list[str], what: str) -> list[dict[str, str]]:
    """Return the facts in each event of this kind."""
    told = map(protocol.parse, lines)
    return [said for kind, name, said in told if (kind, name) == (protocol.EVENT, what)]


def _setting(said: dict[str, str]) -> dict[str, Any]:
    name = said.get("key", "")
    return {
        "key": name,
        "value": number(said.get("value", "")),
        "default": number(said.get("default", "")),
        "allowed": _allowed(said.get("allowed", "")),
        "about": _WORDS.get(f"setting.{name}", ""),
    }


def _allowed(text: str) -> dict[str, object]:
    """Return the allowed values from the firmware's description of them."""
    if limits := re.fullmatch(r"(-?\d+) to (-?\d+)", text):
        return {"min": int(limits[1]), "max": int(limits[2])}
    if text.startswith(_SOME):
        return {"some_of": text.removeprefix(_SOME).split()}
    return {"one_of": text.split(" or ")}


def _setting_text(setting: dict[str, Any]) -> str:
    """Return a paragraph about a setting, with the allowed words as you type them."""
    lines = _value(f"{setting['key']} is", setting["value"])
    lines += _wrapped(setting["about"])
    allowed = setting["allowed"]
    if "min" in allowed:
        limits = f"allowed: {allowed['min']} to {allowed['max']}"
    elif "some_of" in allowed:
        limits = "allowed, with commas between them: " + " ".join(allowed["some_of"])
    else:
        limits = "allowed: one of " + " ".join(allowed["one_of"])
    lines += _wrapped(limits)
    if setting["default"] == setting["value"]:
        lines += _wrapped("this is the default")
    else:
        lines += _value(f"{_INDENT}default:", setting["default"])
    return "\n".join(lines)


def _value(title: str, value: int | str) -> list[str]:
    """Return a title and its value in one line, or a long list below its title."""
    line = f"{title} {value}"
    return [line] if len(line) <= _WIDTH else [title, *_list(str(value))]


def _wrapped(text: str, indent: str = _INDENT) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _list(text: str) -> list[str]:
    """Return a long list as lines that are broken after commas."""
    words = text.replace(",", ", ")
    return [2 * _INDENT + line.replace(" ", "") for line in _wrapped(words, 2 * _INDENT)]


def number(text: str) -> int | str:
    """Return `text` as an int if possible, else `text`."""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else text


def _health_text(said: dict[str, str]) -> str:
    """Return a health report as lines, one for each fact. A fact without a title here keeps the
    firmware's name."""
    rows = []
    for key, text in said.items():
        title, words = _HEALTH.get(key, (key, str))
        faults = wire_faults(text) if key == "lamps" else []
        if faults:
            told = [f"{name}: look at {there}" for name, there in faults]
            rows += list(zip([title, *[""] * len(told)], told, strict=False))
            continue
        rows.append((title, text or "none" if text in ("", _UNKNOWN) else words(text)))
    return aligned(rows)


def wire_faults(text: str) -> list[tuple[str, str]]:
    """Return the faults in the `lamps` of a health report: ("lamp 3.5 is open", "D19 in ...")."""
    found = []
    for fault in names(text):
        what, where, how = fault.split(":")
        how = {"short": "shorted"}.get(how, how)
        found.append((f"{what} {where} is {how}", fault_place(fault)))
    return found


def _bytes(text: str) -> str:
    count = number(text)
    return f"{count / 1024:.0f} KiB" if isinstance(count, int) else text


def _time(text: str) -> str:
    if not text.isdecimal():
        return text
    minutes = int(text) // 60
    days, hours = divmod(minutes // 60, 24)
    return f"{days} d {hours} h {minutes % 60:02} min"


_HEALTH: dict[str, tuple[str, Callable[[str], str]]] = {
    "version": ("Nimatron", str),
    "micropython": ("MicroPython", str),
    "board": ("board", str),
    "uptime_s": ("running for", _time),
    "free": ("free memory", _bytes),
    "flash_free": ("free flash", _bytes),
    "lag_ms": ("longest delay", "{} ms".format),
    "frames": ("lamp frames", str),
    "lamps": ("lamp wires", str),
    "celsius": ("temperature", "{} °C".format),
    "failed": ("failed devices", str),
    "stuck": ("stuck buttons", str),
    "crashes": ("logged failures", str),
}


def _failure(entry: dict[str, str]) -> str:
    where = f"{entry.get('n', '?')}. {entry.get('why', 'failure')}"
    text = entry.get("text", "").rstrip()
    return where + "".join(f"\n    {line}" for line in text.split("\n") if text)


def _nested(flat: dict[str, str]) -> dict[str, Any]:
    """Return nested facts: `a.b=1` becomes {"a": {"b": 1}}, and P/M/A becomes a dict of three."""
    nested: dict[str, Any] = {}
    for key, text in flat.items():
        group, _, name = key.partition(".")
        value: Any
        if "/" in text:
            value = dict(zip(OUTCOMES, map(int, text.split("/")), strict=True))
        else:
            value = number(text)
        if name:
            nested.setdefault(group, {})[name] = value
        else:
            nested[group] = value
    return nested


def _stats_text(told: dict[str, Any]) -> str:
    hours, minutes = divmod(told.get("minutes", 0), 60)
    total = told.get("games", 0)
    parts = [
        f"since {told.get('since', '?')}: {total} games in {hours} h {minutes:02} min of service",
        aligned(
            [("", "games", "")] + [(who, *_share(told.get(who, 0), total)) for who in OUTCOMES],
        ),
    ]
    for group, title in (("levels", "level"), ("openings", "opening")):
        if told.get(group):
            rows = [
                (name, *(str(won[who]) for who in OUTCOMES))
                for name, won in sorted(told[group].items())
            ]
            parts.append(aligned([(title, *OUTCOMES), *rows]))
    if told.get("resets"):
        rows = [(cause, str(count)) for cause, count in sorted(told["resets"].items())]
        parts.append(aligned([("started by", "times"), *rows]))
    return "\n\n".join(parts)


def _share(count: int, total: int) -> tuple[str, str]:
    return str(count), f"{100 * count // total} %" if total else ""
