"""Short rounds and their outcomes, one in each line of `tests/cases/rounds/*.txt`."""

import re
from collections import Counter

import pytest

from ledger.game.counting import suspects
from ledger.game.errors import Clause, Code, Notice, Verdict
from ledger.game.night import judge_header, no_round
from ledger.game.payments import Reason
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.scoring import Status
from tests.case_files import of_each
from tests.game.rulesets.laws import is_explained
from tests.game.short_rounds import Case, cases
from tests.game.table import after, cards, found, refused, verdict

TOO_LONG = {Code.TOO_MANY_ENTRIES, Code.TOO_MANY_ROUNDS}
"""Codes that only long texts cause, tested in tests/game/test_bounds.py."""
OF_THE_RECORDER = {Code.NO_ROUND, Code.HANDS_MISSING}
"""Codes that no text can cause: it has a header above every move, and does not settle."""


@of_each(lambda: [(str(case), case) for case in cases()], parts=16)
def test_a_round_comes_out_as_its_line_says(case: Case) -> None:
    assert case.becomes() == case.expected


def test_nothing_is_said_twice_of_one_round() -> None:
    outcomes = [(case.table, case.story, one) for case in cases() for one in case.expected.split("; ")]
    assert [one for one, count in Counter(outcomes).items() if count > 1] == []


@of_each(lambda: [(str(case), case) for case in cases() if not case.refused])
def test_every_payment_is_explained_and_whatever_brought_nothing(case: Case) -> None:
    is_explained(case.played())


NEVER_MARKED = {"shows", "declares", "covers", "contract", "result", "!"}


@of_each(
    lambda: [
        (str(case), case) for case in cases() if case.refused and not NEVER_MARKED & set(case.story.split())
    ]
)
def test_what_is_irregular_may_stand_and_what_is_impossible_may_not(case: Case) -> None:
    assert case.refused
    code, expected_verdict, clause = case.refused
    if expected_verdict is Verdict.IMPOSSIBLE:
        assert case._replace(story=f"{case.story} !").becomes() == case.expected
        return
    round = case.played(" !")
    number = 0 if "round" in case.story.splitlines()[-1] else len(round.moves)
    assert f"{code} {clause} {number}" in found(round)
    if number:
        assert len(round.findings) == 1
        assert round.moves[-1].stood
        assert round.findings[0].facts is not None


def test_every_code_is_provoked() -> None:
    provoked = {case.refused[0] for case in cases() if case.refused}
    assert provoked == set(Code) - OF_THE_RECORDER - TOO_LONG


def test_a_refusal_names_the_line_of_the_story() -> None:
    assert refused("p1 3s\np2 4s\np3 3c").line == 10
    assert refused("result p1 p2 p3\nknocked p4\nbombed p4 p1 2s").line == 8


def test_a_refusal_counts_inferred_passes_as_moves() -> None:
    error = refused("p1 3s\np4 3c 3d\n")
    assert (error.round, error.move) == (1, 4)


def test_s_deal_a_move_without_a_round_is_impossible() -> None:
    assert verdict(no_round(CLASSIC, 1)) == (Code.NO_ROUND, Verdict.IMPOSSIBLE, "S-DEAL")


def test_of_the_seats_of_a_round_whoever_is_not_in_the_night_is_named() -> None:
    refusal = judge_header(CLASSIC, 4, Header((0, 8), leader=0), None)
    assert refusal is not None
    assert (verdict(refusal), refusal.player) == ((Code.NOT_SEATED, Verdict.IMPOSSIBLE, "S-DEAL"), 8)


def test_every_clause_is_cited_and_no_other() -> None:
    prefixes = "|".join({ruleset.clauses for ruleset in PRESETS.values()})
    cited = re.compile(f"(?:^|[ ,])(?:{prefixes})-([A-Z]+(?:-[A-Z]+)*)")
    found = {clause for case in cases() for clause in cited.findall(f"{case.sentence} {case.expected}")}
    assert found == {clause.value for clause in Clause}


def test_every_clause_has_an_id_under_every_preset() -> None:
    for ruleset in PRESETS.values():
        assert [ruleset.clause(clause) for clause in Clause] == [f"{ruleset.clauses}-{one}" for one in Clause]


def test_a_card_is_traced_to_the_move_that_showed_it() -> None:
    round = after("p1 3s\np2 -\np3 4s")
    assert round.seen_in(cards("4s")) == (3, 2)
    with pytest.raises(LookupError):
        round.seen_in(cards("5s"))


def test_every_reason_status_and_notice_comes_about() -> None:
    outcomes = "; ".join(case.expected for case in cases())
    assert [reason for reason in Reason if f" {reason} " not in outcomes] == []
    assert [status for status in Status if f"is {status}" not in outcomes] == []
    assert [notice for notice in Notice if f"{notice} " not in outcomes] == []


STORY = """
    round 1 lead p1 p1 p2 p3
    p1 3s / p2 4s / p3 - / p1 5s / p2 - / p1 6s 6c / p2 7s 7c / p3 - / p1 - / p2 8s / p3 9s / p1 - / p2 Ts
""".replace(" / ", "\n")
"""p2 has played five cards, p3 one; p3 passed on a single and on a pair, p1 on a pair and on a single."""


@pytest.mark.parametrize(
    ("player", "held", "expected"),
    [
        *[(0, 9, []), (0, 8, [12]), (0, 7, [9]), (2, 11, [3]), (2, 10, [8]), (2, 8, [])],
        *[(1, 9, [13, 10, 2]), (1, 10, [7]), (1, 12, [])],
    ],
)
def test_moves_of_as_many_cards_as_are_off_may_be_wrong(player: int, held: int, expected: list[int]) -> None:
    round = after(STORY, players=3)
    assert [*round.cards_left] == [9, 8, 12]
    assert suspects(round, player, held) == expected
