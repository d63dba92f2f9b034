"""Files of cases, `tests/cases/*.txt`, with one case a line below a heading in brackets."""

import re
from collections.abc import Iterator
from pathlib import Path

CASES = Path(__file__).parent / "cases"


def lines_below_headings(name: str) -> Iterator[tuple[str, str]]:
    """Each heading, without its brackets, and a line below it. `#` begins a comment, and an indented line continues
    the one above. A line without a heading is an error, and a heading without lines."""
    sections: list[tuple[str, list[str]]] = []
    text = re.sub(r"\n +", " ", (CASES / name).read_text(encoding="utf-8"))
    for line in text.splitlines():
        if line.startswith("["):
            sections.append((line.strip("[]"), []))
        elif line and not line.startswith("#"):
            sections[-1][1].append(line)
    for heading, lines in sections:
        if not lines:
            raise ValueError(f"{name}: nothing below [{heading}]")
        yield from ((heading, line) for line in lines)
