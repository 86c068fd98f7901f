"""The rules for the people at a table, in every possible state."""

import importlib
import json
import types
from pathlib import Path

import pytest

from nimatron_play import table as rules
from nimatron_sim import vm

ON_VM = Path(__file__).parent / "on_vm"
_DIGEST = """
import check_table, json, sys
known = [check_table.tables.Table(*[tuple(x) if type(x) is list else x for x in one])
         for one in json.loads(sys.stdin.readline())]
print(check_table.digest(known))
"""


@pytest.fixture
def checks(monkeypatch):
    monkeypatch.syspath_prepend(ON_VM)
    return importlib.import_module("check_table")


def test_every_state_of_a_table(checks):
    assert len(checks.search_all()) > 1000


@pytest.mark.long("7 s: the prompt machine is searched anyway")
def test_every_state_however_late_the_machine_answers(checks):
    assert len(checks.search_all(late=1)) > 2000


@pytest.mark.vm
@pytest.mark.usefixtures("vm_command")
def test_micropython_does_the_same_with_every_table(checks):
    known = sorted(checks.search_all())
    said = vm.run("-c", _DIGEST, given=json.dumps(known) + "\n", folder=ON_VM)
    assert int(said) == checks.digest(known)


BUGS = {
    "everybody presses": (
        "if page not in table.places or table.pair == ASKED or",
        "if table.pair == ASKED or",
    ),
    "no guard on GO": ("table = _with(table, go_ms=GO_MS)", "pass"),
    "the machine's answer is not followed by an opening": (
        "pair=ON, state=states.OPENING, turn=1",
        "pair=ON",
    ),
    "a friend who left keeps the place": (
        "return _put(table, place, FREE), told",
        "return table, told",
    ),
    "a cut is never over": ("return _cut(table, page, False), []", "return table, []"),
    "a page that watches reads of a player": ('return "table.watch", 0', "return None"),
    "the lease has no end": ("if still < STILL_MS and waited < MOST_MS:", "if True:"),
    "an offer that does nothing": (
        "    alone = table.pair == ON and not _is_here(table, _other(table, page))",
        "    alone = not _is_here(table, _other(table, page))",
    ),
}


@pytest.mark.long("40 s")
@pytest.mark.parametrize("bug", BUGS)
def test_the_search_finds_a_bug(checks, monkeypatch, bug):
    was, now = BUGS[bug]
    text = Path(rules.__file__).read_text()
    assert text.count(was) == 1
    wrong = types.ModuleType("wrong")
    exec(text.replace(was, now), vars(wrong))
    monkeypatch.setattr(checks, "tables", wrong)
    with pytest.raises((AssertionError, IndexError, ValueError)):
        checks.search_all(late=1)
