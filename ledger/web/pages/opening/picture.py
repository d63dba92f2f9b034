"""The picture on the first page: a table and its ledger, at a bomb of the example night."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from flask import get_template_attribute
from markupsafe import Markup

from ledger.game.fold import begin
from ledger.game.night import totals
from ledger.game.payments import Payment, Reason, post
from ledger.game.scoring import payments
from ledger.language import Speaker
from ledger.recorder.operations.demo import corrected_night
from ledger.web.preferences import speaker


@dataclass(frozen=True, slots=True)
class Line:
    """What one round brought each player."""

    round: int
    net: Sequence[int]


@dataclass(frozen=True, slots=True)
class Picture:
    """What the picture shows. Players are numbered from 0, in playing order."""

    names: Sequence[str]
    net: Sequence[int]
    """The totals, with what the running round has brought so far."""
    beaten: Sequence[str]
    """The cards that were bombed."""
    bomb: Sequence[str]
    payment: Payment
    """What the bomb costs."""
    lines: Sequence[Line]
    """The rounds, the running one first."""


@cache
def first_picture() -> Picture:
    """The example night at its last bomb."""
    night = corrected_night()
    number, payment = max(
        (
            (number, payment)
            for number, round in enumerate(night.rounds, 1)
            for payment in payments(round)
            if payment.reason is Reason.BOMB_BONUS
        ),
        key=lambda one: one[0],
    )
    whole = night.rounds[number - 1]
    running = begin(whole.ruleset, whole.header, whole.moves[: payment.move])
    rounds = [*night.rounds[: number - 1], running]
    nobody = dict.fromkeys(range(len(night.names)), 0)
    beaten, bomb = (night.ruleset.deck.write(play.cards) for play in running.pile[-2:])
    return Picture(
        names=night.names,
        net=totals(replace(night, entries=tuple(rounds))),
        beaten=beaten,
        bomb=bomb,
        payment=payment,
        lines=[
            Line(number, [*post(payments(round), nobody).values()])
            for number, round in reversed([*enumerate(rounds, 1)])
        ],
    )


def picture() -> Markup:
    """The picture as SVG, in the language of this request."""
    return _drawn(speaker())


@lru_cache
def _drawn(words: Speaker) -> Markup:
    """The picture, drawn once in each language."""
    return Markup(get_template_attribute("opening/_picture.html", "drawn")(first_picture(), words))
