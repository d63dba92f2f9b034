"""Notes: what is agreed on beside the play. The rules say what is due, the keeper records what happened."""

from collections.abc import Iterable
from dataclasses import dataclass

from flask import Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import Deck
from ledger.game.customs import Note
from ledger.recorder import Customs, Link, Problem
from ledger.recorder.views.night import Board
from ledger.web import forms, note_fields
from ledger.web.access import keeper_link, link_to
from ledger.web.note_fields import NoteView
from ledger.web.pages.blueprint import board_in, board_of, pages
from ledger.web.pages.refusals import Notice, answered_on_page, notice_of
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form


@dataclass(frozen=True, slots=True)
class Due:
    """What is due by the rules; `line` records it."""

    note: NoteView
    line: str


@dataclass(frozen=True, slots=True)
class Beside:
    """What is beside the play of a night, and the form that notes more."""

    due: tuple[Due, ...]
    """What has been noted already is not due any more."""
    noted: tuple[tuple[int, tuple[NoteView, ...]], ...]
    """The notes since each round began that has any, the last round first; 0 stands for before the first."""
    latest: tuple[NoteView, ...]
    """The notes since the newest round began."""
    kinds: tuple[str, ...]
    """What these rules have a use for; where they have for nothing, every kind."""
    others: tuple[str, ...]
    words: dict[str, list[str]]
    """Kind of note -> the fields that its line says, in that order."""
    typed: dict[str, str]
    wrong: dict[str, str]
    """Field -> what is wrong in it, in a sentence."""


@pages.get("/n/<night:night>/notes")
def notes_page(night: str) -> Response:
    """All notes of the night; the keeper may add some, also while a round runs."""
    return _answer(link_to(night))


@pages.post("/n/<night:night>/notes")
def record_note(night: str) -> AnyResponse:
    """Record what was due, or what the form says; refused, the form comes again with everything that was typed."""
    link = keeper_link(night)
    fields = read_form()
    typed: dict[str, str] | None = None
    line = forms.one(fields, "due")
    if not line:
        typed = note_fields.typed(fields)
        note = note_fields.read(typed)
        wrong = _wrong(link, note)
        if wrong:
            return _answer(link, typed=typed, wrong=wrong, status=400)
        line = note_fields.spelled(note)
    try:
        recorder().record(link.night, forms.request(fields, "note", note=line), link)
    except Problem as problem:
        if not answered_on_page(problem, "note"):
            raise
        return _answer(link, notice_of(problem, board_of(link), ""), typed, status=problem.status)
    place = "pages.table" if board_of(link).next else "pages.notes_page"
    return redirect(url_for(place, night=link.night), 303)


def beside(
    board: Board, customs: Customs, typed: dict[str, str] | None = None, wrong: dict[str, str] | None = None
) -> Beside:
    """What is beside the play of a night as it stands."""
    ruleset, due, noted_in = customs
    useful = note_fields.of_use(ruleset, len(board.players))
    noted = tuple((number, _told(some, ruleset.deck)) for number, some in noted_in)
    latest = dict(noted).get(board.round.number if board.round else 0, ())
    kinds = tuple(useful or note_fields.WORDS)
    return Beside(
        due=tuple(
            Due(note, note_fields.spelled(note)) for note in _told(due, ruleset.deck) if note not in latest
        ),
        noted=noted,
        latest=latest,
        kinds=kinds,
        others=tuple(kind for kind in note_fields.WORDS if kind not in kinds),
        words={kind: list(fields) for kind, fields in note_fields.WORDS.items()},
        typed=typed or {"note": kinds[0]},
        wrong=wrong or {},
    )


def _told(some: Iterable[Note], deck: Deck) -> tuple[NoteView, ...]:
    return tuple(note_fields.told(note, deck) for note in some)


def _wrong(link: Link, note: NoteView) -> dict[str, str]:
    """What is wrong in a form's fields, in sentences."""
    words = speaker()
    sentences = {
        "note": words.gettext("Choose what is to be noted."),
        "other": words.gettext("Choose another player here."),
        "count": words.gettext("Give a whole number from 1 to 99."),
    }
    with recorder().night(link.night) as seen:
        deck = seen.ruleset.deck
    return {
        field: note_fields.no_card(card) if field == "cards" else sentences[field]
        for field, card in note_fields.mistakes(note, deck)
    }


def _answer(
    link: Link,
    notice: Notice | None = None,
    typed: dict[str, str] | None = None,
    wrong: dict[str, str] | None = None,
    *,
    status: int = 200,
) -> Response:
    with recorder().night(link.night) as seen:
        board, customs = board_in(seen, link), seen.customs()
    page = render_template(
        "notes.html",
        place_here="notes",
        board=board,
        names=board.names,
        beside=beside(board, customs, typed, wrong),
        refusal=notice,
    )
    return make_response(page, status)
