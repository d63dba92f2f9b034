"""The ledger of a night: every payment with its reason, balances, running totals; adjustments and the end."""

from itertools import groupby
from operator import itemgetter

from flask import Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Link, Problem
from ledger.web import forms
from ledger.web.access import keeper_link, link_to
from ledger.web.bodies import read_form
from ledger.web.charts import line_chart, mark
from ledger.web.pages.blueprint import Data, board_of, event_of, names_of, pages
from ledger.web.pages.refusals import Notice, answered_on_page, notice_of
from ledger.web.recording import recorder
from ledger.web.speaking import speaker


@pages.get("/n/<night:night>/ledger")
def ledger(night: str) -> Response:
    """Every payment of the night, and what everyone has come to."""
    return _answer(link_to(night))


@pages.post("/n/<night:night>/ledger")
def record_adjustment(night: str) -> AnyResponse:
    """Record a payment by hand, end the night, or let it go on."""
    link = keeper_link(night)
    fields = read_form()
    board = board_of(link)
    try:
        request = forms.adjustment(fields)
        recorder().record(link.night, request, link)
    except Problem as problem:
        if not answered_on_page(problem, "points", "reason", "payee"):
            raise
        wrong = problem.facts.get("fields")
        return _answer(link, notice_of(problem, board, ""), fields, wrong, status=problem.status)
    return redirect(url_for("pages.ledger", night=link.night), 303)


def _answer(
    link: Link,
    notice: Notice | None = None,
    fields: forms.Fields | None = None,
    wrong: Data | None = None,
    *,
    status: int = 200,
) -> Response:
    board = board_of(link)
    account, agreement = recorder().ledger(link.night), recorder().agreement(link.night)
    names = names_of(board)
    page = render_template(
        "ledger.html",
        place_here="ledger",
        board=board,
        account=account,
        agreement=agreement,
        rounds=_by_round(account["payments"]),
        outlines={round["number"]: round for round in account["rounds"]},
        mark=mark,
        names=names,
        chart=line_chart(names, account["totals"]),
        event=event_of(board),
        end_event=event_of(board),
        worth=_worth(board),
        refusal=notice,
        wrong=wrong or {},
        typed={name: forms.one(fields or {}, name) for name in ("payer", "payee", "points", "reason")},
    )
    return make_response(page, status)


def _by_round(payments: list[Data]) -> list[tuple[int, list[tuple[Data, list[Data]]]]]:
    """The payments round by round, the last round first, 0 for what was paid by hand; and within a round by what
    posted them: its settling, then every correction of it."""
    number = itemgetter("round")
    return [
        (round, [(entry, list(posted)) for entry, posted in groupby(paid, key=itemgetter("posted_by"))])
        for round, paid in groupby(sorted(payments, key=number, reverse=True), key=number)
    ]


def _worth(board: Data) -> str:
    """What the points are in money, for a night that plays for some."""
    stake, words = board["stake"], speaker()
    if not stake:
        return ""
    one = words.money(1, stake["amount"], stake["currency"])
    amounts = [
        f"{name} {words.money(board['net'][player], stake['amount'], stake['currency'], signed=True)}"
        for player, name in names_of(board).items()
    ]
    return words.gettext("1 point = %(worth)s") % {"worth": one} + " · " + " · ".join(amounts)
