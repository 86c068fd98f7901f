"""A replacement for `typing` with only its names, because MicroPython ignores annotations."""


class _Any:
    def __getitem__(self, what):
        return self


Callable = Dict = List = Mapping = Tuple = _Any()
Protocol = object
