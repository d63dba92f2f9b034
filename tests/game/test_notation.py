"""Reading and writing the notation (`tests/cases/notation.txt`), and the passes that it infers."""

import re
from dataclasses import replace

import pytest

from ledger.game import notation
from ledger.game.cards import Card
from ledger.game.customs import Clearing, Clears, Deals, Gives, Kneels, Note, Owes, Sits, Swaps, Until
from ledger.game.errors import Code
from ledger.game.fold import turns_by_passing
from ledger.game.moves import Pass
from ledger.game.night import Adjustment, Joined, Night
from ledger.game.notation import Unreadable
from ledger.game.rulesets.model import OwedCard
from ledger.game.terms import WRITTEN
from tests.case_files import told
from tests.game.short_rounds import with_runs
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import after, page, refused, replay_story

NAMED = {
    "two": "tienlen 1\nruleset southern-classic\np1 An\np2 Bình",
    "four": "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\np3 Chi\np4 Dũng",
    "whole": WHOLE_ROUND[4],
    "paid": "= p3 p2 1 placement\n= p4 p1 2 placement\n= p4 p3 2 hoarding-penalty",
}
"""What stands in braces in a case."""


def lines(text: str) -> str:
    """The text of a case, in lines."""
    text = re.sub(r"{(\w+)}", lambda found: NAMED[found[1]], text)
    return with_runs(text).replace(" / ", "\n") + "\n"


def rewritten(text: str, *, strict: bool = False, with_payments: bool = False) -> str:
    return notation.write(notation.replay(notation.read(text), strict=strict), with_payments=with_payments)


def test_canonical_text_read_and_written_again_is_the_same() -> None:
    for story in (*FIRST_OUT.values(), *WHOLE_ROUND.values()):
        once = rewritten(page(story, players=4))
        assert rewritten(once, strict=True) == once


@pytest.mark.parametrize("case", told("notation.txt", "written as it is read"))
def test_text_is_its_own_canonical_form(case: tuple[str]) -> None:
    text = lines(*case)
    assert rewritten(text, strict=True) == text


@pytest.mark.parametrize(("text", "canonical"), told("notation.txt", "written otherwise"))
def test_what_is_read_is_written_in_its_canonical_form(text: str, canonical: str) -> None:
    assert rewritten(lines(text)) == rewritten(lines(canonical), strict=True) == lines(canonical)


PLAIN = page("p1 3s 3h\np2 -\np3 Th Tc\np4 -\np1 2s 2h\np3 -")


@pytest.mark.parametrize(("written", "otherwise"), told("notation.txt", "read alike"))
def test_what_is_read_also_gives_the_same_night(written: str, otherwise: str) -> None:
    assert written in PLAIN
    count = -1 if written == "\n" else 1
    assert rewritten(PLAIN.replace(written, otherwise, count)) == rewritten(PLAIN)


WITH_NAMES = "tienlen 1\nruleset southern-classic\np1 An\np2 Bà Năm\np3 An Bình\nround 1 opening\n"


@pytest.mark.parametrize(("written", "tagged"), told("notation.txt", "names"))
def test_a_name_may_stand_for_its_tag(written: str, tagged: str) -> None:
    read = [notation.read(WITH_NAMES + lines(text)).entries for text in (written, tagged)]
    assert read[0] == read[1]


@pytest.mark.parametrize("case", [*told("notation.txt", "names of nobody"), (f"result An {'p2 ' * 500}",)])
def test_what_is_nobodys_name_stands_for_nobody(case: tuple[str]) -> None:
    with pytest.raises(Unreadable):
        notation.read(WITH_NAMES + lines(*case))


@pytest.mark.parametrize("name", ["3h", "5", "lead", "None", "An Bình", "-", "x" * 65])
def test_a_name_that_reads_as_something_else_or_is_anothers_stands_for_nobody(name: str) -> None:
    with pytest.raises(Unreadable):
        notation.read(WITH_NAMES.replace("p1 An\n", f"p1 {name}\n") + f"{name} 3s")
    assert notation.read(WITH_NAMES.replace("p1 An\n", "p1 p2\n") + "p2 3s").rounds[0].moves[0].player == 1


def test_a_player_may_be_called_like_a_word_within_a_move() -> None:
    text = WITH_NAMES.replace("p1 An\n", "p1 Shows\n")
    assert notation.read(text + "Bà Năm shows 3s").entries == notation.read(text + "p2 shows 3s").entries


