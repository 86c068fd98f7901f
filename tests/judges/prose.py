"""Count, for each file of the repository, the constructions and long sentences that manuals avoid.

    python tests/judges/prose.py [FILE...]      # every hit
    python tests/judges/prose.py --ratchet      # `make ratchet`: lower the counts in prose.json

The list and the budgets are calibrated on 121,296 words from the manuals of gpiozero, picozero,
MicroPython, sqlite-utils, Datasette and Textual. They contain 0.12 banned constructions and 0.6
semicolons per 1,000 words, and 3.7 % of their sentences have more than 30 words. The 85,352
held-out words from pytest, ESPHome and micropython-async contain 0.41 banned constructions per
1,000. The budgets are above these figures, because an embedded question ("check what it needs") is
a false hit.
"""

import ast
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
RATCHET = Path(__file__).with_suffix(".json")  # the files above a budget, with their counts
KINDS = ("banned", "semicolons", "long")
BUDGETS = (1.5 / 1000, 5 / 1000, 5 / 100)  # per word, per word, per sentence
LONG = 30  # words in a sentence
SHORT = 100  # words in a file. A longer file may have one hit of each kind

BANNED = [
    r"whom?ever",
    r"(some|no|any|every)body",
    r"sa(y|ys|id) so",
    r"(is|are|was|were|be|been) (told|asked)",
    r"what (it|is|a|the|no|they|goes|comes|waits|was|has|nobody|people|follows|stays|lies|leads"
    r"|this|each|every|we|our|there|only|else)",
    r"by (itself|themselves|himself)",
    r"of (its|their|our|your) own",
    r"beside|anew|afresh|for ever|meanwhile|shall|as far as|be had",
    r"(is|are|has|have|had|gets?|takes?) none",
    r"(is|are|was|were) (not )?there",
    r"puts? (it |them )?there",
    r"(those|that) of",
    r"stands?|go(es)? on|hears?|heard|mend(s|ed|ing)?|left out|leaves? out",
    r"in (your|my|their|its) turn",
    r"some \d",
    r"(nothing|none|no \w+) but",
    r"of \d[\d,.]* ?(V|A|W|mm|cm|m|kΩ|Ω|kB|MB|bytes|bits)",
]
FINDING = re.compile(
    rf"\b({'|'.join(BANNED)})\b|, too\b|, but for\b"
    r"|, also (in|at|of|by|on|to|from|after|when|with|between)\b",
    re.IGNORECASE,
)


class Verdict(NamedTuple):
    """The counts of one file, the findings behind them, and the counts that its size allows."""

    counts: tuple
    allowed: tuple
    words: int
    findings: list


def judge(paragraphs):
    """Return the verdict on paragraphs of plain text."""
    findings, words, sentences = [[], [], []], 0, 0
    for block in paragraphs:
        words += len(block.split())
        findings[0] += [_around(block, match) for match in FINDING.finditer(block)]
        findings[1] += [_around(block, match) for match in re.finditer(";", block)]
        for sentence in re.split(r"(?<=[.!?:])\s+", " ".join(block.split())):
            length = len(sentence.split())
            sentences += length > 3
            if length > LONG:
                findings[2].append(f"{length} words: {sentence}")
    sizes = (words, words, sentences)
    return Verdict(
        tuple(map(len, findings)),
        tuple(
            max(round(budget * size), int(words > SHORT))
            for budget, size in zip(BUDGETS, sizes, strict=True)
        ),
        words,
        [f"{kind}: {each}" for kind, found in zip(KINDS, findings, strict=True) for each in found],
    )


def _around(block, match):
    return " ".join(block[max(0, match.start() - 40) : match.end() + 40].split())


