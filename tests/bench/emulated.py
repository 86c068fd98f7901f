"""Emulated Picos for the bench: a main.py that measures and says so, and ours."""

from pathlib import Path

_PATIENCE_MS = 200_000


def run_until_end(main: str, files: dict[str, Path]) -> list[str]:
    """Boot with this main.py, which prints what it measures and then `end`; what it said."""
    from nimatron_sim.emulated.pico import EmulatedPico

    said: list[str] = []
    pico = EmulatedPico(
        files={**files, "main.py": main.encode()},
        record=lambda record: said.append(record.get("console", "")),
    )
    pico.run_until(lambda: said[-1:] == ["end"], _PATIENCE_MS)
    return said
