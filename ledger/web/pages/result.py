"""A round that nobody recorded move by move, entered as its result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flask import Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import Card, Deck, Rank, Suit
from ledger.game.rulesets.model import Ruleset
from ledger.recorder import Link, Problem
from ledger.recorder.views.entry import BombTaken, EntryRow
from ledger.recorder.views.night import Board
from ledger.web import forms
from ledger.web.access import keeper_link
from ledger.web.pages.blueprint import board_in, board_of, pages
from ledger.web.pages.notices import Notice, misseated, notice_of, stays_on_page
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable


@pages.get("/n/<night:night>/result")
def result(night: str) -> AnyResponse:
    """The form of a result: with the beginning of its round, where that has not been recorded yet."""
    link = keeper_link(night)
    with recorder().night(link.night) as seen:
        board, ruleset = board_in(seen, link), seen.ruleset
    if board.next is None and not takes_result(board):
        return redirect(url_for("pages.table", night=link.night))
    return make_response(_page(board, ruleset, {}))


@pages.post("/n/<night:night>/result")
def record_result(night: str) -> AnyResponse:
    """Begin the round and record how it came out; refused, the form comes again with everything that was typed,
    and says what of it was recorded."""
    link = keeper_link(night)
    fields = read_form()
    act = forms.kind_of(fields)
    if act == "more":
        return _answer(link, fields, more=True)
    if act not in ("result", "round", "undo"):
        raise unreadable("a button of the form")
    if act != "undo" and (wrong := mistake(fields, _deck(link))):
        return _answer(link, fields, Notice(wrong), status=422)
    if forms.one(fields, "begins") and (notice := misseated(fields)):
        return _answer(link, fields, notice, status=422)
    asked = [forms.request(fields, "undo")] if act == "undo" else forms.round_by_result(fields)
    recorded = 0
    try:
        for request in asked:
            recorder().record(link.night, request, link)
            recorded += 1
    except Problem as problem:
        if not stays_on_page(problem):
            raise
        notice = notice_of(problem, board_of(link), asked[recorded].kind)
        return _answer(link, fields, notice, begun=recorded == 1, status=problem.status)
    return _answer(link, fields) if act == "undo" else _to_the_hands(link)


def _deck(link: Link) -> Deck:
    with recorder().night(link.night) as seen:
        return seen.ruleset.deck


def takes_result(board: Board) -> bool:
    """Whether a round has begun of which no move is recorded: bets come before the play."""
    round = board.round
    if round is None or board.next is not None or round.over or board.ended:
        return False
    return all(row.kind == "contract" for row in round.moves)


def mistake(fields: forms.Fields, deck: Deck) -> str:
    """What is wrong in the fields of a result, in a sentence; what the rules say of it they say themselves."""
    return next(_mistakes(fields, deck), "")


def _mistakes(fields: forms.Fields, deck: Deck) -> Iterator[str]:
    words = speaker()
    said = forms.result(fields)
    last = max((place for place, player in enumerate(fields.get("places", ()), start=1) if player), default=0)
    if last > len(said.places):
        yield words.gettext("There is a gap in the places: fill it in, or move up.")
    named = [*said.places, *said.knocked_out]
    if len(set(named)) < len(named):
        yield words.gettext("Somebody stands here twice: each player has one place, or was knocked out.")
    if not said.places:
        yield words.gettext("Say at least who came in first.")
    for bomb in said.bombs:
        if not (bomb.seat and bomb.beat and bomb.captured):
            yield words.gettext("Of every bomb: who bombed, whom, and which cards it took. Or empty the row.")
        elif card := forms.wrong_card(bomb.captured, deck):
            yield forms.no_card(card)


@dataclass(frozen=True, slots=True)
class BombRow:
    """A row of the form: a bomb, its cards as far as they can be tapped, and the others as they are typed."""

    seat: str
    beat: str
    tapped: list[str]
    typed: str


@dataclass(frozen=True, slots=True)
class ResultForm:
    """What the fields of a result show."""

    places: Sequence[str]
    knocked_out: Sequence[str]
    bombs: list[BombRow]
    twos: list[str]


def filled(fields: forms.Fields, entry: EntryRow | None, deck: Deck, *, more: bool = False) -> ResultForm:
    """What was filled in, else an entry as it is recorded; `more`: and a row for another bomb."""
    said = {name: fields.get(name, ()) for name in ("places", "knocked_out")}
    bombs = forms.bombs(fields)
    if entry and not fields:
        said = {"places": entry.places or (), "knocked_out": entry.knocked_out or ()}
        bombs = entry.bombs or []
    if more or not bombs:
        bombs = [*bombs, BombTaken("", "", [])]
    tapped, word = twos(deck), speaker().word_or_card
    rows = [
        BombRow(
            bomb.seat,
            bomb.beat,
            [card for card in bomb.captured if card in tapped],
            " ".join(word(card) for card in bomb.captured if card not in tapped),
        )
        for bomb in bombs
    ]
    return ResultForm(**said, bombs=rows, twos=tapped)


def twos(deck: Deck) -> list[str]:
    """The cards that are bombed most often: to be tapped, not typed."""
    backs = range(deck.packs if deck.backs else 1)
    return [str(Card(Rank.TWO, suit, back)) for back in backs for suit in Suit]


def _to_the_hands(link: Link) -> AnyResponse:
    round = board_of(link).round
    assert round is not None, "the result was recorded"
    return redirect(url_for("pages.settle", night=link.night, number=round.number), 303)


def _answer(
    link: Link,
    fields: forms.Fields,
    notice: Notice | None = None,
    *,
    more: bool = False,
    begun: bool = False,
    status: int = 200,
) -> Response:
    """The form as it came, on the night as it stands."""
    with recorder().night(link.night) as seen:
        board, ruleset = board_in(seen, link), seen.ruleset
    return make_response(_page(board, ruleset, fields, notice, more=more, begun=begun), status)


def _page(
    board: Board,
    ruleset: Ruleset,
    fields: forms.Fields,
    notice: Notice | None = None,
    *,
    more: bool = False,
    begun: bool = False,
) -> str:
    """The form; `begun`: the round has just begun, and its result is what is refused."""
    due, round = board.next, board.round
    most = max(ruleset.deal.players)
    sitting = fields.get("seats") or (due.seats[:most] if due else ())
    return render_template(
        "result.html",
        place_here="table",
        board=board,
        names=board.names,
        round=None if due else round,
        number=(round.number if round else 0) + bool(due),
        most_seats=most,
        seats=list(sitting),
        leader=forms.one(fields, "leader") if fields else (due and due.leader) or "",
        players=list(board.names) if due or not round else round.seats,
        typed=filled(fields, None, ruleset.deck, more=more),
        minds_untouched=ruleset.minds_untouched,
        begun=begun,
        refusal=notice,
    )
