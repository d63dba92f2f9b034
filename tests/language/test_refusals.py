"""Refusals, findings and problems in words: always what is wrong, and what to do."""

from collections.abc import Callable

import pytest

from ledger.game.errors import Clause, Code, Finding, Notice, Refusal, Verdict
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.language import LANGUAGES, speaker
from tests.game.table import refused, run

NAMES = {0: "An", 1: "Bình", 2: "Lan"}


def refusal(code: Code, clause: Clause = Clause.SEEN, **facts: object) -> Refusal:
    given: dict[str, object] = {"player": 0, **facts}
    return Refusal(code=code, verdict=Verdict.IRREGULAR, clause=f"S-{clause}", **given)  # type: ignore[arg-type]


ON_A_PAIR = {"offered": ("9s",), "top": ("8s", "8h")}

CASES = [
    refusal(Code.NO_ROUND),
    refusal(Code.ROUND_RUNNING, player=None),
    refusal(Code.NOT_SEATED),
    refusal(Code.NOT_SEATED, player=8, count=4),
    refusal(Code.WRONG_SEAT_COUNT, player=None, count=4, counts=(2, 4)),
    refusal(Code.ROUND_OVER, Clause.END),
    refusal(Code.ROUND_OVER, Clause.INSTANT),
    refusal(Code.ROUND_OVER, Clause.LEAD),
    refusal(Code.ROUND_NOT_OVER, player=None),
    refusal(Code.ROUND_NOT_OVER, Clause.END, player=None, expected=(0, 2)),
    refusal(Code.CARD_TWICE, card="7d"),
    refusal(Code.CARD_ALREADY_PLAYED, offered=("7d",), card="7d", move=12, holder=2),
    refusal(Code.TOO_MANY_CARDS, offered=("7d", "7h"), count=1),
    refusal(Code.TOO_MANY_CARDS, offered=("7d", "7h"), count=0),
    refusal(Code.TOO_MANY_CARDS, offered=("7d", "7h"), count=12),
    refusal(Code.TOO_MANY_CARDS, Clause.CHOP, offered=("7d", "7h"), count=1),
    refusal(Code.NOT_IN_ROUND, Clause.OUT),
    refusal(Code.NOT_IN_ROUND, Clause.KNOCK),
    refusal(Code.NOT_A_COMBINATION, Clause.COMBO, offered=("7d", "9h")),
    refusal(Code.LOCKED_OUT, Clause.PASS, offered=("7d",)),
    refusal(Code.LOCKED_OUT, Clause.PASS),
    refusal(Code.NOT_YOUR_TURN, Clause.PASS, expected=(1,)),
    refusal(Code.NOT_YOUR_TURN, Clause.FORWARD, offered=("3s",)),
    refusal(Code.MUST_OPEN_LOWEST, Clause.OPEN, card="3s"),
    refusal(Code.DOES_NOT_BEAT, Clause.COMPARE, **ON_A_PAIR, beatable=True, bombable=True),
    refusal(Code.DOES_NOT_BEAT, Clause.COMPARE, **ON_A_PAIR, beatable=True),
    refusal(Code.DOES_NOT_BEAT, Clause.COMPARE, **ON_A_PAIR, bombable=True),
    refusal(Code.DOES_NOT_BEAT, Clause.COMPARE, **ON_A_PAIR),
    refusal(Code.PASS_ON_EMPTY_PILE, Clause.PASS),
    refusal(Code.OPENING_FORM, Clause.OPEN, offered=("3s", "3c")),
    refusal(Code.OPENING_FORM, Clause.BOMB, offered=("3s", "3c", "3d", "3h")),
    refusal(Code.SUIT_LOCKED, Clause.SUIT_LOCK, offered=("4s", "5c", "6d"), top=("3s", "4s", "5s")),
    refusal(Code.LAST_CARD_TWO, Clause.END, offered=("2s",)),
    refusal(Code.NO_SUCH_CONTRACT, Clause.CONTRACT),
    refusal(Code.CONTRACT_TOO_LATE, Clause.CONTRACT),
    refusal(Code.WRONG_LEADER, Clause.LEAD, player=None, expected=(1,)),
    refusal(Code.WRONG_LEADER, Clause.OPEN),
    refusal(Code.RESULT_CONTRADICTED, Clause.OUT),
    refusal(Code.RESULT_INCOMPLETE, Clause.OUT, expected=(1, 2)),
    refusal(Code.RESULT_INCOMPLETE, Clause.OUT),
    refusal(Code.RESULT_INCOMPLETE, Clause.KNOCK, expected=(1,)),
    refusal(Code.RESULT_INCOMPLETE, Clause.KNOCK, player=None),
    refusal(Code.RESULT_CONTRADICTED, Clause.CHOP),
    refusal(Code.RESULT_CONTRADICTED, Clause.KNOCK),
    refusal(Code.CLAIM_COUNT, Clause.INSTANT, offered=("3s", "3c"), count=13),
    refusal(Code.CLAIM_TOO_LATE, Clause.INSTANT),
    refusal(Code.NOT_AN_INSTANT_WIN, Clause.INSTANT, offered=("3s", "3c")),
    refusal(Code.SHOWN_COUNT, offered=("3s", "3c"), count=1),
    refusal(Code.SHOWN_COUNT, offered=("3s", "3c"), count=0),
    refusal(Code.SHOWN_COUNT, Clause.SHOW, offered=("3s", "3c"), count=12),
    refusal(Code.SHOWN_ALREADY_PLAYED, card="7d", move=12, holder=2),
    refusal(Code.TOO_MANY_ENTRIES, Clause.END, count=1000),
    refusal(Code.TOO_MANY_ROUNDS, player=None, count=500),
    refusal(Code.DECLARATION_CONTRADICTED, Clause.SPECIAL, offered=("3s", "3c")),
    refusal(Code.DECLARATION_CONTRADICTED, Clause.SHOW, offered=("2s", "2c"), count=1),
    refusal(Code.DECLARATION_CONTRADICTED, Clause.REST, offered=("2s",)),
    refusal(Code.DECLARATION_CONTRADICTED, Clause.SHOW, card="2h"),
    refusal(Code.DECLARATION_CONTRADICTED, Clause.SHOW, card="2h", move=12, holder=2),
    refusal(Code.HANDS_MISSING, Clause.SHOW, player=None, expected=(0, 2)),
]


