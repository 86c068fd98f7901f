"""Judge the subjects of the commits since the last release: `area: Imperative`, 72 characters.

    python tests/judges/subjects.py          # part of `make lint`

The commits of a version begin with the one that adds its section to CHANGELOG.md. Merges and
reverts have the subjects that git gives them.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 72  # characters that `git log --oneline` shows on 80 columns
NO_VERB = re.compile(
    r"(an?|the|th(is|at|e[sry]e?|ose)|wh\w+|how|if|as|in|on|at|of|for|from|with|it|its|no|not|all"
    r"|each|every|one|two|some|more|new|only|now|also|\w+([^e]ed|ing))\b",
    re.IGNORECASE,
)
UNWANTED = re.compile(r"(?i)\b(?:whoever|(?:some|no|any)body|anew)\b|;")
VERBS = ("bring", "embed", "feed", "need", "ping", "seed", "shed", "speed", "spring", "string")


def faults(subject):
    """Return the reasons to refuse a subject, as short phrases."""
    if re.match(r"Merge |Revert |(fixup|squash|amend)! ", subject):
        return []
    match = re.fullmatch(r"[a-z0-9][\w ,./-]*: (([A-Z][\w'-]*).*)", subject)
    found = []
    if not match:
        found.append("it is not `area: Imperative …`")
    elif NO_VERB.fullmatch(match[2]) and match[2].lower() not in VERBS:
        found.append(f"“{match[2]}” is no imperative")
    if len(subject) > LONGEST:
        found.append(f"it has {len(subject)} characters, not at most {LONGEST}")
    return found + [f"it has “{each}”" for each in UNWANTED.findall(subject)]


def since_the_last_release():
    """Return [(commit, subject)] since the newest section of the changelog began."""
    heading = re.search(r"(?m)^## \S+", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))[0]
    began = _git("log", "--format=%H", "--reverse", f"-S{heading}", "--", "CHANGELOG.md")
    if not began:
        return []
    log = _git("log", "--no-merges", "--format=%h%x00%s", f"{began.split()[0]}..HEAD")
    return [tuple(line.split("\0")) for line in log.splitlines()]


def _git(*arguments):
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8").stdout
    except FileNotFoundError:
        return ""


def main():
    refused = [(c, s, f) for c, s in since_the_last_release() if (f := faults(s))]
    for commit, subject, found in refused:
        print(f"{commit} {subject}\n    {', '.join(found)}. To reword it: git rebase -i {commit}~")
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main())
