"""The generated parts of the reference, which are made from the code whenever the site is built.

`python docs/generated.py NAME` prints one part.
"""

import argparse
import ast
import re
import sys
from functools import cache
from pathlib import Path
from statistics import mean

from nimatron import games as rule_sets
from nimatron import opponent, protocol, settings
from nimatron.games.nim import Nim
from nimatron_host import cli
from nimatron_host.device import manual
from nimatron_host.kiosk.served_table import Kiosk
from nimatron_host.kiosk.server import Application
from nimatron_host.kiosk.tables import Tables
from nimatron_host.theory import game_list, rules
from nimatron_host.theory.english import PLAIN
from nimatron_host.theory.solve import KNOWN
from nimatron_sim.simulated_pico import SimulatedPico

ROOT = Path(__file__).parent.parent


def _table(head, rows):
    """Return a Markdown table."""
    cells = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _literal(text):
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines()) + "\n"


# ---------------------------------------------------------------------- settings


def settings_table():
    """Return a table of all settings of the firmware."""
    rows = [
        (f"`{name}`", PLAIN[f"setting.{name}"], _allowed(name, allowed), _default(name, default))
        for name, default, allowed in settings.TABLE
    ]
    return _table(("setting", "meaning", "values", "default"), rows)


def _unit(name):
    return " ms" if name.endswith("_ms") else " %" if name == "brightness" else ""


def _allowed(name, allowed):
    if allowed == range(2):
        return "0 (no) or 1 (yes)"
    if isinstance(allowed, range):
        return f"{allowed[0]} to {allowed[-1]}{_unit(name)}"
    if len(allowed) > 12:
        named = "[games](games.md)"
        return f"some of the {named}" if isinstance(allowed, list) else f"one of the {named}"
    listed = ", ".join(f"`{one}`" for one in allowed)
    return f"some of {listed}" if isinstance(allowed, list) else listed


def _default(name, default):
    if isinstance(default, int):
        return f"{default}{_unit(name)}"
    return "all of them" if "," in default else f"`{default}`"


def openings():
    """Return the starting positions of Nim in the set `own`."""
    rows = [" ".join(str(count) for count in position if count) for position in Nim.openings]
    return ", ".join(f"`{row}`" for row in rows) + "."


# ---------------------------------------------------------------------- levels

_LOST = (1, 3, 5, 7)  # lost for the visitor, who begins, unless the machine makes a mistake


def levels():
    """Return a table of all levels, with the shares of random moves and of the machine's wins."""
    rows = [
        (f"`{name}`", PLAIN[f"level.{name}"], f"{slip} %", f"{_wins(slip):.0%}".replace("%", " %"))
        for name, slip in opponent.LEVELS.items()
        if name != opponent.EQUALIZER
    ]
    one = f"`{opponent.EQUALIZER}`", PLAIN[f"level.{opponent.EQUALIZER}"]
    rows += [(*one, "none, but one mistake, the first time that it can win", "0 %")]
    return _table(("level", "on the page", "random moves", "matches that the machine wins"), rows)


def _wins(slip):
    """Return the chance that the machine wins from _LOST against a visitor who never misses a win,
    and moves at random in lost positions."""
    game = rule_sets.find("nim")

    @cache
    def chance(position, machine_moves):
        if game.over(position):
            return float(machine_moves)  # in misère play, the last lamp loses
        every = list(game.options(position))
        best = game.winning_options(position, True)
        if not machine_moves:
            return mean(chance(option, True) for option in best or every)
        best = best or game.resisting_options(position)
        part = slip / 100
        return part * mean(chance(option, False) for option in every) + (1 - part) * mean(
            chance(option, False) for option in best
        )

    return chance(_LOST, False)


# ---------------------------------------------------------------------- the console

_PAUSE_MS = 3000  # the pause after a line, because maintenance restarts the Pico
_PRESS_MS = 100  # the pause after a contact has closed

