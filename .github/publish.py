"""Prepare this tree for a package index: `python .github/publish.py https://HOST/OWNER/NAME`.

A Nimatron from here contains pico_testbench, so that one wheel, or the address of a repository, is
enough to install it. A Nimatron from an index depends on pico-testbench, which is published with
it, and the links in its README are absolute.
"""

import re
import sys
from pathlib import Path

TESTBENCH = "sim/pico_testbench"


def absolute(markdown: str, pages: str, files: str) -> str:
    """Return the text with absolute links. `files` is the address of the pictures."""
    markdown = re.sub(r"(!\[[^]]*\]\()(?!https?:|#)", rf"\g<1>{files}", markdown)
    return re.sub(r"((?<!!)\[[^][]*\]\()(?!https?:|#)", rf"\g<1>{pages}", markdown)


def publish(root: Path, home: str) -> None:
    """Change README.md and pyproject.toml of a tree."""
    readme, project = root / "README.md", root / "pyproject.toml"
    version = _version(root / "firmware/nimatron/__init__.py", "VERSION")
    testbench = _version(root / TESTBENCH / "pyproject.toml", "version")
    blob, raw = f"{home}/blob/v{version}/", f"{home}/raw/v{version}/"
    readme.write_text(absolute(readme.read_text(encoding="utf-8"), blob, raw), encoding="utf-8")
    urls = f"""[project.urls]
Homepage = "{home}"
Documentation = "{home}/tree/v{version}/docs"
Source = "{home}"
Issues = "{home}/issues"
Changelog = "{blob}CHANGELOG.md"
"""
    text = project.read_text(encoding="utf-8")
    for before, after in (
        (f', "{TESTBENCH}"]', "]"),
        ("\ndependencies = [", f'\ndependencies = [\n  "pico-testbench~={testbench}",'),
        ("[project.scripts]", f"{urls}\n[project.scripts]"),
    ):
        if before not in text:
            raise SystemExit(f"pyproject.toml has no {before}")
        text = text.replace(before, after, 1)
    project.write_text(text, encoding="utf-8")


def _version(file: Path, name: str) -> str:
    return re.findall(f'(?m)^{name} = "(.+)"', file.read_text(encoding="utf-8"))[0]


if __name__ == "__main__":
    publish(Path(__file__).parent.parent, sys.argv[1].rstrip("/"))
