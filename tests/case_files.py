"""Many cases of one test, and files of cases: `tests/cases/*.txt`, one a line below a heading."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")

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


def lines_below(name: str, heading: str) -> list[str]:
    """The lines below one heading of a file, which must have it."""
    lines = [line for found, line in lines_below_headings(name) if found == heading]
    if not lines:
        raise ValueError(f"{name}: no [{heading}]")
    return lines


def columns(name: str, heading: str) -> list[tuple[str, ...]]:
    """The columns of each line below a heading: what is given, and after ` => ` what comes of it."""
    return [tuple(line.split(" => ")) for line in lines_below(name, heading)]


def told(name: str, heading: str) -> list[tuple[str, ...]]:
    """The same, where a column in quotation marks is written as in JSON."""
    return [tuple(map(_unquoted, line)) for line in columns(name, heading)]


def _unquoted(text: str) -> str:
    return json.loads(text) if text.startswith('"') and text.endswith('"') else text


def of_each(
    cases: Callable[[], Sequence[tuple[str, T]]], parts: int = 8
) -> Callable[[Callable[[T], None]], Callable[[int], None]]:
    """Decorates a test of one case, which then runs with each of the named cases, in `parts` tests. For hundreds of
    small cases: what fails names its case, and what makes the cases is called when the first test runs."""

    def decorate(test: Callable[[T], None]) -> Callable[[int], None]:
        @wraps(test, assigned=("__name__", "__module__", "__doc__"))
        def with_some(part: int) -> None:
            for name, case in cases()[part::parts]:
                try:
                    test(case)
                except Exception as failed:
                    failed.add_note(f"in the case {name}")
                    raise

        del with_some.__wrapped__
        return pytest.mark.parametrize("part", range(parts))(with_some)

    return decorate
