"""The cabinet as a terminal draws it: lamps, signs, buttons, a sounder and a token cup.

It draws a PanelView, and reports which button is pressed; it has two sizes, roomy and `-compact`.
"""

from functools import cache
from math import hypot

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import MouseDown, MouseMove
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from nimatron import board
from nimatron.devices import pins
from nimatron_sim.ui.panel_view import PanelView

_LINGER_S = 0.15  # anything shorter is still shown this long

# ---------------------------------------------------------------------- lamps

# A lit lamp is a disc of light, a dark one a ring of glass: the shapes differ, not only the hues.
_LIT = ("▗▄▄▄▖", "▐███▌", "▝▀▀▀▘")
_DARK = ("╭───╮", "│   │", "╰───╯")
_PITCH = 6, 3  # cells from one lamp to the next

# The hues of a lit lamp's cells, brighter towards its middle.
_HUES = ("01210", "23432", "01210")
_GLOW = ((150, 82, 24), (244, 164, 62), (255, 194, 88), (255, 224, 148), (255, 247, 222))
_BOARD, _GLASS, _SHINE = (20, 12, 7), (104, 78, 50), (150, 78, 14)
_SHADES = 12  # of the glow around lit lamps
_REACH = 6  # the glow's reach in columns; a line is as high as two columns


class Lamps(Widget):
    """The 4 x 7 lamps."""

    def __init__(self) -> None:
        super().__init__(id="lamps")
        self._masks = [0] * board.ROWS
        self._strips: list[Strip] = []
        self._drawn = None  # what the strips show

    def show(self, masks: list[int]) -> None:
        if masks != self._masks:
            self._masks = masks
            self.refresh()

    def render_line(self, y: int) -> Strip:
        roomy = self.size.height >= board.ROWS * _PITCH[1]
        if self._drawn != (self._masks, roomy):
            self._drawn = self._masks, roomy
            self._strips = self._large() if roomy else self._small()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def _small(self):
        on, off = _style(_GLOW[2], _BOARD, True), _style(_GLASS, _BOARD)
        return [
            Strip(
                [Segment(" ", off)]
                + [
                    Segment(
                        " ● " if mask >> column & 1 else " ○ ", on if mask >> column & 1 else off
                    )
                    for column in range(board.LAMPS)
                ]
            )
            for mask in self._masks
        ]

    def _large(self):
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
        return [
            Strip(
                [
                    Segment(character, _style(hue, _shade(light)))
                    for character, hue, light in zip(*line, strict=True)
                ]
            ).simplify()
            for line in zip(text, hues, shine, strict=True)
        ]


def _shine(shine, x, y):
    """Add the light that a lamp at this cell casts on the board."""
    for line in range(max(y - 3, 0), min(y + 4, len(shine))):
        for column in range(max(x - _REACH, 0), min(x + _REACH + 1, len(shine[line]))):
            distance = hypot(column - x, 2 * (line - y))
            shine[line][column] += max(1 - distance / _REACH, 0) ** 1.5


def _shade(light):
    step = min(round(light * _SHADES), _SHADES) / _SHADES
    return tuple(
        round(dark + (bright - dark) * step) for dark, bright in zip(_BOARD, _SHINE, strict=True)
    )


@cache
def _style(ink, paper, bold=False):
    return Style(color=_hex(ink), bgcolor=_hex(paper), bold=bold)


def _hex(rgb):
    return "#{:02x}{:02x}{:02x}".format(*rgb)


# ---------------------------------------------------------------------- signs


_SIGN_TEXTS = {
    "your-move": "YOUR MOVE",
    "machine-move": "MACHINE'S MOVE",
    "you-win": "YOU WIN",
    "machine-wins": "MACHINE WINS",
}


class Sign(Static):
    """A legend: a sign that is lit or not."""

    def __init__(self, name: str) -> None:
        self._text = _SIGN_TEXTS[name]
        super().__init__(f"  {self._text}  ", id=name, markup=False)

    def show(self, lit: bool) -> None:
        if lit != self.has_class("-lit"):
            self.set_class(lit, "-lit")
            self.update(f"▶ {self._text} ◀" if lit else f"  {self._text}  ", layout=False)


# ---------------------------------------------------------------------- buttons


class PanelButton(Static):
    """A push button, down for as long as the mouse holds it."""

    class Moved(Message):
        """The button went down or came up."""

        def __init__(self, button: str, down: bool) -> None:
            super().__init__()
            self.button = button
            self.down = down

    def __init__(self, name: str, label: str) -> None:
        super().__init__(label, id=name, markup=False)
        self._held = False

    def flash(self) -> None:
        """Show a press of a key."""
        self.add_class("-down")
        self.set_timer(_LINGER_S, lambda: self.set_class(self._held, "-down"))

    def on_mouse_down(self, event: MouseDown) -> None:
        self.capture_mouse()  # the finger may slide off before it lifts
        self._hold(True)

    def on_mouse_up(self) -> None:
        self.release_mouse()
        self._hold(False)

    def on_mouse_move(self, event: MouseMove) -> None:
        if self._held and not event.button:  # it was released outside the terminal
            self.on_mouse_up()

    def on_mouse_release(self) -> None:
        self._hold(False)

    def _hold(self, down):
        if down != self._held:
            self._held = down
            self.set_class(down, "-down")
            self.post_message(self.Moved(self.id, down))


