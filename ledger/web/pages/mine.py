"""A player's own page: what the night has brought, what waits for that player's word, and what was disputed."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Link, Problem
from ledger.recorder.views.dispute import Agreement
from ledger.recorder.views.ledger import LedgerPayment, LedgerView
from ledger.web import forms
from ledger.web.access import link_to, seat_link, seats_held
from ledger.web.charts import sparkline
from ledger.web.pages.blueprint import Notice, board_in, night_page, pages, refused
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form
from ledger.web.server.heavy_work import costly_page


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A settled round as it concerns a player who sits in it."""

    number: int
    net: int
    payments: list[LedgerPayment]
    """Those that stand in which the player pays or is paid."""
    agreed: bool
    """Whether the player agrees with it as it stands."""
    by_all: bool
    """Whether all who sit in it do."""


@pages.get("/n/<night:night>/mine")
@costly_page
def mine(night: str) -> AnyResponse:
    """The page of a player whose seat this phone holds, `?player=` of several; without any, the table."""
    return _own_page(link_to(night), request.args.get("player", ""))


@pages.post("/n/<night:night>/mine")
def agree_with_rounds(night: str) -> AnyResponse:
    """The player agrees with the rounds that the form names: with all of them, or where one was corrected since,
    with none."""
    fields = read_form()
    player = forms.one(fields, "seat")
    link = seat_link(night, player)
    try:
        recorder().record_all(link.night, forms.confirmations(fields), link)
    except Problem as problem:
        return _own_page(link_to(night), player, refused(problem, "confirm"))
    return redirect(url_for("pages.mine", night=link.night, player=player), 303)


def _own_page(link: Link, asked: str, notice: Notice | None = None) -> AnyResponse:
    seats = sorted({*seats_held(link.night), *([link.player] if link.player else [])})
    if not seats:
        return redirect(url_for("pages.table", night=link.night))
    player = asked if asked in seats else seats[0]
    with recorder().night(link.night) as seen:
        board, ledger, agreement = board_in(seen, link), seen.ledger(), seen.agreement()
    rounds = own_rounds(player, ledger, agreement)
    return night_page(
        "mine.html",
        board,
        notice,
        place_here="mine",
        player=player,
        seats=seats,
        rank=1 + sum(points > board.net[player] for points in board.net.values()),
        line=sparkline([total.total[player] for total in ledger.totals]),
        waiting=[one for one in rounds if not one.agreed],
        agreed=[one for one in rounds if one.agreed],
        disputes=[one for one in agreement.disputes if one.player == player],
    )


def own_rounds(player: str, ledger: LedgerView, agreement: Agreement) -> Sequence[OwnRound]:
    """The rounds that a player is asked about, the newest first."""
    own = [
        payment
        for payment in ledger.payments
        if player in (payment.payer, payment.payee) and not (payment.reverses or payment.reversed_by)
    ]
    return [
        OwnRound(
            line.number,
            (line.net or {})[player],
            [payment for payment in own if payment.round == line.number],
            player in agreement.agreed[line.number],
            agreement.agreed[line.number].keys() >= set(agreement.seats[line.number]),
        )
        for line in reversed(ledger.rounds)
        if player in agreement.seats.get(line.number, ())
    ]
