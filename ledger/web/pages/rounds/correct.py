"""Correct a round: replace, strike or insert entries, with a preview; or void it. A move of an unsettled round is
corrected on the table: see `mend.py`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.rulesets.model import Ruleset
from ledger.recorder import Problem, preview, with_declarations
from ledger.recorder.events.correction import ChangeData
from ledger.recorder.views.entry import EntryRow
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.pages.rounds.rounds import round_page
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.pages.table import table_form, table_view
from ledger.web.pages.table.result import ResultFields
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form, unreadable

_ENTRIES = ("play", "pass", "claim", "show", "declare", "cover")
"""The kinds that may replace a move; a result is replaced by another one."""


@pages.get("/n/<night:night>/rounds/<int:number>/correct")
def correct(night: str, number: int) -> Response:
    """The form of a correction; `?target=` is the entry to correct first."""
    visit = visit_as_keeper(night)
    return _form(visit, number, {"target": [request.args.get("target", "")]}, [])


@pages.post("/n/<night:night>/rounds/<int:number>/correct")
def record_correction(night: str, number: int) -> AnyResponse:
    """Add a change to the correction, drop one, preview the correction, or record it."""
    visit = visit_as_keeper(night)
    fields = read_form()
    act, _, which = forms.one(fields, "act").partition(" ")
    target, reason = forms.one(fields, "target"), forms.one(fields, "reason")
    changes = forms.changes(fields)
    try:
        too = act == "edit" and bool(which)
        if act in ("more", "look") or too:
            if _shows_another(fields):
                act, which, too = "edit", target, False
            elif missing := _missing(fields, act, visit, number):
                return _form(visit, number, fields, changes, missing)
        match act:
            case "more":
                return _form(visit, number, {"reason": [reason]}, [*changes, forms.change(fields)])
            case "tap" | "extra" | "without":
                return _form(visit, number, fields, changes)
            case "drop":
                kept = [one for place, one in enumerate(changes, start=1) if str(place) != which]
                return _form(visit, number, fields, kept)
            case "edit":
                kept = [*changes, *_current(fields)] if too else changes
                return _form(visit, number, {"target": [which or target], "reason": [reason]}, kept)
            case "look":
                return _look(visit, number, fields, [*changes, *_with_what_follows(visit, number, fields)])
            case "record":
                visit.record(forms.event(fields, "correct", changes=changes))
                return redirect(url_for("pages.round", night=night, number=number), 303)
            case _:
                raise unreadable("a button of the form")
    except Problem as problem:
        notice = refused(problem, "correct", *problem.facts.get("fields", ()))
        blocked = problem.facts.get("blocked", {}).get("address", "")
        return _form(visit, number, fields, changes, notice, blocked=blocked)


@pages.post("/n/<night:night>/rounds/<int:number>/void")
def void(night: str, number: int) -> AnyResponse:
    """Void the round, with a reason; if refused, the round's page shows why and keeps the reason."""
    visit = visit_as_keeper(night)
    fields = read_form()
    reason = forms.one(fields, "reason")
    try:
        visit.record(forms.event(fields, "void", round=number))
    except Problem as problem:
        return round_page(visit, number, refused(problem, "void", "reason"), voiding=reason)
    return redirect(url_for("pages.round", night=night, number=number), 303)


def _shows_another(fields: forms.Fields) -> bool:
    """Whether another entry was chosen than the one whose fields the form shows."""
    target = forms.one(fields, "target")
    replaces = forms.one(fields, "how") == "replace"
    return replaces and bool(target) and target != forms.one(fields, "shown")


def _current(fields: forms.Fields) -> list[ChangeData]:
    """The change in the form's fields, if there is one."""
    return [forms.change(fields)] if forms.one(fields, "target") else []


def _with_what_follows(visit: NightVisit, number: int, fields: forms.Fields) -> list[ChangeData]:
    """The change in the form's fields, with what a result takes with it."""
    current = _current(fields)
    is_result = forms.one(fields, "entry") == "result" and forms.one(fields, "how") == "replace"
    return with_declarations(visit.night, number, current[0]) if current and is_result else current


