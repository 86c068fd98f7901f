"""The dialogs over the panel: the help page, and the lists of games and levels."""

from typing import ClassVar

from rich.table import Table as Grid
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from nimatron import board, games, opponent
from nimatron_host.terminal.widgets import game_named
from nimatron_play import game_texts
from nimatron_play.panel_view import PanelView
from nimatron_play.words import Message, Table, message, say


class Help(ModalScreen[None]):
    """The help page about the current game."""

    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, table: Table, shown: PanelView) -> None:
        super().__init__()
        self._table = table
        self._people = shown.players > 1
        self._about = _about(shown, table)

    def compose(self) -> ComposeResult:
        new, go = "ui.new", "ui.go"
        with VerticalScroll() as page:
            page.border_title = self._say("term.help")
            yield Static(say(self._about, self._table) + "\n", markup=False)
            yield Static(self._say("term.help.turn", go=go), markup=False)
            again = [message("term.help.new", new=new)]
            again += [] if self._people else [message("term.help.token")]
            yield Static(say(again, self._table) + "\n", markup=False)
            yield Static(self._keys())
            yield Static("\n" + self._say("term.help.back"), markup=False)

    def _keys(self) -> Grid:
        taps = " ".join(str(row) for row in range(1, board.ROWS + 1))
        holds = " ".join(str(row) for row in range(board.ROWS + 1, 2 * board.ROWS + 1))
        grid = Grid.grid(padding=(0, 3, 0, 1))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column()
        for key, does in (
            (taps, self._say("term.help.rows", keys=holds)),
            (f"{self._say('term.enter')}, {self._say('term.space')}", self._say("ui.go")),
            ("n", self._say("term.help.hold", new="ui.new", keys="N")),
            ("t", self._say("term.help.tip")),
            ("g, l", self._say("term.help.choose")),
            ("c", self._say("term.help.console")),
            ("?, h", self._say("term.help.help")),
            ("q", self._say("term.help.quit")),
        ):
            grid.add_row(key, does)
        return grid

    def _say(self, key: str, **gaps: object) -> str:
        return say([message(key, **gaps)], self._table)

    def on_key(self, event: Key) -> None:
        if event.key not in ("up", "down", "pageup", "pagedown"):
            event.stop()  # the key closes the page and does nothing else
            self.dismiss()

    def on_click(self) -> None:
        self.dismiss()


def _about(shown: PanelView, table: Table) -> list[Message]:
    """Return a text about the current game, its winner, and the order of turns."""
    people = message("term.help.people", count=shown.players, sign="sign.your-move")
    whose = people if shown.players > 1 else message("term.help.machine")
    if not shown.game:
        return [*shown.rule_said, whose]
    name = game_named(shown.game.name, table)
    return [*name, message(game_texts.rules(shown.game)), *shown.rule_said, whose]


class Choice(ModalScreen[str]):
    """A list of the games or levels, to choose one by name. `what` is "game" or "level", and `now`
    is the current one. The result is the chosen name, or None."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar = [Binding("escape,q,g,l", "dismiss()")]

    def __init__(self, table: Table, what: str, now: str | None) -> None:
        super().__init__()
        self._table = table
        self._what = what
        self._now = now

    def compose(self) -> ComposeResult:
        names = games.names() if self._what == "game" else opponent.NAMES
        options = OptionList(*(Option(self._about(name), id=name) for name in names), markup=False)
        options.border_title = self._table[f"term.choose.{self._what}"]
        options.border_subtitle = self._table["term.choose.how"]
        options.highlighted = names.index(self._now) if self._now in names else 0
        yield options

    def _about(self, name: str) -> str:
        if self._what == "level":
            return say(_level(name), self._table)
        sentence = message(game_texts.rules(games.find(name)))
        return say([*game_named(name, self._table), sentence], self._table)

    def on_option_list_option_selected(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(chosen.option.id)


def _level(name: str) -> list[Message]:
    percent = opponent.LEVELS[name]
    slips = message("term.slips", percent=percent)
    if name == opponent.EQUALIZER:
        slips = message("term.slips.once")
    elif not percent:
        slips = message("term.slips.never")
    return [message("term.name", game=f"term.level.{name}"), slips]
