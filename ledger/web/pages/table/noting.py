"""Notes of customs that are not moves, such as who deals. The rules say which are due, the keeper records them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flask import Response, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import Deck
from ledger.game.customs import Note
from ledger.game.notation import note_line
from ledger.game.rulesets.model import Dealer, Ruleset
from ledger.recorder import Customs, Problem
from ledger.recorder.views.night import Board
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper, visit_night
from ledger.web.forms import NOTE_WORDS, NoteView
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.preferences import speaker
from ledger.web.request_body import read_form

_COUNT = re.compile("[1-9][0-9]?")


def note_view(note: Note) -> NoteView:
    """The view of a note that was recorded or is due."""
    _, kind, *words = note_line(note).split()
    names = [name for name in NOTE_WORDS[kind] if name != "cards"]
    view = NoteView(kind, **dict(zip(names, words, strict=False)))  # type: ignore[arg-type]
    return replace(view, cards=tuple(words[len(names) :])) if "cards" in NOTE_WORDS[kind] else view


def mistakes(note: NoteView, deck: Deck) -> Iterator[tuple[str, str]]:
    """The wrong fields of a note, each with the wrong card if it has cards."""
    names = NOTE_WORDS.get(note.kind)
    if names is None:
        yield "note", ""
        return
    if "other" in names and note.other == note.player:
        yield "other", ""
    if "count" in names and not _COUNT.fullmatch(note.count):
        yield "count", ""
    if "cards" in names and (wrong := forms.wrong_card(note.cards, deck)):
        yield "cards", wrong


def relevant_kinds(ruleset: Ruleset, players: int) -> list[str]:
    """The kinds of note that a ruleset uses with so many players."""
    customs, kneeling, debts = ruleset.customs, ruleset.kneeling, ruleset.debts
    kneels, owes = kneeling.last or kneeling.chopped, debts.chopped or debts.loser
    uses = {
        "deals": ruleset.deal.dealer is not Dealer.OPEN,
        "kneels": kneels,
        "sits": kneels,
        "owes": owes,
        "gives": owes or "trading" in customs or "trading-before-play" in customs,
        "swaps": players > max(ruleset.deal.players) or "losers-spot" in customs,
        "clears": "winner-chooses-clearing" in customs,
    }
    return [kind for kind, use in uses.items() if use]


@dataclass(frozen=True, slots=True)
class NotesView:
    """The notes of a night, and the form for a new one."""

    due: tuple[NoteView, ...]
    """The notes due by the rules and not yet recorded."""
    noted: tuple[tuple[int, tuple[NoteView, ...]], ...]
    """The notes by the number of the round that had begun, the last round first; 0 is before the first round."""
    latest: tuple[NoteView, ...]
    """The notes since the newest round began."""
    kinds: tuple[str, ...]
    """The kinds that the rules use; every kind if they use none."""
    others: tuple[str, ...]
    typed: dict[str, str]
    wrong: dict[str, str]
    """Field -> a sentence about what is wrong in it."""


@pages.get("/n/<night:night>/notes")
def notes_page(night: str) -> Response:
    """All notes of the night; the keeper may add some at any time."""
    return _answer(visit_night(night))


@pages.post("/n/<night:night>/notes")
def record_note(night: str) -> AnyResponse:
    """Record a note that was due, or that of the form; if refused, the form is shown again with its fields."""
    visit = visit_as_keeper(night)
    fields = read_form()
    typed: dict[str, str] | None = None
    if not forms.one(fields, "due"):
        typed = {name: forms.one(fields, name) for name in forms.NOTE_FIELDS}
        if wrong := _wrong(visit, forms.note(fields)):
            return _answer(visit, typed=typed, wrong=wrong)
    try:
        visit.record(forms.pressed({**fields, "kind": ["note"]}))
    except Problem as problem:
        return _answer(visit, refused(problem, "", "note"), typed)
    place = "pages.table" if visit.board().next else "pages.notes_page"
    return redirect(url_for(place, night=night), 303)


def notes_view(
    board: Board, customs: Customs, typed: dict[str, str] | None = None, wrong: dict[str, str] | None = None
) -> NotesView:
    """The notes of a night in its current state."""
    ruleset, due, noted_in = customs
    useful = relevant_kinds(ruleset, len(board.players))
    noted = tuple((number, tuple(map(note_view, some))) for number, some in noted_in)
    latest = dict(noted).get(board.round.number if board.round else 0, ())
    kinds = tuple(useful or NOTE_WORDS)
    views = [*map(note_view, due)]
    return NotesView(
        due=tuple(note for note in views if note not in latest),
        noted=noted,
        latest=latest,
        kinds=kinds,
        others=tuple(kind for kind in NOTE_WORDS if kind not in kinds),
        typed=typed or {"note": kinds[0]},
        wrong=wrong or {},
    )


def _wrong(visit: NightVisit, note: NoteView) -> dict[str, str]:
    """Field -> a sentence about what is wrong in it."""
    words = speaker()
    sentences = {
        "note": words.gettext("Choose what is to be noted."),
        "other": words.gettext("Choose another player here."),
        "count": words.gettext("Give a whole number from 1 to 99."),
    }
    deck = visit.night.ruleset.deck
    return {
        field: forms.no_card(card) if field == "cards" else sentences[field]
        for field, card in mistakes(note, deck)
    }


def _answer(
    visit: NightVisit,
    notice: Notice | None = None,
    typed: dict[str, str] | None = None,
    wrong: dict[str, str] | None = None,
) -> Response:
    board = visit.board()
    notes = notes_view(board, visit.night.customs(), typed, wrong)
    status = 400 if wrong else 200
    return night_page("table/notes.html", board, notice, status=status, place_here="notes", notes=notes)
