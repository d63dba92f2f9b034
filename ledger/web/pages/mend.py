"""Mending one move of a round that is not settled, on the table: another card, another seat, a move that was
forgotten or that never was. What is recorded is a correction like any other; its reason is one tap."""

from collections import Counter

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Link, Problem, ProblemCode
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.round_page import RoundPage
from ledger.web import forms
from ledger.web.access import keeper_link
from ledger.web.pages import table_form, table_view
from ledger.web.pages.blueprint import board_of, pages
from ledger.web.pages.notices import Notice, notice_of, stays_on_page
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable

_MENDED = ("play", "pass")


@pages.get("/n/<night:night>/rounds/<int:number>/mend")
def mend(night: str, number: int) -> AnyResponse:
    """The table with one move to be mended: `?target=` is its entry, or `?move=` its number. `how=before` is for
    one that was forgotten before it; `swap=5s 5c` puts a card in the place of another. With neither, all moves of
    the round, the last one first, each leading to what was forgotten there."""
    link = keeper_link(night)
    fields = request.args.to_dict(flat=False)
    round = _round(link, number)
    row = _row(round, fields) if fields.keys() & {"target", "move"} else None
    closed = round.posted or round.void is not None
    if closed or (row is not None and row.kind not in _MENDED):
        target = row.address if row else None
        return redirect(url_for("pages.correct", night=link.night, number=number, target=target))
    if row is None:
        return _choice(link, round)
    if forms.one(fields, "how") == "before":
        return _page(link, round, row, {**fields, "cards": [], "seat": []})
    old, _, new = forms.one(fields, "swap").partition(" ")
    cards = [new if card == old else card for card in row.cards]
    return _page(link, round, row, {**fields, "cards": cards, "seat": [row.player or ""]})


@pages.post("/n/<night:night>/rounds/<int:number>/mend")
def record_mending(night: str, number: int) -> AnyResponse:
    """Record the correction, and go back to the table."""
    link = keeper_link(night)
    fields = read_form()
    reason = reasons().get(forms.kind_of(fields))
    if reason is None:
        raise unreadable("a button of the form")
    round = _round(link, number)
    row = _row(round, fields)
    how = "strike" if forms.kind_of(fields) == "never" else forms.one(fields, "how") or "replace"
    if how != "strike" and not fields.get("seat"):
        return _page(link, round, row, fields, Notice(table_form.nobody()), status=422)
    said = {
        **fields,
        "how": [how],
        "target": [row.address],
        "entry": ["play" if fields.get("cards") else "pass"],
    }
    try:
        asked = forms.request(fields, "correct", changes=[forms.change(said)], reason=reason)
        recorder().record(link.night, asked, link)
    except Problem as problem:
        if not stays_on_page(problem):
            raise
        notice = notice_of(problem, board_of(link), "correct")
        return _page(link, round, row, fields, notice, status=problem.status)
    return redirect(url_for("pages.table", night=link.night), 303)


def reasons() -> dict[str, str]:
    """By the button that says it, why a move is mended."""
    words = speaker()
    return {
        "tapped": words.gettext("tapped by mistake"),
        "suit": words.gettext("wrong suit"),
        "seat": words.gettext("wrong player"),
        "forgotten": words.gettext("forgotten"),
        "never": words.gettext("never happened"),
    }


def _round(link: Link, number: int) -> RoundPage:
    with recorder().night(link.night) as seen:
        return seen.round_page(number, speaker().finding)


def _row(round: RoundPage, fields: forms.Fields) -> EntryRow:
    """The move that is meant; Problem where there is none."""
    target, number = forms.one(fields, "target"), forms.one(fields, "move")
    for row in round.moves:
        if target == row.address or (not target and number == str(row.move)):
            return row
    raise Problem(ProblemCode.NOT_FOUND)


def _choice(link: Link, round: RoundPage) -> Response:
    board = board_of(link)
    page = render_template(
        "forgotten.html",
        place_here="table",
        board=board,
        names=board.names,
        round=round,
        moves=[row for row in reversed(round.moves) if row.move and row.kind in _MENDED],
    )
    return make_response(page)


def _page(
    link: Link,
    round: RoundPage,
    row: EntryRow,
    fields: forms.Fields,
    refusal: Notice | None = None,
    *,
    status: int = 200,
) -> Response:
    board = board_of(link)
    before = forms.one(fields, "how") == "before"
    page = render_template(
        "mend.html",
        place_here="table",
        board=board,
        names=board.names,
        round=round,
        row=row,
        before=before,
        seat=forms.one(fields, "seat"),
        reasons=reasons(),
        refusal=refusal,
        # Whatever another move has shown cannot be tapped; what this one has can.
        grids=table_view.grids(
            speaker(),
            board.deck,
            seen=Counter(round.seen_counts) - Counter(() if before else row.cards),
            bright=board.deck.write(board.deck.all),
            checked=fields.get("cards", ()),
        ),
    )
    return make_response(page, status)
