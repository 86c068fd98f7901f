"""A visitor plays a match on the simulated Pico, on whatever board the package `nimatron` has.

    python five_rows.py DISPLAY GAME POSITION win|lose

prints the sign that is lit in the end. test_five_rows.py runs it with a board of five rows.
"""

import sys

from nimatron import board, games
from nimatron_sim.circuit import Circuit
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak.visitors import VERDICTS


def play(display, name, words, wins):
    pico = SimulatedPico(Circuit(display=display), settings={"display": display, "game": name})
    pico.settle()
    game = games.find(name)
    misere = "misere" in game.rules
    positions = [game.parse(words.split())]
    assert pico.ask(f"new {words}").startswith("ok "), words
    while True:
        pico.run_until(lambda: pico.legends & (VERDICTS | {"your-move"}))
        if pico.legends & VERDICTS:
            pico.run(1000)
            assert not any(line.startswith("Traceback") for line in pico.lines())
            assert pico.lamps[-1], "the verdict's picture has all rows"
            return (pico.legends & VERDICTS).pop()
        shown = tuple(pico.lamps)
        (position,) = {one for one in positions if game.picture(one) == shown}
        good = game.winning_options(position, misere)
        options = list(game.options(position))
        option = next((one for one in options if (one in good) == wins), options[0])
        for hand, row in hands(game, position, option):
            getattr(pico, hand)(board.ROW_BUTTONS[row])
        pico.tap(board.GO)
        positions = list(game.options(option))


def hands(game, position, option):
    """The taps and holds, (hand, row) each, that pick this option."""
    known = {game.empty_draft(position): []}
    queue = list(known)
    for draft in queue:
        if game.option_of(position, draft) == option:
            return known[draft]
        for row in range(board.ROWS):
            tapped = game.press(position, draft, row)
            if tapped is None:
                continue
            for hand, after in ("tap", tapped), ("hold", game.long_press(position, tapped, row)):
                if after is not None and after not in known:
                    known[after] = [*known[draft], (hand, row)]
                    queue.append(after)
    raise ValueError(f"nobody can pick {option}")


if __name__ == "__main__":
    print(play(*sys.argv[1:4], sys.argv[4] == "win"))
