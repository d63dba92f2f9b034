"""Texts that are not replays: the line of the error, and what was expected there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.game import notation
from ledger.game.cards import Deck
from ledger.game.notation import ScriptRefused, Unreadable
from tests.game.stories import WHOLE_ROUND
from tests.game.table import ALL_CARDS, page, run

HEADER = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\np3 Chi\np4 Dũng\n"


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "tienlen 1"),
        ("\n\n; nothing", 3, "tienlen 1"),
        ("tienlen 2", 1, "tienlen 1"),
        ("tienlen", 1, "tienlen 1"),
        ("Tienlen 1", 1, "tienlen 1"),
        ("ruleset southern-classic\ntienlen 1", 1, "tienlen 1"),
        ("\n\ufefftienlen 1", 2, "tienlen 1"),
        ("tienlen 1", 1, "a ruleset"),
        ("tienlen 1\np1 An\np2 Bình\nround 1", 4, "a ruleset"),
        ("tienlen 1\nruleset western", 2, "a preset's id"),
        ("tienlen 1\nruleset", 2, "a preset's id"),
        ("tienlen 1\nruleset southern-classic\nruleset southern-classic", 3, "one ruleset only"),
        ("tienlen 1\nruleset southern-classic\np1 An", 3, "two players at least"),
        ("tienlen 1\nruleset southern-classic\np2 An", 3, "p1: players are listed in order"),
        (f"{HEADER}p6 Em", 7, "p5: players are listed in order"),
        (HEADER + "".join(f"p{n} X\n" for n in range(5, 14)), 15, "12 at the most"),
        (f"{HEADER}p1", 7, "a header line or a round"),
        (f"{HEADER}hello", 7, "a header line or a round"),
        (f"{HEADER}date 2026-11-20", 7, "a header line or a round"),
        (f"{HEADER}pay p1 p2 1 x\np1 Em", 8, "a move"),
        (f"{HEADER}pay p1 p2 1 x\np6 Em", 8, "p5: players are listed in order"),
        ("tienlen 1\nruleset southern-classic\np1 An\nround 1", 4, "two players at least"),
        (f"{HEADER}pay p1 p2 1 x\ndate 2026-11-20", 8, "a line of the replay notation"),
    ],
)
def test_headers_that_cannot_be_read(text: str, line: int, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        notation.read(text)
    assert caught.value.line == line
    assert expected in caught.value.expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("passing.locks", "FIELD=VALUE"),
        ("passing.locks=maybe", "yes or no"),
        ("passing=no", "no such rule"),
        ("passing.=no", "no such rule"),
        ("id=x", "no such rule"),
        ("book.deck=1", "no such rule"),
        ("=", "no such rule"),
        ("payments.left=٣", "a whole number"),
        ("deal.packs=0", "packs"),
        ("deal.hand=0", "a hand of 1 card"),
        ("deal.hand=14", "enough cards"),
        ("combinations.sequence_from=2", "3 ranks"),
    ],
)
def test_house_rules_that_cannot_be_read(rule: str, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        notation.read(page("round 1", rules=[rule]))
    assert caught.value.line == 3
    assert expected in caught.value.expected


def test_a_house_rule_stands_below_its_ruleset() -> None:
    with pytest.raises(Unreadable, match="below the ruleset"):
        notation.read("tienlen 1\nrule passing.locks=no\nruleset southern-classic")


STAKES = ["", "1000", "0 VND", "-1 VND", "1,5 EUR", "1 vnd", "1.12345 EUR"]
DATES = ["", "20.11.2026", "2026-02-30", "2026-11-20 noon"]


@pytest.mark.parametrize("line", [*(f"stake {text}" for text in STAKES), *(f"date {text}" for text in DATES)])
def test_stakes_and_dates_that_cannot_be_read(line: str) -> None:
    with pytest.raises(Unreadable) as caught:
        notation.read(HEADER.replace("p1 An", f"{line}\np1 An"))
    assert caught.value.line == 3
    assert caught.value.expected.startswith("an amount and a currency" if "stake" in line else "a date")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("round", "round 2"),
        ("round 1", "round 2"),
        ("round 3", "round 2"),
        ("round two", "round 2"),
        ("round 2 lead", "a player of this night"),
        ("round 2 lead p5", "a player of this night"),
        ("round 2 opening p1 p9", "a player of this night"),
        ("round 2 p1 p2 p1", "each player once"),
        ("round 2 closing", "a player of this night"),
        ("p1", "a line of the replay notation"),
        ("p0 3s", "a line of the replay notation"),
        ("p01 3s", "a line of the replay notation"),
        ("P1 3s", "a line of the replay notation"),
        ("p1 3x", "a move"),
        ("p1 3\u017f", "a move"),
        ("p1 \u212as", "a move"),
        ("p1 3s4s", "a move"),
        ("p1 passes", "a move"),
        ("p1 - 3s", "a move"),
        ("p1 —", "a move"),
        ("p1 !", "a move"),
        ("p1 3s ! !", "a move"),
        ("p1 claims", "a move"),
        ("p1 claims none", "a move"),
        ("p1 shows", "a move"),
        ("p1 shows none", "a move"),
        ("p1 shows 3s !", "a move"),
        ("p1 declares", "a move"),
        ("p1 declares none !", "a move"),
        ("p1 declares 2s,", "a move"),
        ("p1 declares 2s,, 2h", "a move"),
        ("p1 declares none, 2h", "a move"),
        ("p1 3s'", "a move"),
        ("p1 3s''", "a move"),
        ("p1 shows 3s’", "a move"),
        ("p1 declares 2s'", "a move"),
        ("p1 forward", "a move"),
        ("p1 forward -", "a move"),
        ("p1 forward !", "a move"),
        ("p1 3s forward", "a move"),
        ("p1 locks", "a move"),
        ("p1 locks -", "a move"),
        ("p1 locks unlocks 3s", "a move"),
        ("p1 locks forward 3s", "a move"),
        ("p1 contract", "a move"),
        ("p1 contract guaransheed !", "a move"),
        ("p1 contract blind guaransheed", "a move"),
        ("note", "a note"),
        ("note deals", "a note"),
        ("note deals p5", "a player of this night"),
        ("note deals p1 p2", "a note"),
        ("note kneels p1", "a note"),
        ("note kneels p1 forever", "a note"),
        ("note sits", "a note"),
        ("note owes p1 p1 2 any-two", "a note"),
        ("note owes p1 p2 0 any-two", "a note"),
        ("note owes p1 p2 100 any-two", "a note"),
        ("note owes p1 p2 1 any-card", "a note"),
        ("note gives p1", "a note"),
        ("note gives p1 p2 3x", "a note"),
        ("note gives p1 p2 3s'", "a note"),
        ("note gives p1 p2 3s 3s", "a note"),
        ("note swaps p1", "a note"),
        ("note swaps p2 p2", "a note"),
        ("note clears p1 never", "a note"),
        ("note dances p1", "a note"),
        ("p5 3s", "a player of this night (p1 to p4)"),
        ("p99 -", "a player of this night"),
        ("= ", "payer, payee, points and reason"),
        ("= p1 p2 3", "payer, payee, points and reason"),
        ("= p1 p2 3 luck", "payer, payee, points and reason"),
        ("= p1 p2 3 placement twice", "payer, payee, points and reason"),
        ("= p1 p2 0 placement", "a whole number of points"),
        ("= p1 p2 1.5 placement", "a whole number of points"),
        ("= p1 p2 1000000000 placement", "a whole number of points"),
        ("= p1 p1 2 placement", "two different players"),
        ("= p1 p5 2 placement", "a player of this night"),
        ("=p1 p2 2 placement", "a line of the replay notation"),
        ("pay", "a whole number of points"),
        ("pay p1 p2 -2 late", "a whole number of points"),
        ("pay p1 p2 2", "a reason"),
        ("pay p1 p1 2 late", "two different players"),
        ("pay p1 p7 2 late", "a player of this night"),
        ("result", "who came in first"),
        ("result p1 p5", "a player of this night"),
        ("result p1 p2 p1", "each player once"),
        ("result p1 p2 !", "a player of this night"),
        ("knocked p1", "a result right above it"),
        ("bombed p1 p2 2s", "a result right above it"),
        ("void", "a reason"),
        ("p1 Em", "a move"),
        ("p6 Em", "p5: players are listed in order"),
        ("hello", "a line of the replay notation"),
        ("p1 3s \x00", "control characters"),
        ("p1\x0b3s", "control characters"),
        ("p1 \x7f3s", "control characters"),
        ("p1 3s\u2028p2 4s", "control characters"),
        ("p1 3s\rp2 4s", "control characters"),
    ],
)
def test_lines_of_a_round_that_cannot_be_read(line: str, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        notation.read(f"{HEADER}\nround 1 opening\np1 3s\n{line}\np2 4s\n")
    assert caught.value.line == 10
    assert expected in caught.value.expected
    assert str(caught.value) == f"line 10: expected {caught.value.expected}"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("knocked", "one line with everyone"),
        ("knocked p2\nknocked p3", "one line with everyone"),
        ("knocked p2 p2", "each player once"),
        ("knocked p9", "a player of this night"),
        ("bombed", "whose bomb it was"),
        ("bombed p1", "whose bomb it was"),
        ("bombed p1 p2", "whose bomb it was"),
        ("bombed p1 p2 3x", "whose bomb it was"),
        ("bombed p1 p2 2s !", "whose bomb it was"),
        ("bombed p1 p1 2s", "two different players"),
        ("bombed p1 p5 2s", "a player of this night"),
        ("p3 shows 3s\nknocked p2", "a result right above it"),
        ("void misdealt\nknocked p2", "a result right above it"),
        ("void misdealt\np3 shows 3s", "the next round"),
        ("void misdealt\nresult p1", "the next round"),
        ("void misdealt\nvoid misdealt", "a round, once"),
    ],
)
def test_lines_below_a_result_that_cannot_be_read(lines: str, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        notation.read(f"{HEADER}\nround 1 opening\nresult p1 p2 p3 p4\n{lines}\n")
    assert caught.value.line == 9 + lines.count("\n") + 1
    assert expected in caught.value.expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("result p1 p2", "a round before its moves"),
        ("knocked p1", "a result right above it"),
        ("void misdealt", "a round, once"),
    ],
)
def test_how_a_round_came_out_stands_below_its_header(line: str, expected: str) -> None:
    with pytest.raises(Unreadable, match=expected):
        notation.read(f"{HEADER}{line}")


def test_no_more_players_join_than_a_night_has() -> None:
    joining = "".join(f"p{number} X\n" for number in range(5, 14))
    with pytest.raises(Unreadable, match="12 at the most") as caught:
        notation.read(f"{HEADER}round 1\n{joining}")
    assert caught.value.line == 16


def test_a_line_that_reads_as_a_move_is_nobody_who_joins() -> None:
    with pytest.raises(Unreadable, match="a player of this night"):
        notation.read(f"{HEADER}round 1\np5 2h")
    assert not any(notation.can_join(name, Deck()) for name in ("2h", "-", "3s 4s !", "shows 3s", "10♥"))
    assert all(notation.can_join(name, Deck()) for name in ("Em", "Tí 2h", "shows", "result", "3"))


def test_a_payment_stands_below_a_round() -> None:
    with pytest.raises(Unreadable, match="a round before its payments"):
        notation.read(f"{HEADER}= none")


def test_a_control_character_in_a_comment_is_a_comment() -> None:
    assert notation.read(f"{HEADER}; \x00\x07").entries == []


@pytest.mark.parametrize(
    "line",
    [
        "p2 forward 9s",
        "p2 locks 4s 5s 6s",
        "p2 forward unlocks 4s 5s 6s",
        "p2 contract guaransheed",
        "note deals p3",
        "note gives p1 p2",
    ],
)
def test_what_only_some_tables_play_is_read_under_any_ruleset(line: str) -> None:
    """The rules decide whether it is allowed, not the notation."""
    entries = notation.read(f"{HEADER}\nround 1 opening\np1 3s\n{line}\n").entries
    assert len(entries) == (2 if line.startswith("note") else 1)


@pytest.mark.parametrize(
    ("ruleset", "line", "read"),
    [
        ("double-deck", "p1 3s 3s'", True),
        ("double-deck", "p1 3s’", True),
        ("double-deck", "p1 3s''", False),
        ("core-double", "p1 3s 3s", True),
        ("core-double", "p1 3s'", False),
    ],
)
def test_the_second_packs_mark_is_read_where_backs_matter(ruleset: str, line: str, read: bool) -> None:
    text = page(f"round 1\n{line}", players=8, ruleset=ruleset)
    if read:
        assert len(notation.read(text).entries[0].moves) == 1  # type: ignore[union-attr]
    else:
        with pytest.raises(Unreadable, match=r"a line of the replay notation|a move"):
            notation.read(text)


def test_unreadable_beats_refused() -> None:
    with pytest.raises(Unreadable):
        notation.read(page("p1 9s\np1 9s\nhello"))


WORDS = [
    "p1",
    "p3",
    "p4",
    "p5",
    "!",
    "–",
    "=",
    "-",
    ";",
    ",",
    "2",
    "1",
    "none",
    "placement",
    "void",
    "result",
    "knocked",
    "bombed",
    "opening",
]
VERBS = [
    "lead",
    "claims",
    "shows",
    "declares",
    "pay",
    "round",
    "forward",
    "locks",
    "contract",
    "note",
    "gives",
]
RULES = ["deal.packs=", "deal.hand=", "combinations.sequence_from=", "passing.locks=no", "rule "]
ODD = ["\n", " ", "\t", "\r\n", "\ufeff", "\x00", "10♠", "'", "ſ", "\u212a", run("s"), run("c"), " 2s 2c"]
LINES = [
    "tienlen 1\n",
    "ruleset southern-classic\n",
    "stake 1 VND\n",
    "date 2026-11-20\n",
    "\nround 2 ",
    "\np2 ",
    "\np5 Em\n",
    "\nresult p3 p1 p2",
    "\nknocked p4\n",
    "\nbombed p1 p3 2d 2h\n",
    "\nvoid misdealt\n",
]
PIECES = [*(f" {word} " for word in WORDS + VERBS), *RULES, *ODD, *LINES, *ALL_CARDS[::5], *["\n"] * 9]
TEXTS = st.one_of(
    st.text(),
    st.binary().map(lambda some: some.decode("utf-8", "surrogateescape")),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=40).map(lambda some: HEADER + "round 1\n" + "".join(some)),
    st.lists(st.sampled_from(PIECES), max_size=6).map(lambda some: f"tienlen 1\nrule {''.join(some)}"),
)


@pytest.mark.slow
@given(TEXTS)
def test_any_text_is_read_refused_or_unreadable(text: str) -> None:
    reads_or_says_why(text)


@pytest.mark.slow
@given(st.data())
def test_any_change_of_a_night_is_read_refused_or_unreadable(data: st.DataObject) -> None:
    text = page(
        f"{WHOLE_ROUND[4]}\np4 declares 2h\n= none\nround 2\np1 3c\nvoid misdealt\np5 Em\n"
        "round 3 lead p1 p5 p4 p1 p2\nresult p5 p1 p2\nknocked p4\nbombed p5 p1 2d 2h\np4 declares none\n"
    )
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(st.sampled_from(["", *PIECES])) + text[end:]
    reads_or_says_why(text)


def reads_or_says_why(text: str) -> None:
    line = 1
    try:
        script = notation.read(text)
        night = notation.replay(script)
    except (Unreadable, ScriptRefused) as error:
        line = error.line
    else:
        list(notation.disagreements(script, night))
        once = notation.write(night)
        assert notation.write(notation.replay(notation.read(once), strict=True)) == once
    assert 1 <= line <= text.count("\n") + 1
