"""Perft: the published counts, by the enumeration of legal plays and by the judge over all subsets."""

from dataclasses import replace
from random import Random

import pytest

from ledger.game.corpus import deal
from ledger.game.deals import Dealt, read_deal
from ledger.game.fold import begin
from ledger.game.moves import Move, Pass, Play
from ledger.game.notation import Unreadable, move_line
from ledger.game.perft import divide, perft
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.southern import CLASSIC
from tests.case_files import told
from tests.game.judging import Case, after, count, fitting, legal, position, published
from tests.game.table import ruleset_of
from tests.game.test_playable import RULESETS
from tests.soaking import further

DEALS = 20
SHORT_FIRST = sorted(range(1, DEALS + 1), key=lambda number: number not in (15, 16, 18, 19, 20))
"""The deals, those whose subsets are counted in seconds first."""


def cases(number: int) -> list[Case]:
    """The published counts of one deal."""
    return [case for case in published() if case.number == number]


def test_twenty_deals_are_published_each_under_every_preset_that_it_fits() -> None:
    assert {case.number for case in published()} == set(range(1, DEALS + 1))
    for number in range(1, DEALS + 1):
        assert [case.ruleset for case in cases(number)] == list(fitting(cases(number)[0].deal))
    assert {case.ruleset for case in published()} == set(PRESETS)
    assert {len(case.counts) for case in published()} == {4, 6}


@pytest.mark.parametrize("number", range(1, DEALS + 1))
def test_the_program_counts_what_is_published(number: int) -> None:
    for case in cases(number):
        dealt = case.dealt()
        assert [perft(dealt, depth) for depth in (0, 1, 2)] == [1, *case.counts[:2]], case.ruleset


@pytest.mark.parametrize("number", further(range(1, DEALS + 1), "further deals", plain=3))
def test_the_program_counts_what_is_published_to_the_full_depth(number: int) -> None:
    for case in cases(number):
        dealt = case.dealt()
        deeper = range(3, len(case.counts) + 1)
        assert [perft(dealt, depth) for depth in deeper] == [*case.counts[2:]], case.ruleset


@pytest.mark.parametrize("number", further(SHORT_FIRST, "longer hands", plain=2))
def test_the_judge_over_all_subsets_counts_what_is_published(number: int) -> None:
    for case in cases(number):
        at = position(case.dealt())
        depths = range(1, len(case.counts) + 1)
        assert tuple(count(at, depth) for depth in depths) == case.counts, case.ruleset


@pytest.mark.parametrize("seed", further(range(8)))
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_the_judge_allows_what_may_be_done_and_nothing_else(ruleset: Ruleset, seed: int) -> None:
    chance = Random(f"{ruleset.id} {ruleset.house_rules} {seed}")
    size, players = chance.choice((3, 5, 7, 9)), chance.choice(ruleset.deal.players)
    few = replace(ruleset, deal=replace(ruleset.deal, hand=size, equal=False))
    header = Header(tuple(range(players)), chance.choice((None, 0)))
    dealt = Dealt(begin(few, header), *deal(chance, header.seats, size, few.deck, bombs=True))
    at = position(dealt)
    while not at.round.over:
        steps = list(legal(at))
        named = [move_line(move, few.deck) for move, _ in steps]
        assert sorted(named) == sorted(move_line(move, few.deck) for move in dealt.moves()), at.round
        move, cards = chance.choice(steps)
        at, dealt = after(at, move, cards), dealt.after(move)
    assert not dealt.moves()


@pytest.mark.parametrize(("ruleset", "rule"), told("deals.txt", "wrong rules"))
def test_an_engine_that_has_a_rule_wrong_counts_something_else(ruleset: str, rule: str) -> None:
    wrong = ruleset_of(f"{ruleset} {rule}")
    found = [case for case in reversed(published()) if case.ruleset == ruleset]
    assert any(
        perft(read_deal(case.deal, wrong), depth) != expected
        for case in found
        for depth, expected in enumerate(case.counts, start=1)
    )


def test_an_engine_that_forgets_a_move_counts_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Dealt.moves
    monkeypatch.setattr(
        Dealt, "moves", lambda dealt: [one for one in whole(dealt) if not isinstance(one, Pass)]
    )
    assert all(perft(case.dealt(), 3) != case.counts[2] for case in published()[:: len(PRESETS)])


def test_the_counts_below_each_first_move_add_up() -> None:
    case = cases(10)[0]
    found = dict(divide(case.dealt(), 3))
    assert (len(found), sum(found.values())) == (case.counts[0], case.counts[2])


def test_nobody_comes_in_without_the_lead_on_what_they_opened_with_themselves() -> None:
    rules = with_rules(CLASSIC, [("three-pairs-without-lead", "yes")])
    pairs = "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c"
    dealt = read_deal(f"p1 {pairs}\np2 {pairs.translate(str.maketrans('sc', 'dh'))}\n", rules)
    dealt = dealt.after(Play(0, sum(0b11 << 4 * rank for rank in range(3))))
    assert {move.player for move in dealt.moves()} == {1}


def test_of_fours_that_are_played_together_one_opens_and_one_is_higher() -> None:
    def together(dealt: Dealt) -> list[Move]:
        return [move for move in dealt.moves() if isinstance(move, Play) and move.cards.bit_count() == 8]

    deal = "p1 3s 3c 3d 3h 9s 9c 9d 9h Ts Tc Td Th\np2 4s 4c 4d 4h 8s 8c 8d 8h Js Jc Jd Jh\n"
    dealt = read_deal(deal, PRESETS["pro-play"])
    nines, tens = together(dealt)
    assert len(together(read_deal(f"{deal}lead p1", PRESETS["pro-play"]))) == 3
    assert [len(together(dealt.after(move))) for move in (nines, tens)] == [2, 2]


def test_who_leads_with_nothing_but_twos_may_pass_the_lead_on_where_a_table_says_so() -> None:
    rules = with_rules(CLASSIC, [("passing.twos_pass_lead", "yes")])
    for lead in ("", "lead p1"):
        dealt = read_deal(f"p1 2s\np2 2h\n{lead}", rules)
        assert [move_line(move, rules.deck) for move in dealt.moves()] == ["p1 2s", "p1 -"]


@pytest.mark.parametrize(("text", "line", "expected"), told("deals.txt", "unreadable"))
def test_a_deal_that_cannot_be_read_says_what_was_expected(text: str, line: str, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_deal(text.replace(" / ", "\n"), CLASSIC)
    assert (caught.value.line, caught.value.expected) == (int(line), expected)


def test_a_deal_is_read_as_the_notation_is() -> None:
    dealt = read_deal("; two cards each\np1 3♠ 10h\n\np2 4s 2H ; hearts\nlead p2\n", CLASSIC)
    assert [dealt.round.ruleset.deck.write(hand) for hand in dealt.hands.values()] == [
        ("3s", "Th"),
        ("4s", "2h"),
    ]
    assert dealt.round.turn == 1
