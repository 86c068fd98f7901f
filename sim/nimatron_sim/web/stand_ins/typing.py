"""A replacement for `typing` that has only its names, because MicroPython evaluates no
annotations."""


class _Any:
    def __getitem__(self, what):
        return self


Callable = Dict = List = Mapping = Tuple = _Any()
Protocol = object