def test_every_code_has_a_case() -> None:
    assert {case.code for case in CASES} == set(Code)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_a_refusal_says_what_is_wrong_and_what_to_do(case: Refusal, language: str) -> None:
    text = speaker(language).refusal(case, NAMES)
    assert len(text.rstrip(".").replace(": ", ". ").split(". ")) > 1
    assert text.endswith(".")
    assert "None" not in text
    assert "%" not in text
    assert "  " not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cases_of_a_code_read_the_same(language: str) -> None:
    texts = [speaker(language).refusal(case, NAMES) for case in CASES]
    assert len(set(texts)) == len(texts)


BOMBS, PLAIN, BOMB_ALONE, NOTHING = "bomb it", "Beat it, or pass", "Bomb it", "Nothing beats"
HIGHER, HIGHER_OR_BOMB = "Play a higher", "bomb it, or pass"
QUAD = "5s 5c 5d 5h"
SINGLES_BOMBED = next(rule.name for rule in HOUSE_RULES.values() if rule.number == "H19")


@pytest.mark.parametrize(
    ("ruleset", "rules", "story", "advice"),
    [
        # A single below the 2 can only be bombed where bombs, or a house rule's, beat anything
        ("thirteen", [], "p1 6d\np2 4s", PLAIN),
        ("thirteen", [f"{SINGLES_BOMBED}=yes"], "p1 6d\np2 4s", BOMBS),
        ("southern-classic", [], "p1 2d\np2 4s", BOMBS),
        ("southern-classic", [], "p1 2h\np2 4s", BOMB_ALONE),
        ("southern-classic", [], "p1 6d\np2 4s", PLAIN),
        ("southern-classic", [], "p1 6d 6h\np2 4s 4c", PLAIN),
        ("southern-classic", [], "p1 2s 2c\np2 4s 4c", BOMBS),
        ("thirteen", [], "p1 2s 2h\np2 4s 4c", BOMB_ALONE),
        ("akita", [], "p1 6s 6c 6d\np2 4s 4c 4d", HIGHER_OR_BOMB),
        ("casual", [], "p1 6s 6c 6d\np2 4s 4c 4d", HIGHER_OR_BOMB),
        ("casual", [], "p1 6s 7c 8d\np2 4s 5c 6h", HIGHER_OR_BOMB),
        ("thirteen", [], "p1 6s 7c 8d\np2 4s 5c 6h", "Play a higher sequence of three, or pass"),
        ("thirteen", [], "p1 2s 2c 2d\np2 4s 4c 4d", BOMB_ALONE),
        ("southern-classic", [], "p1 2s 2c 2d\np2 4s 4c 4d", NOTHING),
        # A triple beats an ace in Akita without being a bomb; so do bombs
        ("melbourne", [], "p1 Ah\np2 4s", PLAIN),
        # Trumps in Amsterdam
        ("amsterdam", [], "p1 3h\np2 4s", NOTHING),
        ("amsterdam", [], "p1 3d\np2 4s", PLAIN),
        ("amsterdam", [], "p1 Ah Ad\np2 4s 4c", PLAIN),
        ("amsterdam", [], "p1 2h\np2 4s", BOMBS),
        # Bombs that compare by highest card: no three pairs beat four aces, and nothing beats four 2s
        (
            "amsterdam",
            [],
            "p1 2c !\np2 As Ac Ad Ah\np3 4s",
            "Play a higher four of a kind, or pass",
        ),
        ("amsterdam", [], "p1 As !\np2 2s 2c 2d 2h !\np3 4s", NOTHING),
        # Four of a kind cannot be bombed here, nor can the highest of all
        ("thirteen", [], f"p1 {QUAD}\np2 4s 4c 4d 4h", "Play a higher four of a kind, or pass"),
        ("southern-classic", [], f"p1 {QUAD}\np2 4s 4c 4d 4h", HIGHER_OR_BOMB),
        # Plays that had to follow suit; a locked suit
        ("northern", [], "p1 6s\np2 7c", "play a 2, or pass"),
        ("northern", [f"{SINGLES_BOMBED}=yes"], "p1 6s\np2 7c", "play a 2 or a bomb"),
        ("interns", [], "p1 3s 4s 5s\np2 6s 7c 8d", "Play one, or pass"),
        ("akita", [], "p1 3s 4s 5s\np2 6s 7c 8d", "Play one, bomb it"),
    ],
)
def test_advice_comes_from_the_rules_of_the_table(
    ruleset: str, rules: list[str], story: str, advice: str
) -> None:
    error = refused(f"round 1 lead p1 !\n{story}", ruleset=ruleset, rules=rules)
    text = speaker("en").refusal(error.refusal, NAMES)
    assert advice in text
    assert ("bomb" in text.lower()) == ("bomb" in advice.lower())
    theirs = speaker("vi").refusal(error.refusal, NAMES)
    assert ("chặt" in theirs or "hàng" in theirs) == ("bomb" in advice.lower())


