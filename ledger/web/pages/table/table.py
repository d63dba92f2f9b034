"""The table of a night: record or watch the running round, begin the next; and the overlay for video streams."""

from flask import Response, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import Cards
from ledger.game.moves import NOBODY
from ledger.game.notation import tag
from ledger.game.patterns import Kind
from ledger.game.round import Round
from ledger.language.dictation import Fits, heard
from ledger.recorder import Customs, Problem, Role
from ledger.recorder.views.night import Board
from ledger.recorder.views.round import RoundView
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.pages.shared.page_cache import cached_page
from ledger.web.pages.table import noting, table_form, table_view
from ledger.web.pages.table.result import misseated
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form
from ledger.web.terms_line import line_of_night


@pages.get("/n/<night:night>")
@cached_page
def table(visit: NightVisit) -> Response:
    """The table: the keeper can record, all others watch."""
    return _answer(visit)


@pages.get("/n/<night:night>/heard")
def heard_play(night: str) -> Response:
    """The moves that a phrase (`?said=`) of a player (`?seat=`, else the one to act) may mean, for the script that
    chooses one on the table: `{"pass": …, "plays": [{"cards", "text"}], "sure": …, "heard": …}`.

    A phrase may continue the one before it (`?before=`). Where only suits are missing, `heard` is
    `{"phrase", "text", "fits"}`: for each list of fitting plays, and each rank of a play, its choices of cards.
    """
    visit = visit_as_keeper(night)
    round = visit.board().round
    played = visit.night.round(round.number) if round and not round.over else None
    release()
    if played is None:
        return jsonify({"pass": False, "plays": [], "sure": False, "heard": None})
    seats = {tag(player): player for player in played.header.seats}
    to_act = played.header.seats[0] if played.turn == NOBODY else played.turn
    player, asked = seats.get(request.args.get("seat", ""), to_act), request.args
    found = heard(played, player, asked.get("said", ""), asked.get("before", ""))
    return jsonify(
        {
            "pass": found.passes,
            "plays": [_play_data(played, play) for play in found.plays],
            "sure": found.sure,
            "heard": found.fits and {"phrase": found.phrase, **_fits_data(played, found.fits)},
        }
    )


def _fits_data(round: Round, fits: Fits) -> dict[str, object]:
    write = round.ruleset.deck.write
    return {
        "text": speaker().capital(speaker().play_of_ranks(fits.pattern, fits.ranks)),
        "fits": [[[write(cards) for cards in rank] for rank in choices] for choices in fits.choices],
    }


def _play_data(round: Round, play: Cards) -> dict[str, object]:
    cards, combination = round.ruleset.deck.write(play), round.compiled.index.read(play)
    kind = Kind.of(combination.shape) if combination else None
    return {"cards": cards, "text": speaker().capital(speaker().combination(cards, kind))}


@pages.post("/n/<night:night>")
def record(night: str) -> AnyResponse:
    """Record the event of the table's form; if refused, the page is shown again with its fields."""
    visit = visit_as_keeper(night)
    fields = read_form()
    if seat := forms.one(fields, "instead"):
        fields = {**fields, "kind": ["play"], "seat": [seat]}
    missing = misseated(fields) if forms.kind_of(fields) == "round" else _missing(fields)
    if missing is not None:
        return _answer(visit, missing, fields)
    asked = forms.pressed(fields)
    try:
        (recorded,) = visit.record(asked)
    except Problem as problem:
        return _answer(visit, refused(problem, asked.kind), fields)
    if recorded.to_settle and asked.kind in ("play", "pass", "claim"):
        return redirect(url_for("pages.settle", night=night, number=recorded.to_settle), 303)
    return redirect(url_for("pages.table", night=night), 303)


_OF_A_SEAT = frozenset({"play", "forward", "pass", "claim", "contract"})
"""The kinds that need a seat: none is preselected while the holder of the lowest card is unknown."""


def _missing(fields: forms.Fields) -> Notice | None:
    """What a form lacks: cards or a seat; None if it is complete."""
    kind = forms.kind_of(fields)
    if kind in ("play", "forward", "claim") and not fields.get("cards"):
        return Notice(table_form.nothing(speaker()))
    if kind.partition(" ")[0] in _OF_A_SEAT and not fields.get("seat"):
        return Notice(table_form.nobody(speaker()))
    return None


def _answer(
    visit: NightVisit, notice: Notice | None = None, fields: forms.Fields = forms.NOTHING
) -> Response:
    keeps, night, board = visit.link.role is Role.KEEPER, visit.night, visit.board()
    round = board.round
    between = not round or round.over
    customs = night.customs() if between else None
    running = night.round(round.number) if keeps and round and not between else None
    fresh = night.fresh_round(say_finding) if keeps and between and board.next else None
    release()
    if customs is not None:
        return _between_page(board, customs, fresh, notice, fields)
    if running is not None:
        table = table_form.form_of_running(board, running, notice, fields)
        return night_page("table/record.html", board, notice, place_here="table", round=round, table=table)
    assert round is not None
    return night_page(
        "table/board.html",
        board,
        place_here="table",
        round=round,
        seats=table_view.seats(round, board.names),
        say=table_view.turn_sentence(round, board.names),
        earlier=table_view.earlier(round),
    )


def _between_page(
    board: Board, customs: Customs, fresh: RoundView | None, notice: Notice | None, fields: forms.Fields
) -> Response:
    due = board.next
    return night_page(
        "table/between.html",
        board,
        notice,
        place_here="table",
        round=board.round,
        table=table_form.form_of_next(board, customs.ruleset, fresh),
        most_seats=max(customs.ruleset.deal.players),
        notes=noting.notes_view(board, customs),
        seats=list(fields.get("seats", table_view.proposed_seats(board, customs.ruleset))),
        leader=next(iter(fields.get("leader", ())), (due and due.leader) or ""),
        times=forms.times(fields),
        terms=line_of_night(board),
    )


@pages.get("/n/<night:night>/overlay")
@cached_page
def overlay(visit: NightVisit) -> Response:
    """Totals, the pile and the seats, large and without a background, for streaming programs to lay over video."""
    board = visit.board()
    running = board.round if board.round and not board.round.over else None
    return night_page(
        "table/overlay.html",
        board,
        round=board.round,
        seats=table_view.seats(running, board.names) if running else [],
        say=table_view.turn_sentence(running, board.names) if running else "",
    )
