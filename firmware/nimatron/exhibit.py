"""The show: attract -> opening -> player -> thinking -> machine -> verdict -> attract.

It knows no game by name: what a press means and who has won is the match's business.
"""

import asyncio
import gc
import time

from nimatron import board, games, machines, opponent, pictures, protocol
from nimatron.devices.pulse import Pulse
from nimatron.match import MACHINE, PLAYER, IllegalMove, Match
from nimatron.nap import Nap
from nimatron.protocol import Refused

GO = "go"
NEW = "new"
ROWS = tuple(["row%d" % (row + 1) for row in range(board.ROWS)])
BUTTONS = ROWS + (GO, NEW)
STATES = ("attract", "opening", "player", "thinking", "machine", "verdict", "test")
ABANDONED = "abandoned"

HOLD = "hold"  # the button is still down after a while: a Wish of its own

_BLINK_MS = 250
_WORKING_MS = 1000
_RELAY_MS = 125  # from click to click while the machine thinks
_VERDICT_FRAME_MS = 200
_VERDICT_REST_MS = 1000  # who mashes the buttons still sees who won
_LAMP_MS = 100  # each, in the test of the lamps
_LAMPS = "lamps"
_NOT_YOURS = Refused("not-your-turn", "it is not your turn")
_COLLECT_FRAMES = 64  # of the attract show
_COLLECT_WISHES = 16  # of a visitor
_INBOX = 16  # presses waiting; a child who mashes gets no more than that ahead


class Wish:
    """What somebody wants of the exhibit: a button's press, or the same in words.

    verb is one of BUTTONS, or HOLD with one of them; "start" with a position; "take" with a row
    (from 0) and a count; "play" with an option; or "lamps" for a look at each of them. `refused`
    is the Refused that says why it was not done.
    """

    def __init__(self, verb, *args):
        self.verb = verb
        self.args = args
        self.refused = None


class _Left(Exception):
    """The visit is over before the match is."""


