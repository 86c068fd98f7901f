"""The console's answers about past failures: the crash log and the flight recorder's memory.
Loaded for one answer."""

import gc

from nimatron import flight
from nimatron.protocol import Refused

_PIECE = 120  # characters of a recording per line


async def entries(send, crash_log):
    """Send the failures, the oldest first. Returns the facts of the answer."""
    logged = crash_log.entries()
    for number, entry in enumerate(logged, 1):
        text = ("text", entry.get("text"))
        await send("log", ("n", number), ("why", entry.get("why")), text)
    return (("entries", len(logged)),)


def clear(crash_log, storage):
    """Forget all failures."""
    crash_log.clear()
    storage.save(flight.FILE, {})


async def dump(send, storage, recorder, mode, now):
    """Send the recording of the last failure, or with `now` the one in memory, in pieces. Returns
    the facts of the answer. Raises Refused in a mode in which nothing is recorded, if nothing was
    saved."""
    failure = {} if now else storage.load(flight.FILE)
    text = failure.get("flight")
    if not text:
        if not recorder:
            raise Refused("no-recording", "nothing was recorded", ("mode", mode))
        text = flight.encoded(recorder.memory)
    pieces = 0
    for at in range(0, len(text), _PIECE):
        piece = text[at : at + _PIECE]
        if piece.strip("A"):  # all zeros: never written to, omitted
            pieces += 1
            await send("flight", ("at", at), ("data", piece))
    gc.collect()  # the text was long. Collect now, so that no press has to wait
    return (
        ("flight", failure.get("why", "now")),
        ("pieces", pieces),
        ("text", failure.get("text", "")),
    )
