"""Correct one move of an unsettled round on the table: another card or seat, a forgotten move or one that never
happened. This records a correction; the page names its reason, and a person may type another.

Passes that were filled in with plays are worked out again in the same correction: the page says beforehand which.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import NightSnapshot, Problem, ProblemCode, with_passes
from ledger.recorder.events.correction import ChangeData
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
    if visit.night.has_event(
        forms.one(fields, "id")
    ):  # sent twice: what follows from it would be another change
        return redirect(url_for("pages.table", night=night), 303)
    round = visit.night.round_page(number, say_finding)
    row = _row(round, fields)
    how = button if button == "strike" else forms.one(fields, "how") or "replace"
    if how != "strike" and not fields.get("seat"):
        return _mend_page(visit, round, row, fields, Notice(table_form.nobody(speaker())))
    change = _change(row, how, fields)
    reason = forms.one(fields, "reason") or _slip(row, how, change)
    try:
        asked = forms.request(fields, "correct", changes=[change], reason=reason)
        follows = _consequences(visit.night, round, asked.content["changes"][0])
        if follows.sentence and follows.sentence not in fields.get("seen", ()):
            return _mend_page(visit, round, row, fields)
        changes = [*follows.ahead, change, *follows.behind]
        visit.record(forms.request(fields, "correct", changes=changes, reason=reason))
    except Problem as problem:
        return _mend_page(visit, round, row, fields, refused(problem, "correct", "reason"))
    return redirect(url_for("pages.table", night=night), 303)


def _change(row: EntryRow, how: str, fields: forms.Fields) -> ChangeData:
    """The change of a move, by the form's fields: without cards it was a pass."""
    entry = "play" if fields.get("cards") else "pass"
    return forms.change({**fields, "how": [how], "target": [row.address], "entry": [entry]})


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a correction of a move changes of the passes that were filled in: changes before and after that of the
    move, and a sentence about them, empty if there is nothing to say."""

    ahead: list[ChangeData]
    behind: list[ChangeData]
    sentence: str


def _consequences(night: NightSnapshot, round: RoundPage, change: ChangeData) -> Consequences:
    """What follows from a change. That whoever played a forgotten play has not passed goes without saying."""
    changes, names, words = with_passes(night, round.number, change), night.names, speaker()
    at = next(place for place, one in enumerate(changes) if one is change)
    ahead, behind = changes[:at], changes[at + 1 :]
    player = {row.address: row.player for row in round.moves}
    inserted = Counter(one["with"]["seat"] for one in (*ahead, *behind) if one["with"])
    struck = Counter(
        who for one in (*ahead, *behind) if not one["with"] and (who := player.get(one["target"]))
    )
    played = Counter([change["with"]["seat"]] if "before" in change and change["with"] else ())
    sentences = []
    if passed := inserted - struck:
        sentences.append(words.gettext("%(names)s passed") % {"names": _all(names, passed)})
    if not_passed := struck - inserted - played:
        sentences.append(words.gettext("%(names)s did not pass") % {"names": _all(names, not_passed)})
    return Consequences(ahead, behind, " · ".join(sentences))


def _all(names: Mapping[str, str], players: Iterable[str]) -> str:
    return speaker().all_of(names[player] for player in sorted(players))


def _consequences_by_seat(
    night: NightSnapshot, round: RoundPage, row: EntryRow, how: str, fields: forms.Fields
) -> dict[str, str]:
    """What the page says to follow if the chosen cards were those of another seat; under `strike`, if the move
    never happened."""
    cards = fields.get("cards", ())
    same = how == "replace" and sorted(cards) == sorted(row.cards)
    seats = [seat for seat in round.seats if not (same and seat == row.player)]
    changes = {seat: _change(row, how, {**fields, "seat": [seat]}) for seat in seats}
    if how == "replace":
        changes["strike"] = _change(row, "strike", fields)
    elif not cards:
        return {}
    found = {}
    for seat, change in changes.items():
        with suppress(Problem):  # a card that is none: recording says so
            found[seat] = _consequences(night, round, change).sentence
    return {seat: sentence for seat, sentence in found.items() if sentence}


def _slip(row: EntryRow, how: str, change: ChangeData) -> str:
    """What went wrong with a move, from what it should have been."""
    words, entry = speaker(), change["with"]
    if entry is None:
        return words.gettext("never happened")
    if how == "before":
        return words.gettext("forgotten")
    cards = entry.get("cards", [])
    if entry["seat"] != row.player:
        same = sorted(row.cards) == sorted(cards)
        return words.gettext("wrong player") if same else words.gettext("tapped by mistake")
    ranks = [sorted(card[:1] for card in some) for some in (row.cards, cards)]
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
    how = forms.one(fields, "how") or "replace"
    before = how == "before"
    board, consequences = visit.board(), _consequences_by_seat(visit.night, round, row, how, fields)
    release()
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
        consequences=consequences,
        facts={"naming": table_view.naming(speaker()), "pass": speaker().move_kind("pass")},
        grids=table_view.grids(board.deck, seen_counts=out_of_reach, checked=fields.get("cards", ())),
    )
