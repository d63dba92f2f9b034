"""Explanations in words: sums that can be checked by hand, and sentences with their clauses."""

import pytest

from ledger.game.explaining import WhyNot, explain
from ledger.game.round import Round
from ledger.language import LANGUAGES, speaker
from tests.case_files import CASES
from tests.game import short_rounds
from tests.game.test_explaining import PROVOKED

NAMES = {0: "An", 1: "Bình", 2: "Dũng", 3: "Mai"}


def sums(round: Round, language: str) -> list[str]:
    say, deck = speaker(language), round.ruleset.deck
    return [say.explanation(one, deck, {}) for one in explain(round).why]


def reasons(round: Round, language: str) -> list[str]:
    say, deck = speaker(language), round.ruleset.deck
    return [say.unpaid(one, deck, NAMES) for one in explain(round).why_not]


@pytest.mark.parametrize("case", list(short_rounds.read(CASES / "explanations.txt")), ids=str)
def test_what_was_paid_and_what_was_not_is_said_with_its_reason(case: short_rounds.Case) -> None:
    round = case.played()
    for part in case.expected.split("; "):
        what, language, text = part.split(" ", 2)
        if what == "unpaid":
            assert text in reasons(round, language)
        else:
            said = sums(round, language)
            assert text == (said[-1] if what == "last" else " | ".join(said))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", WhyNot)
def test_every_reason_is_a_sentence_without_gaps(reason: WhyNot, language: str) -> None:
    round = PROVOKED[reason]()
    for sentence in [*reasons(round, language), *sums(round, language)]:
        assert "  " not in sentence
        assert not sentence.startswith((" ", ":", "'"))
        assert " :" not in sentence
        assert " ," not in sentence
