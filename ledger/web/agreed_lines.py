"""What a table has agreed on during the night, in words."""

from typing import NamedTuple

from ledger.language import Speaker
from ledger.recorder import NightSnapshot
from ledger.web.new_terms import new_terms


class AgreedLine(NamedTuple):
    """An agreement of the night, in words."""

    round: int
    """The first round that it holds for."""
    sentence: str
    at: str
    phone: str | None


def agreed_lines(night: NightSnapshot, words: Speaker) -> list[AgreedLine]:
    """What the table has agreed on since the opening, the first agreement first."""
    return [
        AgreedLine(
            one.round,
            new_terms(words, one.round, one.before, one.terms, all_rounds=one.all_rounds),
            one.at,
            one.phone,
        )
        for one in night.new_terms()
    ]
