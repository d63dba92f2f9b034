"""Texts that are not replays: the line of the error, and what was expected there (`tests/cases/unreadable.txt`)."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.game import notation
from ledger.game.cards import Deck
from ledger.game.notation import ScriptRefused, Unreadable
from tests.case_files import CASES, told
from tests.game.stories import WHOLE_ROUND
from tests.game.table import ALL_CARDS, page, run

HEADER = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\np3 Chi\np4 Dũng\n"


def read_cases() -> Iterator[tuple[str, str, str]]:
    """The text to the end of the line that cannot be read, the rest of it, and what is expected."""
    before = after = ""
    for block in (CASES / "unreadable.txt").read_text(encoding="utf-8").split("\n\n"):
        first, *lines = block.splitlines()
        if first.startswith("#"):
            continue
        if bool(lines) is first.startswith("[") or not all(line.startswith("  ") for line in lines):
            raise ValueError(f"neither a text in brackets nor an expectation above its cases: {block}")
        if not lines:
            before, after = first.strip("[]").replace(" / ", "\n").split("...")
        for line in lines:
            case = json.loads(line) if '"' in line else line.strip().replace(" / ", "\n")
            yield before + case, after, first


@pytest.mark.parametrize(("before", "after", "expected"), list(read_cases()))
def test_a_text_is_read_to_the_line_that_cannot_be_read(before: str, after: str, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        notation.read(before + after)
    assert caught.value.line == before.count("\n") + 1
    assert expected in caught.value.expected
    assert str(caught.value) == f"line {caught.value.line}: expected {caught.value.expected}"


def test_a_line_that_reads_as_a_move_is_nobody_who_joins() -> None:
    assert not any(notation.can_join(name, Deck()) for name in ("2h", "-", "3s 4s !", "shows 3s", "10♥"))
    assert all(notation.can_join(name, Deck()) for name in ("Em", "Tí 2h", "shows", "result", "3"))


def test_a_control_character_in_a_comment_is_a_comment() -> None:
    assert notation.read(f"{HEADER}; \x00\x07").entries == []


@pytest.mark.parametrize(("line", "count"), told("notation.txt", "read under any ruleset"))
def test_what_only_some_tables_play_is_read_under_any_ruleset(line: str, count: str) -> None:
    """The rules decide whether it is allowed, not the notation."""
    entries = notation.read(f"{HEADER}\nround 1 opening\np1 3s\n{line}\n").entries
    assert len(entries) == int(count)


@pytest.mark.parametrize(("ruleset", "line"), told("notation.txt", "read with two packs"))
def test_the_second_packs_mark_is_read_where_backs_matter(ruleset: str, line: str) -> None:
    assert len(notation.read(page(f"round 1\n{line}", players=8, ruleset=ruleset)).rounds[0].moves) == 1


def test_unreadable_beats_refused() -> None:
    with pytest.raises(Unreadable):
        notation.read(page("p1 9s\np1 9s\nhello"))


WORDS = (
    "p1 p3 p4 p5 ! – = - ; , 2 1 none placement void result knocked bombed opening "
    "lead claims shows declares pay round forward locks contract note gives"
)
RULES = ["deal.packs=", "deal.hand=", "combinations.sequence_from=", "passing.locks=no", "rule "]
ODD = ["\n", " ", "\t", "\r\n", "\ufeff", "\x00", "10♠", "'", "ſ", "\u212a", run("s"), run("c"), " 2s 2c"]
LINES = [
    *(
        "tienlen 1\n",
        "ruleset southern-classic\n",
        "stake 1 VND\n",
        "date 2026-11-20\n",
        "\nround 2 ",
        "\np2 ",
    ),
    *("\np5 Em\n", "\nresult p3 p1 p2", "\nknocked p4\n", "\nbombed p1 p3 2d 2h\n", "\nvoid misdealt\n"),
    *("\nrule payments.left=2\n", "\nruleset card-count\n", "\nstake 1 VND all\n", "\nround 3 x2\n"),
]
PIECES = [*(f" {word} " for word in WORDS.split()), *RULES, *ODD, *LINES, *ALL_CARDS[::5], *["\n"] * 9]
TEXTS = st.one_of(
    st.text(),
    st.binary().map(lambda some: some.decode("utf-8", "surrogateescape")),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=40).map(lambda some: HEADER + "round 1\n" + "".join(some)),
    st.lists(st.sampled_from(PIECES), max_size=6).map(lambda some: f"tienlen 1\nrule {''.join(some)}"),
)


@given(TEXTS)
def test_any_text_is_read_refused_or_unreadable(text: str) -> None:
    reads_or_says_why(text)


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