def test_what_a_line_cannot_hold_is_a_space_in_names_and_reasons() -> None:
    """An imported exact log may contain a line break, after which a name would begin a line of its own."""
    night = replay_story("round 1\nvoid misdealt\npay p2 p1 5 late")
    names = tuple("Bình\npay p1 p2 9 tip" if name == "Bình" else name for name in night.names)
    entries = tuple(
        replace(one, reason="late; = p1 p2 1") if isinstance(one, Adjustment) else one
        for one in night.entries
    )
    written = notation.write(replace(night, names=names, entries=entries))
    assert "\np2 Bình pay p1 p2 9 tip\n" in written
    assert "pay p2 p1 5 late = p1 p2 1" in written
    assert rewritten(written) == written


def test_whoever_leads_after_all_have_passed_may_be_who_is_to_act() -> None:
    gone = after("p1 3s\np2 4s\np3 5s\np1 2s\np2 -\np3 -\np1 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", players=3)
    assert list(turns_by_passing(gone)) == [(1, ()), (2, (Pass(1),)), (1, (Pass(1), Pass(2)))]


@pytest.mark.parametrize(("story", "expected"), told("notation.txt", "payments"))
def test_payment_lines_are_complete_or_disagree(story: str, expected: str) -> None:
    script = notation.read(page(lines(story)))
    found = notation.disagreements(script, notation.replay(script))
    told = [f"{one.line} {one.round} {len(one.missing)} {len(one.unexpected)}" for one in found]
    assert (" ".join(told) or "agree") == expected


def test_payment_lines_are_written_on_request() -> None:
    text = page(lines("{whole} / {paid} / round 2"))
    assert "=" not in rewritten(text)
    whole = rewritten(text, with_payments=True)
    assert f"\n{NAMED['paid']}\n" in whole
    assert whole.endswith("round 2 lead p1\n= none\n")
    assert rewritten(whole, with_payments=True) == whole


def test_a_night_without_a_round_is_a_night() -> None:
    night = notation.replay(notation.read(NAMED["two"]))
    assert isinstance(night, Night)
    assert night.rounds == []


def test_a_refusal_names_its_line_round_and_move() -> None:
    error = refused(f"{WHOLE_ROUND[4]}\n\n; the second\nround 2\np1 3s\np2 3s")
    assert (error.round, error.move, error.refusal.code) == (2, 2, Code.CARD_ALREADY_PLAYED)
    assert error.line == 8 + len(WHOLE_ROUND[4].splitlines()) + 4


def test_whoever_joined_before_anything_else_happened_was_there_from_the_start() -> None:
    night = replay_story("round 1 opening p1 p2")
    joined = replace(night, entries=(Joined(2), Joined(3), *night.entries))
    assert notation.write(joined) == notation.write(night)


# Notes of customs: they stand where they were written, and nobody enforces them

NOTES: list[tuple[str, Note]] = [
    ("note deals p3", Deals(2)),
    ("note kneels p2 until-first", Kneels(1)),
    ("note kneels p2 until-round-over", Kneels(1, Until.ROUND_OVER)),
    ("note sits p2", Sits(1)),
    ("note owes p1 p3 2 highest-two", Owes(0, 2, 2, OwedCard.HIGHEST_TWO)),
    ("note gives p1 p3 2d 2h", Gives(0, 2, (Card.read("2d"), Card.read("2h")))),
    ("note gives p3 p1", Gives(2, 0, ())),
    ("note swaps p4 p5", Swaps(3, 4)),
    ("note clears p1 each-pile", Clears(0, Clearing.EACH_PILE)),
]


@pytest.mark.parametrize(("line", "note"), NOTES)
def test_a_note_is_read_and_written_as_its_line(line: str, note: Note) -> None:
    night = replay_story(f"round 1 opening p1 p2 p3 p4\n{line}", players=5)
    assert night.notes == [note]
    assert line in notation.write(night).splitlines()
    assert rewritten(notation.write(night)) == notation.write(night)


def test_every_kind_of_note_has_a_line() -> None:
    assert {type(note) for _, note in NOTES} == set(Note.__args__)


def test_notes_stand_where_they_were_written_and_move_no_points() -> None:
    lines = [line for line, _ in NOTES]
    story = "\n".join(["round 1 opening p1 p2 p3 p4", WHOLE_ROUND[4], *lines, "round 2", "p1 4s", lines[0]])
    text = notation.write(replay_story(story, players=5))
    assert [line for line in text.splitlines() if line.startswith("note")] == [*lines, lines[0]]
    assert text.splitlines()[-2:] == ["p1 4s", lines[0]]
    assert rewritten(text) == text


@pytest.mark.parametrize("term", WRITTEN)
def test_a_term_is_said_once(term: str) -> None:
    line = f"{term} {WRITTEN[term].example}"
    header = f"tienlen 1\nruleset southern-classic\n{line}\n"
    assert getattr(notation.read(f"{header}p1 An\np2 Bình").terms, term)
    with pytest.raises(Unreadable) as caught:
        notation.read(f"{header}{line}\np1 An\np2 Bình")
    assert caught.value.line == 4
