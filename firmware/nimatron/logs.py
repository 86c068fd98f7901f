"""The console's answers about past failures: the crash log and the flight recorder's memory. The
module is loaded for one answer."""

import gc

from nimatron import flight
from nimatron.protocol import Refused

_PIECE = 120  # characters per line of a recording


async def entries(send, crash_log):
    """Send the failures, from the oldest to the newest. Return the facts for the answer."""
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
    """Send the recording of the last failure in pieces, or, if `now` is true, the recording in
    memory. Return the facts for the answer. Raises Refused if there is no recording."""
    failure = {} if now else storage.load(flight.FILE)
    text = failure.get("flight")
    if not text:
        if not recorder:
            raise Refused("no-recording", "nothing was recorded", ("mode", mode))
        text = flight.encoded(recorder.memory)
    pieces = 0
    for at in range(0, len(text), _PIECE):
        piece = text[at : at + _PIECE]
        if piece.strip("A"):  # omit a piece that is all zeros and was never written
            pieces += 1
            await send("flight", ("at", at), ("data", piece))
    gc.collect()  # the text was long, so collect garbage now, before a press has to wait
    return (
        ("flight", failure.get("why", "now")),
        ("pieces", pieces),
        ("text", failure.get("text", "")),
    )
