"""Limits of a text, a round and a night, and of the time that any input takes."""

import time
from itertools import permutations

import pytest

from ledger.game import notation
from ledger.game.errors import Code, Refused, Verdict
from ledger.game.fold import MOST_ENTRIES, fold_in_place
from ledger.game.moves import Pass
from ledger.game.night import MOST_ROUNDS
from ledger.game.notation import Unreadable
from ledger.game.notation.reader import LONGEST_LINE
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import MOST_COUNTED
from tests.game.table import ALL_CARDS, after, page, refused, replay_story, run, verdict

CANNOT = Verdict.IMPOSSIBLE


def test_a_round_has_so_many_entries_and_no_more() -> None:
    full = "\n".join(["p1 3s", *["p2 - !"] * (MOST_ENTRIES - 1)])
    assert len(after(full).moves) == MOST_ENTRIES
    error = refused(f"{full}\np2 - !\np2 - !")
    assert verdict(error.refusal) == (Code.TOO_MANY_ENTRIES, CANNOT, "S-END")
    assert (error.line, error.move) == (6 + 1 + MOST_ENTRIES + 1, MOST_ENTRIES + 1)
    assert error.refusal.count == MOST_ENTRIES
    full_round = after(full)
    with pytest.raises(Refused):
        fold_in_place(full_round, [Pass(1, stood=True)])
    assert len(full_round.moves) == MOST_ENTRIES


def test_a_round_that_can_be_played_has_room() -> None:
    """Every card played alone, with all others passing on each."""
    for ruleset in PRESETS.values():
        seats = max(ruleset.deal.players)
        assert ruleset.deck.all.bit_count() * seats + 3 * seats < MOST_ENTRIES


def test_a_night_has_so_many_rounds_and_no_more() -> None:
    full = "\n".join(f"round {number}\nvoid misdealt" for number in range(1, MOST_ROUNDS + 1))
    assert len(replay_story(full).rounds) == MOST_ROUNDS
    error = refused(f"{full}\nround {MOST_ROUNDS + 1}")
    assert verdict(error.refusal) == (Code.TOO_MANY_ROUNDS, CANNOT, "S-DEAL")
    assert (error.round, error.move) == (MOST_ROUNDS + 1, 0)


def test_a_bomb_takes_no_more_than_was_dealt_beside_it() -> None:
    story = "result p1 p2 p3 p4\nbombed p1 p2 "
    assert after(story + " ".join(ALL_CARDS[:48])).over
    refusal = refused(story + " ".join(ALL_CARDS[:49])).refusal
    assert verdict(refusal) == (Code.TOO_MANY_CARDS, CANNOT, "S-CHOP")
    assert (refusal.player, refusal.count, len(refusal.offered)) == (1, 48, 49)


@pytest.mark.parametrize("line", ["p3 {}", "void {}", "pay p1 p2 1 {}"])
def test_a_line_is_no_longer_than_a_log_keeps(line: str) -> None:
    before = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\nround 1 opening\n"
    assert notation.read(before + line.format("x" * (LONGEST_LINE - 20))).names
    with pytest.raises(Unreadable, match="a shorter line") as caught:
        notation.read(before + line.format("x" * LONGEST_LINE))
    assert caught.value.line == 6


def test_names_are_looked_for_in_lines_of_a_length_that_people_write() -> None:
    before = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\nround 1 opening\nresult An"
    assert notation.read(f"{before}{' ' * 900}Bình").entries
    with pytest.raises(Unreadable):
        notation.read(f"{before}{' ' * 1000}Bình")


RUNS_OF_TWO_PACKS = {
    "northern": ["deal.packs=2", "scheme=thirteen-points"],
    "akita": ["sequences-of-one-suit=yes", "deal.packs=2", "scheme=thirteen-points"],
}


@pytest.mark.parametrize("ruleset", RUNS_OF_TWO_PACKS)
def test_runs_of_one_suit_are_paid_for_with_one_pack(ruleset: str) -> None:
    """Regression: with two packs it took seconds to find them, or not all were found."""
    rules = RUNS_OF_TWO_PACKS[ruleset]
    for order in permutations(rules):
        with pytest.raises(Unreadable, match=r"scheme contradicts deal\.packs") as caught:
            notation.read(page("round 1", ruleset=ruleset, rules=[*order]))
        assert caught.value.line == 3 + max(map(order.index, ("deal.packs=2", "scheme=thirteen-points")))
    for left_out in rules:
        notation.read(page("round 1", ruleset=ruleset, rules=[rule for rule in rules if rule != left_out]))


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(
    ("ruleset", "rule"),
    [("northern", "scheme=loser-pays-winner"), ("southern-classic", "payments.chain=last-doubling")],
)
def test_a_pile_has_so_few_cards_where_its_bombs_double_or_are_runs_and_counted(
    packs: int, ruleset: str, rule: str
) -> None:
    rules = [rule, f"deal.packs={packs}"]

    def taken(count: int) -> str:
        cards = sorted(ALL_CARDS * packs, key=ALL_CARDS.index)[:count]
        return f"result p1 p2 p3 p4\nbombed p1 p2 {' '.join(cards)}"

    began = time.process_time()
    assert after(taken(MOST_COUNTED), ruleset=ruleset, rules=rules).over
    error = refused(taken(MOST_COUNTED + 1), ruleset=ruleset, rules=rules)
    assert verdict(error.refusal) == (Code.TOO_MANY_CARDS, CANNOT, f"{PRESETS[ruleset].clauses}-CHOP")
    assert error.refusal.count == MOST_COUNTED
    assert time.process_time() - began < 2
    assert after(taken(MOST_COUNTED + 1), ruleset=ruleset, rules=rules[1:]).over


@pytest.mark.parametrize(
    ("line", "count", "expected"),
    [
        ("bombed p1 p2 2s", 52, "no more bombs than there are cards"),
        ("= p4 p1 2 placement", MOST_ENTRIES, "payments of a round at the most"),
    ],
)
def test_a_result_has_so_many_lines_below_it(line: str, count: int, expected: str) -> None:
    lines = ["round 1", "result p1 p2 p3 p4", *[line] * count]
    notation.read(page("\n".join(lines)))
    with pytest.raises(Unreadable, match=expected) as caught:
        notation.read(page("\n".join([*lines, line])))
    assert caught.value.line == 6 + len(lines) + 1


def test_no_more_sets_are_declared_than_there_are_cards() -> None:
    with pytest.raises(Unreadable, match=r"a line of the replay notation|a move"):
        notation.read(page(f"round 1\nresult p1 p2 p3 p4\np4 declares {'2s,' * 53}2s"))


def test_a_pile_with_passes_that_stood_costs_as_much_as_another() -> None:
    """Regression: each pass rebuilt the pile, so 12,000 of them took ten seconds."""
    began = time.process_time()
    after("\n".join([f"p1 {run('s', '3', 'J')}", *["p2 - !"] * (MOST_ENTRIES - 1)]))
    assert time.process_time() - began < 2
