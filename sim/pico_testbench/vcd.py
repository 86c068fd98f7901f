"""The trace as a VCD file for waveform viewers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vcd import VCDWriter


def save(trace: Iterable[tuple[int, str, Any]], path: Path) -> None:
    """Write (us, name, value) of each record to the file."""
    records = list(trace)
    kinds: dict[str, str] = {}
    for _, what, value in records:
        kind = "string"
        if isinstance(value, int):
            kind = "wire" if what.startswith("GP") else "integer"
        kinds[what] = kind if kinds.get(what, kind) == kind else "string"
    with path.open("w") as file, VCDWriter(file, "1 us", date="") as vcd:
        signals: dict[str, Any] = {}
        for what, kind in kinds.items():
            size = 1 if kind == "wire" else None
            start = "" if kind == "string" else "x"
            signals[what] = vcd.register_var("pico", what, kind, size=size, init=start)
        for us, what, value in records:
            text = "_".join(str(value).split())  # a value in VCD has no spaces
            vcd.change(signals[what], us, text if kinds[what] == "string" else value)