# Example lines for each command, and "(press BUTTON)" for a contact that closes.
_TYPED = {
    "buttons": ("buttons on", "(press row1)", "buttons"),
    "choose": ("choose level child",),
    "echo": ("echo off",),
    "game": ("game kayles",),
    "games": ("games chomp",),
    "health": ("health",),
    "help": ("help take",),
    "hint": ("new 3 4 5", "hint"),
    "hold": ("hold row1",),
    "installed": ("installed",),
    "lamps": ("lamps test",),
    "level": ("level fair",),
    "log": ("log",),
    "machine": ("machine nimrod-1951",),
    "maintenance": ("maintenance",),
    "new": ("new 3 4 5",),
    "pick": ("new 3 4 5", "pick 1 4 5"),
    "play": ("new 3 4 5", "play 1 4 5"),
    "press": ("new 3 4 5", "press row1"),
    "quiet": ("quiet on",),
    "reboot": ("reboot",),
    "rule": ("rule normal",),
    "seed": ("seed 7",),
    "set": ("set think_ms 1500",),
    "settings": ("settings think_ms",),
    "solve": ("solve 3 4 5",),
    "stats": ("stats",),
    "status": ("new 3 4 5", "status"),
    "take": ("new 3 4 5", "take 1 2"),
    "test": ("maintenance", "test lamp 1 1"),
    "version": ("version",),
    "watch": ("watch off",),
    "why": ("new 3 4 5", "why"),
}


def console():
    """Return the usage, purpose and examples of all console commands, from a simulated Pico."""
    parts = []
    for usage in _usages():
        verb = usage.split()[0]
        about = manual.COMMANDS[verb]
        parts += [f"## `{verb}`", "", f"{about[0].upper()}{about[1:]}.", "", _literal(usage)]
        parts += ["For example:", "", _literal(_dialogue(_TYPED[verb]))]
    return "\n".join(parts)


def refusal():
    """Return a refused command and its answer."""
    return _literal(_dialogue(["set think_ms -1"]))


def _usages():
    pico = _pico()
    pico.send("help")
    pico.run(300)
    usages = [protocol.parse(line)[2].get("usage") for line in pico.lines()]
    pico.power_off()
    return [usage for usage in usages if usage]


def _pico():
    pico = SimulatedPico()
    pico.settle()
    pico.run(200)
    pico.lines()
    return pico


def _dialogue(typed):
    pico = _pico()
    lines = []
    for line in typed:
        if line.startswith("("):
            pico.press(line[1:-1].split()[1])
            pico.run(_PRESS_MS)
            lines += [line, *[said for said in pico.lines() if "contact=" in said]]
            continue
        lines += [line, pico.ask(line)]
        pico.run(_PAUSE_MS)
    pico.power_off()
    return "\n".join(lines)


# ---------------------------------------------------------------------- the command line


def command_line():
    """Return all commands of `nimatron`, with their options."""
    parts = []
    for name, command in cli.parsers(cli.parser()).items():
        parts += _command(name, command)
    return "\n".join(parts)


def _command(name, command):
    command.formatter_class = _Wide
    usage = " ".join(command.format_usage().removeprefix("usage: ").replace("[-h] ", "").split())
    about = (command.description or "").rstrip(".")
    parts = [f"## `nimatron {name}`", "", f"{about[:1].upper()}{about[1:]}.", ""]
    parts += [_literal(usage)]
    rows = []
    for action in command._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        if action.help == argparse.SUPPRESS:
            continue
        names = ", ".join(f"`{one}`" for one in action.option_strings)
        value = command._get_formatter()._format_args(action, _metavar(action))
        shown = f"{names} `{value}`" if names and value else names or f"`{value}`"
        rows.append((shown, (action.help or "") % _facts(command, action)))
    if rows:
        parts += [_table(("argument", "meaning"), rows)]
    return parts


class _Wide(argparse.HelpFormatter):
    def __init__(self, prog):
        super().__init__(prog, width=10_000)


def _metavar(action):
    if action.choices is not None and action.metavar is None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper() if action.option_strings else action.dest


def _facts(command, action):
    return dict(vars(action), prog=command.prog)


# ---------------------------------------------------------------------- games


def games():
    """Return a table of the games of the panel."""
    rows = [
        (
            f"`{row['game']}`",
            row["sentence"],
            ", ".join(row["rules"]).replace("misere", "misère"),
            f"{KNOWN.get(row['solved'], row['solved'])}: {row['theory']}",
        )
        for row in game_list.rows()
    ]
    return _table(("game", "rule", "last lamp", "how it is solved"), rows)