def _missing(fields: forms.Fields, act: str, visit: NightVisit, number: int) -> Notice | None:
    """What the form lacks for a preview or another change; None if it is complete."""
    words = speaker()
    entry, how = forms.one(fields, "entry"), forms.one(fields, "how")
    if entry == "result" and how == "replace":
        seats = visit.night.round_page(number, words.finding).seats
        if wrong := ResultFields.of(fields, seats, seats, visit.night.rules_of(number)).mistake():
            return wrong
    needs_cards = entry in ("play", "claim", "show") and how != "strike"
    if forms.one(fields, "target") and needs_cards and not fields.get("cards"):
        return Notice(table_form.nothing(speaker()))
    if entry == "cover" and how != "strike" and not (forms.covered(fields) and forms.one(fields, "why")):
        return Notice(words.gettext("Choose who pays, for whom, and why."))
    if act == "look" and not forms.one(fields, "reason"):
        return Notice(words.gettext("Say why: the reason stays in the record beside the correction."))
    return None


def _look(visit: NightVisit, number: int, fields: forms.Fields, changes: list[ChangeData]) -> Response:
    """The preview of the correction."""
    asked = forms.event(fields, "correct", changes=changes)
    board, shown = visit.board(), preview(visit.night, asked, visit.link, say_finding)
    money_moved = bool(shown.posted) and visit.night.settle_up().money_moved
    return night_page(
        "rounds/corrected.html",
        board,
        place_here="rounds",
        number=number,
        seen=shown,
        money_moved=money_moved,
        changes=[json.dumps(change, ensure_ascii=False) for change in changes],
        reason=forms.one(fields, "reason"),
    )


def _form(
    visit: NightVisit,
    number: int,
    fields: forms.Fields,
    changes: list[ChangeData],
    notice: Notice | None = None,
    *,
    blocked: str = "",
) -> Response:
    """The form with everything that was typed; `blocked` is the address of a later move that blocks it."""
    board, ruleset = visit.board(), visit.night.rules_of(number)
    round = visit.night.round_page(number, say_finding)
    release()
    assert round.header is not None
    entries = {row.address: row for row in (round.header, *round.moves)}
    chosen = entries.get(forms.one(fields, "target"))
    typed = _typed(fields, chosen)
    return night_page(
        "rounds/correct.html",
        board,
        notice,
        place_here="rounds",
        round=round,
        entries=entries,
        target=chosen,
        typed=typed,
        kinds=_ENTRIES,
        result=_result(fields, chosen, round.seats, ruleset),
        grids=table_view.grids(ruleset.deck, checked=typed.cards),
        changes=[(json.dumps(change, ensure_ascii=False), change) for change in changes],
        blocked=blocked,
    )


def _result(
    fields: forms.Fields, chosen: EntryRow | None, seats: Sequence[str], ruleset: Ruleset
) -> ResultFields | None:
    """The fields of a result, if one is corrected."""
    if chosen is None or chosen.kind != "result":
        return None
    typed = fields if forms.one(fields, "entry") == "result" else {}
    return ResultFields.of(typed, seats, seats, ruleset, entry=chosen)


@dataclass(frozen=True, slots=True)
class TypedChange:
    """The content of a correction's fields."""

    how: str
    kind: str
    seat: str
    cards: list[str]
    stood: bool
    reason: str
    covered: Sequence[str]
    why: str
    times: str
    """The factor of the round's payments; empty: once."""


def _typed(fields: forms.Fields, chosen: EntryRow | None) -> TypedChange:
    """The content of the form's fields: what was typed, else the recorded entry."""
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
        covered=fields.get("covered") or entry.covered or (),
        why=forms.one(fields, "why") or entry.why or "",
        times=forms.times(fields) if fields.get("how") else str(entry.times or ""),
    )
