"""The deployable image on the emulated RP2040, in the RP2040's own time."""

import images
from nimatron_sim import backends
from nimatron_sim.cabinet import Circuit

BOARDS = "Pico", "Pico W"
PRESSES = 112
CHORES = 12  # presses during the once-a-second chores
FIGURES = {  # and their goals. One that is negative is the least
    "press to lamp, ms: median": None,
    "press to lamp, ms: worst": 5,
    "press to lamp, ms: worst during the once-a-second chores": 5,
    "power-on to attract mode, ms": 350,
    "free heap in attract mode, bytes": -150_000,
}


def measure() -> dict:
    """Return {board: figures}, with the Pico W only if an image exists. Raises TierUnavailable."""
    backends.check(backends.EMULATOR)
    radio = images.cached(radio=True)
    return {"Pico": show()} | ({"Pico W": show(radio[-1][1])} if radio else {})


def show(image: bytes | None = None) -> dict:
    """Return the exhibit's figures from power-on, by default with the image for the Pico."""
    import probe

    from nimatron_sim.emulated.emulated_pico import EmulatedPico

    pico = EmulatedPico(Circuit(bounce_ms=5), image=image)
    pico.settle()
    boot = next(r["ms"] for r in pico.trace if r.get("console") == "event state=attract")
    pico.run(1000)  # attract mode has loaded its game
    heap = probe.collect(pico)
    presses = probe.presses(pico, PRESSES)
    found = [presses[len(presses) // 2], presses[-1], None, boot, heap]
    if image is None:  # a Pico W's LED, at which the chores begin, is on no pin of the RP2040
        found[2] = probe.presses_at_chores(pico, CHORES)[-1]
    return {what: round(n, 2) for what, n in zip(FIGURES, found, strict=True) if n is not None}
