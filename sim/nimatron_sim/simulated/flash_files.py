"""The files on a simulated Pico's flash. As in littlefs, new contents take effect when the file is
closed. If the power is cut earlier, the file keeps its old contents."""

import errno

from pico_testbench.faults import NotModelled

_FOLDER, _FILE = 0x4000, 0x8000  # as in MicroPython's ilistdir


class Files:
    """The files. `contents` maps each name that the firmware has saved to its text. `installed`
    maps each file of the firmware itself to a file on this computer. If `full` is true, every
    write fails as on a full flash. erase() is called before anything that needs an erase."""

    def __init__(self, installed=None, erase=lambda: None):
        self.contents = {}
        self._erase = erase
        self.installed = installed or {}
        self.full = False

    def open(self, name, mode="r"):
        """Open a file for the firmware: an installed file as bytes, any other file as text."""
        if mode == "rb" and name in self.installed:
            return self.installed[name].open("rb")
        whole = _whole(name)
        if mode not in ("r", "w"):
            raise NotModelled("the simulated Pico opens %s as text only, not %r" % (name, mode))
        name = whole
        if mode == "r" and name not in self.contents:
            raise OSError(errno.ENOENT, "no such file")
        if mode == "w" and self.full:
            raise OSError(errno.ENOSPC, "flash full")
        return _File(self, name, mode)

    def rename(self, old, new):
        old, new = _whole(old), _whole(new)
        if old not in self.contents:
            raise OSError(errno.ENOENT, "no such file")
        self._erase()
        self.contents[new] = self.contents.pop(old)

    def remove(self, name):
        if _whole(name) not in self.contents:
            raise OSError(errno.ENOENT, "no such file")
        self._erase()
        del self.contents[_whole(name)]

    def blocks(self, size):
        """Return the number of blocks of `size` bytes that the files need."""
        sizes = [len(text) for text in self.contents.values()]
        sizes += [path.stat().st_size for path in self.installed.values()]
        return sum([1 + each // size for each in sizes])

    def stat(self, name):
        """Return the kind of a file or folder, and zeros for the other values of os.stat."""
        folder, _, name = _whole(name).rpartition("/")
        for entry, kind, _ in self.ilistdir(folder):
            if entry == name:
                return (kind,) + (0,) * 9
        raise OSError(errno.ENOENT, "no such file")

    def ilistdir(self, folder):
        """Return (name, kind, 0) for each entry of a folder. Names have no slash at the end."""
        folder = _whole(folder).rstrip("/") + "/"
        entries = {}
        for name in list(self.contents) + [_whole(name) for name in self.installed]:
            if name.startswith(folder):
                entry, _, below = name[len(folder) :].partition("/")
                entries[entry] = _FOLDER if below else _FILE
        return [(entry, kind, 0) for entry, kind in entries.items()]


class _File:
    def __init__(self, files, name, mode):
        self._files = files
        self._name = name
        self._at = 0
        self._written = "" if mode == "w" else None

    def read(self, most=-1):
        text = self._files.contents[self._name][self._at :]
        text = text if most < 0 else text[:most]
        self._at += len(text)
        return text

    def write(self, text):
        self._written += text
        return len(text)

    def close(self):
        if self._written is not None:
            written, self._written = self._written, None
            self._files._erase()
            self._files.contents[self._name] = written

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.close()


def _whole(name):
    return name if name[:1] == "/" else "/" + name
