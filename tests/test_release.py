"""The requirements of a release: one version, metadata, workflows, reproducible packages."""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import uv
import yaml

import needs
from nimatron import VERSION
from nimatron_host.cli import parser, parsers
from nimatron_sim import firmware
from pico_testbench.models import BOARDS

ROOT = Path(__file__).parent.parent
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
TESTED = (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")
HASHES = ROOT / ".github/micropython.sha256"
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = [p for p in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")) if p.stem != "config"]
HOME = "https://example.org/us/nimatron"


# ---------------------------------------------------------------------- files about the project


def valid(schema, *files):
    """Check files against a schema from check-jsonschema, and return its errors."""
    check_jsonschema = pytest.importorskip("check_jsonschema")
    from click.testing import CliRunner

    words = ["--builtin-schema", f"vendor.{schema}", *map(str, files)]
    done = CliRunner().invoke(check_jsonschema.main, words)
    return done.output if done.exit_code else ""


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", WORKFLOWS),
        ("github-issue-forms", FORMS),
        ("github-issue-config", [ROOT / ".github/ISSUE_TEMPLATE/config.yml"]),
        ("dependabot", [ROOT / ".github/dependabot.yml"]),
        ("citation-file-format", [ROOT / "CITATION.cff"]),
    ],
)
def test_the_files_for_hosts_are_what_their_schemas_want(schema, files, tmp_path):
    assert files and valid(schema, *files) == ""
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(files[0].read_text(encoding="utf-8") + "\nwrong: 1\n", encoding="utf-8")
    assert "wrong" in valid(schema, wrong)


JUDGED = sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info >= (3, 11)


