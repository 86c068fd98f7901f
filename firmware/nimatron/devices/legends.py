"""The legends: lit signs that show whose move it is and who has won."""

from machine import Pin

from nimatron.devices import pins

NAMES = tuple([name for name, _ in pins.LEGENDS])


class Legends:
    """The legends. `held` lists the legends whose pads were high while they were dark, because the
    wiring holds them high."""

    def __init__(self):
        self.held = []
        self._pins = [Pin(gpio, Pin.OUT, value=0) for _, gpio in pins.LEGENDS]

    def light(self, *names):
        """Light the legends in `names`, which are from NAMES, and no others."""
        for name, pin in zip(NAMES, self._pins):
            pin.value(name in names)
            if name not in names and bool(pin.value()) != (name in self.held):
                (self.held.append if pin.value() else self.held.remove)(name)
