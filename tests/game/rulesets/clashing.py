"""What `tests/cases/clashes.txt` says of house rules that contradict each other, or the text of a preset."""

from collections.abc import Sequence

from ledger.game.rulesets.overlays.house_rules import find
from tests.case_files import told

PAIRS = told("clashes.txt", "contradictions")
RULED_OUT = {preset: bullets.split() for preset, bullets in told("clashes.txt", "ruled out")}


def line(bullet: str) -> str:
    """A bullet, or a choice of one, as a `rule` line."""
    number, _, choice = bullet.partition("=")
    rule = find(number)
    return f"{rule.name}={choice or rule.choices[0]}"


def clashes(preset: str, lines: Sequence[str]) -> list[list[str]]:
    """The names of house rules that are ruled out: one that the preset's text excludes, or two that contradict."""
    excluded = [[line(bullet)] for bullet in RULED_OUT.get(preset, [])]
    named = [[one for one in lines if _is(one, bullet)] for pair in PAIRS for bullet in pair]
    pairs = [
        first + second for first, second in zip(named[::2], named[1::2], strict=True) if first and second
    ]
    found = [*(one for one in excluded if one[0] in lines), *pairs]
    return [[rule.partition("=")[0] for rule in rules] for rules in found]


def _is(rule_line: str, bullet: str) -> bool:
    number, _, choice = bullet.partition("=")
    return rule_line in {
        f"{find(number).name}={one}" for one in ([choice] if choice else find(number).choices)
    }
