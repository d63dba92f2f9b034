"""Payments as lines of a page, every word and address of them finished.

The ledger of a night has hundreds. A template takes longer to call something than to print a line, so it is handed
tuples that it prints as they are.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import NamedTuple

from flask import request, url_for

from ledger.recorder.views.night import Frame
from ledger.recorder.views.round import RoundPayment
from ledger.web.pages.blueprint import Data, pages
from ledger.web.preferences import speaker


class PaymentLine(NamedTuple):
    """A payment as a line. What does not apply is empty."""

    place: str
    """By what the page's own links find it."""
    address: str
    """Where it is explained."""
    who: str
    gone: str
    """The place of the payment that took it back."""
    takes_back: str
    """The place of the one that it takes back."""
    because: str
    dispute: Data | None
    dispute_address: str
    points: int
    note: str
    """What somebody who entered it by hand said; in its place, of all others:"""
    reason: str
    clause_address: str
    clause: str
    round_address: str
    round: str
    """For a line that stands outside of its round."""
    by_result: bool
    move_address: str
    move: str


@pages.app_template_global()
def payment_lines(
    board: Frame,
    payments: Iterable[Data | RoundPayment],
    number: int | None = None,
    *,
    alone: bool = False,
    results: Collection[int] = (),
) -> list[PaymentLine]:
    """Payments as lines: of a round as it is judged, by its number, or posted ones. `alone`: outside of their
    rounds, each with its round, and why it was taken back. `results`: the rounds that were entered as theirs."""
    addresses, names, words = _addresses(request.script_root, board.id), board.names, speaker()
    round_words, move_words = words.gettext("Round %(number)s"), words.gettext("move %(number)s")
    reasons: dict[str, str] = {}

    def line(at: int, shown: Data | RoundPayment) -> PaymentLine:
        payment = asdict(shown) if isinstance(shown, RoundPayment) else shown
        reason, move, reverses = payment["reason"], payment.get("move"), payment.get("reverses")
        round = payment["round"] if number is None else number
        note, dispute = payment.get("note") or "", payment.get("dispute")
        if reason not in reasons:
            reasons[reason] = words.reason(reason)
        return PaymentLine(
            place=str(at) if number is not None else f"{payment['seq']}-{payment['idx']}",
            address=addresses.payment_of(payment, at, round),
            who=f"{names[payment['payer']]} → {names[payment['payee']]}",
            gone=_anchor(payment.get("reversed_by")),
            takes_back=_anchor(reverses),
            because=payment["posted_by"]["reason"] if alone and reverses else "",
            dispute=dispute,
            dispute_address=addresses.dispute % dispute["seq"] if dispute else "",
            points=payment["points"],
            note=note,
            reason="" if note else reasons[reason],
            clause_address=addresses.clause % payment["clause"],
            clause=payment["clause"],
            round_address=addresses.round % round if alone and not note else "",
            round=round_words % {"number": round} if alone and not note else "",
            by_result=round in results,
            move_address=addresses.move % (round, move, move) if move else "",
            move=move_words % {"number": move} if move else "",
        )

    return [line(at, payment) for at, payment in enumerate(payments, start=1)]


@pages.app_template_global()
def payment_address(board: Frame, payment: RoundPayment, place: int, number: int) -> str:
    """Where a payment is explained: on its own page once it is posted, before that where its round is."""
    return _addresses(request.script_root, board.id).payment_of(asdict(payment), place, number)


@pages.app_template_global()
def net_line(names: Mapping[str, str], net: Mapping[str, int]) -> str:
    """What a round brought each of some players: `An +3 · Chi −3`."""
    signed = speaker().signed
    return " · ".join(f"{names[player]} {signed(points)}" for player, points in net.items())


@pages.app_template_global()
def agreement_words(agreed: Collection[str], seats: Collection[str]) -> str:
    """How many of those who sit in a round agree with it."""
    count = sum(player in agreed for player in seats)
    said = speaker().gettext("%(count)s of %(all)s agree")
    return said % {"count": count, "all": len(seats)}


class _Addresses(NamedTuple):
    """The addresses of a night that lines lead to, with `%s` for their numbers."""

    payment: str
    why: str
    clause: str
    dispute: str
    round: str
    move: str

    def payment_of(self, payment: Data, place: int, number: int) -> str:
        posted = payment["posted"] if "posted" in payment else f"{payment['seq']}.{payment['idx']}"
        return self.payment % tuple(posted.split(".")) if posted else self.why % (number, place)


@lru_cache(maxsize=64)
def _addresses(_root: str, night: str) -> _Addresses:
    """Made once: to build an address takes longer than to print a line, and those of a night differ in numbers."""
    return _Addresses(
        payment=_pattern("pages.payment", night, seq=_FIRST, idx=_SECOND),
        why=_pattern("pages.why", night, number=_FIRST, _anchor=f"why-{_SECOND}"),
        clause=_pattern("pages.rules", night, _anchor=str(_FIRST)),
        dispute=_pattern("pages.dispute", night, seq=_FIRST),
        round=_pattern("pages.round", night, number=_FIRST),
        move=_pattern("pages.round", night, number=_FIRST, move=_SECOND, _anchor=f"m{_SECOND}"),
    )


_FIRST, _SECOND = 10**40 + 1, 10**40 + 2
"""Numbers that no night has: where they stand in an address, others go."""


def _pattern(endpoint: str, night: str, **values: int | str) -> str:
    address = url_for(endpoint, night=night, **values).replace("%", "%%")  # type: ignore[arg-type]
    return address.replace(str(_FIRST), "%s").replace(str(_SECOND), "%s")


def _anchor(place: str | None) -> str:
    return place.replace(".", "-") if place else ""
