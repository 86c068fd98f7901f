"""A person at the console and at the buttons."""


def move(pico, row, lamps=1):
    """Pick lamps of a row by its button, and press GO."""
    pico.tap(row, lamps)
    pico.tap("go")


def typed(pico, keys, ms=100):
    """Type a line, or bytes, and return the lines that come in this time."""
    pico.lines()
    if isinstance(keys, bytes):
        pico.send_bytes(keys)
    else:
        pico.send(keys)
    pico.run(ms)
    return pico.lines()


def slow_down(pico):
    """Let each sent byte take about 0.1 ms, as on a Pico."""
    write = pico.circuit.chip.usb.write

    def slowly(text):
        pico.circuit.chip.sleep(100 * len(text))
        write(text)

    pico.circuit.chip.usb.write = slowly
