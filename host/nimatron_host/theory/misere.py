"""Misère play of codes: by Nim's rule where the theorem on tame games holds, else by search."""

from nimatron_host.theory.octal_codes import Code, Heaps

_LABELLED = 1000  # the largest heap that is labelled if heaps can be split
_TAKING = 100_000  # and if not
_SEARCHED = {1: 60, 2: 30, 3: 20}  # in all heaps together, by the splits of the code
_UNEQUAL = 45  # the same in Grundy's game

_Label = tuple[int, bool]  # value, firm or fickle


class Misere:
    """Who loses in misère play of a code."""

    def __init__(self, code: Code):
        self._code = code
        self._labels: list[_Label] = []
        self._tame = True  # as far as labelled
        self._lost: dict[Heaps, bool] = {}

    @property
    def searched(self) -> int:
        return _UNEQUAL if self._code.unequal else _SEARCHED[self._code.splits]

    def is_tame(self, heaps: Heaps) -> bool:
        """True if the theorem on tame games holds for these heaps and all that they leave."""
        largest = max(heaps, default=0)
        if largest > (_TAKING if self._code.splits == 1 else _LABELLED):
            return False
        while self._tame and len(self._labels) <= largest:
            label = self._label(len(self._labels))
            if label is None:
                self._tame = False
            else:
                self._labels.append(label)
        return len(self._labels) > largest

    def is_p(self, heaps: Heaps) -> bool:
        """True if the mover loses. Raises ValueError if there are too many to search."""
        heaps = self._movable(heaps)
        if self.is_tame(heaps):
            return self._search(heaps)
        if sum(heaps) > self.searched:
            raise ValueError(
                f"misère play of this game is searched up to {self.searched} in all heaps. "
                "Normal play goes further: add --rule normal"
            )
        return self._search(heaps)

    def _sum(self, heaps: Heaps) -> _Label:
        total, firm = 0, False
        for heap in heaps:
            value, is_firm = self._labels[heap]
            total, firm = total ^ value, firm or is_firm
        return total, firm

    def _label(self, heap: int) -> _Label | None:
        """The label of the theorem in docs/explanation/theory.md, or None if neither kind fits."""
        options = {self._sum(left) for left in self._code.moves(heap)}
        value = 0
        while (value, True) in options or (value, False) in options:
            value += 1
        if not options:
            return 0, False
        other = value ^ 1
        if value < 2 and (other, False) in options:
            return None if (other, True) in options else (value, False)
        if value > 0 and not options & {(0, True), (1, False)}:
            return None
        if value > 1 and not options & {(1, True), (0, False)}:
            return None
        return value, True

    def _movable(self, heaps: Heaps) -> Heaps:
        """The heaps that leave a move, sorted: the others change nothing."""
        return tuple(
            sorted(heap for heap in heaps if next(self._code.moves(heap), None) is not None)
        )

    def _search(self, heaps: Heaps) -> bool:
        if len(self._labels) > max(heaps, default=0):
            return self._sum(heaps) in ((1, False), (0, True))
        if heaps not in self._lost:
            self._lost[heaps] = not any(
                self._search(self._movable((*heaps[:i], *left, *heaps[i + 1 :])))
                for i, heap in enumerate(heaps)
                if heap not in heaps[:i]
                for left in self._code.moves(heap)
            )
        return self._lost[heaps]
