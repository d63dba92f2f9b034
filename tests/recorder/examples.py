"""An example of every kind of entry, each with the night before it, for tests of all kinds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from tests.case_files import lines_below_headings
from tests.stories import read_story

_LINES = groupby(lines_below_headings("examples.txt"), itemgetter(0))
EXAMPLES_IN: Mapping[str, str] = {ruleset: "\n".join(line for _, line in lines) for ruleset, lines in _LINES}
"""Ruleset -> a night with one entry in each line."""


@dataclass(frozen=True, slots=True)
class Example:
    """An entry as a line, and the lines recorded before it."""

    ruleset: str
    before: str
    line: str

    @property
    def content(self) -> dict[str, Any]:
        """The content of the entry; one recorded by a seat also has its player."""
        ((_, content),) = read_story(self.line)
        return content


def _examples() -> Iterator[tuple[str, Example]]:
    for ruleset, story in EXAMPLES_IN.items():
        lines = story.splitlines()
        for number, line in enumerate(lines):
            ((kind, _),) = read_story(line)
            yield kind, Example(ruleset, "\n".join(lines[:number]), line)


EXAMPLES: Mapping[str, Example] = dict(reversed([*_examples()]))
"""Kind -> the first entry of that kind."""