@pytest.mark.parametrize(
    ("top", "offered", "sentence"),
    [
        ("8s 8h", "9s", "Bàn đang đánh đôi. Đánh đôi lớn hơn, chặt, hoặc bỏ lượt."),
        ("8s 8h", "7s 7h", "7♠ 7♥ không lớn hơn 8♠ 8♥. Đánh đôi lớn hơn, chặt, hoặc bỏ lượt."),
        ("8s", "7s", "7♠ không lớn hơn 8♠. Đánh lá lớn hơn, chặt, hoặc bỏ lượt."),
        ("8s", "7s 7h", "Bàn đang đánh rác. Đánh lá lớn hơn, chặt, hoặc bỏ lượt."),
        ("8s 8c 8d", "9s", "Bàn đang đánh sám. Đánh sám lớn hơn, hoặc bỏ lượt."),
        ("8s 9c Td", "9s", "Trên bàn là sảnh ba lá. Đánh sảnh ba lá lớn hơn, hoặc bỏ lượt."),
        ("2s 2c 2d 2h", "9s", "Trên bàn là tứ quý. Đánh tứ quý lớn hơn, chặt, hoặc bỏ lượt."),
        (
            "3s 3c 3d 3h 9s 9c 9d 9h",
            "9s",
            "Trên bàn là hai tứ quý bất kỳ. Đánh hai tứ quý bất kỳ lớn hơn, chặt, hoặc bỏ lượt.",
        ),
        (
            "8s 8s' 8c 8c' 8d",
            "9s",
            "Trên bàn là năm lá cùng số. Đánh năm lá cùng số lớn hơn, chặt, hoặc bỏ lượt.",
        ),
        ("8s Jc", "9s", "Bài trên bàn không thành bộ (8♠ J♣), không gì đánh đè được. Bỏ lượt."),
    ],
)
def test_what_lies_on_the_table_is_told_with_what_would_beat_it(
    top: str, offered: str, sentence: str
) -> None:
    cards = {"offered": tuple(offered.split()), "top": tuple(top.split())}
    case = refusal(Code.DOES_NOT_BEAT, Clause.COMPARE, **cards, beatable=True, bombable="chặt" in sentence)
    assert speaker("vi").refusal(case, NAMES) == sentence


