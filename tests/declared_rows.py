"""The rows of NOTATION.md and INTERFACE.md that are made from declarations: terms of a night, prices, conditions of
hands that win at once, and what fields need.

usage: python -m tests.declared_rows [--check]

Writes them, or only checks that they are there: then it exits with 1, and prints those that differ.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from difflib import ndiff
from pathlib import Path

from ledger.game.agreed import Need
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import DECLARED, InstantWin
from ledger.game.rulesets.needs import FACTS
from ledger.game.rulesets.overlays.prices import FULL_HAND, PREFIX, prices_of
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.serialization import fields_of_lines
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.terms import WRITTEN
from ledger.language import rules_page, speaker

ROOT = Path(__file__).parent.parent
EN = speaker("en")
HANDS = (
    *("pairs=6", "triples=4", "fours=3", "bombs=2", "block=2x5", "bomb_with=3s", "one_colour=13"),
    *("block=1x12:in_one_suit", "block=2x5:one_colour_pairs", "pairs=6:opening_only"),
)
"""Every condition of a hand that wins at once, beside the others that it needs."""


def prices() -> Iterator[str]:
    """One row, which names every special set that has a name."""
    paths = dict.fromkeys(path for preset in PRESETS.values() for path in prices_of(preset))
    names = [path.removeprefix(PREFIX) for path in paths if path != FULL_HAND and path.count(".") == 1]
    others = ", ".join(f"`{name}`" for name in names if name.count("-") and name != "red-two")
    yield (
        "| `rule price.red-two=6` | the worth of a red 2, bombed or left in a hand; also "
        f"{others}, and any other set as below (`price.3x3`) |"
    )


def conditions() -> Iterator[str]:
    """A row for every condition, as the page of the rules says it."""
    assert {one.name for one in fields(InstantWin)} - {"name", "points"} == {
        hand.rpartition(":")[2].partition("=")[0] for hand in HANDS
    }
    for hand in HANDS:
        ruleset = with_rules(CLASSIC, [("instant_wins.hands", f"ours:{hand}")])
        clauses = (clause for section in rules_page(ruleset, EN) for clause in section.clauses)
        (row,) = next(one.table.rows for one in clauses if one.table and one.id == "S-INSTANT")
        yield f"| `{hand}` | {row[1][0].lower()}{row[1][1:]} |"


def needs() -> Iterator[str]:
    """A row for every field that is paid or that needs another."""
    for path in fields_of_lines():
        if path.startswith(("payments.", "instant_wins.", "contracts")) or DECLARED[path].needs:
            group = path.partition(".")[0]
            ways = (" or ".join(_need(need, group) for need in needed) for needed in DECLARED[path].needs)
            yield f"| `{path}` | {EN.field(path)} | {'; '.join(ways)} |"


def _need(need: Need, group: str) -> str:
    return EN.say(f"need {need.name}") if need.name in FACTS else f"`{str(need).removeprefix(f'{group}.')}`"


TABLES = (
    (
        "NOTATION.md",
        r"(?<=\n)\| `rule [^\n]*\n",
        r"\| `p1 An`",
        [f"| `{name} {term.example}` | {term.meaning} |" for name, term in WRITTEN.items()],
    ),
    ("NOTATION.md", r"is applied last:\n\n[^\n]*\n[^\n]*\n", r"\| `rule price.red-two\.left", [*prices()]),
    ("NOTATION.md", r"\| condition \|[^\n]*\n[^\n]*\n", r"\| `points=4`", [*conditions()]),
    ("NOTATION.md", r"\| field \|[^\n]*\n[^\n]*\n", r"\n## Why a line is refused", [*needs()]),
    (
        "INTERFACE.md",
        r"(?<=\n)rule +rule [^\n]*\n",
        r"player +TAG",
        [
            f"{name:11} {name} {term.pattern.replace('[0-9]', chr(92) + 'd').replace(chr(92) + 's+', ' ')}"
            for name, term in WRITTEN.items()
        ],
    ),
)
"""Document, the row before, the beginning of the row after, and the rows between."""


def main(*arguments: str) -> int:
    """Write the rows, or check them; returns the exit status."""
    differing = []
    for name, before, after, rows in TABLES:
        file = ROOT / name
        text = file.read_text(encoding="utf-8")
        beginning = re.search(before, text)
        assert beginning is not None, before
        end = re.compile(after).search(text, beginning.end())
        assert end is not None, after
        made = text[: beginning.end()] + "".join(f"{row}\n" for row in rows) + text[end.start() :]
        if made != text:
            differing += [line for line in ndiff(text.splitlines(), made.splitlines()) if line[0] in "+-"]
            if "--check" not in arguments:
                file.write_text(made, encoding="utf-8")
    if differing and "--check" in arguments:
        print("run python -m tests.declared_rows:", *differing, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
