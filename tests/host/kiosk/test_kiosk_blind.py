"""A match won by a player who sees nothing, but uses the roles and names of the accessibility
tree, the announcements of the live region, and the keys."""

import re

import pytest

from chromium import wait_until
from nimatron import bouton
from nimatron_play import words

pytest.importorskip("playwright.sync_api", reason="PyPI's playwright is not here")

SAYS = words.table("en")
_ROW = re.compile(r"Row \d: (\d) lamps? lit")
_MOVED = re.compile(r"I switched off (\d) lamps? in row (\d)\..*Rows: (.*)\.")


# Keeps all announcements, because the next one may come before the test looks.
_LISTEN = """() => {
  const region = document.querySelector("[role=status]");
  const hear = () => (window.heard ??= []).push(region.textContent);
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(hear).observe(region, all);
  hear();
}"""


class Listener:
    """A player with a keyboard and a screen reader, which reads names and announcements."""

    def __init__(self, page):
        self._page = page
        self._heard = 0  # the number of announcements before the last that the player waited for
        page.evaluate(_LISTEN)

    def press(self, key):
        self._page.keyboard.press(key, delay=50)

    def reads(self, role, name=None):
        """Return the screen reader's text for the first element with this role."""
        element = self._page.get_by_role(role, name=name, exact=True).first
        return element.aria_snapshot() if element.count() else ""

    def hears(self, text):
        """Wait until the live region announces this. Return the announcement."""

        def said():
            heard = enumerate(self._page.evaluate("heard")[self._heard :])
            return next((each for each in heard if re.search(text, each[1])), None)

        wait_until(self._page, said, text)
        number, announcement = said()
        self._heard += number
        return announcement

    def at(self, name):
        """Return True if the focus is on an element with this name."""
        focused = self._page.locator(":focus")
        return bool(focused.count()) and bool(re.search(name, focused.aria_snapshot()))

    def go(self, key, name):
        """Press a key until the focus is on an element with this name."""
        for _ in range(30):
            if self.at(name):
                return
            self.press(key)
        raise AssertionError(f"{key} leads to no {name}")

    def rows(self):
        """Return the number of lit lamps in each row of the grid."""
        return tuple(int(count) for count in _ROW.findall(self.reads("grid", SAYS["page.lamps"])))

    def moves(self, row, take):
        """Pick the lamps of this move, and end the turn."""
        self.go("Tab", "Row ., lamp .")
        self.go("ArrowUp", "Row 1")
        self.go("ArrowDown", f"Row {row}")
        self.press("Home")
        self.go("ArrowRight", f"off {take} lamps" if take > 1 else "switches it off")
        self.press("Space")
        self.hears("GO.*You have switched off")
        self.press("Enter")


@pytest.fixture
def listener(serve, visit):
    short = "set openings own", "set own 1 2 2"
    return Listener(visit(serve("set verdict_ms 60000", *short)))


def spoken(rows):
    return ", ".join(str(count) if count else "empty" for count in rows)


def test_a_blind_player_wins(listener):
    listener.hears(f"Can you beat me.*{SAYS['page.keys.lamps']}")
    listener.press("Enter")
    listener.hears("Your move: pick a lamp. .*Rows: ")
    assert listener.reads("list", SAYS["ui.signs"]).count("listitem") == 1  # the lit one
    listener.go("Tab", "Row ., lamp .")
    listener.hears(SAYS["page.keys.lamps"])
    listener.go("ArrowRight", "Row 1, lamp .: dark")
    listener.press("Space")
    listener.hears("Row 1, lamp .: dark")
    left = listener.rows()
    while True:
        row, take = bouton.winning_moves(left)[0]
        listener.moves(row + 1, take)
        left = (*left[:row], left[row] - take, *left[row + 1 :])
        said = listener.hears(r"I (switched|won|lost).*Rows|You win")
        if "You win" in said:
            break
        count, moved, heard = _MOVED.search(said).groups()
        at = int(moved) - 1
        left = (*left[:at], left[at] - int(count), *left[at + 1 :])
        assert left == listener.rows() and heard == spoken(left)
    listener.hears(f"I {SAYS['last.lamp.done']}.*{SAYS['do.token']}")
    assert SAYS["ui.tokens.one"] in listener.reads("img", SAYS["ui.tokens.one"])
    assert SAYS["sign.you-win"] in listener.reads("list", SAYS["ui.signs"])


def test_the_explanation_is_announced_and_the_next_key_plays(listener):
    listener.hears("Can you beat me")
    listener.press("Enter")
    listener.hears("Your move")
    listener.press("h")
    listener.hears(f"{SAYS['ui.curious']}: {SAYS['why.here.player.win']}")
    listener.press("h")
    listener.hears("Rows: ")
    listener.moves(1, 1)
