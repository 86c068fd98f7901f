"""The documentation site, made by Sphinx from the Markdown pages of this repository: `make docs`.

The source folder is the repository, so that a link between two pages is the same on the site, in
an editor and on GitHub. A comment such as `<!-- generated: settings -->` is replaced by the text
of that name in generated.py.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import generated  # noqa: E402
from nimatron import VERSION  # noqa: E402

project = "Nimatron"
author = "The Nimatron authors"
copyright = author
version = release = VERSION
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "wiring/*.md",
    "sim/pico_testbench/*.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
]
exclude_patterns = [".*", "dist", "build", "pictures", "**/node_modules"]
extensions = ["myst_parser", "sphinx.ext.autodoc"]

myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "html_image"]
suppress_warnings = ["myst.header"]  # a page of the repository may begin with its second level
highlight_language = "none"
smartquotes_action = "qe"  # leaves the dashes of options such as --json alone
nitpicky = False  # the testbench names types of other packages

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "show-inheritance": False}

html_theme = "furo"
html_title = project  # without a version: the source is newer than VERSION
html_favicon = "../host/nimatron_host/kiosk/page/icon.svg"
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
html_extra_path = ["index.html"]  # leads to docs/index.html
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#8a5a14", "color-brand-content": "#8a5a14"},
    "dark_css_variables": {"color-brand-primary": "#e8b04a", "color-brand-content": "#e8b04a"},
}

# The pages below each page, in the order of the menu.
_BELOW = {
    "docs/index": [
        *("tutorials/first-match", "how-to/install"),
        *("museums", "makers", "teachers", "solvers", "testers"),
        *("explanation/index", "reference/index", "/CONTRIBUTING", "/CHANGELOG"),
    ],
    "docs/museums": [
        *("how-to/museum/exhibit", "how-to/museum/wall-screen", "how-to/museum/phones"),
        *("how-to/museum/start-at-boot", "how-to/museum/operator-page", "how-to/museum/backup"),
        *("how-to/museum/update", "how-to/museum/diagnose", "how-to/museum/many-exhibits"),
        "explanation/tables",
    ],
    "docs/makers": [
        *("tutorials/breadboard-in-an-evening", "how-to/maker/put-it-on-a-pico"),
        *("/wiring/README", "/wiring/pixels", "/wiring/breadboard", "/wiring/exhibit"),
        *("/wiring/board", "/wiring/electrical"),
        *("how-to/maker/everyday-commands", "how-to/maker/change-a-pin"),
        *("how-to/maker/emulate", "how-to/maker/firmware-in-the-image"),
        "tutorials/your-first-game",
    ],
    "docs/teachers": [
        *("tutorials/first-lesson", "how-to/teacher/publish", "how-to/teacher/homework-links"),
        "how-to/teacher/handout",
    ],
    "docs/solvers": [
        *("explanation/how-nim-is-won", "explanation/theory", "explanation/history"),
        "explanation/relays",
    ],
    "docs/testers": [
        *("/sim/pico_testbench/README", "/sim/pico_testbench/TUTORIAL"),
        "reference/testbench",
    ],
    "docs/explanation/index": [
        *("architecture", "reliability", "wires", "emulators", "why-no-wifi"),
    ],
    "docs/reference/index": [
        *("cli", "console", "settings", "games", "trace", "mqtt", "http", "exit-status"),
        *("platforms", "glossary"),
    ],
    "CONTRIBUTING": [
        *("docs/contributing/map", "docs/contributing/tests", "docs/contributing/evidence"),
        *("docs/contributing/wire-faults", "docs/contributing/benchmarks"),
        *("docs/contributing/releases", "SECURITY", "CODE_OF_CONDUCT"),
    ],
}
_ARGUMENT = re.compile(r"^(\w+): (?=\S)")
_GENERATED = re.compile(r"<!-- generated: (\S+) -->")


def _fill(app, docname, source):
    """Put the generated texts into a page, and the list of the pages below it."""
    text = _GENERATED.sub(lambda found: generated.TEXTS[found[1]](), source[0])
    if docname in _BELOW:
        below = "\n".join(_BELOW[docname])
        text += f"\n```{{toctree}}\n:hidden:\n\n{below}\n```\n"
    source[0] = text


def _list_arguments(app, what, name, thing, options, lines):
    """Turn the lines of a docstring that explain arguments into a list."""
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if not after or after.startswith(" ") or _ARGUMENT.match(after):
            lines[number] = _ARGUMENT.sub(r":\1: ", line)


def setup(app):
    app.connect("autodoc-process-docstring", _list_arguments)
    app.connect("source-read", _fill)
