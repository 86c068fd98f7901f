"""The manifest puts the complete firmware into a MicroPython image."""

from pathlib import Path

from nimatron_sim import firmware

FOLDER = firmware.folder()


class Build:
    """The functions that our manifest calls, from MicroPython's tools/manifestfile.py."""

    def __init__(self):
        self.included: list[str] = []
        self.frozen: dict[str, Path] = {}
        self.manifest = FOLDER / "manifest.py"
        exec(
            self.manifest.read_text(),
            {
                "include": self.included.append,
                "package": self._package,
                "module": self._module,
            },
        )

    def _package(self, name):
        for file in (FOLDER / name).rglob("*.py"):
            self.frozen[str(file.relative_to(FOLDER))] = file

    def _module(self, name, base_path="."):
        self.frozen[name] = FOLDER / base_path / name


def test_manifest_freezes_the_deployed_files():
    frozen = Build().frozen
    launcher = frozen.pop("main.py")
    frozen["main.py"] = frozen.pop("firmware/main.py")
    assert {name: file.resolve() for name, file in frozen.items()} == {
        name: file.resolve() for name, file in firmware.files().items()
    }
    assert "from firmware import main" in launcher.read_text()


def test_manifest_keeps_the_boards_modules():
    assert Build().included == ["$(PORT_DIR)/boards/manifest.py"]
