"""`nimatron solve`: what a position is worth, every winning move, and the binary working."""

from nimatron import nim


def solve(rows: list[int], misere: bool) -> dict:
    """The solution of a position of Nim, as `nimatron solve --json` prints it.

    Any number of heaps of any size. Raises ValueError for a negative or no heap at all.
    """
    if not rows or not any(rows):
        raise ValueError("an empty board has no moves: at least one lamp must be lit")
    return {
        "rows": rows,
        "rule": "misere" if misere else "normal",
        "outcome": "P" if nim.is_p(rows, misere) else "N",
        "nim_sum": nim.nim_sum(rows),
        "winning_moves": [
            {"row": row + 1, "take": take} for row, take in nim.winning_moves(rows, misere)
        ],
    }


def as_text(solution: dict) -> str:
    """The same for a person."""
    rows = solution["rows"]
    width = max(3, max(rows).bit_length())
    lines = [
        f"  row {i + 1}  {n:>{len(str(max(rows)))}}  {n:0{width}b}" for i, n in enumerate(rows)
    ]
    lines.append(f"  nim-sum{' ' * len(str(max(rows)))} {solution['nim_sum']:0{width}b}")
    if solution["rule"] == "misere":
        lines.append("Misère play: who puts out the last lamp loses.")
    else:
        lines.append("Normal play: who puts out the last lamp wins.")
    moves = solution["winning_moves"]
    if solution["outcome"] == "P":
        lines.append("P: the previous player wins. Whoever moves now loses against best play.")
    elif not moves:
        lines.append("N: nothing is left to do.")
    else:
        lines.append("N: the next player wins, with any of:")
        lines += [f"  take {m['take']} from row {m['row']}" for m in moves]
    return "\n".join(lines)
