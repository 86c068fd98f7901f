"""The show: attract -> opening -> player -> thinking -> machine -> verdict -> attract."""

import asyncio
import gc
import time

from nimatron import board, opponent, pictures
from nimatron.games import GAMES
from nimatron.match import MACHINE, PLAYER, IllegalMove, Match, difference
from nimatron.nap import Nap
from nimatron.pulse import Pulse

GO = "go"
NEW = "new"
ROWS = tuple(["row%d" % (row + 1) for row in range(board.ROWS)])
BUTTONS = ROWS + (GO, NEW)
ABANDONED = "abandoned"

_BLINK_MS = 250
_RELAY_MS = 125  # from click to click while the machine thinks
_VERDICT_FRAME_MS = 200
_VERDICT_REST_MS = 1000  # who mashes the buttons still sees who won
_LAMP_MS = 100  # each, in the test of the lamps
_LAMPS = "lamps"
_COLLECT_FRAMES = 64  # of the attract show
_INBOX = 16  # presses waiting; a child who mashes gets no more than that ahead


class Wish:
    """What somebody wants of the exhibit: a button's press, or the same in words.

    verb is one of BUTTONS; "start" with the rows of a position; "take" with a row (from 0) and a
    count; or "lamps" for a look at each of them. `refused` says why it was not done.
    """

    def __init__(self, verb, *args):
        self.verb = verb
        self.args = args
        self.refused = None


class _Left(Exception):
    """The visit is over before the match is."""


