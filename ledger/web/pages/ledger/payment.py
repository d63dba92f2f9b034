"""Payments: as lines of a page, each on its own page, and the explanation of a round's payments.

The ledger of a night has hundreds of lines. In a template a call takes longer than printing a line, so templates
get tuples with finished texts and addresses.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from flask import Response, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.errors import Clause
from ledger.game.payments import Reason
from ledger.game.report import PaymentReport
from ledger.game.rulesets.model import Ruleset
from ledger.language import rules_page
from ledger.language.rules import PrintedClause
from ledger.recorder import Problem, read_place
from ledger.recorder.events.dispute import Agreed
from ledger.recorder.views.dispute import DisputeView
from ledger.recorder.views.ledger import LedgerPayment, LedgerView
from ledger.recorder.views.night import Frame
from ledger.recorder.views.round import RoundPayment, RoundView
from ledger.recorder.views.worth import Unit
from ledger.web import forms
from ledger.web.access import NightVisit, visit_night
from ledger.web.pages.shared.blueprint import HasStake, Notice, address, night_page, pages, refused, worth
from ledger.web.preferences import different_phones, speaker
from ledger.web.request_body import read_form


@pages.get("/n/<night:night>/rounds/<int:number>/why")
def why(night: str, number: int) -> Response:
    """Every payment of a round with its calculation, and what was not paid, with reasons."""
    visit = visit_night(night)
    board, round = visit.board(), visit.night.why(number, speaker())
    return night_page("ledger/why.html", board, place_here="rounds", round=round)


@pages.get("/n/<night:night>/payments/<int:seq>.<int:idx>")
def payment(night: str, seq: int, idx: int) -> Response:
    """One posted payment: its cause, clause, calculation, and later reversal or dispute."""
    return _payment_page(visit_night(night), seq, idx)


@pages.post("/n/<night:night>/payments/<int:seq>.<int:idx>")
def dispute_payment(night: str, seq: int, idx: int) -> AnyResponse:
    """Dispute a payment, as one of the seats that this phone holds."""
    fields = read_form()
    visit = visit_night(night)
    seat = visit.seat(forms.one(fields, "seat"))
    row = visit.night.payment(f"{seq}.{idx}", speaker()).payment
    try:
        request = forms.event(fields, "dispute", round=row.round, payment={"seq": seq, "idx": idx})
        (recorded,) = visit.record(request, link=seat)
    except Problem as problem:
        return _payment_page(visit, seq, idx, refused(problem, "dispute", "reason"), fields)
    return redirect(url_for("pages.dispute", night=night, seq=recorded.seq), 303)


def printed_clauses(ruleset: Ruleset, wanted: Iterable[str]) -> list[PrintedClause]:
    """Clauses of a ruleset as its rules page prints them, in the order of `wanted`."""
    printed = {clause.id: clause for section in rules_page(ruleset, speaker()) for clause in section.clauses}
    return [printed[clause] for clause in dict.fromkeys(wanted) if clause in printed]


def _payment_page(
    visit: NightVisit, seq: int, idx: int, notice: Notice | None = None, fields: forms.Fields = forms.NOTHING
) -> Response:
    night, board = visit.night, visit.board()
    about = night.payment(f"{seq}.{idx}", speaker())
    ruleset = night.rules_of(about.payment.posted_by.round)
    return night_page(
        "ledger/payment.html",
        board,
        notice,
        place_here="ledger",
        about=about,
        payment=about.payment,
        clauses=printed_clauses(ruleset, about.clauses),
        own_seats=visit.seats,
        typed=forms.one(fields, "reason"),
    )


class PaymentLine(NamedTuple):
    """A payment as a line. Fields that do not apply are empty."""

    place: str
    """Its anchor on the page."""
    address: str
    """The address of its explanation."""
    who: str
    dispute: DisputeView | None
    dispute_address: str
    points: int
    reason: str
    clause_address: str
    move_address: str
    move: str
    gone: str = ""
    """The anchor of the payment that reverses it."""
    takes_back: str = ""
    """The anchor of the payment that it reverses."""
    because: str = ""
    note: str = ""
    """The reason of a payment by hand, shown in place of reason, clause and round."""
    round_address: str = ""
    round: str = ""
    """The round's title, for a line outside of its round."""
    by_result: bool = False
    worth: str = ""
    """Its points in money, in a night whose points were worth different sums."""


@pages.app_template_global()
def payment_lines(board: Frame, payments: Iterable[RoundPayment], number: int) -> list[PaymentLine]:
    """The payments of a round, posted or not, as lines."""
    return [
        _line(board, payment, number, str(place), payment_address(board, payment, place, number))
        for place, payment in enumerate(payments, start=1)
    ]


class PaidPair(NamedTuple):
    """What one player pays another in a round, with a line for each payment and its reason."""

    who: str
    points: int
    worth: str
    """The points in money; empty without a stake."""
    lines: list[tuple[PaymentLine, str]]


