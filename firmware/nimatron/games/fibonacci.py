"""Fibonacci nim: take at most twice as many lamps as the other player has just taken."""

from nimatron.games.stateful import HeapGameWithState


class Fibonacci(HeapGameWithState):
    """Fibonacci nim. A position is (n, limit), the number of lamps and the most that the mover may
    take, which is never more than n."""

    heaps = (1, 1)
    most = 59
    rules = ("normal",)  # in misère play, the first player could leave one lamp and win
    openings = ((4, 3), (7, 6), (10, 9), (12, 11), (16, 15), (20, 19), (26, 25), (28, 27))

    def options(self, position):
        n, limit = position
        for take in range(1, limit + 1):
            yield n - take, min(2 * take, n - take)

    def allows(self, position, draft):
        return 1 <= draft[0] <= position[1]

    def is_p(self, position, misere):
        n, limit = position
        return n == 0 or _smallest_part(n) > limit

    def unsaid(self, counts):
        """Return the limit at the beginning of a match, one less than the number of lamps."""
        return max(counts[0] - 1, 0)

    def parse_option(self, words):
        n, limit = super().parse_option(words)
        return n, min(limit, n)

    def placed_on_panel(self, position):
        n, limit = super().placed_on_panel(position)
        return n, min(limit, n)

    def _begun(self, position):
        if position[0] and not position[1]:
            raise ValueError("none of %d lamps may be taken" % position[0])
        return super()._begun(position)

    def working(self, position, misere):
        n = position[0]
        parts = []
        while n:
            parts.insert(0, _largest(n))
            n -= parts[0]
        return (("parts", parts or "none"),) + super().working(position, misere)


def _largest(n):
    """Return the largest Fibonacci number that is at most `n`, which is 1 or more."""
    one, next_one = 1, 2
    while next_one <= n:
        one, next_one = next_one, one + next_one
    return one


def _smallest_part(n):
    part = n
    while n:
        part = _largest(n)
        n -= part
    return part
