"""typing for MicroPython, which evaluates no annotations: only the names."""


class _Any:
    def __getitem__(self, what):
        return self


Callable = Dict = List = Mapping = Tuple = _Any()
Protocol = object
