"""The program behind a page without a server: the machine, one visitor and one operator.
kiosk_worker.js starts it. It is written in MicroPython's Python."""

import json

from nimatron import board, states
from nimatron_play.homework_link import Link
from nimatron_play.machine import Machine
from nimatron_play.operator import Operator
from nimatron_play.pages import Bad, News, Page, read
from nimatron_play.surroundings import DEFAULTS, FixedPages, Surroundings
from nimatron_play.visitor import Visitor

PEOPLE = ("1", "2")  # the most players who can choose to share the screen. A link allows more

# How often the kiosk answers the machine's warning for a visitor who came by a link. The machine
# asks after 40 s without a press, so a visitor has a quarter of an hour to think.
_STAYS = 21


class _Session:
    """The Pico in another worker. `orders` collects the orders for it, as in hands.py."""

    def __init__(self):
        self.orders = []

    def start(self):
        pass

    def order(self, verb, what):
        self.orders.append((verb, what))


class Desk:
    """The functions that the worker calls. `link` is the query in the page's address, as in
    homework_link.py.

    visitor.py describes the page's messages. In addition, `link` with any value starts the link's
    position again, and `people` with a number sets the number of players who share the screen.
    """

    def __init__(self, link):
        self._link = Link(link)
        self._session = _Session()
        self._work = []  # tasks that wait until the page has the other news
        pages = FixedPages(self._link.language)
        surroundings = Surroundings(pages=pages, warn=print, think=self._put, reckon=self._put)
        self._machine = Machine(self._session, [], surroundings)
        self._machine.start()
        self._visitor = Visitor(self._machine, Page(True), self)
        self._machine.visit.happen("open", self._visitor.page.you)
        self._news = News()
        self._operator = None  # an Operator after the operator's page was opened
        self._beats = 0
        self._began = False  # True after the link's match has begun
        self._stays = _STAYS

    def wake(self):
        """Do nothing, because the worker asks for news after each change."""

    def _put(self, work, then):
        self._work.append((work, then))

    def _type(self, lines):
        for line in lines:
            self._machine.attendant.ask(line)

    def take(self, records):
        """Handle trace records, as JSON."""
        self._machine.take(json.loads(records))
        if self._machine.view.warned and self._link.has_position and self._stays:
            self._stays -= 1
            self._machine.buttons.here(self._visitor.page)
        if not self._began and self._machine.state["state"] == states.ATTRACT:
            self._begin()

    def _begin(self):
        """Begin the link's match, after the Pico has sent its games and levels."""
        visit = self._machine.visit
        offered = {what: visit.offered(what) for what in ("game", "level")}
        game = self._machine.state["game"]
        if not offered["level"] or not game:
            return
        self._began = True
        self._link.begin(offered, game)
        if self._link.wrong:
            return
        self._type(self._link.lines)
        if self._link.lesson:
            self._machine.insight.teach(self._visitor.page, self._link.lesson)

    def hear(self, text):
        """Carry out a message from the page."""
        self._stays = _STAYS
        try:
            verb, what, serial = read(text)
            if self._visitor.is_new(serial):
                self._hear(verb, what)
        except Bad as why:
            print("message dropped,", why)

    def _hear(self, verb, what):
        begins = verb == "touch" or (verb == "press" and what == board.GO)
        if verb == "link" or (
            begins and self._offers_again() and not self._machine.insight.lesson
        ):
            self._type(self._link.lines)
        elif verb == "people":
            if what not in PEOPLE:
                raise Bad("so many cannot play")
            self._type(["choose players " + what])
        else:
            self._visitor.hear(verb, what)

    def operate(self, text):
        """Carry out a message from the operator's page, which is "" if it has just been opened."""
        if not text:
            self._operator = Operator(self._machine, self, DEFAULTS)
            self._operators_news = News()
            self._machine.operators.clear()
            self._machine.operators.add(self._operator)
            self._machine.facts.ask()
        elif self._operator:
            try:
                verb, what, _ = read(text)
                self._operator.hear(verb, what)
            except Bad as why:
                print("message dropped,", why)

    def ponder(self):
        """Do one piece of work. Return False if no work is left."""
        if not self._work:
            return False
        work, then = self._work.pop(0)
        then(work())
        return True

    def orders(self):
        """Return the orders for the Pico as JSON, or "" if there are no orders."""
        orders, self._session.orders = self._session.orders, []
        return json.dumps(orders) if orders else ""

    def news(self):
        """Return the news for the page as JSON, or "" if there is no news."""
        view = self._machine.view
        seen = self._visitor.seen()
        seen["rows"] = view.game.words(view.position) if view.position else ""
        seen["shared"] = True  # all players share the screen
        seen["again"] = self._offers_again()
        seen["task"] = self._link.task
        if self._link.wrong and seen["state"] == states.ATTRACT:
            seen["doing"] = [self._link.wrong]
        news = self._news.since(seen)
        return json.dumps(news) if news else ""

    def _offers_again(self):
        """Return True if the match from the link is over, so that it can be played again."""
        resting = self._machine.state["state"] in (states.ATTRACT, states.VERDICT)
        return resting and self._link.has_position

    def beat(self):
        """Let time pass. Return a heartbeat for the operator's page as JSON, or "" if it is
        closed."""
        self._beats += 1
        self._machine.insight.keep_time()
        return json.dumps({"beat": self._beats}) if self._operator else ""

    def operators_news(self):
        """Return the news for the operator's page as JSON, or "" if there is no news."""
        news = self._operators_news.since(self._operator.seen()) if self._operator else {}
        return json.dumps(news) if news else ""


def start(given):
    """Return a Desk. `given` is {"link": query} as JSON."""
    return Desk(**json.loads(given))
