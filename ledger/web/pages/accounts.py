"""The ledger of a night: every payment with its reason, balances, running totals; adjustments and the end."""

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from flask import Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Link, Problem
from ledger.web import forms
from ledger.web.access import keeper_link, link_to
from ledger.web.bodies import read_form
from ledger.web.charts import line_chart, mark
from ledger.web.pages.blueprint import Data, board_of, names_of, pages
from ledger.web.pages.lines import PaymentLine, agreement_words, net_line, payment_lines
from ledger.web.pages.once import written_once
from ledger.web.pages.refusals import Notice, answered_on_page, notice_of
from ledger.web.recording import recorder
from ledger.web.speaking import speaker


@pages.get("/n/<night:night>/ledger")
@written_once()
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
        sections=_sections(board, account, agreement),
        total_lines=_total_lines(names, account["totals"]),
        names=names,
        chart=line_chart(names, account["totals"]),
        worth=_worth(board),
        refusal=notice,
        wrong=wrong or {},
        typed={name: forms.one(fields or {}, name) for name in ("payer", "payee", "points", "reason")},
    )
    return make_response(page, status)


class _Section(NamedTuple):
    """The payments of one round, or those by hand: whatever the page says of them, ready to be printed."""

    number: int
    address: str
    title: str
    agreed: str
    by_result: bool
    void: bool
    entries: list[tuple[Data, list[PaymentLine], str]]
    """What posted them: the round's settling, then every correction of it. At the last, what all of it brought."""


def _sections(board: Data, account: Data, agreement: Data) -> list[_Section]:
    """The rounds that have payments, the last one first, and what was paid by hand."""
    outlines = {round["number"]: round for round in account["rounds"]}
    number = itemgetter("round")
    by_round = groupby(sorted(account["payments"], key=number, reverse=True), key=number)
    return [
        _section(board, round, outlines.get(round), agreement, list(payments)) for round, payments in by_round
    ]


def _section(
    board: Data, number: int, outline: Data | None, agreement: Data, payments: list[Data]
) -> _Section:
    words, agreed = speaker(), agreement["agreed"].get(number)
    posted = [(by, list(some)) for by, some in groupby(payments, key=itemgetter("posted_by"))]
    brought = (outline["net"] if outline else None) or {}
    net = net_line(names_of(board), {player: points for player, points in brought.items() if points})
    return _Section(
        number,
        url_for("pages.round", night=board["id"], number=number) if number else "",
        words.gettext("Round %(number)s") % {"number": number} if number else words.gettext("By hand"),
        "" if agreed is None else agreement_words(agreed, agreement["seats"][number]),
        bool(outline and outline["result"]),
        bool(outline and outline["void"] is not None),
        [
            (by, payment_lines(board, some), net if at == len(posted) else "")
            for at, (by, some) in enumerate(posted, start=1)
        ],
    )


def _total_lines(
    names: Mapping[str, str], totals: list[Data]
) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Each line of the running totals: its round, why it was posted later, and everybody's total and change."""
    words = speaker()
    by_hand = words.gettext("by hand")
    return [
        (
            mark(line) if line["round"] else by_hand,
            line["posted_by"]["reason"] if line["posted_by"]["kind"] in ("correct", "void") else "",
            [(words.plain(line["total"][player]), words.signed(line["net"][player])) for player in names],
        )
        for line in totals
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
