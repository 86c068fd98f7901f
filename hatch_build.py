"""The differences between a published and an unpublished package.

The release workflow sets REPOSITORY_URL. A published Nimatron needs pico-testbench, which is
published with it, and its README has absolute links. Without REPOSITORY_URL, the README keeps its
relative links, and there are no URLs. The wheel then contains pico_testbench, because no index has
it. One wheel, or the address of a repository, is then enough to install Nimatron.
"""

import os
import re
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "REPOSITORY_URL"
TESTBENCH = "sim/pico_testbench"


class Published(MetadataHookInterface):
    def update(self, metadata: dict) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        home = os.environ.get(VARIABLE, "").rstrip("/")
        urls = {}
        dependencies = list(self.config["dependencies"])
        if home:
            dependencies.append(f"pico-testbench~={_testbench(self.root)}")
            released = f"v{_version(self.root)}"
            text = absolute(text, f"{home}/blob/{released}/", f"{home}/raw/{released}/")
            urls = {
                "Homepage": home,
                "Documentation": f"{home}/tree/{released}/docs",
                "Source": home,
                "Issues": f"{home}/issues",
                "Changelog": f"{home}/blob/{released}/CHANGELOG.md",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = urls
        metadata["dependencies"] = dependencies


class Carried(BuildHookInterface):
    """A build hook that includes pico_testbench, unless this Nimatron depends on it."""

    def initialize(self, version: str, build_data: dict) -> None:
        needed = self.metadata.core.dependencies  # an sdist has the published ones
        if version != "editable" and not any(one.startswith("pico-testbench") for one in needed):
            build_data["force_include"][f"{self.root}/{TESTBENCH}"] = Path(TESTBENCH).name


def absolute(markdown: str, pages: str, files: str) -> str:
    """Return the text with absolute links. `files` is the address of the pictures."""
    markdown = re.sub(r"(!\[[^]]*\]\()(?!https?:|#)", rf"\g<1>{files}", markdown)
    return re.sub(r"((?<!!)\[[^][]*\]\()(?!https?:|#)", rf"\g<1>{pages}", markdown)


def _version(root):
    text = (Path(root) / "firmware/nimatron/__init__.py").read_text(encoding="utf-8")
    return re.search('VERSION = "(.+)"', text)[1]


def _testbench(root):
    text = (Path(root) / TESTBENCH / "pyproject.toml").read_text(encoding="utf-8")
    return re.search('^version = "(.+)"', text, re.M)[1]
