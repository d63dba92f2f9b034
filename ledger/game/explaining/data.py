"""An explained round as plain data: players as tags, cards as texts, moves as numbers."""

from typing import Any

from ledger.game.cards import Cards
from ledger.game.explaining.values import Explained, Unpaid
from ledger.game.notation import tag
from ledger.game.payments import Payment, Step
from ledger.game.report import payment_data
from ledger.game.state import Round

Data = dict[str, Any]


def explained_data(round: Round, explained: Explained) -> Data:
    """Why, payment by payment in the order of `payments`, and why not. What does not apply is null or empty."""
    return {
        "why": [_why(round, one) for one in explained.why],
        "why_not": [_why_not(round, one) for one in explained.why_not],
    }


def _why(round: Round, payment: Payment) -> Data:
    return {
        "payment": payment_data(payment),
        "steps": [_step(round, step) for step in payment.steps],
        "moves": list(payment.moves),
        "cards": _cards(round, payment.cards),
        "clauses": list(payment.clauses),
        "source": payment.source,
        "provisional": payment.provisional,
    }


def _step(round: Round, step: Step) -> Data:
    return {
        "kind": step.kind,
        "points": step.points,
        "cards": _cards(round, step.cards),
        "move": step.move or None,
        "count": step.count,
        "each": step.each,
        "name": step.name,
        "places": list(step.places) if any(step.places) else [],
    }


def _why_not(round: Round, unpaid: Unpaid) -> Data:
    return {
        "reason": unpaid.reason,
        "about": unpaid.about,
        "clause": unpaid.clause,
        "player": _tag(unpaid.player),
        "other": _tag(unpaid.other),
        "cards": _cards(round, unpaid.cards),
        "move": unpaid.move or None,
        "by": _cards(round, unpaid.by),
        "place": unpaid.place or None,
    }


def _cards(round: Round, cards: Cards) -> list[str]:
    return list(round.ruleset.deck.write(cards))


def _tag(player: int | None) -> str | None:
    return None if player is None else tag(player)
