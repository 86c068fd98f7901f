"""The queue of requests to the exhibit: presses, long presses and the console's commands.

The table shows the effect of each request in each state. A state in a cell is the next state. A
phrase in a cell is the reason for a refusal. A star means that the request is ignored during the
first second of the verdict. The `player` column is for a turn in which nothing is picked.

               attract   opening            player             verdict            the others
row            opening   player             player             opening *          not your turn
go             opening   nothing is picked  nothing is picked  opening *          not your turn
new            opening   opening            opening            opening *          opening
long row       ignored   ignored            ignored            ignored            not your turn
long go        ignored   ignored            ignored            ignored            not your turn
long new       ignored   opening            ignored            ignored            not your turn
take           no match  thinking           thinking           the match is over  not your turn
play           no match  thinking           thinking           the match is over  not your turn
pick           no match  player             player             the match is over  not your turn
start          opening   opening            opening            opening            opening
choose         opening   opening            opening            opening            opening
start POSITION player    player             player             player             player
lamp test      test      test               test               test               test

In `opening`, the requests `new` and `long new` offer the next opening and the next game. The other
states are `thinking`, `machine` and `test`. In these states, only the console receives refusals.
"""

import asyncio
import gc
import time

from micropython import const

from nimatron import states
from nimatron.board import NEW
from nimatron.devices.watchdog import Deadline
from nimatron.protocol import Refused

# The verbs of requests. The names of the buttons are also verbs.
LONG_PRESS = "long press"
START = "start"
TAKE = "take"
PLAY = "play"
PICK = "pick"
MOVES = (TAKE, PLAY, PICK)
LAMP_TEST = "lamp test"

BLINK_MS = 250
_NOT_YOURS = Refused("not-your-turn", "it is not your turn")
_COLLECT = const(16)  # visitors' requests between two garbage collections
_WAITING = const(16)  # the most requests that button mashing can queue


class Request:
    """A request to the exhibit: a button press, or a command.

    `verb` is the name of a button, or one of these with its arguments: LONG_PRESS with a button,
    START with the arguments of VisitOver, TAKE with a row (counted from 0) and a count, PLAY with
    an option, PICK with the remaining lamps, or LAMP_TEST. If the request was not done, `refused`
    is a Refused with the reason. `done` is an event to set when the request is finished, or None
    if no task waits.
    """

    def __init__(self, verb, *args):
        self.verb = verb
        self.args = args
        self.refused = None
        self.done = None


class VisitOver(Exception):
    """The exception that ends a visit, perhaps in the middle of a match. `then` is the next state:
    ATTRACT, OPENING or TEST from `states`, or the position for a match. `choice` is the visitor's
    choice for it: "game", "level" or "players" and a name or a number, or "practice" and "on" or
    "second,normal"."""

    def __init__(self, then, *choice):
        super().__init__()
        self.then = then
        self.choice = choice


class Requests:
    """The queue of requests. `deadline` is missed if the exhibit no longer reads the queue."""

    def __init__(self, panel, settings, emit):
        self.deadline = Deadline()
        self._panel = panel
        self._settings = settings
        self._emit = emit
        self._queue = []
        self._current = None  # the request that is being handled
        self._sleep = WakeableSleep()
        self._handled = 0  # visitors' requests since the last garbage collection

    @property
    def waiting(self):
        """The number of requests in the queue."""
        return len(self._queue)

    # ------------------------------------------------------------------ for senders of requests

    def press(self, button):
        """Queue a button press."""
        self._put(Request(button))

    def long_press(self, button):
        """Queue a long press, for a button that is still down `hold_ms` after the press."""
        self._put(Request(LONG_PRESS, button))

    async def ask(self, verb, *args):
        """Queue a request and wait until the exhibit has finished it. Return None, or a Refused
        with the reason why it was not done. If too many requests are waiting, return at once."""
        request = Request(verb, *args)
        request.done = asyncio.Event()
        if not self._put(request):
            return Refused("busy", "too many requests are waiting: try again in a moment")
        await request.done.wait()
        return request.refused

    def _put(self, request):
        if len(self._queue) >= _WAITING:
            return False
        self._queue.append(request)
        self._sleep.wake()
        return True

    # ------------------------------------------------------------------ for the exhibit

    async def next(self, ms):
        """Return the next request, or None after `ms`. The previous request is marked as done.
        Raises VisitOver for a request that every state obeys."""
        if self._current and self._current.done:
            self._current.done.set()
        self._current = None
        if not self._queue:
            self.deadline.renew(ms)
            await self._sleep.sleep(ms)
            if not self._queue:
                return None
        request = self._current = self._queue.pop(0)
        if request.verb == START:
            raise VisitOver(*request.args)
        if request.verb == LAMP_TEST:
            raise VisitOver(states.TEST)
        return request

    def put_back(self, request):
        """Put `request` back at the front of the queue, for another state."""
        self._queue.insert(0, request)
        self._current = None

    async def from_visitor(self, legend, pictures=None):
        """Return the next request. Until a request comes, `legend` is lit and the lamps blink
        between two `pictures`. For the last `warning_ms` of `idle_ms`, the legend blinks. After
        `idle_ms`, the visit is over."""
        self._handled += 1
        if self._handled >= _COLLECT and not self._queue:
            self._handled = 0
            gc.collect()  # collect just after a press, not during the next one
        idle_ms = self._settings.idle_ms
        warning_ms = min(self._settings.warning_ms, idle_ms)
        ms = idle_ms - warning_ms
        if pictures:
            request = await self._blinking(ms, self._panel.show, pictures)
        else:
            request = await self.next(ms)
        if request:
            return request
        self._emit("warning=idle ms=%d" % warning_ms)
        self._panel.play("warning")
        request = await self._blinking(
            warning_ms, lambda names: self._panel.light(*names), ((), (legend,))
        )
        self._panel.light(legend)
        if not request:
            raise VisitOver(states.ATTRACT)
        return request

    async def _blinking(self, ms, show, pair):
        for blink in range(ms // BLINK_MS):
            show(pair[blink % 2])
            request = await self.next(BLINK_MS)
            if request:
                return request
        return None

    async def refuse_for(self, ms):
        """Wait for `ms`, and refuse all requests except NEW."""
        end = time.ticks_add(time.ticks_ms(), ms)
        left = ms
        while left > 0:
            request = await self.next(left)
            if request:
                not_your_turn(request)
            left = time.ticks_diff(end, time.ticks_ms())


def heed_new(request):
    """Raise VisitOver for NEW, which ends the match and offers another opening."""
    if request.verb == NEW:
        raise VisitOver(states.OPENING)


def not_your_turn(request):
    """Refuse `request`, unless it is NEW."""
    heed_new(request)
    request.refused = _NOT_YOURS


class WakeableSleep:
    """A sleep_ms for one task. Another task can end the sleep with `wake`. On a Pico, cancelling
    the sleep takes a tenth of the time of wait_for_ms."""

    def __init__(self):
        self._sleeper = None

    async def sleep(self, ms):
        """Sleep for `ms`, or until the next call of `wake`."""
        self._sleeper = asyncio.current_task()
        try:
            await asyncio.sleep_ms(ms)
        except asyncio.CancelledError:
            if self._sleeper:  # something other than `wake` has cancelled it
                raise
        finally:
            self._sleeper = None

    def wake(self):
        """End the sleep, if a task is sleeping."""
        sleeper, self._sleeper = self._sleeper, None
        if sleeper:
            sleeper.cancel()
