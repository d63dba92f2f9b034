"""Agreement and disputes: seats agree with rounds and dispute payments and moves; the keeper decides disputes. A
player's own page lists the rounds to agree with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.comparison import compare
from ledger.game.errors import Clause
from ledger.game.night import Night
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.scoring import payments
from ledger.game.side_by_side import ComparisonReport, report_comparison
from ledger.recorder import DECISIONS, Problem, ProblemCode
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.ledger import Agreement, LedgerPayment, LedgerView
from ledger.recorder.views.payment import PaymentView
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper, visit_night
from ledger.web.charts import sparkline
from ledger.web.heavy_work import costly_page
from ledger.web.pages.ledger.payment import printed_clauses
from ledger.web.pages.rounds.rounds import round_page
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form

OTHERS = 3
"""The number of other rulesets that a disputed round is compared with."""

_WELL_KNOWN = ("southern-classic", "northern", "card-count", "southern-winner-takes-all", "thirteen-points")
"""The rulesets to compare with first, since players know them."""

_CLAUSES_OF_KIND = {
    "play": (Clause.COMBO, Clause.COMPARE),
    "pass": (Clause.PASS,),
    "claim": (Clause.INSTANT,),
    "show": (Clause.SHOW,),
    "declare": (Clause.SHOW,),
    "cover": (Clause.COVER,),
    "contract": (Clause.CONTRACT,),
    "result": (Clause.PLACE,),
}
"""The clauses for a move without a finding, by its kind."""


@pages.post("/n/<night:night>/rounds/<int:number>/agree")
def agree(night: str, number: int) -> AnyResponse:
    """Record a seat's agreement with a settled round."""
    fields = read_form()
    visit = visit_night(night)
    seat = visit.seat(forms.one(fields, "seat"))
    try:
        visit.record(forms.event(fields, "confirm", round=number), link=seat)
    except Problem as problem:
        return round_page(visit, number, refused(problem, "confirm"))
    return redirect(url_for("pages.round", night=night, number=number, _anchor="agreement"), 303)


@pages.get("/n/<night:night>/rounds/<int:number>/dispute")
def dispute_form(night: str, number: int) -> Response:
    """The form of a dispute about a move, `?move=seq.part`."""
    return _move_page(visit_night(night), number, request.args.get("move", ""))


@pages.post("/n/<night:night>/rounds/<int:number>/dispute")
def dispute_move(night: str, number: int) -> AnyResponse:
    """Dispute a move, as one of the seats that this phone holds."""
    fields = read_form()
    visit = visit_night(night)
    seat, move = visit.seat(forms.one(fields, "seat")), forms.one(fields, "move")
    try:
        (recorded,) = visit.record(forms.event(fields, "dispute", round=number, move=move), link=seat)
    except Problem as problem:
        return _move_page(visit, number, move, refused(problem, "dispute", "reason"), fields)
    return redirect(url_for("pages.dispute", night=night, seq=recorded.seq), 303)


@pages.get("/n/<night:night>/disputes")
def disputes(night: str) -> Response:
    """All disputes of the night, undecided ones first."""
    visit = visit_night(night)
    board, ledger, agreement = visit.board(), visit.night.ledger(), visit.night.agreement()
    return night_page(
        "disputes/disputes.html",
        board,
        place_here="ledger",
        disputes=sorted(agreement.disputes, key=lambda one: one.decision is not None),
        payments={row.address: row for row in ledger.payments},
    )


@pages.get("/n/<night:night>/disputes/<int:seq>")
def dispute(night: str, seq: int) -> Response:
    """One dispute, with its move or payment, the clauses and comparisons."""
    return _dispute_page(visit_night(night), seq)


@pages.post("/n/<night:night>/disputes/<int:seq>")
def decide(night: str, seq: int) -> AnyResponse:
    """Close the dispute, with a reason."""
    visit = visit_as_keeper(night)
    fields = read_form()
    try:
        visit.record(forms.event(fields, "decide", dispute=seq))
    except Problem as problem:
        return _dispute_page(visit, seq, refused(problem, "decide", "reason", "decision"), fields)
    return redirect(url_for("pages.dispute", night=night, seq=seq), 303)


def _move_page(
    visit: NightVisit,
    number: int,
    address: str,
    notice: Notice | None = None,
    fields: forms.Fields = forms.NOTHING,
) -> Response:
    board, round = visit.board(), visit.night.round_page(number, say_finding)
    row = next((row for row in round.moves if row.address == address), None)
    if row is None:
        raise Problem(ProblemCode.NOT_FOUND)
    return night_page(
        "disputes/dispute_move.html",
        board,
        notice,
        place_here="rounds",
        round=round,
        row=row,
        own_seats=visit.seats,
        typed=forms.one(fields, "reason"),
    )


