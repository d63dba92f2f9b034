"""Every code of the rules provoked, the order in which they are reported, and what may stand all the same."""

from typing import NamedTuple

import pytest

from ledger.game.errors import Clause, Code, Verdict
from ledger.game.night import judge_header, no_round
from ledger.game.round import Header
from ledger.game.rulesets.southern import CLASSIC as RULES
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import CLASSIC, after, found, refused, run, turn, verdict

IRREGULAR, IMPOSSIBLE = Verdict.IRREGULAR, Verdict.IMPOSSIBLE
CLUBS = "3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c"
SIX_PAIRS = "4s 4c 6s 6c 8s 8c Ts Tc Qs Qc 2s 2c 3s"
NOT_SIX_PAIRS = SIX_PAIRS.replace("4c", "9h")
KNOCKED = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}"
"""p1 is out, p4 knocked out, p2 to answer."""
LAST_TWO = f"p1 {run('s', '3', 'K')}\np1 5d\np2 6d\np1 2s"


class Row(NamedTuple):
    code: Code
    verdict: Verdict
    clause: str
    story: str
    """Its last line is refused."""
    players: int = 4
    ruleset: str = CLASSIC

    def __str__(self) -> str:
        return f"{self.code}: {self.story.splitlines()[-1]}"


ROWS = [
    Row(Code.ROUND_RUNNING, IMPOSSIBLE, "S-DEAL", "p1 3s\nround 2"),
    Row(Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL", "round 1 opening p1 p2\np3 4s"),
    Row(Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL", "round 1 opening p1 p2\np3 -"),
    Row(Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL", f"round 1 opening p1 p2\np3 claims {SIX_PAIRS}"),
    Row(Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL", "round 1 opening p1 p2\np3 shows 4s"),
    Row(Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL", "round 1 opening p1 p2\np3 declares none"),
    Row(Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL", "round 1 lead p3 p1 p2"),
    Row(Code.WRONG_SEAT_COUNT, IMPOSSIBLE, "S-DEAL", "round 1 opening p1"),
    Row(Code.ROUND_OVER, IMPOSSIBLE, "S-END", f"{WHOLE_ROUND[4]}\np4 3h"),
    Row(Code.ROUND_OVER, IMPOSSIBLE, "S-END", f"{WHOLE_ROUND[4]}\np4 -"),
    Row(Code.ROUND_OVER, IMPOSSIBLE, "S-END", f"{WHOLE_ROUND[4]}\np4 claims {SIX_PAIRS}"),
    Row(Code.ROUND_NOT_OVER, IMPOSSIBLE, "S-END", "p1 3s\np2 shows 4s"),
    Row(Code.ROUND_NOT_OVER, IMPOSSIBLE, "S-END", "p1 3s\np2 declares 2s"),
    Row(Code.CARD_TWICE, IMPOSSIBLE, "S-SEEN", "p1 3s 3s"),
    Row(Code.CARD_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN", "p1 3s\np2 3s"),
    Row(Code.TOO_MANY_CARDS, IMPOSSIBLE, "S-SEEN", f"p1 {run('s')}\np1 3h 3c"),
    Row(Code.NOT_IN_ROUND, IMPOSSIBLE, "S-OUT", f"{FIRST_OUT[4]}\np1 -"),
    Row(Code.NOT_IN_ROUND, IRREGULAR, "S-KNOCK", f"{KNOCKED}\np4 -"),
    Row(Code.NOT_IN_ROUND, IRREGULAR, "S-KNOCK", f"{KNOCKED}\np4 2h"),
    Row(Code.NOT_A_COMBINATION, IRREGULAR, "S-COMBO", "p1 3s 4s"),
    Row(Code.LOCKED_OUT, IRREGULAR, "S-PASS", "p1 3s\np2 -\np3 4s\np2 5s"),
    Row(Code.LOCKED_OUT, IRREGULAR, "S-PASS", "p1 3s\np2 -\np3 4s\np2 -"),
    Row(Code.NOT_YOUR_TURN, IRREGULAR, "S-PASS", "round 1 lead p2\np1 4s"),
    Row(Code.NOT_YOUR_TURN, IRREGULAR, "S-PASS", "p1 3s\np3 -"),
    Row(Code.MUST_OPEN_LOWEST, IRREGULAR, "S-OPEN", "p1 4s"),
    Row(Code.DOES_NOT_BEAT, IRREGULAR, "S-COMPARE", "p1 3s 3h\np2 4s"),
    Row(Code.DOES_NOT_BEAT, IRREGULAR, "S-COMPARE", "p1 3s 4s 5c\np2 3h 4h 5s"),
    Row(Code.DOES_NOT_BEAT, IRREGULAR, "S-BOMB", "p1 3s\np2 4s 4c 4d 4h"),
    Row(Code.DOES_NOT_BEAT, IRREGULAR, "S-BOMB", "p1 3s 3c 3d 3h\np2 2h"),
    Row(Code.PASS_ON_EMPTY_PILE, IRREGULAR, "S-PASS", "round 1 lead p1\np1 -"),
    Row(Code.OPENING_FORM, IRREGULAR, "C-OPEN", "p1 3s 3c", 4, "core"),
    Row(Code.SUIT_LOCKED, IRREGULAR, "ME-SUIT-LOCK", "p1 3s 4s 5s\np2 6s 7s 8c", 4, "melbourne"),
    Row(Code.LAST_CARD_TWO, IRREGULAR, "N-END", LAST_TWO, 2, "northern"),
    Row(Code.WRONG_LEADER, IRREGULAR, "S-LEAD", f"{WHOLE_ROUND[4]}\nround 2 lead p2"),
    Row(Code.WRONG_LEADER, IRREGULAR, "S-LEAD", f"{WHOLE_ROUND[4]}\nround 2 opening"),
    Row(Code.WRONG_LEADER, IRREGULAR, "S-OPEN", f"p1 claims {SIX_PAIRS}\nround 2 lead p1"),
    Row(Code.NO_SUCH_CONTRACT, IMPOSSIBLE, "S-CONTRACT", "p1 contract guaransheed"),
    Row(Code.CONTRACT_TOO_LATE, IMPOSSIBLE, "PP-CONTRACT", "p1 3s\np2 contract guaransheed", 4, "pro-play"),
    Row(Code.RESULT_INCOMPLETE, IMPOSSIBLE, "S-OUT", "result p1 p2 p3"),
    Row(Code.RESULT_INCOMPLETE, IMPOSSIBLE, "C-KNOCK", "result p1 p2 p3\nknocked p4", 4, "core"),
    Row(Code.RESULT_CONTRADICTED, IMPOSSIBLE, "S-KNOCK", "result p1 p2 p3\nknocked p4\nbombed p4 p1 2s"),
    Row(Code.CLAIM_COUNT, IMPOSSIBLE, "S-INSTANT", "p1 claims 3s 3c 3d 3h"),
    Row(Code.CLAIM_TOO_LATE, IRREGULAR, "S-INSTANT", f"p1 3s\np1 claims {SIX_PAIRS}"),
    Row(Code.NOT_AN_INSTANT_WIN, IRREGULAR, "S-INSTANT", f"p1 claims {NOT_SIX_PAIRS}"),
    Row(Code.SHOWN_COUNT, IMPOSSIBLE, "S-SEEN", f"{WHOLE_ROUND[4]}\np4 shows 2h"),
    Row(Code.SHOWN_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN", f"{WHOLE_ROUND[4]}\np4 shows {CLUBS}"),
    Row(Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-REST", f"{WHOLE_ROUND[4]}\np4 declares none"),
    Row(Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-SHOW", f"{WHOLE_ROUND[3]}\np3 declares 2s", 3),
]
BOUNDS = {Code.TOO_MANY_ENTRIES, Code.TOO_MANY_ROUNDS}
"""What takes a text longer than a row: tests/game/test_bounds.py."""
OF_THE_RECORDER = {Code.NO_ROUND, Code.HANDS_MISSING}
"""A text has a header above every move, and does not settle: these two come from elsewhere."""


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_code_is_provoked(row: Row) -> None:
    error = refused(row.story, players=row.players, ruleset=row.ruleset)
    assert verdict(error.refusal) == (row.code, row.verdict, row.clause)
    told_below = sum(line.startswith(("knocked", "bombed")) for line in row.story.splitlines())
    last = row.players + 2 + len(row.story.splitlines()) + (not row.story.startswith("round"))
    assert error.line == last - told_below


NEVER_MARKED = {"shows", "declares", "contract", "result"}


@pytest.mark.parametrize("row", [row for row in ROWS if not NEVER_MARKED & set(row.story.split())], ids=str)
def test_what_is_irregular_may_stand_and_what_is_impossible_may_not(row: Row) -> None:
    if row.verdict is IMPOSSIBLE:
        assert refused(f"{row.story} !", players=row.players, ruleset=row.ruleset).refusal.code is row.code
        return
    story = row.story.rpartition("\n")[0] or "round 1 opening"
    before = after(story, players=row.players, ruleset=row.ruleset)
    round = after(f"{row.story} !", players=row.players, ruleset=row.ruleset)
    if "round" in row.story.splitlines()[-1]:
        assert found(round) == [f"{row.code} {row.clause} 0"]
    else:
        move = len(before.moves) + 1
        assert f"{row.code} {row.clause} {move}" in found(round)
        assert len(round.findings) == 1
        assert round.moves[-1].stood
        assert round.findings[0].facts is not None


def test_s_deal_a_move_without_a_round_is_impossible() -> None:
    assert verdict(no_round(RULES, 1)) == (Code.NO_ROUND, IMPOSSIBLE, "S-DEAL")


def test_every_code_has_a_row_that_provokes_it() -> None:
    assert {row.code for row in ROWS} == set(Code) - OF_THE_RECORDER - BOUNDS


def test_codes_are_listed_in_order_of_precedence() -> None:
    assert [row.code for row in ROWS] == sorted((row.code for row in ROWS), key=list(Code).index)


IN_PRECEDENCE = [
    # Plays.
    (f"round 1 opening p1 p2\np1 {run('s')}\np1 2s\np3 3c", Code.NOT_SEATED, Code.ROUND_OVER),
    (f"{WHOLE_ROUND[4]}\np4 3h 3h", Code.ROUND_OVER, Code.CARD_TWICE),
    ("p1 3s\np2 3s 3s", Code.CARD_TWICE, Code.CARD_ALREADY_PLAYED),
    (
        f"p1 3s\np2 {run('c', '4', 'A')} {run('d', '4', '6')} 3s",
        Code.CARD_ALREADY_PLAYED,
        Code.TOO_MANY_CARDS,
    ),
    (f"{FIRST_OUT[4]}\np1 2h", Code.TOO_MANY_CARDS, Code.NOT_IN_ROUND),
    (f"{KNOCKED}\np4 3h 4h", Code.NOT_IN_ROUND, Code.NOT_A_COMBINATION),
    (f"{KNOCKED}\np4 3h", Code.NOT_IN_ROUND, Code.NOT_YOUR_TURN),
    ("p1 3s\np2 -\np2 5s 6s", Code.NOT_A_COMBINATION, Code.LOCKED_OUT),
    ("p1 3s\np3 5s 6s", Code.NOT_A_COMBINATION, Code.NOT_YOUR_TURN),
    ("p1 4s 6s", Code.NOT_A_COMBINATION, Code.MUST_OPEN_LOWEST),
    ("p1 9s !\np2 -\np2 5s", Code.LOCKED_OUT, Code.NOT_YOUR_TURN),
    ("p1 - !\np4 5h", Code.NOT_YOUR_TURN, Code.MUST_OPEN_LOWEST),
    ("p1 3s 3h\np3 5s", Code.NOT_YOUR_TURN, Code.DOES_NOT_BEAT),
    # Passes.
    (f"{WHOLE_ROUND[4]}\np1 -", Code.ROUND_OVER, Code.NOT_IN_ROUND),
    (f"{KNOCKED}\np4 -", Code.NOT_IN_ROUND, Code.NOT_YOUR_TURN),
    ("p1 3s\np2 -\np2 -", Code.LOCKED_OUT, Code.NOT_YOUR_TURN),
    ("p1 3s\np2 -\np3 -\np4 -\np2 -", Code.LOCKED_OUT, Code.PASS_ON_EMPTY_PILE),
    ("round 1 lead p2\np1 -", Code.NOT_YOUR_TURN, Code.PASS_ON_EMPTY_PILE),
    # Claims.
    (f"{WHOLE_ROUND[4]}\np4 claims 3h 3h", Code.ROUND_OVER, Code.CARD_TWICE),
    ("p1 3s\np2 claims 3s 3s", Code.CARD_TWICE, Code.CARD_ALREADY_PLAYED),
    ("p1 3s\np2 claims 3s", Code.CARD_ALREADY_PLAYED, Code.CLAIM_COUNT),
    (f"p1 3s\np1 claims {SIX_PAIRS.replace('3s', '5h')}", Code.TOO_MANY_CARDS, Code.CLAIM_TOO_LATE),
    ("p1 3s\np1 claims 3s 3c", Code.CLAIM_COUNT, Code.CLAIM_TOO_LATE),
    (f"p1 3s\np1 claims {NOT_SIX_PAIRS}", Code.CLAIM_TOO_LATE, Code.NOT_AN_INSTANT_WIN),
    # Shows and declarations.
    ("round 1 opening p1 p2\np3 shows 3s", Code.NOT_SEATED, Code.ROUND_NOT_OVER),
    ("p1 3s\np1 shows 4s 4s", Code.ROUND_NOT_OVER, Code.CARD_TWICE),
    (f"{WHOLE_ROUND[4]}\np4 shows 3h 3h", Code.CARD_TWICE, Code.SHOWN_COUNT),
    (f"{WHOLE_ROUND[4]}\np4 shows 3s", Code.SHOWN_COUNT, Code.SHOWN_ALREADY_PLAYED),
    (f"{WHOLE_ROUND[4]}\np4 declares 2s, 2s", Code.CARD_TWICE, Code.DECLARATION_CONTRADICTED),
    # Headers.
    ("p1 3s\nround 2 lead p4 p1 p2", Code.ROUND_RUNNING, Code.NOT_SEATED),
    ("round 1 lead p2 p1", Code.NOT_SEATED, Code.WRONG_SEAT_COUNT),
    (f"{WHOLE_ROUND[4]}\nround 2 lead p2 p2", Code.WRONG_SEAT_COUNT, Code.WRONG_LEADER),
]


@pytest.mark.parametrize(("story", "first", "second"), IN_PRECEDENCE)
def test_where_two_codes_apply_the_first_of_the_list_is_reported(
    story: str, first: Code, second: Code
) -> None:
    assert list(Code).index(first) < list(Code).index(second)
    assert refused(story, strict=_is_strict(story)).refusal.code is first


def _is_strict(story: str) -> bool:
    """Whether a story writes all its passes, so that its last play may be out of turn."""
    return story.startswith("p1 3s 3h")


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        # Applied as played: the cards lie on top, and the turn passes on from that seat.
        ("p1 3s\np3 9s !", "p4 answers"),
        ("p1 9s !", "p2 answers"),
        ("p1 3s\np2 4s 4c !", "p3 answers"),
        ("p1 9s !\np2 8s !", "p3 answers"),
        ("p1 3s\np2 9s Js !", "p3 answers"),
        ("p1 3s\np2 -\np3 4s\np2 9s !", "p3 answers"),
        ("p1 3s\np3 - !", "p4 answers"),
        ("p1 3s\np2 -\np2 - !", "p3 answers"),
        ("p1 3s\np2 -\np3 -\np4 -\np3 9s !", "p1 answers"),
        ("round 1 lead p2\np1 9s !", "p2 answers"),
    ],
)
def test_what_stood_is_applied_as_played(story: str, expected: str) -> None:
    assert turn(after(story, strict=True)) == expected


def test_s_combo_nothing_beats_what_is_no_combination_and_stood() -> None:
    story = "round 1 lead p1\np1 3s 5s !"
    for play in ("2h", "6s 8s", "4s 4c 4d 4h", "4s 4c 5c 5h 6s 6c 7s 7c"):
        assert refused(f"{story}\np2 {play}").refusal.code in (Code.DOES_NOT_BEAT, Code.NOT_A_COMBINATION)
    assert turn(after(f"{story}\np2 -\np3 -\np4 -", strict=True)) == "p1 leads"


@pytest.mark.parametrize(
    "story",
    [
        "p1 3s !",
        "p1 3s\np2 4s !",
        "p1 3s\np2 - !",
        "p1 3s\np2 -\np3 -\np4 -\np1 9s !",
        "p1 3s\np2 -\np3 2s\np2 4c 4h 5c 5h 6c 6h 7c 7h !",
        f"p1 claims {SIX_PAIRS} !",
    ],
)
def test_the_mark_is_dropped_from_a_legal_move(story: str) -> None:
    round = after(story)
    assert not any(move.stood for move in round.moves)
    assert found(round) == []


def test_a_refusal_carries_what_its_sentence_needs() -> None:
    refusal = refused("p1 3s 3h\np2 9c 9d\np3 5h 5s").refusal
    assert (refusal.player, refusal.offered, refusal.top) == (2, ("5s", "5h"), ("9c", "9d"))
    refusal = refused("p1 3s\np2 9c\np3 -\np4 9c").refusal
    assert (refusal.card, refusal.move, refusal.holder, refusal.expected) == ("9c", 2, 1, (3,))


def test_a_refusal_counts_inferred_passes_as_moves() -> None:
    error = refused("p1 3s\np4 3c 3d\n")
    assert (error.round, error.move) == (1, 4)


def test_every_clause_has_an_id_under_its_ruleset() -> None:
    assert {RULES.clause(clause) for clause in Clause} == {f"S-{clause.value}" for clause in Clause}


def test_a_locked_player_s_four_pairs_do_not_beat_what_is_no_combination() -> None:
    story = "round 1 lead p1\np1 4s\np2 -\np3 5s 7s !\np4 -\np2 8s 8c 9s 9c Ts Tc Js Jc"
    assert verdict(refused(story).refusal) == (Code.DOES_NOT_BEAT, IRREGULAR, "S-BOMB")


def test_of_the_seats_of_a_round_whoever_is_not_in_the_night_is_named() -> None:
    refusal = judge_header(RULES, 4, Header((0, 8), leader=0), None)
    assert refusal is not None
    assert (verdict(refusal), refusal.player) == ((Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL"), 8)


@pytest.mark.parametrize(
    ("ruleset", "top", "offered", "beatable", "bombable"),
    [
        ("southern-classic", "6d", "4s", True, False),
        ("southern-classic", "2h", "4s", False, True),
        ("southern-classic", "2s 2c 2h", "4s 4c 4d", False, False),
        ("thirteen", "2s 2c 2h", "4s 4c 4d", False, True),
        ("casual", "6s 6c 6d", "4s 4c 4d", True, True),
        ("melbourne", "Ah", "4s", True, False),
        ("northern", "Ah", "4s", True, False),
        ("amsterdam", "6s 6c 7s 7c 8s 8c", "5s 5c 5d 5h", True, True),
        ("amsterdam", "2h", "4s", True, True),
        ("amsterdam", "3d", "4s", True, False),
        ("amsterdam", "3h", "4s", False, False),
    ],
)
def test_a_refusal_knows_what_the_rules_of_its_table_have_against_what_lies_there(
    ruleset: str, top: str, offered: str, beatable: bool, bombable: bool
) -> None:
    stood = " !" if ruleset == "amsterdam" else ""
    refusal = refused(f"round 1 lead p1\np1 {top}{stood}\np2 {offered}", ruleset=ruleset).refusal
    assert (refusal.code, refusal.beatable, refusal.bombable) == (Code.DOES_NOT_BEAT, beatable, bombable)