class Exhibit:
    """Tells the show on `panel`; `tell(line)` is called with each event, as key=value words,
    `entered()` with each new `state`, and `ended(match, outcome)` for each match: PLAYER, MACHINE
    or ABANDONED."""

    def __init__(self, panel, settings, dice, tell, entered, ended):
        self.state = "boot"
        self.match = None
        self.pulse = Pulse()
        self._panel = panel
        self._settings = settings
        self._dice = dice
        self._tell = tell
        self._entered = entered
        self._ended = ended
        self._inbox = []
        self._nap = Nap()
        self._wishes = 0  # since the last collection
        self._done = asyncio.Event()
        self._opening = 0  # index of the opening that is offered first
        # What the next visit starts with: attract (None), the openings (), a position, _LAMPS.
        self._start = None
        self.chosen = None  # the game that the visitor wants, by holding NEW
        self._played = None  # the rule set last played
        self._equalize = False  # a slip is still due in this match

    async def run(self):
        while True:
            try:
                if self._start == _LAMPS:
                    self._start = None
                    self._enter("test")
                    for masks in pictures.each_lamp():
                        self._panel.show(masks)
                        await self._busy(_LAMP_MS)
                if self._start is None:
                    await self._attract()
                await self._offer_openings()
                await self._play()
                await self._verdict()
            except _Left:
                pass

    # ------------------------------------------------------------------ what people do

    def press(self, button):
        """A button was pressed."""
        self._put(Wish(button))

    def hold(self, button):
        """It has been held down since, for a while."""
        self._put(Wish(HOLD, button))

    async def ask(self, verb, *args):
        """Do a Wish; returns a Refused that says why not, or None once it is done."""
        wish = Wish(verb, *args)
        if not self._put(wish):
            return Refused("busy", "too much is waiting to be done; try again in a moment")
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
        self._wishes += 1
        if self._wishes >= _COLLECT_WISHES and not self._inbox:
            self._wishes = 0
            gc.collect()  # just after a press, so that it does not fall into one
        wish = await self._lit_wish(self._settings.idle_ms - self._settings.warning_ms)
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

    async def _lit_wish(self, ms):
        """The same as _wish, while the lamp that the player has chosen blinks."""
        match = self.match
        cursor = match.game.cursor(match.draft)
        if not cursor:
            return await self._wish(ms)
        lamps = match.lamps
        for blink in range(ms // _BLINK_MS):
            light = cursor if blink % 2 == 0 else board.DARK
            self._panel.show(tuple([lit ^ mask for lit, mask in zip(lamps, light)]))
            wish = await self._wish(_BLINK_MS)
            if wish:
                return wish
        return None

    async def _busy(self, ms):
        """Let `ms` pass; nothing but NEW is heard meanwhile."""
        end = time.ticks_add(time.ticks_ms(), ms)
        left = ms
        while left > 0:
            wish = await self._wish(left)
            if wish:
                self._heed_new(wish)
                wish.refused = _NOT_YOURS
            left = time.ticks_diff(end, time.ticks_ms())

    def _heed_new(self, wish):
        """NEW gives the match up for another opening."""
        if wish.verb == NEW:
            self._leave(())

    def _leave(self, start):
        match = self.match
        if match and not match.over and match.position != match.opening:
            self._tell("abandoned rows=%s" % match.game.words(match.left))
            if MACHINE in match.seats:
                self._ended(match, ABANDONED)
        self.match = None  # given up once, whatever interrupts the test of the lamps
        self._start = start
        raise _Left

    def _refuse(self, wish, why):
        wish.refused = why
        self._panel.play("refusal")

    def _enter(self, state):
        self.state = state
        self._entered()

    def scene(self):
        """What the next visit depends on, while nothing has been done in this one but choosing:
        which opening is on offer, and of which game; None in the midst of a visit."""
        if self.state == "attract":
            return {"state": self.state}
        if self.state == "opening" and not self._inbox:
            return {"state": self.state, "opening": self._opening, "chosen": self.chosen}
        return None

    # ------------------------------------------------------------------ the show

    async def _attract(self):
        self.match = None
        self._opening = 0
        self.chosen = None
        self._enter("attract")
        self._panel.light()
        game = self.game()
        openings = [game.picture(position) for position in game.openings]
        for count, masks in enumerate(pictures.invitation(openings)):
            self._panel.show(masks)
            if count % _COLLECT_FRAMES == 0:
                gc.collect()
            wish = await self._wish(self._settings.attract_ms)
            if wish and wish.verb in ("take", "play"):
                self._refuse(wish, Refused("no-match", "there is no match; new starts one"))
            elif wish and wish.verb != HOLD:
                return

    async def _offer_openings(self):
        """NEW walks through the openings, held down through the games; the first press of a row
        starts the match."""
        start = self._start
        self._start = None
        self._new_match(start or self._openings()[0])
        if start:
            return
        self._enter("opening")
        self._panel.light("your-move")
        self._panel.play("opening")
        while True:
            self._panel.show(self.match.lamps)
            wish = await self._visitor_wish("your-move")
            if wish.verb == NEW:
                self._opening += 1
            elif wish.verb == HOLD:
                if wish.args[0] != NEW:
                    continue
                self._next_game()
            elif wish.verb == GO:
                self._refuse(wish, IllegalMove("nothing is picked"))
                continue
            else:
                self._inbox.insert(0, wish)
                return
            self._new_match(self._openings()[0])
            self._panel.play("opening")

    def _openings(self):
        """The openings the first player can win under today's rule, the one on offer first; those
        of a machine of history as it had them."""
        game = self.game()
        openings = machines.openings(self._settings.openings, game.name, game.seat)
        if not openings:
            misere = self._misere()
            openings = [rows for rows in game.openings if not game.is_p(rows, misere)]
        first = self._opening % len(openings)
        return openings[first:] + openings[:first]

    def game(self):
        """The rule set that is played: the visitor's choice, or the builder's."""
        name = self.chosen or self._settings.game
        if not self._played or self._played.name != name:
            self._played = None
            games.forget()
            gc.collect()  # before the next one takes the memory beyond the holes
            self._played = games.find(name)
        return self._played

    def _next_game(self):
        """The one after this in the builder's list."""
        names = self._settings.games.split(",")
        now = self.game().name
        at = names.index(now) + 1 if now in names else 0
        self.chosen = names[at % len(names)]
        self._opening = 0
        self._tell("game=%s" % self.chosen)

    def _misere(self):
        """Today's rule, or the only one the game has."""
        rules = self.game().rules
        rule = self._settings.rule
        return (rule if rule in rules else rules[0]) == "misere"

    def _new_match(self, position):
        seats = PLAYER, MACHINE
        if self._settings.players > 1:
            seats = tuple(["%s-%d" % (PLAYER, n + 1) for n in range(self._settings.players)])
        self.match = Match(self.game(), position, self._misere(), seats[0], seats)
        self._equalize = self._settings.level == opponent.EQUALIZER

    # ------------------------------------------------------------------ turns

    async def _play(self):
        """Turns until somebody has won. Of more than two people in misère play, whoever makes the
        last move is out, and the others begin again."""
        while True:
            while not self.match.over:
                if self.match.turn == MACHINE:
                    await self._machine_turn()
                else:
                    await self._player_turn()
            if len(self.match.seats) == 2 or not self.match.misere:
                return
            self._tell("out=%s" % self.match.last)
            self._panel.play("machine-wins")
            self.match = self.match.without_last()

    async def _player_turn(self):
        match = self.match
        self._enter("player")
        self._panel.show(match.lamps)
        await self._call(match)
        self._panel.light("your-move")
        before = None
        while not before:
            size = match.game.size(match.left)  # before the press, which has no time for it
            wish = await self._visitor_wish("your-move")
            self._heed_new(wish)
            try:
                before = self._do(wish)
            except IllegalMove as why:
                self._refuse(wish, why)
                continue
            self._panel.show(match.lamps)
            if not before and wish.verb != HOLD or match.game.size(match.left) != size:
                more = match.game.size(match.left) < size
                self._panel.play("pick" if more else "give-back")
        self._moved(before)

    async def _call(self, match):
        """Of several people, call the one whose turn it is: the sign blinks so many times."""
        if MACHINE not in match.seats:
            self._tell("turn=%s" % match.turn)
            for _ in range(match.seats.index(match.turn) + 1):
                self._panel.light()
                await self._busy(_BLINK_MS)
                self._panel.light("your-move")
                await self._busy(_BLINK_MS)

    def _do(self, wish):
        """One wish of the player whose turn it is; the position before if it ends the turn."""
        match = self.match
        if wish.verb == GO:
            return match.hand_over()
        if wish.verb == "take":
            return match.take(*wish.args)
        if wish.verb == "play":
            return match.play(*wish.args)
        if wish.verb == HOLD:
            if wish.args[0] in ROWS:
                match.hold(ROWS.index(wish.args[0]))
        else:
            match.press(ROWS.index(wish.verb))
        return None

    async def _machine_turn(self):
        match = self.match
        self._enter("thinking")
        gc.collect()  # now, so that it does not keep a press waiting
        if self._settings.working != "off":
            await self._show_working(match)
        for click in range(self._settings.think_ms // _RELAY_MS):
            self._panel.light(*() if click % 2 else ("machine-move",))
            self._panel.play("relay")
            await self._busy(_RELAY_MS)
        self._enter("machine")
        self._panel.light("machine-move")
        option = self._choose(match)
        for masks in pictures.change(match.lamps, match.game.picture(option)):
            self._panel.show(masks)
            self._panel.play("put-out")
            await self._busy(self._settings.lamp_ms)
        self._moved(match.play(option))

    def _choose(self, match):
        game, position, misere = match.game, match.position, match.misere
        if self._equalize and game.winning_options(position, misere):
            option = opponent.equalize(game, position, misere, self._dice)
            if option is not None:
                self._equalize = False
                return option
        slip = opponent.LEVELS[self._settings.level]
        return opponent.choose(game, position, misere, slip, self._dice)

    async def _show_working(self, match):
        """As Nimrod did (1951): first both signs, "opponent has moved; computer will now move";
        then each step of the working, for a second or, in single steps, until GO."""
        self._panel.light("your-move", "machine-move")
        await self._busy(_WORKING_MS)
        self._panel.light("machine-move")
        for masks, facts in match.game.steps(match.position, match.misere):
            self._tell(protocol.format("working", *facts))
            self._panel.show(masks)
            if self._settings.working == "step":
                await self._go()
            else:
                await self._busy(_WORKING_MS)
        self._panel.show(match.lamps)

    async def _go(self):
        """Until GO; nothing else is heard meanwhile but NEW."""
        while True:
            wish = await self._visitor_wish("machine-move")
            if wish.verb == GO:
                return
            self._heed_new(wish)
            wish.refused = _NOT_YOURS

    def _moved(self, before):
        match = self.match
        facts = (("by", match.last),) + match.game.describe_move(before, match.position)
        rows = match.game.words(match.position)
        self._tell(protocol.format("move", *facts + (("rows", rows),)))

    async def _verdict(self):
        match = self.match
        winner = match.winner
        self._enter("verdict")
        self._tell("over winner=%s" % winner)
        if winner == MACHINE:
            self._panel.light("machine-wins")
            self._panel.play("machine-wins")
            movie = pictures.machine_wins()
        else:
            self._panel.light("you-win")
            self._panel.play("player-wins")
            movie = pictures.player_wins()
        if MACHINE in match.seats:
            self._ended(match, winner)
            if winner == PLAYER:
                await self._panel.drop_coin()
        begin = time.ticks_ms()
        shown = 0
        while shown < self._settings.verdict_ms:
            self._panel.show(next(movie))
            wish = await self._wish(_VERDICT_FRAME_MS)
            shown = time.ticks_diff(time.ticks_ms(), begin)
            if wish and wish.verb in ("take", "play"):
                self._refuse(wish, Refused("no-match", "the match is over; new starts one"))
            elif wish and wish.verb != HOLD and shown > _VERDICT_REST_MS:
                self._leave(())
