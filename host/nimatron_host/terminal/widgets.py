"""The cabinet in a terminal: lamps, signs, buttons, a buzzer and a token cup.

It draws a PanelView, and reports which button is pressed. It has two sizes, roomy and `-compact`.
"""

from functools import cache
from math import hypot

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Click, MouseDown, MouseMove
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from nimatron import board
from nimatron.devices import pins
from nimatron.states import MACHINE
from nimatron_host.terminal.tip import Tip
from nimatron_play import words
from nimatron_play.panel_view import PanelView
from nimatron_play.words import Table, message, say

_LINGER_S = 0.15  # shorter events are shown for this time

# ---------------------------------------------------------------------- lamps

# A lit lamp is a disc of light, and a dark lamp is a ring of glass, so they differ in more than
# colour.
_LIT = ("▗▄▄▄▖", "▐███▌", "▝▀▀▀▘")
_DARK = ("╭───╮", "│   │", "╰───╯")
_MARK = "×"  # noqa: RUF001, on a lamp that a tip marks
_PICKED = "·"  # in a lamp that is picked until GO confirms it
_PITCH, _SMALL_PITCH = (6, 3), (3, 1)  # the distance between lamps, in cells

# The colours for the cells of a lit lamp, brighter towards the middle.
_HUES = ("01210", "23432", "01210")
_GLOW = ((150, 82, 24), (244, 164, 62), (255, 194, 88), (255, 224, 148), (255, 247, 222))
_BOARD, _GLASS, _SHINE = (20, 12, 7), (104, 78, 50), (150, 78, 14)
_SHADES = 12  # the number of shades in the glow around lit lamps
_REACH = 6  # the reach of the glow, in columns. A line is as high as two columns


Colour = tuple[int, ...]


class Lamps(Widget):
    """The 4 x 7 lamps."""

    def __init__(self) -> None:
        super().__init__(id="lamps")
        self._masks = [0] * board.ROWS
        self._marks = [0] * board.ROWS
        self._picked = [0] * board.ROWS
        self._strips: list[Strip] = []
        self._drawn: tuple[object, ...] | None = None  # the contents of the strips

    class Touched(Message):
        """A person has touched a lamp. `lamp` is its number in reading order, counted from 0."""

        def __init__(self, lamp: int) -> None:
            super().__init__()
            self.lamp = lamp

    def show(self, masks: list[int], marks: list[int], picked: list[int]) -> None:
        """Show the lit lamps in `masks`, the `marks` of a tip, and the lamps `picked` in this
        turn."""
        if (masks, marks, picked) != (self._masks, self._marks, self._picked):
            self._masks, self._marks, self._picked = masks, marks, picked
            self.refresh()

    def on_click(self, event: Click) -> None:
        wide, high = _PITCH if self._roomy else _SMALL_PITCH
        column, row = (event.x - 1) // wide, event.y // high
        if 0 <= column < board.LAMPS and row < board.ROWS:
            self.post_message(self.Touched(row * board.LAMPS + column))

    @property
    def _roomy(self) -> bool:
        return self.size.height >= board.ROWS * _PITCH[1]

    def render_line(self, y: int) -> Strip:
        now = self._masks, self._marks, self._picked, self._roomy
        if self._drawn != now:
            self._drawn = now
            self._strips = self._large() if self._roomy else self._small()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def _small(self) -> list[Strip]:
        on, off = _style(_GLOW[2], _BOARD, True), _style(_GLASS, _BOARD)

        def lamp(row: int, column: int) -> Segment:
            mark = _MARK if self._marks[row] >> column & 1 else " "
            if self._masks[row] >> column & 1:
                return Segment(f"{mark}● ", on)
            return Segment(f"{mark}{_PICKED if self._picked[row] >> column & 1 else '○'} ", off)

        return [
            Strip([Segment(" ", off), *(lamp(row, column) for column in range(board.LAMPS))])
            for row in range(board.ROWS)
        ]

    def _large(self) -> list[Strip]:
        width, height = board.LAMPS * _PITCH[0] + 1, board.ROWS * _PITCH[1]
        text = [[" "] * width for _ in range(height)]
        hues = [[_GLASS] * width for _ in range(height)]
        shine = [[0.0] * width for _ in range(height)]
        for row, mask in enumerate(self._masks):
            for column in range(board.LAMPS):
                left, top = column * _PITCH[0] + 1, row * _PITCH[1]
                lit = mask >> column & 1
                for line, cells in enumerate(_LIT if lit else _DARK):
                    text[top + line][left : left + len(cells)] = cells
                    if lit:
                        hues[top + line][left : left + len(cells)] = [
                            _GLOW[int(hue)] for hue in _HUES[line]
                        ]
                if lit:
                    _shine(shine, left + 2, top + 1)
        lines = [
            [
                Segment(character, _style(hue, _shade(light)))
                for character, hue, light in zip(*line, strict=True)
            ]
            for line in zip(text, hues, shine, strict=True)
        ]
        for row in range(board.ROWS):
            for column in range(board.LAMPS):
                lit = self._masks[row] >> column & 1
                style = _style(_BOARD, _GLOW[-1], True) if lit else _style(_GLOW[2], _BOARD)
                segments, middle = lines[row * _PITCH[1] + 1], column * _PITCH[0] + 3
                if self._marks[row] >> column & 1:
                    segments[middle] = Segment(_MARK, style)
                elif self._picked[row] >> column & 1 and not lit:
                    segments[middle] = Segment(_PICKED, style)
        return [Strip(line).simplify() for line in lines]


