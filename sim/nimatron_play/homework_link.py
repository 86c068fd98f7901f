"""The link to a static page, with a query that requests a match."""

from nimatron import games, settings
from nimatron.protocol import Refused
from nimatron_play import words
from nimatron_play.lesson import STEPS
from nimatron_play.words import Message, message

_LONGEST = 60  # the most characters of the request to repeat in an error
_TASK = 140  # the most characters of a task
_CHOICES = ("game", "level", "players")  # in the order in which they are typed
_LANGUAGES = words.codes()


class Link:
    """The request in a link. `asked` is a dict of texts with any of the keys game, level, players,
    rows, language, lesson and task. Other keys are ignored. A lesson needs no game, level or rows.

    Call `begin` with the machine's games and levels. If the link requests something unavailable,
    `wrong` is a sentence about it. Otherwise `wrong` is None, and `lines` must be typed at the
    console.
    """

    def __init__(self, asked: dict[str, str]):
        self._asked = asked
        self.wrong: Message | None = None
        self.lines: list[str] = []
        self.lesson = 0  # the scene of the lesson to begin
        self.has_position = False  # True if one of the lines sets a position

    @property
    def language(self) -> str:
        """The first language of the page, or "" for the browser's language."""
        asked = self._asked.get("language", "")
        return asked if asked in _LANGUAGES else ""

    @property
    def task(self) -> str:
        """The teacher's sentence, in one line, or "". A page must not show it as HTML."""
        asked = self._asked.get("task", "")
        line = "".join([one if " " <= one < "\x7f" or one >= "\xa0" else " " for one in asked])
        return " ".join([word for word in line.split(" ") if word])[:_TASK]

    def begin(self, offered: dict[str, list[str]], usual: str) -> None:
        """Check the request. `offered` are the names that `game` and `level` may have. `usual` is
        the game if the link has no `game`."""
        offered["players"] = [str(number) for number in settings.find("players")[1]]
        offered["language"] = _LANGUAGES
        offered["lesson"] = [""] + [str(step) for step in range(1, STEPS + 1)]
        for what in offered:
            if what in self._asked and self._asked[what] not in offered[what]:
                self._refuse(what)
                return
        chosen = [what for what in _CHOICES if what in self._asked]
        lines = [f"choose {what} {self._asked[what]}" for what in chosen]
        if "rows" in self._asked:
            game = games.find(self._asked.get("game", usual))
            try:
                position = game.placed_on_panel(game.parse(_words(game, self._asked["rows"])))
            except (ValueError, Refused):
                self._refuse("rows")
                return
            lines.append("new " + game.words(position))
            self.has_position = "lesson" not in self._asked
        if "lesson" in self._asked:
            self.lesson = int(self._asked["lesson"] or 1)
        else:
            self.lines = lines

    def _refuse(self, what):
        self.wrong = message("link." + what, got=self._asked[what][:_LONGEST])


def _words(game, text):
    """Return the words of a position in the form that its game reads. In games with a digit for
    each lamp, you may omit dark rows and dark lamps at the end of a row. In such a game, a number
    of 2 or more means this many lamps from the left."""
    if "/" not in game.words(game.placed_on_panel(game.openings[0])):
        return text.split()
    rows = text.replace(",", "/").replace(" ", "/").split("/")
    rows += [""] * (game.shape[0] - len(rows))
    for at, row in enumerate(rows):
        if len(row) == 1 and row in "234567":
            row = "1" * int(row)
        rows[at] = row + "0" * (game.columns(at) - len(row) if at < game.shape[0] else 0)
    return ["/".join(rows)]
