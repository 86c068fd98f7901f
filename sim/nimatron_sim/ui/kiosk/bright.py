"""The machine behind the page where there is no real Pico: one in step with the wall clock, whose
lamps are as bright as the circuit says."""

from nimatron_sim import tiers
from nimatron_sim.ui.live import Live
from nimatron_sim.ui.session import Connect


def on_tier(tier: str) -> Connect:
    """Sessions with a Pico of this tier."""
    return lambda record, failed: Live(lambda record: _make(tier, record), record, failed)


def _make(tier, record):
    def record_brightness(change):
        if "lamps" in change:
            change = change | {"brightness": [round(b, 2) for b in pico.circuit.brightness()]}
        record(change)

    pico = tiers.pico(tier, record_brightness, entropy=None)
    return pico
