"""A night as people type it becomes the replay that was meant (`tests/cases/typed.txt`)."""

from pathlib import Path
from random import Random

import pytest

from ledger.game import notation
from ledger.game.notation import Unreadable
from ledger.language.typed import NotUnderstood, is_typed, translate, translation
from tests.case_files import lines_below, told

RECORDS = Path(__file__).parent.parent / "records"
NAMES = "An, Bình, Chi, Dũng\n"
ABOVE = 6
"""The lines above the first entry: the version, the ruleset, the names."""


def lines_of(text: str) -> list[str]:
    return translate(text).text.split("\n")


@pytest.mark.parametrize(("typed", "replay"), told("typed.txt", "a night"))
def test_a_typed_night_becomes_a_replay(typed: str, replay: str) -> None:
    assert lines_of(NAMES + typed.replace(" / ", "\n"))[ABOVE:] == replay.split(" / ")


@pytest.mark.parametrize(("typed", "lacking"), told("typed.txt", "not understood"))
def test_a_line_that_is_not_understood_is_named_with_what_it_lacks(typed: str, lacking: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        translate(NAMES + typed.replace(" / ", "\n"))
    assert caught.value.line == 2 + typed.count(" / ")
    assert f"{caught.value.missing} {caught.value.understood}".strip() == lacking


@pytest.mark.parametrize(("typed", "names"), told("typed.txt", "names"))
def test_the_first_line_has_the_names_and_the_usual_rules_are_meant(typed: str, names: str) -> None:
    script = notation.read(translate(typed.replace(" / ", "\n")).text)
    assert (script.names, script.terms.ruleset.id) == (names.split(" / "), "southern-classic")


@pytest.mark.parametrize("typed", ["", *lines_below("typed.txt", "no names")])
def test_a_text_without_names_asks_for_them(typed: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        translate(typed)
    assert (caught.value.line, caught.value.missing) == (1, "names")


@pytest.mark.parametrize(
    "record", [*RECORDS.glob("by-hand-*.tln"), *RECORDS.glob("southern-3*.tln")], ids=str
)
def test_a_replay_without_its_first_line_is_the_same_night(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    typed = text.replace("tienlen 1\n", "", 1)
    assert is_typed(typed)
    assert not is_typed(text)
    replayed = [notation.replay(notation.read(one)) for one in (text, translate(typed).text)]
    assert notation.write(replayed[0]) == notation.write(replayed[1])


def test_lines_keep_their_numbers() -> None:
    replay = translate("stake 5 VND\n; a comment\nAn, Bình\n\nAn 3s\n\n1. Bình\n2. An\npay An Bình 5 x")
    assert replay.lines == (3, 3, 1, 3, 3, 5, 5, 8, 9)


def test_so_many_plays_in_words_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "_MOST_DICTATED", 2)
    typed = f"{NAMES}An 3s 3c\nBình đôi bốn rô cơ\nChi đôi năm rô cơ\n"
    translate(typed)
    with pytest.raises(Unreadable, match="line 5: expected 2 plays"):
        translate(f"{typed}Dũng đôi sáu rô cơ")


def test_whatever_lines_follow_each_other_become_a_replay_or_one_of_them_is_named() -> None:
    cases = [*told("typed.txt", "a night"), *told("typed.txt", "not understood")]
    lines = [line for typed, _ in cases for line in typed.split(" / ")]
    random, reached = Random(7), 0
    for _ in range(500):
        typed = NAMES + "\n".join(random.choices(lines, k=6))
        wrong = 0
        try:
            replay = translate(typed)
        except (NotUnderstood, Unreadable) as error:
            wrong = error.line
        else:
            assert len(replay.lines) == replay.text.count("\n") + 1
            reached += 1
        assert wrong == 0 or 2 <= wrong <= 7, typed
    assert reached > 50