@pages.app_template_global()
def paid_pairs(board: Frame, round: RoundView) -> list[PaidPair]:
    """The payments of a round by who pays whom, in the order of the first payment of each pair."""
    payments, number = round.payments, round.number
    found: dict[tuple[str, str], list[tuple[PaymentLine, str]]] = {}
    for payment, line in zip(payments, payment_lines(board, payments, number), strict=True):
        found.setdefault((payment.payer, payment.payee), []).append((line, payment.reason))
    pairs = [(lines, sum(line.points for line, _ in lines)) for lines in found.values()]
    return [PaidPair(lines[0][0].who, points, worth(round, points), lines) for lines, points in pairs]


@pages.app_template_global()
def posted_lines(
    board: Frame,
    payments: Iterable[LedgerPayment],
    *,
    alone: bool = False,
    results: Collection[int] = (),
    ledger: LedgerView | None = None,
) -> list[PaymentLine]:
    """Posted payments as lines; outside of their rounds (`alone`), each with its round and the reason of its
    reversal. `results` are the rounds entered as results. With the `ledger` of a night whose points were worth
    different sums, each line says what it comes to in money."""
    lines = [_posted(board, payment, alone=alone, results=results) for payment in payments]
    if ledger is None or ledger.unit.is_point:
        return lines
    return [
        line._replace(worth=worth(Unit(ledger.worth_of(payment)), payment.points))
        for line, payment in zip(lines, payments, strict=True)
    ]


def _posted(board: Frame, payment: LedgerPayment, *, alone: bool, results: Collection[int]) -> PaymentLine:
    round, note = payment.round, payment.note or ""
    is_round = alone and not note
    place = _anchor(payment.address)
    return _line(board, payment, round, place, _posted_address(board, payment.address))._replace(
        gone=_anchor(payment.reversed_by),
        takes_back=_anchor(payment.reverses),
        because=payment.posted_by.reason or "" if alone and payment.reverses else "",
        note=note,
        round_address=address("pages.round", night=board.id, number=round) if is_round else "",
        round=speaker().gettext("Round %(number)s") % {"number": round} if is_round else "",
        by_result=round in results,
    )


def _line(
    board: Frame, payment: RoundPayment | LedgerPayment, round: int, place: str, where: str
) -> PaymentLine:
    """A payment as a line within its round."""
    names, words, move, dispute = board.names, speaker(), payment.move, payment.dispute
    return PaymentLine(
        place=place,
        address=where,
        who=f"{names[payment.payer]} →\N{NO-BREAK SPACE}{names[payment.payee]}",
        dispute=dispute,
        dispute_address=address("pages.dispute", night=board.id, seq=dispute.seq) if dispute else "",
        points=payment.points,
        reason=paid_for(payment, names),
        clause_address=address("pages.rules", night=board.id, _anchor=payment.clause),
        move_address=address("pages.round", night=board.id, number=round) + f"?move={move}#m{move}"
        if move
        else "",
        move=words.gettext("move %(number)s") % {"number": move} if move else "",
    )


@pages.app_template_global()
def paid_for(payment: PaymentReport | LedgerPayment, names: Mapping[str, str]) -> str:
    """The reason of a payment in words, and for whom it is paid, if that is known to be another player; for a
    placement by another clause, that clause's title, *knocked out*."""
    words, placed = speaker(), payment.clause.endswith(f"-{Clause.PLACE}")
    if owed_by := payment.owed_by if isinstance(payment, PaymentReport) else None:
        return words.reason(payment.reason, owed_by=names[owed_by])
    if payment.clause.endswith(f"-{Clause.COVER}"):
        return f"{words.clause(payment.clause).lower()}: {words.reason(payment.reason)}"
    special = payment.reason == Reason.PLACEMENT and not placed
    return words.clause(payment.clause).lower() if special else words.reason(payment.reason)


@pages.app_template_global()
def payment_address(board: Frame, payment: RoundPayment, place: int, number: int) -> str:
    """The address of a payment's explanation: its own page if it is posted, else its place on its round's."""
    if payment.posted:
        return _posted_address(board, payment.posted)
    return address("pages.why", night=board.id, number=number, _anchor=f"why-{place}")


def _posted_address(board: Frame, posted: str) -> str:
    seq, idx = read_place(posted)
    return address("pages.payment", night=board.id, seq=seq, idx=idx)


@pages.app_template_global()
def net_line(names: Mapping[str, str], net: Mapping[str, int], where: HasStake | None = None) -> str:
    """Players' net points: `An +3 · Chi −3`; with a round whose points are worth something, also in money:
    `An +3 (+3.000 ₫)`."""
    signed = speaker().signed
    money = {player: worth(where, points, signed=True) if where else "" for player, points in net.items()}
    return " · ".join(
        f"{names[player]} {signed(points)}" + (f" ({money[player]})" if money[player] else "")
        for player, points in net.items()
    )


@pages.app_template_global()
def agreement_words(agreed: Mapping[str, Agreed], seats: Collection[str]) -> str:
    """How many players of a round agree with it, and from how many phones if some share one."""
    words, by = speaker(), [agreed[player].phone for player in seats if player in agreed]
    sentence = words.gettext("%(count)s of %(all)s agree") % {"count": len(by), "all": len(seats)}
    phones = different_phones(by)
    if None in by or phones == len(by):
        return sentence
    by_phones = words.ngettext("from %(num)s phone", "from %(num)s phones", phones) % {"num": phones}
    return f"{sentence}, {by_phones}"


def _anchor(place: str | None) -> str:
    return place.replace(".", "-") if place else ""
