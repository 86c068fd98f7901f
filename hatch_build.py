"""The metadata that depend on where the project is published: the release workflow sets
REPOSITORY_URL. Without it, the README keeps its relative links, and there are no URLs."""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "REPOSITORY_URL"


class Published(MetadataHookInterface):
    def update(self, metadata: dict) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        home = os.environ.get(VARIABLE, "").rstrip("/")
        urls = {}
        if home:
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


def absolute(markdown: str, pages: str, files: str) -> str:
    """The text with its relative links made absolute. files: where pictures are."""
    markdown = re.sub(r"(!\[[^]]*\]\()(?!https?:|#)", rf"\g<1>{files}", markdown)
    return re.sub(r"((?<!!)\[[^][]*\]\()(?!https?:|#)", rf"\g<1>{pages}", markdown)


def _version(root):
    text = (Path(root) / "firmware/nimatron/__init__.py").read_text(encoding="utf-8")
    return re.search('VERSION = "(.+)"', text)[1]