class Exhibit:
    """Tells the show on `panel`; `tell(line)` is called with each event, as key=value words, and
    `ended(match, outcome)` for each match: PLAYER, MACHINE or ABANDONED."""

    def __init__(self, panel, settings, dice, tell, ended):
        self.state = "boot"
        self.match = None
        self.pulse = Pulse()
        self._panel = panel
        self._settings = settings
        self._dice = dice
        self._tell = tell
        self._ended = ended
        self._inbox = []
        self._nap = Nap()
        self._done = asyncio.Event()
        self._opening = 0  # index of the opening that is offered first
        self._start = None  # the next visit starts with: attract, the openings (), rows, _LAMPS

    async def run(self):
        while True:
            try:
                if self._start == _LAMPS:
                    self._start = None
                    for masks in pictures.each_lamp():
                        self._panel.show(masks)
                        await self._busy(_LAMP_MS)
                if self._start is None:
                    await self._attract()
                await self._offer_openings()
                while not self.match.over:
                    if self.match.turn == PLAYER:
                        await self._player_turn()
                    else:
                        await self._machine_turn()
                await self._verdict()
            except _Left:
                pass

    # ------------------------------------------------------------------ what people do

    def press(self, button):
        """A button was pressed."""
        self._put(Wish(button))

    async def ask(self, verb, *args):
        """Do a Wish; returns why it was refused, or None once it is done."""
        wish = Wish(verb, *args)
        if not self._put(wish):
            return "busy"
        self._done.clear()
        await self._done.wait()
        return wish.refused

    def _put(self, wish):
        if len(self._inbox) >= _INBOX:
            return False
        self._inbox.append(wish)
        self._nap.wake()
        return True

    async def _wish(self, ms):
        """The next wish, or None after `ms`. A wish for another game ends the visit."""
        if not self._inbox:
            self._done.set()
            self.pulse.back_in(ms)
            await self._nap.sleep(ms)
            if not self._inbox:
                return None
        wish = self._inbox.pop(0)
        if wish.verb == "start":
            self._leave(*wish.args)
        if wish.verb == "lamps":
            self._leave(_LAMPS)
        return wish

    async def _visitor_wish(self, legend):
        """The next wish of a visitor, who is warned before the exhibit gives them up."""
        wish = await self._wish(self._settings.idle_ms - self._settings.warning_ms)
        if not wish:
            self._tell("warning=idle ms=%d" % self._settings.warning_ms)
            self._panel.play("warning")
            for blink in range(self._settings.warning_ms // _BLINK_MS):
                self._panel.light(*(legend,) if blink % 2 else ())
                wish = await self._wish(_BLINK_MS)
                if wish:
                    break
            self._panel.light(legend)
        if not wish:
            self._leave(None)
        return wish

    async def _busy(self, ms):
        """Let `ms` pass; nothing but NEW is heard meanwhile."""
        end = time.ticks_add(time.ticks_ms(), ms)
        left = ms
        while left > 0:
            wish = await self._wish(left)
            if wish:
                if wish.verb == NEW:
                    self._leave(())
                wish.refused = "not your turn"
            left = time.ticks_diff(end, time.ticks_ms())

    def _leave(self, start):
        if self.match and not self.match.over and self.match.rows != self.match.opening:
            self._tell("abandoned rows=%s" % words(self.match.lit))
            self._ended(self.match, ABANDONED)
        self._start = start
        raise _Left

    def _refuse(self, wish, why):
        wish.refused = why
        self._panel.play("refusal")

    def _enter(self, state):
        self.state = state
        self._tell("state=%s" % state)

    # ------------------------------------------------------------------ the show

    async def _attract(self):
        self.match = None
        self._opening = 0
        self._enter("attract")
        self._panel.light()
        for count, masks in enumerate(pictures.invitation(self._game().openings)):
            self._panel.show(masks)
            if count % _COLLECT_FRAMES == 0:
                gc.collect()
            wish = await self._wish(self._settings.attract_ms)
            if wish and wish.verb == "take":
                self._refuse(wish, "no match")
            elif wish:
                return

    async def _offer_openings(self):
        """NEW walks through the openings; the first press of a row starts the match."""
        start = self._start
        self._start = None
        self._new_match(start or self._openings()[0])
        if start:
            return
        self._enter("opening")
        self._panel.light("your-move")
        self._panel.play("opening")
        while True:
            self._panel.show_rows(self.match.rows)
            wish = await self._visitor_wish("your-move")
            if wish.verb == NEW:
                self._opening += 1
                self._new_match(self._openings()[0])
                self._panel.play("opening")
            elif wish.verb == GO:
                self._refuse(wish, "nothing is picked")
            else:
                self._inbox.insert(0, wish)
                return

    def _openings(self):
        """The openings the first player can win under today's rule, the one on offer first."""
        misere = self._settings.rule == "misere"
        game = self._game()
        openings = [rows for rows in game.openings if not game.is_p(rows, misere)]
        first = self._opening % len(openings)
        return openings[first:] + openings[:first]

    def _game(self):
        return GAMES[self._settings.game]

    def _new_match(self, rows):
        self.match = Match(self._game(), rows, self._settings.rule == "misere")

    async def _player_turn(self):
        self._enter("player")
        self._panel.light("your-move")
        self._panel.show_rows(self.match.lit)
        move = None
        while not move:
            wish = await self._visitor_wish("your-move")
            if wish.verb == NEW:
                self._leave(())
            before = sum(self.match.lit)
            try:
                move = self._do(wish)
            except IllegalMove as why:
                self._refuse(wish, str(why))
                continue
            self._panel.show_rows(self.match.lit)
            if not move:
                self._panel.play("pick" if sum(self.match.lit) < before else "give-back")
        self._moved(PLAYER, move)

    def _do(self, wish):
        """One wish of the player whose turn it is; returns the move if it ends the turn."""
        if wish.verb == GO:
            return self.match.hand_over()
        if wish.verb == "take":
            return self.match.take(*wish.args)
        self.match.pick(ROWS.index(wish.verb))
        return None

    async def _machine_turn(self):
        self._enter("thinking")
        gc.collect()  # now, so that it does not keep a press waiting
        for click in range(self._settings.think_ms // _RELAY_MS):
            self._panel.light(*() if click % 2 else ("machine-move",))
            self._panel.play("relay")
            await self._busy(_RELAY_MS)
        self._enter("machine")
        self._panel.light("machine-move")
        slip = opponent.LEVELS[self._settings.level]
        after = opponent.choose(
            self.match.game, self.match.rows, self.match.misere, slip, self._dice
        )
        row, count = difference(self.match.rows, after)
        for _ in range(count):
            self.match.pick(row)
            self._panel.show_rows(self.match.lit)
            self._panel.play("put-out")
            await self._busy(self._settings.lamp_ms)
        self._moved(MACHINE, self.match.hand_over())

    def _moved(self, by, move):
        self._tell(
            "move by=%s row=%d take=%d rows=%s"
            % (by, move[0] + 1, move[1], words(self.match.rows))
        )

    async def _verdict(self):
        winner = self.match.winner
        self._enter("verdict")
        self._tell("over winner=%s" % winner)
        self._ended(self.match, winner)
        if winner == PLAYER:
            self._panel.light("you-win")
            self._panel.play("player-wins")
            movie = pictures.player_wins()
            await self._panel.drop_coin()
        else:
            self._panel.light("machine-wins")
            self._panel.play("machine-wins")
            movie = pictures.machine_wins()
        shown = 0
        while shown < self._settings.verdict_ms:
            self._panel.show(next(movie))
            wish = await self._wish(_VERDICT_FRAME_MS)
            shown += _VERDICT_FRAME_MS
            if wish and wish.verb == "take":
                self._refuse(wish, "the match is over")
            elif wish and shown > _VERDICT_REST_MS:
                self._leave(())


def words(rows):
    """A position as the console prints it."""
    return ",".join([str(n) for n in rows])