@pytest.mark.skipif(not JUDGED, reason="the judges are for Linux on x86_64, Python 3.11 or newer")
@pytest.mark.parametrize(
    ("command", "before", "after"),
    [
        (["actionlint"], "macos-15-intel", "macos-13"),
        (["zizmor", "--offline", "--quiet"], r"checkout@\w{40}", "checkout@v7"),
    ],
    ids=["actionlint", "zizmor"],
)
def test_judges_of_workflows_find_nothing(command, before, after, tmp_path):
    """Each judge also finds a mistake that was once made here."""

    def judged(folder):
        files = sorted(map(str, folder.glob("*.yml")))
        judge = [str(Path(sys.executable).with_name(command[0])), *command[1:], *files]
        done = subprocess.run(judge, cwd=folder, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    assert judged(ROOT / ".github/workflows")[0] == 0, judged(ROOT / ".github/workflows")[1]
    for file in WORKFLOWS:
        text = re.sub(before, after, file.read_text(encoding="utf-8"))
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    status, told = judged(tmp_path)
    assert status != 0 and re.search(f"{after}|unpinned", told)


def test_a_release_page_needs_all_that_it_tells_of():
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    assert set(release["page"]["needs"]) == release.keys() - {"page"}


@pytest.mark.long("13 s each: what the package index has")
@pytest.mark.parametrize(
    "python", yaml.safe_load(TESTED)["jobs"]["wheel"]["strategy"]["matrix"]["python"]
)
def test_all_extras_can_be_installed_on_each_python(python, tmp_path):
    """uv finds compatible versions of all libraries, without installing them."""
    project = tmp_path / "pyproject.toml"  # without the hook that finds the version
    project.write_text(re.sub(r"(?s)dynamic = .*?\]", 'version = "1"', PROJECT, count=1))
    command = [uv.find_uv_bin(), "pip", "compile", "--quiet", "--all-extras"]
    done = subprocess.run(
        [*command, "--python-version", python, str(project)], capture_output=True, text=True
    )
    if re.search("error sending request|Failed to fetch|dns error", done.stderr):
        pytest.skip("uv does not reach the package index")
    assert done.returncode == 0, done.stderr


def steps():
    """Yield the commands that the workflows run."""
    for file in WORKFLOWS:
        for job in yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values():
            yield from (step["run"] for step in job["steps"] if "run" in step)


def test_the_commands_of_the_workflows_exist():
    choices = parsers(parser())
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = [line.strip() for run in steps() for line in run.splitlines()]
    ours = [found[1] for line in commands if (found := re.search(r"\bnimatron ([a-z]+)", line))]
    made = [target for line in commands if line.startswith("make ") for target in line.split()[1:]]
    assert len(ours) >= 8 and set(ours) <= set(choices)
    assert made and all(re.search(rf"^{re.escape(target)}:", makefile, re.M) for target in made)


def step(name):
    """Return the command of the release step whose name begins with `name`."""
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    (run,) = [
        s["run"] for s in release["jobs"]["build"]["steps"] if s.get("name", "").startswith(name)
    ]
    return run


@pytest.fixture
def download(tmp_path, monkeypatch):
    """Let `curl` download an image for each board of the release. Return {name: content}."""
    uf2 = pytest.importorskip("pico_testbench.micropython_image")
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    programs = tmp_path / "programs"
    programs.mkdir()
    images = {}
    names = [line.split()[1] for line in HASHES.read_text().splitlines()]
    for name, board in zip(names, BOARDS.values(), strict=True):
        text = f"MicroPython v1.26.1 on 2025-09-11; {board.machine}\0".encode()
        images[name] = uf2.pack(uf2.Image(text, board.family))
        (programs / name).write_bytes(images[name])
    curl = programs / "curl"
    curl.write_text(f'#!/bin/sh\ncp "{programs}/${{2##*/}}" .\n')
    curl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return images


def bash(run, folder):
    return subprocess.run(
        [needs.program("bash"), "-e", "-c", run], cwd=folder, capture_output=True, text=True
    )


def test_release_names_the_micropython_of_each_board():
    images = re.findall(r"(?m)^(?:[0-9a-f]{64}|unknown)  (\S+)$", HASHES.read_text())
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    version = release["jobs"]["build"]["env"]["MICROPYTHON"]
    boards = "RPI_PICO", "RPI_PICO_W", "RPI_PICO2", "RPI_PICO2_W"
    assert images == [f"{board}-{version}.uf2" for board in boards]
    assert len(images) == len(HASHES.read_text().splitlines()) == len(BOARDS)


def test_release_has_a_firmware_file_for_each_board_and_a_package_for_mip(tmp_path, download):
    flash = pytest.importorskip("nimatron_sim.emulated.pico_flash")
    uf2 = pytest.importorskip("pico_testbench.micropython_image")
    (tmp_path / "all/bin").mkdir(parents=True)
    (tmp_path / "all/bin/nimatron").symlink_to(Path(sys.executable).with_name("nimatron"))
    (tmp_path / "files").mkdir()
    assert bash(step("A firmware file"), tmp_path).returncode, "the images have other hashes"
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in download.items()}
    pinned = tmp_path / ".github/micropython.sha256"
    lines = [f"{digest}  {name}\n" for name, digest in hashes.items()]
    pinned.write_text("".join(lines).replace([*hashes.values()][2], "unknown"))
    done = bash(step("A firmware file"), tmp_path)
    assert done.returncode == 0, done.stderr
    used = (tmp_path / "files/MICROPYTHON-SHA256SUMS").read_text()
    assert used == "".join(f"{digest}  {name}\n" for name, digest in hashes.items())
    release = firmware.release(firmware.files())
    for name, board in zip(download, BOARDS.values(), strict=True):
        made = uf2.unpack((tmp_path / f"files/nimatron-{name.partition('-')[0]}.uf2").read_bytes())
        files = flash.mount(made.flash[board.file_system[0] :])
        assert made.board is board
        assert {n: files.open(n, "rb").read() for n in release} == release
    package = json.loads((tmp_path / "files/package.json").read_text())
    there = {name: (tmp_path / "files" / source).read_bytes() for name, source in package["urls"]}
    assert (
        there == release and package["urls"][-1][0] == "main.py" and package["version"] == VERSION
    )


def test_the_commands_of_the_workflows_are_bash():
    bash = needs.program("bash")
    for run in steps():
        run = re.sub(r"\$\{\{.*?\}\}", "X", run)
        done = subprocess.run([bash, "-n", "-c", run], capture_output=True, text=True)
        assert done.stderr == "", run