def _dispute_page(
    visit: NightVisit, seq: int, notice: Notice | None = None, fields: forms.Fields = forms.NOTHING
) -> Response:
    board, shown = visit.board(), visit.night.dispute(seq, speaker())
    ruleset = visit.night.rules_of(shown.dispute.round if shown.round else 0)
    night = visit.night.only_round(shown.dispute.round) if shown.round else None
    day = visit.night.terms.date
    release()
    row = next((row for row in shown.around if row.address == shown.target), None)
    return night_page(
        "disputes/dispute.html",
        board,
        notice,
        place_here="ledger",
        page=shown,
        day=day,
        dispute=shown.dispute,
        row=row,
        clauses=printed_clauses(ruleset, _clauses(ruleset, shown.about, row)),
        under=under_others(night) if night else [],
        decisions=DECISIONS,
        typed={name: forms.one(fields, name) for name in ("decision", "reason")},
    )


def _clauses(ruleset: Ruleset, about: PaymentView | None, row: EntryRow | None) -> Iterable[str]:
    """The clauses of the payment or the move: that of the move's finding, else those for its kind."""
    if about:
        return about.clauses
    if row is None:
        return []
    if row.clause:
        return [row.clause]
    return [ruleset.clause(clause) for clause in _CLAUSES_OF_KIND.get(row.kind, ())]


def under_others(night: Night) -> list[ComparisonReport]:
    """A night's only round as paid by other rulesets: those that allow as many players, can replay the round to its
    end, and have payments for it."""
    (round,) = night.rounds
    found: list[ComparisonReport] = []
    for id in dict.fromkeys((*_WELL_KNOWN, *PRESETS)):
        preset = PRESETS[id]
        if len(found) == OTHERS or round.void is not None:
            break
        if preset == night.ruleset or len(round.header.seats) not in preset.deal.players:
            continue
        comparison = compare(night, preset)
        there = comparison.rounds[0].there
        if there is not None and payments(there):
            found.append(report_comparison(comparison, speaker().ruling))
    return found


# A player's own page


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A settled round as seen by a player who sits in it."""

    number: int
    net: int
    payments: list[LedgerPayment]
    """The standing payments by or to the player."""
    agreed: bool
    """Whether the player agrees with it as it stands."""
    by_all: bool
    """Whether all its players do."""


@pages.get("/n/<night:night>/mine")
@costly_page
def mine(visit: NightVisit) -> AnyResponse:
    """The page of a player whose seat this phone holds, `?player=` if several; without any, the table."""
    return _own_page(visit, request.args.get("player", ""))


@pages.post("/n/<night:night>/mine")
def agree_with_rounds(night: str) -> AnyResponse:
    """Record the player's agreement with the form's rounds: all of them, or none if one was corrected since."""
    fields = read_form()
    visit, player = visit_night(night), forms.one(fields, "seat")
    seat = visit.seat(player)
    try:
        visit.record(*forms.confirmations(fields), link=seat)
    except Problem as problem:
        return _own_page(visit, player, refused(problem, "confirm"))
    return redirect(url_for("pages.mine", night=night, player=player), 303)


def _own_page(visit: NightVisit, asked: str, notice: Notice | None = None) -> AnyResponse:
    linked = visit.link.player
    seats = sorted({*visit.seats, *([linked] if linked else [])})
    if not seats:
        return redirect(url_for("pages.table", night=visit.link.night))
    player = asked if asked in seats else seats[0]
    board, account, agreement = visit.board(), visit.night.settle_up(), visit.night.agreement()
    ledger = account.ledger
    own = [
        payment
        for payment in ledger.payments
        if player in (payment.payer, payment.payee) and not (payment.reverses or payment.reversed_by)
    ]
    rounds = own_rounds(player, own, ledger, agreement)
    return night_page(
        "disputes/mine.html",
        board,
        notice,
        place_here="mine",
        player=player,
        account=account,
        seats=seats,
        rank=1 + sum(count > ledger.money[player] for count in ledger.money.values()),
        line=sparkline([total.total[player] for total in ledger.totals]),
        waiting=[one for one in rounds if not one.agreed],
        agreed=[one for one in rounds if one.agreed],
        own=own,
        disputes=[one for one in agreement.disputes if one.player == player],
    )


def own_rounds(
    player: str, own: Sequence[LedgerPayment], ledger: LedgerView, agreement: Agreement
) -> Sequence[OwnRound]:
    """The settled rounds of a player, whose own standing payments these are, the newest first."""
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
