"""The bouncing of contacts that are pressed or released."""


class Bounce:
    """The bouncing of contacts, which differs from press to press.

    A contact bounces for `us` microseconds, or not at all if `us` is 0. `seed` seeds the noise.
    """

    def __init__(self, us, seed):
        self.us = us
        self._noise = seed

    def move(self, clock, connect, closed):
        """Call connect(closed) now, and again whenever the contact bounces."""
        start = clock.now
        connect(closed)
        for us in self.moments():
            closed = not closed
            clock.call_at(start + us, connect, closed)

    def moments(self):
        """Return an even number of times, in us after the first edge, at which a contact moves
        again. While the contact bounces, it is closed longer than it is open."""
        moments = []
        noise, last = self._noise, self.us
        at = 0
        while True:
            noise = (noise * 48271 + 1) % 0x7FFFFFFF
            opens = at + (noise >> 8) % 900 + 150  # how long the contact stays closed
            noise = (noise * 48271 + 1) % 0x7FFFFFFF
            at = opens + (noise >> 8) % 350 + 50  # how long the contact stays open
            if at > last:
                self._noise = noise
                return moments
            moments += opens, at