# ---------------------------------------------------------------------- sounder and token


class Sounder(Static):
    """The sound, made visible."""

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

    def _hush(self):
        if not self._hertz:
            self.remove_class("-lit")
            self.update("♪", layout=False)


class TokenCup(Static):
    """The coin chute and the cup below it."""

    def __init__(self) -> None:
        super().__init__("─────", id="token", markup=False)
        self.border_title = "TOKEN"

    def show(self, chute_open: bool, tokens: int) -> None:
        coins = " ".join("◉" * min(tokens, 5)) or "─────"
        text = f"▼ {coins} ▼" if chute_open else coins
        if text != self.content:
            self.set_class(bool(tokens), "-lit")
            self.update(text, layout=False)


# ---------------------------------------------------------------------- the cabinet


class Cabinet(Vertical):
    """The whole machine."""

    DEFAULT_CSS = """
    Cabinet {
        width: 78; height: auto; padding: 0 1;
        background: #24160c; border: outer #8a6a35;
        border-title-align: center; border-title-style: bold;
        border-title-color: #24160c; border-title-background: #d9ad5f;

        Horizontal { width: 100%; height: auto; align-horizontal: center; }
        Vertical { width: auto; height: auto; }
        #rule, #caption { width: 100%; text-align: center; }
        #rule { height: 1; color: #d9ad5f; text-style: italic; }
        #signs, #board { margin-top: 1; }
        #caption { height: 3; content-align: center bottom; }

        Lamps { width: 43; height: 12; }
        #rows { margin: 0 1; }

        Sign {
            width: auto; height: 3; margin: 0 1;
            border: round #5f4729; color: #8f7048;
            &.-lit {
                border: inner #ffc454; background: #ffc454; color: #2a1503; text-style: bold;
            }
        }

        PanelButton {
            width: 9; height: 3; content-align: center middle; text-style: bold;
            background: #4b3019; color: #f6deae; border: inner #4b3019;
            border-top: inner #6d4a2a; border-bottom: inner #38220f;
            &:hover { color: #ffffff; text-style: bold underline; }
            &.-down { background: #ffe0a0; color: #2a1503; border: inner #ffe0a0; }
        }
        #go, #new, Sounder, TokenCup { width: 20; }
        #go {
            height: 5; background: #8c2a1b; border: inner #8c2a1b;
            border-top: inner #b54a33; border-bottom: inner #641a10;
            &.-down { background: #ffe0a0; color: #2a1503; border: inner #ffe0a0; }
        }

        Sounder { height: 1; text-align: center; color: #6b5233; }
        TokenCup {
            height: 3; text-align: center; color: #6b5233;
            border: round #4a3721; border-title-align: center; border-title-color: #a98245;
        }
        Sounder.-lit, TokenCup.-lit { color: #ffc454; text-style: bold; }
        TokenCup.-lit { border: heavy #ffc454; }
    }
    Cabinet.-compact {
        #signs { margin-top: 0; }
        Sign, TokenCup { height: 1; border: none; &.-lit { border: none; } }
        Lamps { width: 22; height: 4; }
        PanelButton, #go {
            height: 1; border: none; border-left: outer #d9ad5f; border-right: outer #d9ad5f;
        }
        #go, #new, Sounder, TokenCup { width: 18; }
    }
    Cabinet.-narrow {
        width: 60; padding: 0;
        #caption { height: 4; content-align: center top; }
        Sign { margin: 0; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.border_title = "N I M A T R O N"

    def compose(self) -> ComposeResult:
        yield Static(id="rule", markup=False)
        with Horizontal(id="signs"):
            for name, _ in pins.LEGENDS:
                yield Sign(name)
        with Horizontal(id="board"):
            yield Lamps()
            with Vertical(id="rows"):
                for number in range(1, board.ROWS + 1):
                    yield PanelButton(f"row{number}", str(number))
            with Vertical():
                yield PanelButton("go", "GO")
                yield PanelButton("new", "NEW")
                yield Sounder()
                yield TokenCup()
        yield Static(id="caption", markup=False)

    def show(self, display: PanelView) -> None:
        self.query_one(Lamps).show(display.lamps)
        for sign in self.query(Sign):
            sign.show(sign.id in display.legends)
        self.query_one(Sounder).show(display.sound)
        self.query_one(TokenCup).show(bool(display.coin), display.tokens)
        self._write("#rule", display.rule_sentence)
        self._write("#caption", "\n".join(display.caption))

    def _write(self, where, text):
        static = self.query_one(where, Static)
        if static.content != text:
            static.update(text, layout=False)
