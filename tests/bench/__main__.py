"""`make bench`: every section, printed and written to docs/contributing/benchmarks.md.

With names of sections only those are measured and printed, and nothing is written: the page is
always of one run.
"""

import argparse
import concurrent.futures
import sys
import time
from pathlib import Path

from bench import decision, device, fleet, page, report, sequences, simulator, site, tables
from nimatron_sim import tiers
from nimatron_sim.errors import TierUnavailable

PAGE = Path(__file__).parent.parent.parent / "docs" / "contributing" / "benchmarks.md"
SECTIONS = ("simulator", "page", "tables", "site", "sequences", "fleet", "decision", "device")
# Longest first. These are in emulated time, so they may share the computer.
_JOBS = {
    "decide": device.decide,
    "race": decision.on_emulator,
    "show": device.show,
    "waits": device.with_waits,
    "pico-w": device.on_pico_w,
    "rp2040js": device.on_rp2040js,
    "deployed": device.deployed,
    "source": device.boot_from_source,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.partition("\n")[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=" or ".join(SECTIONS))
    wanted = parser.parse_args().sections or list(SECTIONS)
    if set(wanted) - set(SECTIONS):
        parser.error(f"sections are {', '.join(SECTIONS)}")
    begin = time.monotonic()

    def say(what: str) -> None:
        print(f"{time.monotonic() - begin:5.0f} s  {what}", file=sys.stderr, flush=True)

    has_emulator = _has_emulator(say)
    sections = []
    # What is measured by this computer's time comes first and alone.
    if "simulator" in wanted:
        sections.append(simulator.section(say, has_emulator))
    if "page" in wanted:
        sections.append(page.section(say))
    if "tables" in wanted:
        sections.append(tables.section(say))
    if "site" in wanted:
        sections.append(site.section(say))
    if "sequences" in wanted:
        sections.append(sequences.section(say))
    if "fleet" in wanted:
        sections.append(fleet.section(say))
    on_tiers = decision.measure(say) if "decision" in wanted else None
    found = _emulated(wanted, say) if has_emulator else None
    if on_tiers:
        sections.append(decision.section(on_tiers, found and found["race"]))
    if "device" in wanted:
        sections.append(device.section(say, found))
    text = report.document(sections, time.monotonic() - begin, report.machine())
    print(text)
    if set(wanted) == set(SECTIONS):
        PAGE.write_text(text, encoding="utf-8")
        print(f"written to {PAGE.relative_to(PAGE.parent.parent)}")


def _has_emulator(say):
    try:
        tiers.check(tiers.EMULATOR)
    except TierUnavailable as why:
        say(str(why))
        return False
    return True


def _emulated(wanted, say):
    names = [name for name in _JOBS if ("decision" if name == "race" else "device") in wanted]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        jobs = {pool.submit(_JOBS[name]): name for name in names}
        found = {}
        for job in concurrent.futures.as_completed(jobs):
            found[jobs[job]] = job.result()
            say(f"emulated RP2040: {jobs[job]}")
    return found


if __name__ == "__main__":
    main()
