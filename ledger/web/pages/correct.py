"""Correcting a round: its entries replaced, struck or put in, looked at before it is done; and voiding it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.rulesets.model import Ruleset
from ledger.recorder import Link, Problem, preview
from ledger.recorder.events.correction import ChangeData
from ledger.recorder.views.entry import EntryRow
from ledger.web import forms
from ledger.web.access import keeper_link
from ledger.web.pages import table_view
from ledger.web.pages.blueprint import board_in, board_of, pages
from ledger.web.pages.notices import Notice, answered_on_page, notice_of, stays_on_page
from ledger.web.pages.result import ResultFields
from ledger.web.pages.round import round_page
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable

_ENTRIES = ("play", "pass", "claim", "show", "declare")
"""What a move may be replaced by; a result is replaced by another one."""


@pages.get("/n/<night:night>/rounds/<int:number>/correct")
def correct(night: str, number: int) -> Response:
    """The form of a correction; `?target=` is the entry to begin with."""
    link = keeper_link(night)
    return _form(link, number, {"target": [request.args.get("target", "")]}, [])


@pages.post("/n/<night:night>/rounds/<int:number>/correct")
def record_correction(night: str, number: int) -> AnyResponse:
    """Add a change to the correction, leave one out, look at what it would do, or record it."""
    link = keeper_link(night)
    fields = read_form()
    act, _, which = forms.one(fields, "act").partition(" ")
    target, reason = forms.one(fields, "target"), forms.one(fields, "reason")
    changes = forms.changes(fields)
    try:
        too = act == "edit" and bool(which)
        if act in ("more", "look") or too:
            if _shows_another(fields):
                act, which, too = "edit", target, False
            elif missing := _missing(fields, act, link, number):
                return _form(link, number, fields, changes, missing, status=422)
        match act:
            case "more":
                return _form(link, number, {"reason": [reason]}, [*changes, forms.change(fields)])
            case "tap" | "extra" | "without":
                return _form(link, number, fields, changes)
            case "drop":
                kept = [one for place, one in enumerate(changes, start=1) if str(place) != which]
                return _form(link, number, fields, kept)
            case "edit":
                kept = [*changes, *_current(fields)] if too else changes
                return _form(link, number, {"target": [which or target], "reason": [reason]}, kept)
            case "look":
                return _look(link, number, fields, [*changes, *_current(fields)])
            case "record":
                asked = forms.request(fields, "correct", changes=changes, reason=forms.one(fields, "reason"))
                recorder().record(link.night, asked, link)
                return redirect(url_for("pages.round", night=link.night, number=number), 303)
            case _:
                raise unreadable("a button of the form")
    except Problem as problem:
        if not stays_on_page(problem) and "fields" not in problem.facts:
            raise
        return _refused(link, number, fields, changes, problem)


@pages.post("/n/<night:night>/rounds/<int:number>/void")
def void(night: str, number: int) -> AnyResponse:
    """Void the round, with its reason; what stands against it is said on its page, where the reason is kept."""
    link = keeper_link(night)
    fields = read_form()
    reason = forms.one(fields, "reason")
    try:
        asked = forms.request(fields, "void", round=number, reason=reason)
        recorder().record(link.night, asked, link)
    except Problem as problem:
        if not answered_on_page(problem, "reason"):
            raise
        page = round_page(link, number, notice_of(problem, board_of(link), "void"), voiding=reason)
        return make_response(page, problem.status)
    return redirect(url_for("pages.round", night=link.night, number=number), 303)


def _shows_another(fields: forms.Fields) -> bool:
    """Whether an entry was chosen, and what the form shows of it is still that of the one before."""
    target = forms.one(fields, "target")
    replaces = forms.one(fields, "how") == "replace"
    return replaces and bool(target) and target != forms.one(fields, "shown")


def _current(fields: forms.Fields) -> list[ChangeData]:
    """The change that the form shows, if it shows one."""
    return [forms.change(fields)] if forms.one(fields, "target") else []


def _missing(fields: forms.Fields, act: str, link: Link, number: int) -> Notice | None:
    """What the form still needs before it can be looked at, or another change begun; None if it is whole."""
    words = speaker()
    entry, how = forms.one(fields, "entry"), forms.one(fields, "how")
    if entry == "result" and how == "replace":
        with recorder().night(link.night) as seen:
            seats = seen.round_page(number, words.finding).seats
            wrong = ResultFields.of(fields, seats, seats, seen.ruleset).mistake()
        if wrong:
            return wrong
    needs_cards = entry in ("play", "claim", "show") and how != "strike"
    if forms.one(fields, "target") and needs_cards and not fields.get("cards"):
        return Notice(words.gettext("No card is chosen yet: tap the cards first."))
    if act == "look" and not forms.one(fields, "reason"):
        return Notice(words.gettext("Say why: the reason stays in the record beside the correction."))
    return None


def _look(link: Link, number: int, fields: forms.Fields, changes: list[ChangeData]) -> Response:
    """What the correction would change, before it is recorded."""
    asked = forms.request(fields, "correct", changes=changes, reason=forms.one(fields, "reason"))
    with recorder().night(link.night) as night:
        board, seen = board_in(night, link), preview(night, asked, link, speaker().finding)
    page = render_template(
        "corrected.html",
        place_here="rounds",
        board=board,
        names=board.names,
        number=number,
        seen=seen,
        changes=[json.dumps(change, ensure_ascii=False) for change in changes],
        reason=forms.one(fields, "reason"),
    )
    return make_response(page)


def _refused(
    link: Link, number: int, fields: forms.Fields, changes: list[ChangeData], problem: Problem
) -> Response:
    """The form again with everything that was typed, what is wrong, and which later move is in the way."""
    notice = notice_of(problem, board_of(link), "correct")
    blocked = problem.facts.get("blocked", {}).get("address", "")
    return _form(link, number, fields, changes, notice, blocked=blocked, status=problem.status)


def _form(
    link: Link,
    number: int,
    fields: forms.Fields,
    changes: list[ChangeData],
    notice: Notice | None = None,
    *,
    blocked: str = "",
    status: int = 200,
) -> Response:
    with recorder().night(link.night) as seen:
        board, ruleset = board_in(seen, link), seen.ruleset
        round = seen.round_page(number, speaker().finding)
    assert round.header is not None
    entries = {row.address: row for row in (round.header, *round.moves)}
    chosen = entries.get(forms.one(fields, "target"))
    typed = _typed(fields, chosen)
    page = render_template(
        "correct.html",
        place_here="rounds",
        board=board,
        round=round,
        names=board.names,
        entries=entries,
        target=chosen,
        typed=typed,
        kinds=_ENTRIES,
        result=_result(fields, chosen, round.seats, ruleset),
        grids=table_view.grids(
            speaker(),
            board.deck,
            seen={},
            bright=ruleset.deck.write(ruleset.deck.all),
            checked=typed.cards,
        ),
        changes=[(json.dumps(change, ensure_ascii=False), change) for change in changes],
        refusal=notice,
        blocked=blocked,
    )
    return make_response(page, status)


def _result(
    fields: forms.Fields, chosen: EntryRow | None, seats: Sequence[str], ruleset: Ruleset
) -> ResultFields | None:
    """What the fields of a result show, where one is to be corrected."""
    if chosen is None or chosen.kind != "result":
        return None
    typed = fields if forms.one(fields, "entry") == "result" else {}
    return ResultFields.of(typed, seats, seats, ruleset, entry=chosen)


@dataclass(frozen=True, slots=True)
class TypedChange:
    """What the fields of a correction show."""

    how: str
    kind: str
    seat: str
    cards: list[str]
    stood: bool
    reason: str


def _typed(fields: forms.Fields, chosen: EntryRow | None) -> TypedChange:
    """What the form shows in its fields: what was typed, else the entry as it is recorded."""
    entry = chosen or EntryRow(kind="play", address="", at="", actor="")
    if fields.get("how"):
        kind, seat, cards = forms.one(fields, "entry"), forms.one(fields, "seat"), fields.get("cards", ())
    else:
        kind, seat = entry.kind, entry.player or ""
        cards = [*entry.cards, *(card for some in entry.sets for card in some)]
    return TypedChange(
        how=forms.one(fields, "how") or "replace",
        kind=kind,
        seat=seat,
        cards=list(cards),
        stood=bool(forms.one(fields, "stood")) or entry.stood,
        reason=forms.one(fields, "reason"),
    )
