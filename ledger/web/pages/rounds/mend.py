"""Correct one move of an unsettled round on the table: another card or seat, a forgotten move or one that never
happened. This records a correction; the page names its reason, and a person may type another."""

from collections import Counter
from collections.abc import Iterable

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Problem, ProblemCode
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.round_page import RoundPage
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.pages.table import table_form, table_view
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form, unreadable

_MENDED = ("play", "pass")


@pages.get("/n/<night:night>/rounds/<int:number>/mend")
def mend(night: str, number: int) -> AnyResponse:
    """The table with one move to correct, given by its address or the id of its event, `?target=`, or its number,
    `?move=`. `how=before` is for a move forgotten before it; `swap=5s 5c` replaces a card. Without a move, the page
    lists all moves of the round, the last one first, to choose where one was forgotten."""
    visit = visit_as_keeper(night)
    fields = request.args.to_dict(flat=False)
    round = visit.night.round_page(number, say_finding)
    row = _row(round, fields) if fields.keys() & {"target", "move"} else None
    closed = round.posted or round.void is not None
    if closed or (row is not None and row.kind not in _MENDED):
        target = row.address if row else None
        return redirect(url_for("pages.correct", night=night, number=number, target=target))
    if row is None:
        moves = [row for row in reversed(round.moves) if row.move and row.kind in _MENDED]
        return night_page(
            "rounds/forgotten.html", visit.board(), place_here="table", round=round, moves=moves
        )
    if forms.one(fields, "how") == "before":
        return _mend_page(visit, round, row, {**fields, "cards": [], "seat": []})
    old, _, new = forms.one(fields, "swap").partition(" ")
    cards = [new if card == old else card for card in row.cards]
    return _mend_page(visit, round, row, {**fields, "cards": cards, "seat": [row.player or ""]})


@pages.post("/n/<night:night>/rounds/<int:number>/mend")
def record_mending(night: str, number: int) -> AnyResponse:
    """Record the correction, and go back to the table."""
    visit = visit_as_keeper(night)
    fields = read_form()
    button = forms.kind_of(fields)
    if button not in ("correct", "strike"):
        raise unreadable("a button of the form")
    round = visit.night.round_page(number, say_finding)
    row = _row(round, fields)
    how = button if button == "strike" else forms.one(fields, "how") or "replace"
    if how != "strike" and not fields.get("seat"):
        return _mend_page(visit, round, row, fields, Notice(table_form.nobody(speaker())))
    entry = "play" if fields.get("cards") else "pass"
    change = forms.change({**fields, "how": [how], "target": [row.address], "entry": [entry]})
    reason = forms.one(fields, "reason") or _slip(
        row, how, forms.one(fields, "seat"), fields.get("cards", ())
    )
    try:
        asked = forms.request(fields, "correct", changes=[change], reason=reason)
        visit.record(asked)
    except Problem as problem:
        return _mend_page(visit, round, row, fields, refused(problem, "correct", "reason"))
    return redirect(url_for("pages.table", night=night), 303)


def _slip(row: EntryRow, how: str, seat: str, cards: Iterable[str]) -> str:
    """What went wrong with a move, from what it should have been."""
    words = speaker()
    if how != "replace":
        return words.gettext("never happened") if how == "strike" else words.gettext("forgotten")
    same = sorted(row.cards) == sorted(cards)
    if seat != row.player:
        return words.gettext("wrong player") if same else words.gettext("tapped by mistake")
    ranks = [sorted(card[0] for card in some) for some in (row.cards, cards)]
    return words.gettext("wrong suit") if ranks[0] == ranks[1] else words.gettext("tapped by mistake")


def _row(round: RoundPage, fields: forms.Fields) -> EntryRow:
    """The move that the fields name, also by the id of its event. Raises a Problem if there is none."""
    target, number = forms.one(fields, "target"), forms.one(fields, "move")
    for row in reversed(round.moves):
        if (target and target in (row.address, row.event)) or (not target and number == str(row.move)):
            return row
    raise Problem(ProblemCode.NOT_FOUND)


def _mend_page(
    visit: NightVisit, round: RoundPage, row: EntryRow, fields: forms.Fields, notice: Notice | None = None
) -> Response:
    board = visit.board()
    release()
    before = forms.one(fields, "how") == "before"
    # Cards shown by other moves cannot be tapped; those of this move can.
    out_of_reach = Counter(round.seen_counts) - Counter(() if before else row.cards)
    return night_page(
        "rounds/mend.html",
        board,
        notice,
        place_here="table",
        round=round,
        row=row,
        before=before,
        seat=forms.one(fields, "seat"),
        reason=forms.one(fields, "reason"),
        facts={"naming": table_view.naming(speaker()), "pass": speaker().move_kind("pass")},
        grids=table_view.grids(board.deck, seen_counts=out_of_reach, checked=fields.get("cards", ())),
    )
