"""A dictated phrase is understood as the play that was meant: examples, and random phrases."""

import re
from dataclasses import replace

import pytest

from ledger.game.cards import union
from ledger.language import speaker
from ledger.language.dictation import Fits, Heard, heard, words
from tests.case_files import told
from tests.game.table import DECK, after
from tests.soak import phrases
from tests.soak.phrases import Outcome, trial

SINGLES = "round 1 lead p1\np1 3s"
ON = {
    "a single": SINGLES,
    "a pair": f"{SINGLES} 3c",
    "a run": "round 1 lead p1\np1 3s 4s 5d",
    "a two": "round 1 lead p1\np1 2s",
    "a lead": "round 1 lead p1",
}


def found(story: str, phrase: str, *, player: int = 1) -> tuple[list[str], Heard]:
    """The plays that a phrase may mean, in writing."""
    round = after(story)
    dictated = heard(round, player, phrase)
    return [" ".join(round.ruleset.deck.write(play)) for play in dictated.plays], dictated


@pytest.mark.parametrize(("top", "phrase", "play"), told("dictation.txt", "a play"))
def test_a_play_is_known_by_what_people_say(top: str, phrase: str, play: str) -> None:
    plays, dictated = found(ON[top], phrase, player=0 if top == "a lead" else 1)
    assert (plays, dictated.sure, dictated.passes) == ([play], True, False)


@pytest.mark.parametrize("phrase", [phrase for (phrase,) in told("dictation.txt", "a pass")])
def test_a_pass_is_known_too(phrase: str) -> None:
    _, dictated = found(SINGLES, phrase)
    assert dictated.passes
    assert dictated.sure


def fitting(fits: Fits | None) -> str:
    """The cards that fit a phrase, `2*` for all of a rank."""
    assert fits is not None
    text = " ".join(DECK.write(union(card for choices in fits.choices for rank in choices for card in rank)))
    return re.sub(r"(.)s \1c \1d \1h", r"\1*", text)


@pytest.mark.parametrize(("top", "phrase", "name", "cards"), told("dictation.txt", "what fits"))
def test_where_suits_are_missing_the_plays_that_fit_are_found(
    top: str, phrase: str, name: str, cards: str
) -> None:
    _, dictated = found(ON[top], phrase, player=0 if top == "a lead" else 1)
    assert (dictated.sure, dictated.passes, fitting(dictated.fits)) == (False, False, cards)
    assert dictated.fits is not None
    assert speaker("vi").play_of_ranks(dictated.fits.pattern, dictated.fits.ranks) == name


@pytest.mark.parametrize(("before", "phrase", "play"), told("dictation.txt", "going on"))
def test_a_phrase_goes_on_from_the_one_before(before: str, phrase: str, play: str) -> None:
    dictated = heard(after(ON["a lead"]), 0, phrase, before)
    assert ([" ".join(DECK.write(one)) for one in dictated.plays], dictated.sure) == ([play], True)


def test_what_goes_on_says_what_it_goes_on_from() -> None:
    dictated = heard(after(ON["a lead"]), 0, "không cơ", "đôi heo")
    assert (dictated.phrase, fitting(dictated.fits)) == ("đôi heo không cơ", "2s 2c 2d")
    assert heard(after(ON["a lead"]), 0, "không đi bảy", "đôi heo") == Heard()


def test_what_is_heard_prints_its_cards() -> None:
    dictated = heard(after(ON["a lead"]), 0, "heo cơ")
    assert repr(dictated) == "Heard(plays=(<2h of one pack>), sure=True, phrase='heo cơ')"


def test_what_may_be_several_is_offered() -> None:
    assert found(SINGLES, "bảy") == (["7s", "7c", "7d", "7h"], found(SINGLES, "bảy")[1])
    assert not found(SINGLES, "bảy")[1].sure
    assert found(SINGLES, "heo đen")[0] == ["2s", "2c"]
    assert found(f"{SINGLES}\np2 7d", "bảy", player=2)[0] == ["7h"]


def test_ends_of_a_sequence_name_it_where_one_card_of_each_rank_is_left() -> None:
    threes, fours = "p1 3s\np2 3c\np3 3d\np4 3h", "p1 4s\np2 4c\np3 4d\np4 -\np1 -\np2 -"
    moves = f"{threes}\n{fours}\np3 5s\np4 5c\np1 5d\np2 -\np3 -\np4 -"
    plays, _ = found(f"round 1 lead p1\n{moves}", "sảnh bốn tới sáu cơ", player=0)
    assert plays == ["4h 5h 6h"]


ENDLESS = ["♠" * 500, f"bảy {'♠' * 50} tới", f"bảy {'không ♠ ♠ ' * 15} tới"]
"""Phrases that can be divided in very many ways, none of which means anything."""


@pytest.mark.parametrize(
    ("top", "phrase"), [*told("dictation.txt", "nothing"), *(("a single", phrase) for phrase in ENDLESS)]
)
def test_what_cannot_be_told_is_not_guessed(top: str, phrase: str) -> None:
    plays, dictated = found(ON[top], phrase)
    assert (plays, dictated.passes, dictated.sure) == ([], False, False)


@pytest.mark.slow
def test_of_phrases_at_random_hardly_any_is_missed_or_taken_for_another() -> None:
    found = trial(1, 1500)
    assert found[Outcome.MISSED] + found[Outcome.WRONG] <= 0.02 * found.total()
    assert found[Outcome.WRONG] <= 0.002 * found.total()
    assert found[Outcome.HEARD] >= 0.01 * found.total()


@pytest.mark.slow
def test_words_that_nothing_is_taken_for_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_distance", lambda one, other: 0)
    assert trial(1, 500)[Outcome.MISSED] > 0.05 * 500


@pytest.mark.slow
def test_plays_that_fit_but_are_not_lit_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "heard", lambda *one: replace(heard(*one), fits=None))
    assert trial(1, 800)[Outcome.MISSED] > 0.02 * 800


@pytest.mark.slow
def test_whoever_is_sure_of_what_is_only_near_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        phrases, "heard", lambda *one: Heard(plays=(h := heard(*one)).plays[-1:], sure=bool(h.plays))
    )
    assert trial(1, 500)[Outcome.WRONG] > 0.002 * 500
