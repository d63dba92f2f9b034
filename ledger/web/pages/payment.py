"""Why a round pays what it pays, and each posted payment on a page of its own."""

from collections.abc import Iterable

from flask import Response, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.rulesets.model import Ruleset
from ledger.language import rules_page
from ledger.language.rules import PrintedClause
from ledger.recorder import Link, Problem
from ledger.web import forms
from ledger.web.access import link_to, seat_link, seats_held
from ledger.web.pages.blueprint import Notice, board_in, night_page, pages, refused
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form


@pages.get("/n/<night:night>/rounds/<int:number>/why")
def why(night: str, number: int) -> Response:
    """Every payment of a round with its sum, and everything that brought none with its reason."""
    link = link_to(night)
    with recorder().night(link.night) as seen:
        board, round = board_in(seen, link), seen.why(number, speaker())
    return night_page("why.html", board, place_here="rounds", round=round)


@pages.get("/n/<night:night>/payments/<int:seq>.<int:idx>")
def payment(night: str, seq: int, idx: int) -> Response:
    """One posted payment: its cause, its clause, its sum, and what became of it."""
    return _payment_page(link_to(night), seq, idx)


@pages.post("/n/<night:night>/payments/<int:seq>.<int:idx>")
def dispute_payment(night: str, seq: int, idx: int) -> AnyResponse:
    """Dispute it, as one of the seats that this phone holds."""
    fields = read_form()
    link = seat_link(night, forms.one(fields, "seat"))
    with recorder().night(link.night) as seen:
        row = seen.payment(f"{seq}.{idx}", speaker()).payment
    try:
        request = forms.dispute(fields, row.round, payment={"seq": seq, "idx": idx})
        recorded = recorder().record(link.night, request, link)
    except Problem as problem:
        return _payment_page(link_to(night), seq, idx, refused(problem, "dispute", "reason"), fields)
    return redirect(url_for("pages.dispute", night=link.night, seq=recorded.seq), 303)


def printed_clauses(ruleset: Ruleset, wanted: Iterable[str]) -> list[PrintedClause]:
    """Some clauses of a ruleset as its rules page prints them, in the order in which they are wanted."""
    printed = {clause.id: clause for section in rules_page(ruleset, speaker()) for clause in section.clauses}
    return [printed[clause] for clause in dict.fromkeys(wanted) if clause in printed]


def _payment_page(
    link: Link, seq: int, idx: int, notice: Notice | None = None, fields: forms.Fields = forms.NOTHING
) -> Response:
    with recorder().night(link.night) as seen:
        board, ruleset = board_in(seen, link), seen.ruleset
        told = seen.payment(f"{seq}.{idx}", speaker())
    return night_page(
        "payment.html",
        board,
        notice,
        place_here="ledger",
        told=told,
        payment=told.payment,
        clauses=printed_clauses(ruleset, told.clauses),
        own_seats=seats_held(link.night),
        typed=forms.one(fields, "reason"),
    )
