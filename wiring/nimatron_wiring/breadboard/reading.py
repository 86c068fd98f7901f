"""Whether the pictures of the steps can be read: no words cover other words or a hole in use."""

from collections.abc import Iterator, Mapping

from nimatron_wiring.breadboard import picture
from nimatron_wiring.breadboard.holes import PITCH
from nimatron_wiring.breadboard.layout import Layout
from nimatron_wiring.legible import boxes
from nimatron_wiring.netlist import Build

_RADIUS = 0.2 * PITCH  # of a hole
_SHY = 0.2  # mm that the boxes of words may overlap: they are wider than the letters


def faults(build: Build, made: Layout, pictures: Mapping[str, bytes]) -> Iterator[str]:
    """What cannot be read, one line each. pictures: those of picture.pictures()."""
    names = list(dict.fromkeys(part.step for part in build.parts))
    for number in range(1, len(names) + 1):
        name = picture.file_name(build, number)
        written = sorted(boxes(pictures[name]))
        for n, ((left, top, right, bottom), one) in enumerate(written):
            for (left2, top2, right2, bottom2), other in written[n + 1 :]:
                if left2 > right - _SHY:
                    break  # and so are all that follow
                if top2 < bottom - _SHY and top < bottom2 - _SHY and left < right2 - _SHY:
                    yield f"{name}: the words {one!r} and {other!r} overlap"
        for there in picture.visible(made, names[:number]):
            x, y = (at * PITCH for at in there.xy)
            for (left, top, right, bottom), words in written:
                if -_RADIUS < x - left < right - left + _RADIUS and top - _RADIUS < y < bottom:
                    yield f"{name}: the words {words!r} cover {there}"
