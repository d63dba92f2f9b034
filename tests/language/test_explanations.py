"""Explanations in words: sums that can be checked by hand, and sentences with their clauses."""

import pytest

from ledger.game.explaining import WhyNot, explain
from ledger.game.fold import begin
from ledger.game.round import Header, Round
from ledger.game.rulesets.paying import Chain
from ledger.language import LANGUAGES, speaker
from tests.game.stories import FIRST_OUT, OUT_WITH_A_TWO, WHOLE_ROUND
from tests.game.table import WINNER_TAKES_ALL, after, run
from tests.game.test_explaining import CHAIN, KNOCKED_OUT, NOTHING_PLAYED, PROVOKED, left_with, paying

NAMES = {0: "An", 1: "Bình", 2: "Dũng", 3: "Mai"}
TWO_AND_BOMB = "round 1 lead p1\np1 2d\np2 Js Jc Qs Qd Kc Kh\np3 4s 4c 4d 4h\np4 -\np1 -\np2 -\np3 5s"

PAIRS, FOUR = "4♠ 4♣ 5♠ 5♣ 6♠ 6♣", "4♠ 4♣ 4♦ 4♥"


def sums(round: Round, language: str = "en") -> list[str]:
    say, deck = speaker(language), round.ruleset.deck
    return [say.explanation(one, deck) for one in explain(round).why]


def reasons(round: Round, language: str = "en") -> list[str]:
    say, deck = speaker(language), round.ruleset.deck
    return [say.unpaid(one, deck, NAMES) for one in explain(round).why_not]


@pytest.mark.parametrize(
    ("round", "en", "vi"),
    [
        (
            after(TWO_AND_BOMB),
            "2♦ (2) + J♠ J♣ Q♠ Q♦ K♣ K♥ (2) = 4",
            "2♦ (2) + J♠ J♣ Q♠ Q♦ K♣ K♥ (2) = 4",
        ),
        (
            after("round 1 lead p1\np1 2d\np2 4s 4c 4d 4h"),
            "2♦ (2) (may still change)",
            "2♦ (2) (còn có thể đổi)",
        ),
        (
            begin(paying(chain=Chain.DOUBLING), Header((0, 1, 2, 3), 0), after(CHAIN).moves),
            "2♦ (2) × 2 = 4",
            "2♦ (2) × 2 = 4",
        ),
        (
            begin(paying(chain=Chain.COUNTING, chop_unit=5), Header((0, 1, 2, 3), 0), after(CHAIN).moves),
            "3♠ 3♣ 3♦ 3♥: 2 × 5 = 10",
            "3♠ 3♣ 3♦ 3♥: 2 × 5 = 10",
        ),
        (after(f"p1 claims {run('s')} 2s", players=2), "dragon (2)", "sảnh rồng (2)"),
        (
            after(FIRST_OUT[2], ruleset=WINNER_TAKES_ALL, players=2),
            "still holding cards (2) (may still change)",
            "",
        ),
        (after(f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}"), "a full hand (4) (may still change)", ""),
    ],
)
def test_a_payment_is_said_as_its_sum(round: Round, en: str, vi: str) -> None:
    assert sums(round)[-1] == en
    assert not vi or sums(round, "vi")[-1] == vi


def test_doubling_takes_several_sets_in_brackets() -> None:
    story = CHAIN.replace("p1 2c\np2 2d", "p1 9s 9c\np2 2c 2d")
    round = begin(paying(chain=Chain.DOUBLING), Header((0, 1, 2, 3), 0), after(story).moves)
    assert sums(round) == ["2♣ (1) + 2♦ (2) = 3", "(2♣ (1) + 2♦ (2)) × 2 = 6"]


def test_places_and_cards_left_are_said_with_their_numbers() -> None:
    assert sums(after(WHOLE_ROUND[4])) == ["3rd pays 2nd (1)", "last pays 1st (2)", "2♥ (2)"]
    assert sums(after(WHOLE_ROUND[4]), "vi")[0] == "ba trả nhì (1)"
    counted = begin(
        paying("card-count"), Header((0, 1)), after(f"{FIRST_OUT[2]}\np2 declares 2c", players=2).moves
    )
    assert sums(counted) == ["12 × 1 for the cards + 2♣ (2: 3 instead of 1) = 14"]
    unplayed = begin(paying("card-count"), Header((0, 1)), after(NOTHING_PLAYED, players=2).moves)
    assert sums(unplayed) == ["nothing played (26) (may still change)"]


@pytest.mark.parametrize(
    ("round", "en", "vi"),
    [
        (
            after(OUT_WITH_A_TWO),
            "Bình had gone out with the play that was beaten: nobody pays.",
            "Bình đã về bằng chính bộ bị chặt: không ai trả.",
        ),
        (
            after(KNOCKED_OUT),
            "Nobody has seen Mai's hand yet.",
            "Chưa ai thấy bài của Mai.",
        ),
        (
            left_with("4s 4c 4d 4h 5s 5c 6s 6c 8s 9s Ts 2d"),
            (
                f"Bình's {PAIRS} does not count: it shares cards with {FOUR}, "
                "and that way the hand is worth more."
            ),
            f"{PAIRS} của Bình không tính: trùng lá với {FOUR}, tính bên đó được nhiều hơn.",
        ),
    ],
)
def test_what_brought_nothing_is_said_with_its_reason(round: Round, en: str, vi: str) -> None:
    assert en in reasons(round)
    assert vi in reasons(round, "vi")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", WhyNot)
def test_every_reason_is_a_sentence_without_gaps(reason: WhyNot, language: str) -> None:
    round = PROVOKED[reason]()
    for sentence in [*reasons(round, language), *sums(round, language)]:
        assert "  " not in sentence
        assert not sentence.startswith((" ", ":", "'"))
        assert " :" not in sentence
        assert " ," not in sentence
