"""`nimatron fleet status`: every exhibit in a table, which stays alive in a terminal."""

import asyncio
import json
from collections.abc import Awaitable
from typing import Any, TypeVar

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.overview import Overview
from nimatron_sim.errors import UserError

_PATIENCE_S = 15  # for a broker, when the table is printed once
_LOOK_S = 0.5
_COUNTS = ("matches", "won", "today", "resets")


Done = TypeVar("Done")


def status(broker: Broker, as_json: bool, console: Console) -> None:
    """Show all exhibits: until Ctrl-C in a terminal, else once. Raises UserError."""
    asyncio.run(_status(broker, as_json, console))


async def _status(broker: Broker, as_json: bool, console: Console) -> None:
    overview = Overview()
    following = asyncio.create_task(overview.follow(broker))
    try:
        await _unless(following, _arrived(broker, overview))
        if as_json:
            print(json.dumps(overview.report()))
        elif not console.is_terminal:
            console.print(table(overview), soft_wrap=True)
        else:
            await _unless(following, _live(overview, console))
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def _unless(following: asyncio.Task[Any], what: Awaitable[Done]) -> Done:
    """Wait for `what`, unless the broker refuses us first."""
    waiting = asyncio.ensure_future(what)
    await asyncio.wait([following, waiting], return_when=asyncio.FIRST_COMPLETED)
    if following.done():
        waiting.cancel()
        following.result()
    return await waiting


async def _arrived(broker: Broker, overview: Overview) -> None:
    for _ in range(int(_PATIENCE_S / 0.05)):
        if overview.complete:
            return
        await asyncio.sleep(0.05)
    raise UserError(f"the broker {broker} does not answer; is it running?")


async def _live(overview: Overview, console: Console) -> None:
    with Live(table(overview), console=console, auto_refresh=False) as live:
        while True:
            await asyncio.sleep(_LOOK_S)
            live.update(table(overview), refresh=True)


def table(overview: Overview) -> Group:
    """The exhibits, one in each row, those with trouble first; and a line about the bridges."""
    rows = sorted(overview.report()["exhibits"], key=lambda row: not row["trouble"])
    found = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("exhibit", "state", "level", *_COUNTS, "trouble"):
        found.add_column(head, justify="right" if head in _COUNTS else "left", no_wrap=True)
    for row in rows:
        found.add_row(
            Text(row["name"]),
            Text(row["state"] or "-"),
            Text(row["level"]),
            *[str(row[count]) for count in _COUNTS],
            Text("; ".join(row["trouble"]), "red"),
        )
    return Group(found, Text(_bridges(overview), "red" if overview.away() else ""))


def _bridges(overview: Overview) -> str:
    """How many exhibits and bridges there are, and what waits."""
    up = sum(map(overview.is_up, overview.exhibits.values()))
    figures = [bridge.figures for bridge in overview.bridges.values()]
    waiting, dropped = (sum(one.get(key, 0) for one in figures) for key in ("waiting", "dropped"))
    said = f"{up} of {len(overview.exhibits)} exhibits online; bridges: {len(figures)}"
    said += f"; offline: {', '.join(away)}" if (away := overview.away()) else ""
    said += f"; {waiting} events wait" if waiting else ""
    said += f"; {dropped} events were dropped" if dropped else ""
    return said if overview.connected else "no connection to the broker; " + said
