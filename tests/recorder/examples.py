"""An example of every kind of entry, each with the night before it, for tests of all kinds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.recorder.tables import CLASSIC, read_story, run

EXAMPLES_IN: Mapping[str, str] = {
    CLASSIC: """
        round opening
        p1 claims 3d 4s 4c 5d 5h 6c 6d 8c 8h 9d 9h Qs Qc
        settle
        round opening
        p1 3s
        p2 2d
        p3 4s 4c 4d 4h
        p4 -
        undo
        redo
        p1 -
        p2 -
        p3 5s 6s 7s 8s 9s Ts Js Qs Ks
        p1 -
        p2 -
        p1 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac
        p2 -
        p1 6d 6h
        p2 declares none
        p4 declares 2s, 2c, 2h
        settle
        p1 confirms 2
        p2 disputes 2 payment 21.0 không phải
        decide 23 waived thôi bỏ qua
        p3 disputes 2 move 5.0 nhầm
        round lead p3
        p3 3s
        void 3 chia nhầm
        round lead p3
        result p2 p1 p3 knocked p4 bombed p2 p3 2h
        p3 declares none
        p4 shows 3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 5d 5h 6s
        settle
        correct 30.0 = result p1 p2 p3 knocked p4 bombed p2 p3 2h because nhìn nhầm
        pay p1 p2 5 bia
        join Giang
        rename p2 Bính
        revoke watch
        note kneels p2 until-first
        paid p4 p1 1
        end
        reopen còn sớm
        round lead p1 p2 p1 p3 p5 !
        p1 2s
        p3 4c 4d 4h 4s
    """,
    "pro-play": f"""
        round opening
        p1 contract guaransheed
        p1 3s
        p2 -
        p3 -
        p4 -
        p1 {run("s", "4", "2")}
        settle
    """,
}
"""Ruleset -> a night with one entry in each line. A kind without a line of its own is written as JSON."""


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
        lines = [line for line in map(str.strip, story.splitlines()) if line]
        for number, line in enumerate(lines):
            ((kind, _),) = read_story(line)
            yield kind, Example(ruleset, "\n".join(lines[:number]), line)


EXAMPLES: Mapping[str, Example] = dict(reversed([*_examples()]))
"""Kind -> the first entry of that kind."""
