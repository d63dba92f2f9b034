"""Settle a round: enter the hands that payments need, and post the payments."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flask import redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import taken_for
from ledger.game.hands import last_twos, missing_hands
from ledger.game.notation import tag
from ledger.game.payments import Reason
from ledger.game.round import Round
from ledger.game.scoring import Status, at_the_end, status
from ledger.recorder import Problem, preview
from ledger.recorder.views.round import NeededHand
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.pages.table import table_form, table_view
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form


@pages.get("/n/<night:night>/rounds/<int:number>/settle")
def settle(night: str, number: int) -> AnyResponse:
    """The hands that are still needed, then the payments; for a posted round, a redirect to its page."""
    return _answer(visit_as_keeper(night), number)


@pages.post("/n/<night:night>/rounds/<int:number>/settle")
def record_settling(night: str, number: int) -> AnyResponse:
    """Record a hand, or who pays for others; say what that changes; post the payments, or undo the last move."""
    visit = visit_as_keeper(night)
    fields = read_form()
    kind = forms.kind_of(fields)
    act, _, about = kind.partition(" ")
    if act == _CHANGES:
        unclear = _unclear(about, fields)
        return _answer(visit, number, Notice(unclear, status=200) if unclear else None, fields)
    if unclear := _unclear(kind, fields):
        return _answer(visit, number, Notice(unclear), fields)
    request = forms.pressed({**fields, "round": [str(number)]})
    try:
        (recorded,) = visit.record(request)
    except Problem as problem:
        return _answer(visit, number, refused(problem, request.kind), fields)
    # An undo leads back here while the last round is to be settled; a hand of an earlier one always does.
    if request.kind in ("show", "declare", "cover") or recorded.to_settle == number:
        return redirect(url_for("pages.settle", night=night, number=number), 303)
    return redirect(url_for("pages.table", night=night), 303)


_CHANGES = "changes"
"""The button that records nothing: what would the declaration change? `changes cover` asks for another kind than
those of hands."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What a declaration would change, if it were recorded as its form is filled in."""

    kind: str
    """The kind that its button asks for; empty for hands, whose cards say what is meant."""
    points: Mapping[str, int]
    """Player -> by how much, of those whose points change."""


def _changes(
    visit: NightVisit, number: int, needed: Mapping[str, NeededHand], fields: forms.Fields
) -> Changes | None:
    """What the declaration in the form would change; None if its button does not ask. Problem if it is refused."""
    act, _, kind = forms.kind_of(fields).partition(" ")
    if act != _CHANGES:
        return None
    meant = kind or _meant(needed.get(forms.one(fields, "seat")), fields)
    request = forms.pressed({**fields, "kind": [meant], "round": [str(number)]})
    return Changes(kind, preview(visit.night, request, visit.link, say_finding).balances.differences)


def _meant(hand: NeededHand | None, fields: forms.Fields) -> str:
    """The kind that the chosen cards of a hand suggest."""
    count = len(fields.get("cards", ()))
    return "none" if not count else "show" if hand and count == hand.left else "declare"


@dataclass(frozen=True, slots=True)
class UnseenCard:
    """A card that no recorded play has, and the plays that may have been this card."""

    card: str
    taken_for: list[tuple[str, int, str]]
    """Recorded cards of its rank, or next to it in its suit: each with the number and the player of the move."""


def _unseen(round: Round) -> list[UnseenCard]:
    """The unplayed cards, to compare with the hands that are left; empty with several packs, and for a round that
    was not recorded move by move or not played to its end."""
    deck, shown = round.ruleset.deck, table_form.shown_by(round)
    if deck.packs > 1 or round.result is not None or status(round) not in (Status.UNSETTLED, Status.SETTLED):
        return []
    return [
        UnseenCard(
            str(card), [(other, *shown[other]) for other in map(str, taken_for(card)) if other in shown]
        )
        for card in deck.cards(round.unseen)
    ]


def _aside(round: Round) -> str:
    """The undealt cards: none (empty), at most one `hand`, which the table can look at afterwards, or `more`."""
    return "more" if round.undealt > round.hand_size else "hand" if round.undealt else ""


def _owing(round: Round) -> list[str]:
    """The players who owe something at the end of the round that another can pay for them, or whose hand may still
    cost something."""
    if not round.counts or round.claims or last_twos(round):
        return []
    own = [one for one in at_the_end(round) if one.points and one.reason is not Reason.CONTRACT]
    owing = {*missing_hands(round), *(one.owed_by for one in own)}
    return [tag(player) for player in round.header.seats if player in owing]


def _unclear(kind: str, fields: forms.Fields) -> str:
    """Why the button does not match what was chosen; empty if it does."""
    if kind in ("show", "declare") and not fields.get("cards"):
        return table_form.nothing(speaker())
    if kind == "none" and fields.get("cards"):
        return speaker().gettext(
            "Cards are chosen: declare them or show all, or tap them again if there is no special set."
        )
    if kind == "cover" and not (fields.get("payer") and forms.covered(fields) and fields.get("why")):
        return speaker().gettext("Choose who pays, for whom, and why.")
    return ""


def _answer(
    visit: NightVisit, number: int, notice: Notice | None = None, fields: forms.Fields = forms.NOTHING
) -> AnyResponse:
    night, board = visit.night, visit.board()
    ruleset = night.ruleset
    round, played = night.round_page(number, say_finding), night.round(number)
    fresh = night.fresh_round(say_finding) if board.next else None
    changes = None
    try:
        changes = None if notice else _changes(visit, number, round.needed, fields)
    except Problem as problem:  # nothing was to be recorded, so the status is 200
        notice = replace(refused(problem, "declare"), status=200)
    release()
    if round.posted and not notice:
        return redirect(url_for("pages.round", night=board.id, number=number))
    names, needed, owing = board.names, round.needed, _owing(played)
    chosen = forms.one(fields, "seat")
    seat = chosen if chosen in needed else next(iter(needed), None)
    grids: list[table_view.Grid] = []
    if seat:  # unseen cards; those that could be paid for are bright
        bright, checked = needed[seat].cards, fields.get("cards", ())
        grids = table_view.grids(
            played.ruleset.deck, seen_counts=round.seen_counts, bright=bright, checked=checked
        )
    return night_page(
        "table/settle.html",
        board,
        notice,
        place_here="table",
        round=round,
        seat=seat,
        grids=grids,
        changes=changes,
        facts={
            "many": speaker().gettext("%(count)s cards") % {"count": "{number}"},
            "seats": {player: {"name": names[player], "left": hand.left} for player, hand in needed.items()},
        },
        unseen=_unseen(played),
        aside=_aside(played),
        may_cover=bool(owing),
        covers=forms.kind_of(fields) in ("cover", f"{_CHANGES} cover"),
        typed={
            "payer": forms.one(fields, "payer"),
            "covered": fields.get("covered", owing),
            "why": forms.one(fields, "why"),
        },
        table=table_form.form_of_next(board, ruleset, fresh),
        last=board.round is not None and board.round.number == round.number,
    )