def test_all_versions_agree():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == VERSION
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+) - ", changes, re.M)[1] == VERSION
    assert json.loads((ROOT / "firmware/package.json").read_text())["version"] == VERSION


# ---------------------------------------------------------------------- metadata


def copy(tree):
    """Copy the files of the project, as in a clone."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True
    )
    if names.returncode:
        pytest.skip("not a git checkout: there is no list of files to copy")
    for name in filter(None, names.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes((ROOT / name).read_bytes())


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Return a copy of the project that is prepared for an index."""
    tree = tmp_path_factory.mktemp("published")
    copy(tree)
    subprocess.run([sys.executable, tree / ".github/publish.py", f"{HOME}/"], check=True)
    return tree


def test_the_links_of_a_published_readme_lead_somewhere_from_everywhere(published):
    links = re.findall(r"\]\(([^)]+)\)", (published / "README.md").read_text(encoding="utf-8"))
    own = [link for link in links if link.startswith(HOME)]
    assert len(own) > 20
    for link in links:
        assert link.startswith(("https://", "#")), link
    for link in own:
        kind, version, path = link.removeprefix(f"{HOME}/").split("/", 2)
        assert version == f"v{VERSION}" and (ROOT / path.partition("#")[0]).exists(), link
        picture = path.endswith((".svg", ".png", ".webp"))
        assert kind == ("raw" if picture else "blob"), link
    project = (published / "pyproject.toml").read_text(encoding="utf-8")
    urls = re.findall(r'^[A-Z]\w+ = "(.+)"$', project, re.M)
    assert len(urls) == 5 and all(url.startswith(HOME) for url in urls)


# ---------------------------------------------------------------------- packages


def build(tree, umask, hour):
    """Build all sdists and wheels in a copy of the tree. Return {name: SHA-256}."""
    before = os.umask(umask)
    try:
        copy(tree)
    finally:
        os.umask(before)
    for file in tree.rglob("*"):
        os.utime(file, (hour, hour))
    for project in (tree, tree / "sim/pico_testbench"):
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-d", str(tree / "dist")],
            cwd=project,
            env=os.environ | {"SOURCE_DATE_EPOCH": "1767225600"},
            check=True,
            capture_output=True,
            umask=umask,
        )
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in (tree / "dist").iterdir()}


@pytest.mark.long("7 s: eight builds")
@pytest.mark.skipif(os.name == "nt", reason="umask is POSIX's")
def test_builds_are_reproducible(tmp_path):
    one = build(tmp_path / "one", 0o022, 1_700_000_000)
    assert len(one) == 4 and {f"nimatron-{VERSION}.tar.gz"} < set(one)
    assert {name.partition("-")[0] for name in one} == {"nimatron", "pico_testbench"}
    assert build(tmp_path / "another folder", 0o077, 1_600_000_000) == one


def built(folder, out):
    """Build a wheel of a folder. Return its names and its requirements."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        (told,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        text = opened.read(told).decode()
    return names, re.findall("^Requires-Dist: ([^;\n]+)$", text, re.M)


@pytest.mark.long("5 s: five builds")
def test_what_is_published_has_no_file_twice_and_what_is_not_published_needs_one_wheel(
    tmp_path, published
):
    def needs_bench(needs):
        return [one for one in needs if one.startswith("pico-testbench~=")]

    bench, _ = built(ROOT / "sim/pico_testbench", tmp_path / "bench")
    whole, needs = built(published, tmp_path / "published")
    assert not whole & bench and needs_bench(needs)
    ours, needs = built(ROOT, tmp_path / "not published")
    packed = {name for name in bench if ".dist-info/" not in name}
    assert len(packed) > 20 and packed <= ours
    assert not needs_bench(needs)

    sdist = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(sdist, cwd=published, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path)
    inside = tmp_path / archive.name.removesuffix(".tar.gz")
    again, needs = built(inside, tmp_path / "from the sdist")
    assert again == whole and needs_bench(needs)
