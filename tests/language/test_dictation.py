"""A dictated phrase is understood as the play that was meant: examples, and random phrases."""

import pytest

from ledger.language import dictation
from ledger.language.dictation import Heard, heard
from tests.case_files import told
from tests.game.table import after
from tests.soak import phrases
from tests.soak.phrases import Outcome, trial

SINGLES = "round 1 lead p1\np1 3s"
ON = {"a single": SINGLES, "a pair": f"{SINGLES} 3c", "a lead": "round 1 lead p1"}


def found(story: str, phrase: str, *, player: int = 1) -> tuple[list[str], Heard]:
    """The plays that a phrase may mean, in writing."""
    round = after(story)
    dictated = heard(round, player, phrase)
    return [" ".join(round.ruleset.deck.write(play)) for play in dictated.plays], dictated


@pytest.mark.parametrize(("top", "phrase", "play"), told("dictation.txt", "a play"))
def test_a_play_is_known_by_what_people_say(top: str, phrase: str, play: str) -> None:
    plays, dictated = found(ON[top], phrase, player=0 if top == "a lead" else 1)
    assert (plays, dictated.sure, dictated.passes) == ([play], True, False)


@pytest.mark.parametrize("phrase", ["qua", "bỏ lượt", "bo luot", "Pass", "passes"])
def test_a_pass_is_known_too(phrase: str) -> None:
    _, dictated = found(SINGLES, phrase)
    assert dictated.passes
    assert dictated.sure


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


@pytest.mark.parametrize(("top", "phrase"), [*told("dictation.txt", "nothing"), ("a single", "♠" * 500)])
def test_what_cannot_be_told_is_not_guessed(top: str, phrase: str) -> None:
    plays, dictated = found(ON[top], phrase)
    assert (plays, dictated.passes, dictated.sure) == ([], False, False)


@pytest.mark.slow
def test_of_phrases_at_random_hardly_any_is_missed_or_taken_for_another() -> None:
    found = trial(1, 1500)
    assert found[Outcome.MISSED] + found[Outcome.WRONG] <= 0.02 * found.total()
    assert found[Outcome.WRONG] <= 0.002 * found.total()


@pytest.mark.slow
def test_words_that_nothing_is_taken_for_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictation, "_distance", lambda one, other: 0)
    assert trial(1, 500)[Outcome.MISSED] > 0.05 * 500


@pytest.mark.slow
def test_whoever_is_sure_of_what_is_only_near_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        phrases, "heard", lambda *one: Heard(plays=(h := heard(*one)).plays[-1:], sure=bool(h.plays))
    )
    assert trial(1, 500)[Outcome.WRONG] > 0.002 * 500
