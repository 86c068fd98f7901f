"""The show: attract -> opening -> player -> thinking -> machine -> verdict -> attract.

It contains no names of games. The match decides what a press means and who wins.
"""

import gc
import time

from micropython import const

from nimatron import games, loaded, opponent, pictures, protocol, states
from nimatron.board import GO, NEW, ROW_BUTTONS
from nimatron.protocol import IllegalMove, Refused
from nimatron.requests import (
    BLINK_MS,
    LONG_PRESS,
    MOVES,
    PICK,
    PLAY,
    TAKE,
    VisitOver,
    heed_new,
    not_your_turn,
)
from nimatron.states import ABANDONED, MACHINE, PLAYER

_WORKING_MS = const(1000)
_RELAY_MS = const(125)  # between two clicks while the machine thinks
_VERDICT_FRAME_MS = const(200)
_VERDICT_REST_MS = const(1000)  # lets a child who mashes the buttons still see who won
_LAMP_MS = const(100)  # per lamp, in the lamp test
_COLLECT_FRAMES = const(64)  # frames of the attract show between garbage collections


class Exhibit:
    """The show on `panel`, which carries out the `requests`. It calls `emit(line)` with the
    key=value words of each event, `entered()` at each new `state`, and `ended(match, outcome)`
    after each match. The outcome is PLAYER, MACHINE or ABANDONED."""

    def __init__(self, panel, settings, dice, requests, emit, entered, ended):
        self.state = states.BOOT
        self.match = None
        self.requests = requests
        self._panel = panel
        self._settings = settings
        self._dice = dice
        self._emit = emit
        self._entered = entered
        self._ended = ended
        self._opening = 0  # the index of the first opening to offer
        # The "game", "level" and "players" that the visitor has chosen, and "practice" during a
        # match that is not counted, pays no token, and has a machine without mistakes:
        # "on", or how it differs from the settings, such as "second,normal".
        self.chosen = {}
        self._game = None  # the last rule set
        self._historic = None, None  # (historical machine, game), and the openings for them
        self._equalize = False  # True while a slip is due in this match

    async def run(self):
        """Run one visit after another, forever."""
        start = states.ATTRACT
        while True:
            try:
                await self._visit(start)
                start = states.ATTRACT
            except VisitOver as over:
                self._give_up_match()
                start = over.then
                self.chosen.pop("practice", None)
                if over.choice:
                    self._prefer(*over.choice)

    async def _visit(self, start):
        """Run one visit, which starts with attract, the openings, the lamp test, or a position."""
        if start == states.TEST:
            await self._test_lamps()
            start = states.ATTRACT
        if start == states.ATTRACT:
            await self._attract()
            start = states.OPENING
        if start == states.OPENING:
            await self._offer_openings()
        else:
            self._new_match(start)
        await self._play()
        await self._verdict()

    def _give_up_match(self):
        match = self.match
        self.match = None
        if match and not match.over and match.position != match.opening:
            self._emit("abandoned rows=%s" % match.game.words(match.remaining))
            self._ended(match, ABANDONED)

    def _refuse(self, request, why):
        request.refused = why
        self._panel.play("refusal")
        if not request.done and not self.requests.waiting:  # the answer to a command reports it
            button = request.args[0] if request.verb == LONG_PRESS else request.verb
            self._emit(protocol.format(("refused", button), ("text", why)))

    def _enter(self, state):
        self.state = state
        self._entered()

    def scene(self):
        """Return the facts that a replay needs to start from here: the state, and the offered
        opening and game. Return None once a match has begun, or while requests are waiting."""
        if self.state == states.ATTRACT:
            return {"state": self.state}
        if self.state == states.OPENING and not self.requests.waiting:
            return {"state": self.state, "opening": self._opening, "chosen": self.chosen}
        return None

    # ------------------------------------------------------------------ the show

    async def _test_lamps(self):
        self._enter(states.TEST)
        for masks in pictures.each_lamp():
            self._panel.show(masks)
            await self.requests.refuse_for(_LAMP_MS)

    async def _attract(self):
        self.match = None
        self._opening = 0
        self.chosen = {}
        self._enter(states.ATTRACT)
        self._panel.light()
        game = self.load_game()
        __import__("nimatron.match")  # now, not at the start: the show comes first
        openings = [game.picture(position) for position in game.openings]
        for count, masks in enumerate(pictures.invitation(openings)):
            self._panel.show(masks)
            if count % _COLLECT_FRAMES == 0:
                gc.collect()
            request = await self.requests.next(self._settings.attract_ms)
            if request and request.verb in MOVES:
                self._refuse(request, Refused("no-match", "there is no match: new starts one"))
            elif request and request.verb != LONG_PRESS:
                return

    async def _offer_openings(self):
        """Offer openings. NEW steps through the openings. If it is held, it steps through the
        games. The first press of a row's button starts the match."""
        self._new_match(self._opening_now())
        self._enter(states.OPENING)
        self._panel.light("your-move")
        self._panel.play("opening")
        while True:
            self._panel.show(self.match.lamps)
            request = await self.requests.from_visitor("your-move")
            if request.verb == NEW:
                self._opening += 1
            elif request.verb == LONG_PRESS:
                if request.args[0] != NEW:
                    continue
                self._next_game()
            elif request.verb == GO:
                self._refuse(request, IllegalMove("nothing is picked"))
                continue
            else:
                self.requests.put_back(request)
                return
            self._new_match(self._opening_now())
            self._panel.play("opening")

    def _opening_now(self):
        """Return the offered opening, which the first player can win under the current rule. For a
        historical machine, it may be any opening."""
        game = self.load_game()
        openings = self._historic_openings(game)
        if not openings:
            misere = self.misere
            openings = [rows for rows in game.openings if not game.is_p(rows, misere)]
        return openings[self._opening % len(openings)]

    def _historic_openings(self, game):
        """Return the openings of the historical machine in the settings, or no openings if they
        are unknown or no machine is set. The openings are cached for speed, because a press waits
        for them."""
        if "openings" not in self._settings.changed:
            return ()
        machine = self._settings.openings, game.name
        if self._historic[0] != machine:
            openings = loaded("machines").openings(*machine, game.placed_on_panel)
            self._historic = machine, openings
        return self._historic[1]

    @property
    def game_name(self):
        """Return the name of the current game, chosen by the visitor or else the builder."""
        return self.chosen.get("game", self._settings.game)

    @property
    def level(self):
        """Return the name of the current level, chosen by the visitor or else the builder. In a
        practice match, the machine makes no mistake."""
        if "practice" in self.chosen:
            return opponent.PERFECT
        return self.chosen.get("level", self._settings.level)

    @property
    def players(self):
        """Return the number of people who play, chosen by the visitor or else the builder."""
        return int(self.chosen.get("players", self._settings.players))

    def load_game(self):
        """Unload the previous rule set, and import and return the rule set of the current game."""
        name = self.game_name
        if not self._game or self._game.name != name:
            self._game = None
            games.forget()
            gc.collect()  # before the import, so that the new tables do not fragment the heap
            self._game = games.find(name)
        return self._game

    def _next_game(self):
        """Choose the next game from the builder's list."""
        names = self._settings.games.split(",")
        now = self.game_name
        at = names.index(now) + 1 if now in names else 0
        self._prefer("game", names[at % len(names)])

    def _prefer(self, what, name):
        """Record the visitor's choice of `what`, which lasts until the next attract show."""
        self.chosen[what] = name
        if what == "game":
            self._opening = 0
        self._emit("%s=%s" % (what, name))

    @property
    def misere(self):
        """Return True if the next match is misère, by the current rule or because the game has no
        other rule. A practice match may choose normal play."""
        rules = self.load_game().rules
        rule = "normal" if self._practises("normal") else self._settings.rule
        return (rule if rule in rules else rules[0]) == "misere"

    def _practises(self, how):
        return how in self.chosen.get("practice", "")

    def _new_match(self, position):
        from nimatron.match import Match

        seats = PLAYER, MACHINE
        if self.players > 1:
            seats = tuple(["%s-%d" % (PLAYER, n + 1) for n in range(self.players)])
        first = seats[self._practises("second")]
        self.match = Match(self.load_game(), position, self.misere, first, seats)
        self._equalize = self.level == opponent.EQUALIZER

    # ------------------------------------------------------------------ turns

    async def _play(self):
        """Play turns until the match is won. If more than two people play misère, the player who
        makes the last move is out, and the others start again."""
        while True:
            while not self.match.over:
                if self.match.turn == MACHINE:
                    await self._machine_turn()
                else:
                    await self._player_turn()
            if len(self.match.seats) == 2 or not self.match.misere:
                return
            self._emit("out=%s" % self.match.last)
            self._panel.play("machine-wins")
            self.match = self.match.without_last()

    async def _player_turn(self):
        match = self.match
        self._enter(states.PLAYER)
        self._panel.show(match.lamps)
        await self._call(match)
        self._panel.light("your-move")
        before = None
        told = match.remaining
        while not before:
            left = match.remaining
            if left != told and not self.requests.waiting:  # a line delays a press by 4 ms
                told = left
                self._emit("pick rows=%s" % match.game.words(left))
            size = match.game.size(left)  # slow, so not between a press and its lamp
            request = await self.requests.from_visitor("your-move", self._blinking())
            heed_new(request)
            try:
                before = self._do(request)
            except IllegalMove as why:
                self._refuse(request, why)
                continue
            self._panel.show(match.lamps)
            after = match.game.size(match.remaining)
            if not before and request.verb != LONG_PRESS or after != size:
                self._panel.play("pick" if after < size else "give-back")
        self._moved(before)

    async def _call(self, match):
        """If several people play, call the player to move. YOUR MOVE blinks once for player 1,
        twice for player 2, and so on, until a request comes."""
        if MACHINE not in match.seats:
            self._emit("turn=%s" % match.turn)
            for blink in range(2 * match.seats.index(match.turn) + 2):
                self._panel.light(*("your-move",) if blink % 2 else ())
                request = await self.requests.next(BLINK_MS)
                if request:
                    self.requests.put_back(request)
                    return

    def _blinking(self):
        """Return two pictures, with the chosen lamp on and off, or None if no lamp is chosen."""
        match = self.match
        cursor = match.game.cursor(match.draft)
        if not cursor:
            return None
        lamps = match.lamps
        return tuple([lit ^ mask for lit, mask in zip(lamps, cursor)]), lamps

    def _do(self, request):
        """Carry out a request from the player to move. If the request ends the turn, return the
        position before the turn, otherwise None."""
        match = self.match
        if request.verb in ROW_BUTTONS:  # first, because its lamp waits
            match.press(ROW_BUTTONS.index(request.verb))
        elif request.verb == GO:
            return match.hand_over()
        elif request.verb == TAKE:
            return match.take(*request.args)
        elif request.verb == PLAY:
            return match.play(*request.args)
        elif request.verb == PICK:
            match.pick(*request.args)
        elif request.verb != LONG_PRESS:
            raise IllegalMove("this button is no move")
        elif request.args[0] in ROW_BUTTONS:
            match.long_press(ROW_BUTTONS.index(request.args[0]))
        return None

    async def _machine_turn(self):
        match = self.match
        self._enter(states.THINKING)
        self._panel.show(match.lamps)  # the last match may still be on the lamps
        gc.collect()  # collect now, so that no press has to wait
        if self._settings.working != "off":
            await self._show_working(match)
        for click in range(self._settings.think_ms // _RELAY_MS):
            self._panel.light(*() if click % 2 else ("machine-move",))
            self._panel.play("relay")
            await self.requests.refuse_for(_RELAY_MS)
        self._enter(states.MACHINE)
        self._panel.light("machine-move")
        option = self._choose(match)
        for masks in pictures.change(match.lamps, match.game.picture(option)):
            self._panel.show(masks)
            self._panel.play("put-out")
            await self.requests.refuse_for(self._settings.lamp_ms)
        self._moved(match.play(option))

    def _choose(self, match):
        game, position, misere = match.game, match.position, match.misere
        if self._equalize and game.winning_options(position, misere):
            option = opponent.equalize(game, position, misere, self._dice)
            if option is not None:
                self._equalize = False
                return option
        slip = opponent.LEVELS[self.level]
        return opponent.choose(game, position, misere, slip, self._dice)

    async def _show_working(self, match):
        """Show the working as Nimrod (1951) did. First, both signs are lit: "opponent has moved,
        computer will now move". Then each step is shown for a second, or until GO in single steps.
        """
        step = False
        self._panel.light("your-move", "machine-move")
        await self.requests.refuse_for(_WORKING_MS)
        self._panel.light("machine-move")
        for masks, facts in match.game.steps(match.position, match.misere):
            step = self._settings.working == "step"
            if step:
                facts += (("waits", GO),)
            self._emit(protocol.format("working", *facts))
            self._panel.show(masks)
            if step:
                await self._go()
            else:
                await self.requests.refuse_for(_WORKING_MS)
        self._panel.show(match.lamps)
        if step:
            self._enter(states.THINKING)  # no longer waiting for GO

    async def _go(self):
        """Wait for GO, and refuse all other requests except NEW."""
        while True:
            request = await self.requests.from_visitor("machine-move")
            if request.verb == GO:
                return
            not_your_turn(request)

    def _moved(self, before):
        match = self.match
        facts = (("by", match.last),) + match.game.describe_move(before, match.position)
        rows = match.game.words(match.position)
        self._emit(protocol.format("move", *facts + (("rows", rows),)))

    async def _verdict(self):
        match = self.match
        winner = match.winner
        self._enter(states.VERDICT)
        self._emit(protocol.format("over", ("winner", winner), *match.prizes))
        if winner == MACHINE:
            self._panel.light("machine-wins")
            self._panel.play("machine-wins")
            movie = pictures.machine_wins()
        else:
            self._panel.light("you-win")
            self._panel.play("player-wins")
            movie = pictures.player_wins()
        self._ended(match, winner)
        if winner == PLAYER and "practice" not in self.chosen:
            await self._panel.drop_coin()
        begin = time.ticks_ms()
        shown = 0
        frame = -1
        while shown < self._settings.verdict_ms:
            if shown // _VERDICT_FRAME_MS > frame:
                frame = shown // _VERDICT_FRAME_MS
                self._panel.show(next(movie))
            request = await self.requests.next(_VERDICT_FRAME_MS - shown % _VERDICT_FRAME_MS)
            shown = time.ticks_diff(time.ticks_ms(), begin)
            if request and request.verb in MOVES:
                self._refuse(request, Refused("no-match", "the match is over: new starts another"))
            elif request and request.verb != LONG_PRESS and shown > _VERDICT_REST_MS:
                raise VisitOver(states.OPENING)