def test_a_card_that_is_high_enough_but_of_another_suit_is_not_called_too_low() -> None:
    case = refusal(Code.DOES_NOT_BEAT, Clause.COMPARE, offered=("4h",), top=("3s",), follows=True)
    assert (
        speaker("vi").refusal(case, NAMES)
        == "4♥ không cùng chất với 3♠. Phải theo chất: đánh rác cùng chất lớn hơn, heo, hoặc bỏ lượt."
    )


@pytest.mark.parametrize(
    ("top", "offered", "sentence"),
    [
        ("4s", "5s 5c 5d 5h", "5♠ 5♣ 5♦ 5♥ không chặt được 4♠. Đánh bài đè được, hoặc bỏ lượt."),
        (
            "2s 2h",
            "3s 3h 4s 4h 5s 5h",
            "3♠ 3♥ 4♠ 4♥ 5♠ 5♥ không chặt được 2♠ 2♥. Đánh bài đè được, hoặc bỏ lượt.",
        ),
        ("5s 5c 5d 5h", "9s", "Trên bàn là tứ quý. Đánh tứ quý lớn hơn, chặt, hoặc bỏ lượt."),
    ],
)
def test_nobody_is_told_to_bomb_who_has_just_tried(top: str, offered: str, sentence: str) -> None:
    cards = {"offered": tuple(offered.split()), "top": tuple(top.split())}
    bombs = len(offered) > 2
    case = refusal(Code.DOES_NOT_BEAT, Clause.BOMB, **cards, beatable=True, bombable=True, bombs=bombs)
    assert speaker("vi").refusal(case, NAMES) == sentence


def test_what_is_called_a_bomb_is_what_the_rules_say_it_is() -> None:
    """A sequence of one suit that only bombs singles is not taken for a sequence played on a pair by mistake."""
    story = f"p1 3s 3c\np2 {run('s', '5', '9')}"
    for rules, sentence in (["bombs=1x5/one-suit:1@2"], "does not bomb 3♠ 3♣"), ([], "The pile is pairs"):
        case = refused(story, rules=rules).refusal
        assert sentence in speaker("en").refusal(case, NAMES)


def test_how_many_may_sit_in_is_listed() -> None:
    case = refusal(Code.WRONG_SEAT_COUNT, Clause.DEAL, count=4, counts=(2, 4))
    assert "một ván 2 hoặc 4 người" in speaker("vi").refusal(case, NAMES)
    assert "2 or 4 in a round" in speaker("en").refusal(case, NAMES)


def test_a_player_without_a_name_goes_by_the_tag() -> None:
    assert "p1" in speaker("en").refusal(refusal(Code.NOT_SEATED), {})


def test_one_card_left_is_said_in_the_singular() -> None:
    case = refusal(Code.TOO_MANY_CARDS, offered=("7d", "7h"), count=1)
    assert "only 1 card left" in speaker("en").refusal(case, NAMES)