def _shine(shine: list[list[float]], x: int, y: int) -> None:
    """Add the glow of a lamp at this cell to the cells around it."""
    for line in range(max(y - 3, 0), min(y + 4, len(shine))):
        for column in range(max(x - _REACH, 0), min(x + _REACH + 1, len(shine[line]))):
            distance = hypot(column - x, 2 * (line - y))
            shine[line][column] += max(1 - distance / _REACH, 0) ** 1.5


def _shade(light: float) -> Colour:
    step = min(round(light * _SHADES), _SHADES) / _SHADES
    return tuple(
        round(dark + (bright - dark) * step) for dark, bright in zip(_BOARD, _SHINE, strict=True)
    )


@cache
def _style(ink: Colour, paper: Colour, bold: bool = False) -> Style:
    return Style(color=_hex(ink), bgcolor=_hex(paper), bold=bold)


def _hex(rgb: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


# ---------------------------------------------------------------------- signs


_SIGNS = [name for name, _ in pins.LEGENDS]
_OF_THE_MACHINE = [name for name in _SIGNS if name.startswith(MACHINE)]
_LARGE_SIGNS, _SMALL_SIGNS = 47, 42  # the most letters in all signs that fit side by side


class Sign(Static):
    """A sign that is lit or dark. `gap` is the space to the left and right of its text."""

    def __init__(self, name: str, text: str, gap: str) -> None:
        self._text = text
        self._gap = gap
        super().__init__(self._framed(" ", " "), id=name, markup=False)

    def show(self, lit: bool) -> None:
        if lit != self.has_class("-lit"):
            self.set_class(lit, "-lit")
            self.update(self._framed("▶", "◀") if lit else self._framed(" ", " "), layout=False)

    def _framed(self, left: str, right: str) -> str:
        return f"{left}{self._gap}{self._text}{self._gap}{right}"


# ---------------------------------------------------------------------- buttons


class PanelButton(Static):
    """A push button, which is down while the mouse holds it."""

    class Moved(Message):
        """Posted when a button is pressed or released."""

        def __init__(self, button: str, down: bool) -> None:
            super().__init__()
            self.button = button
            self.down = down

    def __init__(self, name: str, label: str) -> None:
        super().__init__(label, id=name, markup=False)
        self._held = False

    def flash(self) -> None:
        """Show a key press."""
        self.add_class("-down")
        self.set_timer(_LINGER_S, lambda: self.set_class(self._held, "-down"))

    def on_mouse_down(self, event: MouseDown) -> None:
        self.capture_mouse()  # the mouse may leave the button before its release
        self._hold(True)

    def on_mouse_up(self) -> None:
        self.release_mouse()
        self._hold(False)

    def on_mouse_move(self, event: MouseMove) -> None:
        if self._held and not event.button:  # the mouse was released outside the terminal
            self.on_mouse_up()

    def on_mouse_release(self) -> None:
        self._hold(False)

    def _hold(self, down: bool) -> None:
        if down != self._held:
            self._held = down
            self.set_class(down, "-down")
            self.post_message(self.Moved(self.id or "", down))


# ---------------------------------------------------------------------- sounder and token


class Sounder(Static):
    """The buzzer, which shows the sound."""

    def __init__(self) -> None:
        super().__init__("♪", id="sounder", markup=False)
        self._hertz = 0

    def show(self, hertz: int) -> None:
        if hertz == self._hertz:
            return
        self._hertz = hertz
        if hertz:
            self.add_class("-lit")
            self.update("((( ♪ )))", layout=False)
        else:
            self.set_timer(_LINGER_S, self._hush)

    def _hush(self) -> None:
        if not self._hertz:
            self.remove_class("-lit")
            self.update("♪", layout=False)


class TokenCup(Static):
    """The coin chute and the cup below it."""

    def __init__(self, title: str) -> None:
        super().__init__("─────", id="token", markup=False)
        self.border_title = title

    def show(self, chute_open: bool, tokens: int) -> None:
        coins = " ".join("◉" * min(tokens, 5)) or "─────"
        text = f"▼ {coins} ▼" if chute_open else coins
        if text != self.content:
            self.set_class(bool(tokens), "-lit")
            self.update(text, layout=False)


# ---------------------------------------------------------------------- the cabinet


class Cabinet(Vertical):
    """The whole cabinet."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table
        self._signs = {name: table[f"sign.{name}"].upper() for name in _SIGNS}
        self._letters = len("".join(self._signs.values()))
        self.set_class(self._letters > _SMALL_SIGNS, "-wordy")
        self.border_title = "N I M A T R O N"

    def compose(self) -> ComposeResult:
        yield Static(id="rule", markup=False)
        with Horizontal(id="signs"):
            for name, text in self._signs.items():
                sign = Sign(name, text, " " if self._letters <= _LARGE_SIGNS else "")
                sign.set_class(name in _OF_THE_MACHINE, "-machines")
                yield sign
        with Horizontal(id="board"):
            yield Lamps()
            with Vertical(id="rows"):
                for number in range(1, board.ROWS + 1):
                    yield PanelButton(f"row{number}", str(number))
            with Vertical():
                yield PanelButton("go", self._table["ui.go"])
                yield PanelButton("new", self._table["ui.new"])
                yield Sounder()
                yield TokenCup(self._table["ui.token"].upper())
        yield Static(id="caption", markup=False)

    def show(self, display: PanelView, tip: Tip | None) -> None:
        """Show the panel, with a tip if there is one."""
        marks = tip.marks(display.lamps) if tip else list(board.DARK)
        self.query_one(Lamps).show(display.lamps, marks, display.picked)
        for sign in self.query(Sign):
            sign.show(sign.id in display.legends)
        self.query_one(Sounder).show(display.sound)
        self.query_one(TokenCup).show(bool(display.coin), display.tokens)
        doing, advice = display.said
        name = game_named(display.game.name, self._table) if display.game else []
        self._write("#rule", [*name, *display.rule_said])
        self._write("#caption", *([tip.said] if tip else [doing, advice]))
        self.set_class(display.players > 1, "-people")
        self.border_subtitle = say(_who(display), self._table)

    def _write(self, where: str, *lines: list[words.Message]) -> None:
        text = "\n".join(say(line, self._table) for line in lines)
        static = self.query_one(where, Static)
        if static.content != text:
            static.update(text, layout=False)


def game_named(name: str, table: Table) -> list[words.Message]:
    """Return the beginning of a sentence about the game called `name`."""
    return [message("term.name", game=table.get(f"game.{name}", name.capitalize()))]


def _who(display: PanelView) -> list[words.Message]:
    """Return the players in words."""
    if display.players > 1:
        return [message("term.players", count=display.players)]
    level = f"term.level.{display.level}"
    return [message("term.level.now", level=level)] if display.level else []
