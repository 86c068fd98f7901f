"""Mistakes in the pure core, one at a time. The mistakes that no test notices are printed.

Run `make mutants`, or `make mutants ONLY="nim match"`. The printed mutants change nothing visible,
or need a test. Each is tried in a child process, forked after the slow imports.
"""

import ast
import copy
import importlib.machinery
import os
import signal
import sys
from pathlib import Path

import hypothesis
import pytest

import oracle

TESTS = Path(__file__).parent
CORE = TESTS.parent / "firmware" / "nimatron"
SECONDS = 60  # a longer test hangs, and counts as noticed

# The test files and tests for each module.
HEAPS, BOARDS, EVERY = (f"test_{kind}.py" for kind in ("heap_games", "board_games", "every_game"))
PURE = "test_pure.py"
LOOK = {
    "bouton": ("", PURE, "test_bouton.py", "test_opponent.py"),
    "match": ("not every_game or nim or fibonacci", PURE, "test_match.py", "test_bouton.py",
        EVERY),
    "opponent": ("not every_game or nim or wythoff", PURE, "test_opponent.py", EVERY),
    "dice": ("", "test_opponent.py"),
    "games/game": ("wythoff or slip_may or candies or made_up or kept_down or it_knows or"
        " leaves_the or so_many_of", HEAPS, BOARDS, EVERY),
    "games/nim": ("not every_game or nim", PURE, "test_bouton.py", "test_opponent.py", EVERY),
    "games/heaps": ("test_match or wythoff or subtraction-3 or fibonacci or say-21 or greedy"
        " or shown or taken or move_has or thirty or bites or unsaid or be_picked",
        "test_match.py", HEAPS, EVERY),
    "games/rows": ("greedy or index-2 or chomp", HEAPS, EVERY),
    "games/stateful": ("fibonacci or building or unsaid or thirty", HEAPS, EVERY),
    "games/subtraction": ("subtraction or say", HEAPS, EVERY),
    "games/wythoff": ("wythoff", HEAPS, EVERY),
    "games/fibonacci": ("fibonacci or it_knows", HEAPS, EVERY),
    "games/square": ("square or it_knows", HEAPS, EVERY),
    "games/chomp": ("chomp or bite or it_knows", HEAPS, EVERY),
    "games/greedy": ("greedy", HEAPS, EVERY),
    "games/same_number": ("same or it_knows", HEAPS, EVERY),
    "games/index": ("index-2", HEAPS, EVERY),
    "games/building": ("building or stones or it_knows", HEAPS, EVERY),
    "games/candy": ("cand or lost_positions or it_knows", HEAPS, EVERY),
    "games/kayles": ("kayles or it_knows", BOARDS, EVERY),
    "games/runs": ("runs", BOARDS, EVERY),
    "games/circular": ("circular or ring or it_knows", BOARDS, EVERY),
    "games/nim_2d": ("tactix or it_knows", BOARDS, EVERY),
    "games/grundy": ("grundy or cut or it_knows", BOARDS, EVERY),
    "games/tables/__init__": ("sums or of_twelve or index-2-1 or chomp or candy", HEAPS, BOARDS),
    "games/pieces": ("kayles or circular or runs or held_down", BOARDS, EVERY),
    "games/boards": ("kayles or held_down or hold_ or lamps_ or buttons", BOARDS, EVERY),
}  # fmt: skip
ON_A_PICO = (
    "on_the_vm",
    "knows_the_game",
    "simulated_pico",
    "at_the_console",
    "contacts",
    "all_runs_that_fit",
)

SWAPS = "Add Sub, Mult Add, FloorDiv Mult, Mod Add, BitXor BitOr, BitAnd BitOr, LShift RShift"
SWAPS += ", And Or, Lt LtE, Gt GtE, Eq NotEq, In NotIn, Is IsNot, Break Continue"
SWAPS = dict(pair.split() for pair in SWAPS.split(", "))
SWAPS = {b: a for a, b in SWAPS.items()} | SWAPS


def mistakes(node):
    """Yield the possible mistakes in a node, each another node in its place."""
    if type(node).__name__ in SWAPS:
        yield getattr(ast, SWAPS[type(node).__name__])()
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        yield ast.Constant(node.value + 1 if type(node.value) is int else not node.value)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Return) and node.value:
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        wrong = copy.copy(node)
        wrong.test = ast.UnaryOp(ast.Not(), node.test)
        yield wrong
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield ast.comprehension(node.target, node.iter, [], 0)
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.Raise)) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Pass()


def mutants(tree):
    """Yield (line, old text, new text), while the tree contains the mistake. Openings get no
    mistakes, because they are a choice."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    chosen = [node for node in nodes if ast.unparse(node).startswith("openings")]
    chosen = [node for choice in chosen for node in ast.walk(choice)]
    for parent in [node for node in ast.walk(tree) if node not in chosen]:
        for field, value in ast.iter_fields(parent):
            for at, node in enumerate(value if isinstance(value, list) else [value]):
                for wrong in mistakes(node) if isinstance(node, ast.AST) else ():
                    was = ast.unparse(parent)
                    put = wrong if value is node else [*value[:at], wrong, *value[at + 1 :]]
                    setattr(parent, field, put)
                    ast.fix_missing_locations(tree)
                    lines = [was.split("\n")[0], ast.unparse(parent).split("\n")[0]]
                    line = getattr(node, "lineno", getattr(parent, "lineno", 0))
                    if ast.unparse(parent) != was:
                        yield line, " -> ".join(dict.fromkeys([type(node).__name__, *lines]))
                    setattr(parent, field, value)


def noticed(file, tree, name):
    """Return True if a test fails, or hangs."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] != 0
    signal.alarm(SECONDS)
    loader = importlib.machinery.SourceFileLoader
    whole = loader.get_code
    loader.get_code = lambda self, name: (
        compile(tree, file, "exec") if Path(self.path).samefile(file) else whole(self, name)
    )
    words, *tests = LOOK[name]
    asked = " and ".join([f"({words or 'test'})", *(f"not {word}" for word in ON_A_PICO)])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    options = "-xq --noconftest --assert=plain -pno:cacheprovider -pno:xdist --timeout=0"
    options = [*options.split(), "--hypothesis-profile=mutants", "-k", asked]
    os._exit(pytest.main([*options, *(str(next(TESTS.glob(f"*/{test}"))) for test in tests)]))


def main(names):
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile(
        "mutants", derandomize=True, database=None, deadline=None, phases=phases
    )
    for rows in oracle.POSITIONS:
        _ = oracle.length(rows, True), oracle.length(rows, False)
    for name in names or LOOK:
        file = CORE / f"{name}.py"
        tree = ast.parse(file.read_text())
        if noticed(file, tree, name):
            sys.exit(f"{name}: its tests fail without a mistake")
        count = survivors = 0
        for line, what in mutants(tree):
            count += 1
            if not noticed(file, tree, name):
                survivors += 1
                print(f"{name}:{line}: {what}", flush=True)
        print(f"{name}: {count} mistakes, {survivors} that no test noticed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
