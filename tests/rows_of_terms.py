"""The rows of NOTATION.md and INTERFACE.md on the terms of a night, made from their declarations.

usage: python -m tests.rows_of_terms [--check]

Writes them, or only checks that they are there: then it exits with 1, and prints those that differ.
"""

import re
import sys
from difflib import ndiff
from pathlib import Path

from ledger.game.terms import WRITTEN

ROOT = Path(__file__).parent.parent
TABLES = {
    "NOTATION.md": (
        r"(?<=\n)\| `rule [^\n]*\n",
        r"\| `p1 An`",
        [f"| `{name} {term.example}` | {term.meaning} |" for name, term in WRITTEN.items()],
    ),
    "INTERFACE.md": (
        r"(?<=\n)rule +rule [^\n]*\n",
        r"player +TAG",
        [
            f"{name:11} {name} {term.pattern.replace('[0-9]', chr(92) + 'd').replace(chr(92) + 's+', ' ')}"
            for name, term in WRITTEN.items()
        ],
    ),
}
"""Document -> the row before, the beginning of the row after, and the rows between."""


def main(*arguments: str) -> int:
    """Write the rows, or check them; returns the exit status."""
    differing = []
    for name, (before, after, rows) in TABLES.items():
        file = ROOT / name
        text = file.read_text(encoding="utf-8")
        beginning, end = re.search(before, text), re.search(after, text)
        assert beginning is not None, before
        assert end is not None, after
        made = text[: beginning.end()] + "".join(f"{row}\n" for row in rows) + text[end.start() :]
        if made != text:
            differing += [line for line in ndiff(text.splitlines(), made.splitlines()) if line[0] in "+-"]
            if "--check" not in arguments:
                file.write_text(made, encoding="utf-8")
    if differing and "--check" in arguments:
        print("run python -m tests.rows_of_terms:", *differing, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