def families():
    """Return a table of the families of games that only a PC plays."""
    rows = [
        (f"`{names}`", f"{rule[0].upper()}{rule[1:]}.", f"`nimatron solve {example}`")
        for names, rule, example in rules.FAMILIES.values()
    ]
    rows += [
        (f"`{name}`", f"{rule} Octal {code}.", f"`nimatron solve {name} 7`")
        for name, (code, rule) in rules.NAMED.items()
    ]
    rows += [
        (f"`{name}`", game.sentence, f"`nimatron solve {name} {game.example}`")
        for name, game in game_list.larger()
    ]
    return _table(("name", "rule", "for example"), rows)


# ---------------------------------------------------------------------- interfaces


# The answer and the access token of each path, without the files of the pages.
_KIOSK = {
    "/": ("the visitors' page", "no"),
    "/look": ("the WebSocket of a visitor's page", "the visitors', to play from another computer"),
    "/back/": ("the page with the relays", "no"),
    "/back/parts.json": ("the contacts of each relay, as JSON", "no"),
    "/back/film": ("the motions of the relays after an action, as JSON (POST)", "no"),
    "/operator": ("a redirection to `/operator/`", "no"),
    "/operator/": ("the operator page", "no, but the page asks for one"),
    "/operator/look": ("the WebSocket of the operator page", "the operator's"),
    "/operator/figures.json": ("the figures of the operator page, as JSON", "the operator's"),
    "/operator/poster": ("the poster with the QR code for phones, as HTML", "the operator's"),
    "/operator/matches.csv": ("every match, as CSV", "the operator's"),
    "/operator/matches.json": ("every match, as JSON", "the operator's"),
    "/health": (
        "the state of the exhibit, as JSON. The status is 503 if visitors cannot play",
        "the operator's, but not from the kiosk's own computer",
    ),
    "/metrics": (
        "figures for Prometheus",
        "the operator's, but not from the kiosk's own computer",
    ),
}
_FILE = re.compile(r"/[\w/-]+\.(js|css|svg|txt|woff2)|(/back)?/words/\w+\.json")


def http():
    """Return a table of the routes of the kiosk's server."""
    app = Application(Tables(Kiosk(lambda *_: None, []), None), "").web
    served = {route.resource.canonical for route in app.router.routes()}
    missing = {path for path in served if not _FILE.fullmatch(path)} ^ set(_KIOSK)
    if missing:
        raise ValueError(f"describe these routes in docs/generated.py: {missing}")
    rows = [(f"`{path}`", what, token) for path, (what, token) in _KIOSK.items()]
    return _table(("path, for GET", "answer", "access token"), rows)


# ---------------------------------------------------------------------- the map

_PACKAGES = (
    "firmware/nimatron",
    "sim/pico_testbench",
    "sim/nimatron_relays",
    "sim/nimatron_sim",
    "sim/nimatron_play",
    "host/nimatron_host",
    "wiring/nimatron_wiring",
)


def map_of_modules():
    """Return tables of all modules, with the first sentence of each docstring."""
    parts = []
    for package in _PACKAGES:
        folders = {}
        for path in sorted((ROOT / package).rglob("*.py")):
            about = _about(path)
            if about:
                folders.setdefault(path.parent, []).append((path.name, about))
        for folder, rows in folders.items():
            name = folder.relative_to(ROOT)
            rows = [(f"`{file}`", about) for file, about in rows]
            parts += [f"## `{name}`", "", _table(("file", "purpose"), rows)]
    return "\n".join(parts)


def _about(path):
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    text = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[^.]\.)\s", text)[0].replace("<", "&lt;").replace("*", "\\*")


TEXTS = {
    "settings": settings_table,
    "openings": openings,
    "levels": levels,
    "console": console,
    "refusal": refusal,
    "cli": command_line,
    "games": games,
    "families": families,
    "http": http,
    "map": map_of_modules,
}


if __name__ == "__main__":
    print(TEXTS[sys.argv[1]](), end="")
