"""`nimatron stats`, `settings`, `logs` and `replay`: what a Pico knows about itself."""

import json
from collections.abc import Sequence
from datetime import date

from nimatron import protocol
from nimatron.match import OUTCOMES
from nimatron_host.device.link import SerialLink


def stats(port: str, as_json: bool = False, begin: bool = False) -> str:
    """The statistics, first reset to zero if `begin`; raises UserError."""
    with SerialLink(port) as line:
        line.nimatron()
        told = _nested(line.query(f"stats begin {date.today()}" if begin else "stats"))
    return json.dumps(told) if as_json else _stats_text(told)


def settings(port: str, key: str | None = None, value: str | None = None) -> str:
    """All settings, or one, or one after setting it; raises UserError."""
    with SerialLink(port) as line:
        line.nimatron()
        if key is None:
            rows = [_setting(line, name) for name in line.query("settings")]
            return table([("setting", "value", "default", "allowed", ""), *rows])
        if value is not None:
            said = line.query(f"set {key} {value}")
            if said.get("saved") == "0":
                return f"{key} is {value}, until the Pico restarts: it could not be saved"
        _, now, default, allowed, about = _setting(line, key)
        return f"{key} is {now}: {about}\nallowed: {allowed}; default: {default}"


def logs(port: str, clear: bool = False) -> str:
    """The crash log, or a sentence if it is empty; raises UserError."""
    entries: list[dict[str, str]] = []

    def unasked(said):
        kind, what, entry = protocol.parse(said)
        if (kind, what) == (protocol.EVENT, "log"):
            entries.append(entry)

    with SerialLink(port, unasked) as line:
        line.nimatron()
        line.query("log")
        if clear:
            line.query("log clear")
    return "\n\n".join(map(_failure, entries)) or "no failures"


def flight(port: str, now: bool = False) -> str:
    """The lines with a Pico's flight recording: of its last failure, if it has had one, or of the
    current session if `now`; raises UserError."""
    lines: list[str] = []
    with SerialLink(port, lines.append) as line:
        line.nimatron()
        said = line.query("log dump now" if now else "log dump")
    piece = protocol.EVENT, "flight"
    pieces = [told for told in lines if protocol.parse(told)[:2] == piece]
    return "\n".join([*pieces, protocol.format(protocol.OK, *said.items())]) + "\n"


def table(rows: Sequence[Sequence[str]]) -> str:
    """The rows, their columns aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _setting(line, name):
    said = line.query(f"settings {name}")
    return name, said["value"], said["default"], said["allowed"], said["about"]


def _failure(entry):
    where = f"{entry.get('n', '?')}. {entry.get('why', 'failure')}"
    text = entry.get("text", "").rstrip()
    return where + "".join(f"\n    {line}" for line in text.splitlines())


def _nested(flat):
    """`a.b=1` becomes {"a": {"b": 1}}, and P/M/A a dict of the three."""
    nested: dict = {}
    for key, text in flat.items():
        group, _, name = key.partition(".")
        if "/" in text:
            value = dict(zip(OUTCOMES, map(int, text.split("/")), strict=True))
        else:
            value = int(text) if text.isdigit() else text
        if name:
            nested.setdefault(group, {})[name] = value
        else:
            nested[group] = value
    return nested


def _stats_text(told):
    hours, minutes = divmod(told.get("minutes", 0), 60)
    total = told.get("games", 0)
    parts = [
        f"since {told.get('since', '?')}: {total} games in {hours} h {minutes:02} min of service",
        table(
            [("", "games", "")] + [(who, *_share(told.get(who, 0), total)) for who in OUTCOMES],
        ),
    ]
    for group, title in (("levels", "level"), ("openings", "opening")):
        if told.get(group):
            rows = [
                (name, *(str(won[who]) for who in OUTCOMES))
                for name, won in sorted(told[group].items())
            ]
            parts.append(table([(title, *OUTCOMES), *rows]))
    if told.get("resets"):
        rows = [(cause, str(count)) for cause, count in sorted(told["resets"].items())]
        parts.append(table([("started by", "times"), *rows]))
    return "\n\n".join(parts)


def _share(count, total):
    return str(count), f"{100 * count // total} %" if total else ""
