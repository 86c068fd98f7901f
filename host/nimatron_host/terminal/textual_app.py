"""`nimatron play`: the panel in a terminal.

It knows no rules of games. It draws trace records, and passes on presses and console lines.
"""

import sys
from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Input, RichLog, Static

from nimatron import board, protocol, states
from nimatron_host.live import Connect, Live, Record
from nimatron_host.terminal.dialogs import Choice, Help
from nimatron_host.terminal.tip import Tip, possible
from nimatron_host.terminal.widgets import Cabinet, Lamps, PanelButton
from nimatron_play import words
from nimatron_play.attendant import Attendant
from nimatron_play.words import message
from nimatron_sim.base_pico import Pico
from nimatron_sim.errors import stopped

_ROOMY = 80, 23  # columns and lines that the large cabinet needs
_SMALLEST = 60, 14
_GAPS = "   ", "  "  # between the words in the bottom line: normal, narrow
_PANE_LINES = 5, 12  # the minimum and maximum height of the console pane
_LINES_KEPT = 200
_SHOWS = (states.ATTRACT, states.VERDICT)  # states in which any button begins a match

# The digit keys. From 1 on, they tap the rows' buttons. The following keys hold the buttons.
_TAP = {str(row): button for row, button in enumerate(board.ROW_BUTTONS, 1)}
_HOLD = {str((row + board.ROWS) % 10): button for row, button in enumerate(board.ROW_BUTTONS, 1)}


def play(
    lines: list[str],
    make: Callable[[Record], Pico],
    language: str = words.PLAIN,
) -> None:
    """Play on the Pico from make(record) until the person quits. `lines` are typed at the console
    when it is ready. `language` is a code from words.codes().

    Raises UserError if the Pico ends earlier.
    """
    table = words.table(language)
    panel = TerminalPanel(lambda record, failed: Live(make, record, failed), lines, table)
    panel.run()
    if panel.failure:
        raise stopped(panel.failure)
    if panel.return_code:
        sys.exit(panel.return_code)


class TerminalPanel(App[None]):
    """The panel as a Textual app. connect(record, failed) makes the Session, which may call both
    functions from any thread."""

    TITLE = "Nimatron"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    AUTO_FOCUS = None
    CSS_PATH = "panel.tcss"
    BINDINGS: ClassVar = [
        *[Binding(key, f"push('tap', '{button}')") for key, button in _TAP.items()],
        *[Binding(key, f"push('hold', '{button}')") for key, button in _HOLD.items()],
        Binding("enter,space", "push('tap', 'go')"),
        Binding("n", "push('tap', 'new')"),
        Binding("N", "push('hold', 'new')"),
        Binding("c,grave_accent", "console"),
        Binding("t", "tip"),
        Binding("g", "choose('game')"),
        Binding("l", "choose('level')"),
        Binding("question_mark,h,f1", "help"),
        Binding("q", "quit"),
        Binding("ctrl+q,ctrl+c", "quit", priority=True),
    ]

    class Changed(Message):
        def __init__(self, record: dict[str, Any]) -> None:
            super().__init__()
            self.record = record

    class Failed(Message):
        def __init__(self, failure: BaseException) -> None:
            super().__init__()
            self.failure = failure

    def __init__(self, connect: Connect, lines: list[str], table: words.Table) -> None:
        super().__init__()
        self._table = table
        self._tip: Tip | None = None
        self.failure: BaseException | None = None
        self._session = connect(
            lambda record: self.post_message(self.Changed(record)),
            lambda failure: self.post_message(self.Failed(failure)),
        )
        self._attendant = Attendant(self._session, lines)
        self._shown = self._attendant.display

    def compose(self) -> ComposeResult:
        with Vertical(id="room"):
            yield Cabinet(self._table)
            columns, lines = _SMALLEST
            small = message("term.small", columns=columns, lines=lines)
            yield Static(words.say([small], self._table), id="too-small")
        yield ConsolePane(self._table)
        yield Static(id="keys")

    def on_mount(self) -> None:
        self._show()
        self._session.start()

    def on_unmount(self) -> None:
        self._session.stop()

    # ------------------------------------------------------------------ the Pico's side

    def on_terminal_panel_changed(self, message: Changed) -> None:
        for line in self._attendant.take(message.record):
            self._say(line)
        self._show()

    def on_terminal_panel_failed(self, message: Failed) -> None:
        self.failure = message.failure
        self.exit(return_code=1)

    def _say(self, line: str) -> None:
        pane = self.query_one(ConsolePane)
        pane.write(line)
        kind, _, said = protocol.parse(line)
        if kind == protocol.ERROR and not pane.display:
            self.notify(said.get("text", line), severity="error")

    def _show(self) -> None:
        if self._tip and not self._tip.holds(self._shown):
            self._tip = None
        self.query_one(Cabinet).show(self._shown, self._tip)

    # ------------------------------------------------------------------ the person's side

    def action_push(self, verb: str, button: str) -> None:
        """Tap or hold a button."""
        self.query_one(f"#{button}", PanelButton).flash()
        self._order(verb, button)

    def on_panel_button_moved(self, message: PanelButton.Moved) -> None:
        self._order("press" if message.down else "release", message.button)

    def on_lamps_touched(self, message: Lamps.Touched) -> None:
        """Switch off the touched lamp, as on the page. In attract mode and after a match, a
        touched lamp acts like any button."""
        if not self._attendant.touch(message.lamp) and self._shown.state in _SHOWS:
            self.action_push("tap", "go")
        self._show()

    def _order(self, verb: str, button: str) -> None:
        self._shown.touched()
        self._show()
        self._session.order(verb, button)

    def action_help(self) -> None:
        self.push_screen(Help(self._table, self._shown))

    def action_tip(self) -> None:
        """Mark the lamps of a winning move, or remove the marks."""
        if self._tip:
            self._tip = None
        elif possible(self._shown):
            self._tip = Tip(self._shown)
        else:
            self.notify(words.say([message("term.tip.wait")], self._table))
        self._show()

    def action_choose(self, what: str) -> None:
        """Show a list of games or levels. The choice counts for this visit."""
        game = self._shown.game.name if self._shown.game else None
        now = {"game": game, "level": self._shown.level}[what]

        def chosen(name: str | None) -> None:
            if name:
                self._type(f"choose {what} {name}")

        self.push_screen(Choice(self._table, what, now), chosen)

    def _type(self, line: str) -> None:
        self._say(self._attendant.send(line))

    def action_console(self) -> None:
        pane = self.query_one(ConsolePane)
        pane.display = not pane.display
        if pane.display:
            pane.query_one(CommandLine).focus()
        self._fit(self.size)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        line = message.value.strip()
        if line:
            self._type(line)

    # ------------------------------------------------------------------ layout

    def on_resize(self, event: Resize) -> None:
        self._fit(event.size)  # self.size is still the old size

    def _fit(self, size: Size) -> None:
        """Draw everything as large as the terminal allows."""
        width, height = size.width, size.height - 1  # one line is for the keys
        pane = self.query_one(ConsolePane)
        if pane.display:
            least, most = _PANE_LINES
            lines = max(least, min(most, height - _SMALLEST[1]))
            pane.styles.height = lines
            height -= lines
        roomy = width >= _ROOMY[0] and height >= _ROOMY[1]
        cabinet = self.query_one(Cabinet)
        cabinet.set_class(not roomy, "-compact")
        cabinet.set_class(width < _ROOMY[0], "-narrow")
        self.query_one("#keys", Static).update(_keys(self._table, width))
        tiny = width < _SMALLEST[0] or height < _SMALLEST[1] - 1
        self.query_one("#room").set_class(tiny, "-tiny")