FINDINGS = [
    Finding(Code.NOT_IN_ROUND, "S-KNOCK", 9, 0, ("7d",)),
    Finding(Code.NOT_IN_ROUND, "S-KNOCK", 9, 0),
    Finding(Code.NOT_A_COMBINATION, "S-COMBO", 9, 0, ("7d", "9h")),
    Finding(Code.LOCKED_OUT, "S-PASS", 9, 0, ("7d",)),
    Finding(Code.LOCKED_OUT, "S-PASS", 9, 0),
    Finding(Code.NOT_YOUR_TURN, "S-PASS", 9, 0, ("7d",)),
    Finding(Code.NOT_YOUR_TURN, "S-PASS", 9, 0),
    Finding(Code.NOT_YOUR_TURN, "S-FORWARD", 9, 0, ("7d",)),
    Finding(Code.MUST_OPEN_LOWEST, "S-OPEN", 1, 0, ("7d",)),
    Finding(Code.DOES_NOT_BEAT, "S-COMPARE", 9, 0, ("7d",)),
    Finding(Code.PASS_ON_EMPTY_PILE, "S-PASS", 9, 0),
    Finding(Code.OPENING_FORM, "S-OPEN", 1, 0, ("7d",)),
    Finding(Code.SUIT_LOCKED, "S-SUIT-LOCK", 9, 0, ("7d",)),
    Finding(Code.LAST_CARD_TWO, "S-END", 9, 0, ("2d",)),
    Finding(Code.WRONG_LEADER, "S-LEAD", 0, 0),
    Finding(Code.WRONG_LEADER, "S-LEAD", 0),
    Finding(Code.CLAIM_TOO_LATE, "S-INSTANT", 9, 0, ("7d",)),
    Finding(Code.NOT_AN_INSTANT_WIN, "S-INSTANT", 1, 0, ("7d",)),
    Finding(Notice.OPENING_NOT_LOWEST, "S-OPEN", 9, 0, ("3s", "4d")),
    Finding(Notice.UNCLAIMED_INSTANT_WIN, "S-MISSED", 9, 0, ("3s", "4d")),
    Finding(Notice.CLAIMED_WHILE_OWING, "S-CUSTOM", 1, 0, ("2s", "2c", "2d", "2h")),
    Finding(Notice.NOTHING_TO_LOCK, "S-SUIT-LOCK", 1, 0, ("3s", "4c", "5s")),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_said_in_its_own_words(language: str) -> None:
    texts = [speaker(language).finding(finding, NAMES) for finding in FINDINGS]
    assert len(set(texts)) == len(texts)
    assert all("None" not in one and one.endswith(".") for one in texts)


def test_a_wrong_opening_names_both_cards() -> None:
    finding = Finding(Notice.OPENING_NOT_LOWEST, "S-OPEN", 9, 1, ("3s", "4d"))
    sentence = speaker("vi").finding(finding, NAMES)
    assert sentence == "Ván mở bằng 4♦, nhưng Bình có 3♠ nhỏ hơn: lẽ ra người khác đi trước."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_problem_tells_as_much_as_is_known(language: str) -> None:
    problem: Callable[..., str] = speaker(language).problem
    assert "5" in problem("round-settled", {"round": 5})
    assert "None" not in problem("round-settled", {"round": None})
    assert problem("round-settled") == problem("round-settled", {"round": None})
    assert "7" in problem("too-many-requests", {"retry_after": 7})
    assert "3" in problem("unsettled-round", {"rounds": [3, 4]})
    assert "16384" in problem("too-large", {"most_bytes": 16384})


def test_what_was_expected_is_said_in_the_readers_language() -> None:
    fields = {"fields": {"points": ["a whole number from 1 to 999"], "seat": ["a player (p1 to p12)"]}}
    text = speaker("vi").problem("unreadable", fields)
    assert "points: số nguyên từ 1 tới 999; seat: một người chơi (từ p1 tới p12)" in text
    assert (
        speaker("vi").unreadable("a date (2026-11-20)")
        == "Không đọc được dòng này: cần một ngày (2026-11-20)."
    )
    assert "something new" in speaker("vi").unreadable("something new")


def test_a_fact_that_looks_like_a_pattern_stays_what_it_is() -> None:
    assert "%(count)s" in speaker("en").problem("unreadable", {"fields": {"%(count)s": ["missing"]}})


def test_a_disagreement_lists_what_is_missing_and_what_is_too_much() -> None:
    text = speaker("en").disagreement(["p2 p1 2 placement"], ["p3 p1 1 placement"])
    assert "Missing: p2 p1 2 placement." in text
    assert "Unexpected: p3 p1 1 placement." in text
    assert speaker("en").disagreement([], []) == "The = lines disagree with what the rules say."
