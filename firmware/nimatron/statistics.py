"""The statistics: counts since a given date, in a dict that is saved to flash.

games = player + machine + abandoned always holds, in total and by game, opening and level.
"""

from nimatron.states import OUTCOMES

OTHER = "other"  # a position that is not an opening
GROUPS = ("played", "openings", "levels")


class Statistics:
    """The counts. `data` contains the saved counts. A missing or invalid count begins at 0. Other
    keys are kept."""

    def __init__(self, data):
        self.data = data
        if not _is_word(data.get("since")):
            data["since"] = "unknown"
        for name in ("minutes", "games") + OUTCOMES:
            if not _is_count(data.get(name)):
                data[name] = 0
        data["resets"] = _counts(data.get("resets"))
        for group in GROUPS:
            found = data.get(group)
            if not isinstance(found, dict):
                found = {}
            data[group] = {name: _counts(found[name]) for name in found if _is_word(name)}

    def game(self, outcome, game, opening, level):
        """Count a match that ended with a winner or was abandoned."""
        data = self.data
        data["games"] += 1
        data[outcome] += 1
        for group, name in zip(GROUPS, (game, opening, level)):
            counts = data[group].setdefault(name, {})
            counts[outcome] = counts.get(outcome, 0) + 1

    def reset(self, why):
        """Count a start of the Pico by its reason."""
        resets = self.data["resets"]
        resets[why] = resets.get(why, 0) + 1

    def hour(self):
        """Count an hour of running the show."""
        self.data["minutes"] += 60

    def begin(self, date):
        """Start again from zero. `date` can be any word. The Pico does not know the date."""
        self.data.clear()
        self.__init__({"since": date})


def _counts(value):
    """Return only the valid counts from a saved dict."""
    if not isinstance(value, dict):
        return {}
    return {name: value[name] for name in value if _is_word(name) and _is_count(value[name])}


def _is_word(value):
    return isinstance(value, str) and value.split() == [value]


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