def _keys(table: words.Table, width: int) -> str:
    """Return the bottom line, with as many keys as fit."""
    go, new = table["ui.go"], table["ui.new"]
    enter = table["term.enter"]
    keys = [  # (text, action of a click, priority)
        (f"1-{board.ROWS}", table["term.key.rows"], None, 9),
        (enter, go, "app.push('tap', 'go')", 8),
        ("n", new, "app.push('tap', 'new')", 7),
        ("t", table["term.key.tip"], "app.tip", 4),
        ("g", table["term.key.game"], "app.choose('game')", 3),
        ("l", table["term.key.level"], "app.choose('level')", 2),
        ("c", table["term.key.console"], "app.console", 1),
        ("?", table["term.key.help"], "app.help", 6),
        ("q", table["term.key.quit"], "app.quit", 5),
    ]

    def text(gap: str) -> str:
        return gap.join(f"{key} {word}" for key, word, _, _ in keys)

    wide, narrow = _GAPS
    while len(text(narrow)) > width:
        keys.remove(min(keys, key=lambda key: key[3]))
    return (wide if len(text(wide)) <= width else narrow).join(
        f"[@click={action}][b]{key}[/b] {word}[/]" if action else f"[b]{key}[/b] {word}"
        for key, word, action, _ in keys
    )


class CommandLine(Input):
    """The input for console lines. Up and Down recall earlier lines."""

    BINDINGS: ClassVar = [
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
        Binding("escape", "app.console", show=False),
    ]

    def __init__(self, placeholder: str) -> None:
        super().__init__(
            placeholder=placeholder,
            compact=True,
            max_length=protocol.LONGEST,
        )
        self._history: list[str] = []
        self._recalled = 0  # the index of the recalled line. Past the end: a new line

    def on_input_submitted(self) -> None:
        if self.value.strip():
            self._history.append(self.value)
        self._recalled = len(self._history)
        self.value = ""

    def action_recall(self, step: int) -> None:
        self._recalled = min(max(self._recalled + step, 0), len(self._history))
        self.value = (*self._history, "")[self._recalled]
        self.cursor_position = len(self.value)


class ConsolePane(Vertical):
    """The serial console: its output, and an input line."""

    _HUES: ClassVar = {
        "ok": "#8fd694",
        "error": "bold #ff8370",
        "event": "#9aa5ab",
        ">": "bold #7fc8f8",
    }

    def __init__(self, table: words.Table) -> None:
        super().__init__()
        self._table = table
        self.border_title = table["term.console"]
        self.border_subtitle = table["term.console.close"]

    def compose(self) -> ComposeResult:
        said = RichLog(id="said", max_lines=_LINES_KEPT, wrap=True, min_width=0)
        said.can_focus = False
        yield said
        with Horizontal():
            yield Static(">", id="prompt")
            yield CommandLine(self._table["term.line"])

    def write(self, line: str) -> None:
        text = Text(line, style=self._HUES.get(line.split(" ")[0], ""))
        self.query_one(RichLog).write(text)
