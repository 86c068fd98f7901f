"""The crash log: the last few failures, each cut to a size, kept on flash."""

FILE = "crashes.json"
_MOST = 5
_LONGEST = 600  # characters of one traceback: its beginning and its end


class CrashLog:
    """The last 5 failures, in crashes.json; read from flash at each call."""

    def __init__(self, storage):
        self._storage = storage
        self.entries()  # a damaged file is reported now

    def entries(self):
        """[{"why": …, "text": …}, …], the oldest first."""
        entries = self._storage.load(FILE).get("crashes")
        if not isinstance(entries, list):
            return []
        return [entry for entry in entries if isinstance(entry, dict)][-_MOST:]

    def add(self, why, text):
        """Add a failure: its reason, one of restart.WHY, and what it printed."""
        if len(text) > _LONGEST:
            text = text[: _LONGEST // 2] + "...\n" + text[-_LONGEST // 2 :]
        entries = self.entries()[1 - _MOST :] + [{"why": why, "text": text}]
        self._storage.save(FILE, {"crashes": entries})

    def add_once(self, why, text):
        """Add a failure, unless the same entry is there already."""
        if {"why": why, "text": text} not in self.entries():
            self.add(why, text)

    def clear(self):
        """Forget all failures."""
        self._storage.save(FILE, {"crashes": []})