def markdown(text):
    """Return the paragraphs, list items and table cells, without code, link targets and HTML."""
    text = re.sub(r"(?ms)^ *```.*?^ *```|^(?: {4}|\t)(?! *[-*\d]).*?$", "", text)
    text = re.sub(r"(?s)<!--.*?-->|<[^>]+>", "", text)
    text = re.sub(r"`[^`]*`|&\w+;", "Foo", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return [b for b in re.split(r"\n\s*\n|^\s*[-*#](?=\s)|\|", text, flags=re.M) if b.strip()]


def python(text, strings=True):
    """Return the docstrings and comments. If `strings` is true, also return every string that
    reads like a sentence, such as a help text or an error.
    """
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    blocks, docstrings = [], set()
    for node in ast.walk(tree) if strings else _definitions(tree):
        if isinstance(node, documented) and (found := ast.get_docstring(node)):
            docstrings.add(node.body[0].value)
            blocks += markdown(found)
        elif isinstance(node, (ast.Constant, ast.JoinedStr)) and node not in docstrings:
            value = _string(node)
            docstrings.update(ast.iter_child_nodes(node))  # the parts of an f-string
            if re.match(r"\W?[\w{]+,? [a-z]+ \w+ \w+", value) and "\n  " not in value:
                blocks += markdown(inspect.cleandoc(value))
    for lines in re.findall(r"(?m)(?:^ *# .*\n)+|  # .*\n", text):
        blocks += markdown(re.sub(r"(?m)^ *# ", "", lines))
    return blocks


def _definitions(tree):
    yield tree
    for node in tree.body:
        if hasattr(node, "body") and not isinstance(node, ast.If):
            yield from _definitions(node)


def _string(node):
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(part.value if isinstance(part, ast.Constant) else "Foo" for part in node.values)


def words(text):
    """Return the texts of a language's table."""
    return [re.sub(r"{\w+}", "Foo", value) for value in json.loads(text).values()]


def blocks(name):
    """Return the paragraphs of prose in a file of the repository."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".py"):
        return python(text, strings=not name.startswith("tests/"))
    return words(text) if name.endswith(".json") else markdown(text)


def verdicts(names=()):
    """Return {name: its verdict} for all files, or for the files with these names in git."""
    command = ["git", "ls-files", "--", *(names or ("*.md", "*.py", "*/words/en.json"))]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return {name: judge(blocks(name)) for name in listed.splitlines() if (ROOT / name).exists()}


def read_ratchet():
    return {name: tuple(counts) for name, counts in json.loads(RATCHET.read_text()).items()}


def above(found):
    """Return {name: counts} for the files above a budget."""
    return {
        name: verdict.counts
        for name, verdict in found.items()
        if any(count > most for count, most in zip(verdict.counts, verdict.allowed, strict=True))
    }


def complaints(found, ratchet):
    """Yield a line for each file that is worse than allowed or no longer needs an exception."""
    still = above(found)
    for name, verdict in found.items():
        most = tuple(map(max, verdict.allowed, ratchet.get(name, (0, 0, 0))))
        if any(count > limit for count, limit in zip(verdict.counts, most, strict=True)):
            counts = ", ".join(
                f"{kind} {count} (at most {limit})"
                for kind, count, limit in zip(KINDS, verdict.counts, most, strict=True)
            )
            yield f"{name}: {counts}. To list them: python tests/judges/prose.py {name}"
    for name in ratchet:
        if name not in still:
            yield f"{name} needs no exception any more. To remove it: make ratchet"


def tightened(found, ratchet):
    """Return the new table. A file may be moved or split, but no total may rise."""
    table = above(found)
    for kind, old, new in zip(KINDS, _totals(ratchet), _totals(table), strict=True):
        if ratchet and new > old:
            raise ValueError(f"{kind} would rise from {old} to {new}: rewrite, then run it again")
    return table


def _totals(table):
    return [sum(column) for column in zip(*table.values(), strict=True)] or [0, 0, 0]


def main(arguments):
    if arguments == ["--ratchet"]:
        try:
            table = tightened(verdicts(), read_ratchet())
        except ValueError as error:
            return str(error)
        lines = (f"  {json.dumps(name)}: {list(counts)}" for name, counts in table.items())
        RATCHET.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(f"{len(table)} files are above the budget: {_totals(table)} {', '.join(KINDS)}")
        return 0
    for name, verdict in verdicts(arguments).items():
        for finding in verdict.findings:
            print(f"{name}: {finding}")
        print(f"{name}: {verdict.words} words, {verdict.counts}, allowed {verdict.allowed}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
