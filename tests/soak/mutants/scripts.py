"""Mutants of the pages' scripts: one small change of a token outside of comments and texts."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.soak.mutants.python import Mutant

CHANGES = [
    (r"===", "!=="),
    (r"!==", "==="),
    (r" < ", " <= "),
    (r" > ", " >= "),
    (r" <= ", " < "),
    (r" >= ", " > "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \?\? ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"(?<![\w.])true\b", "false"),
    (r"(?<![\w.])false\b", "true"),
    (r"(?<=[(&| =])!(?=[\w(])", ""),
    (r"(?<![\w.#-])([1-9]\d*)(?![\w.])", None),
    (r"\.slice\(-", ".slice("),
    (r"\.filter\(", ".map("),
    (r"\.some\(", ".every("),
    (r"\.every\(", ".some("),
    (r"\bMath\.min\b", "Math.max"),
    (r"\bMath\.max\b", "Math.min"),
    (r"(?<=^)(\s+)(?!return|const|let|if|for|else|case|throw|await)[\w.?]+\([^;]*\);$", r"\1;"),
    (r"\breturn;", ";"),
    (r"\breturn ([^;]+);$", "return undefined;"),
]
"""A pattern in a line, and its replacement; a number becomes the next one."""
HIDDEN = re.compile(r"//.*|\"(?:[^\"\\]|\\.)*\"|`[^`$]*`|/\*.*?\*/")
"""Comments and texts of a line."""


def mutants_of(root: Path, path: Path) -> Iterator[Mutant]:
    """Every mutant of a script, in order of lines."""
    lines = (root / path).read_text(encoding="utf-8").splitlines(keepends=True)
    in_text = False
    for number, line in enumerate(lines, 1):
        quotes = line.count("`") % 2
        if not in_text and not quotes and not line.lstrip().startswith(("//", "*", "/*", "import")):
            for start, end, instead in _changes_of(line):
                changed = line[:start] + instead + line[end:]
                text = "".join([*lines[: number - 1], changed, *lines[number:]])
                yield Mutant(path, number, f"{line.strip()} -> {changed.strip()}"[:200], text)
        in_text ^= bool(quotes)


def _changes_of(line: str) -> Iterator[tuple[int, int, str]]:
    hidden = [one.span() for one in HIDDEN.finditer(line)]
    for pattern, replacement in CHANGES:
        for one in re.finditer(pattern, line.rstrip("\n")):
            if not any(start <= one.start() < end for start, end in hidden):
                yield *one.span(), str(int(one[1]) + 1) if replacement is None else one.expand(replacement)
