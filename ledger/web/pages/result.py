"""A round, or the rest of one, that is entered as its result: one screen from who came in to the payments, and
nothing is recorded before it is complete."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import uuid4

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import Card, Deck, Rank, Suit
from ledger.game.rulesets.model import Ruleset
from ledger.recorder import Link, NightSnapshot, Problem, supposed
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.night import Board
from ledger.recorder.views.round import RoundView
from ledger.recorder.views.round_page import RoundPage
from ledger.web import forms
from ledger.web.access import keeper_link
from ledger.web.forms import Extra, TypedResult
from ledger.web.pages import table_view
from ledger.web.pages.blueprint import Notice, board_in, night_page, pages, refused
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable


@pages.get("/n/<night:night>/result")
def result(night: str) -> AnyResponse:
    """The form of a result. What was tapped is in the address, so that it outlives a reload and the way back."""
    link = keeper_link(night)
    fields = request.args.to_dict(flat=False)
    with recorder().night(link.night) as snapshot:
        form = ResultForm.read(fields, snapshot, link)
        if form.begins or takes_result(form.board):
            return _page(snapshot, link, form)
    return redirect(url_for("pages.table", night=link.night))


@pages.post("/n/<night:night>/result")
def record_result(night: str) -> AnyResponse:
    """Record how a round came out: its beginning where that is not recorded yet, the result, the hands that were
    named, and its payments where nothing else is needed for them. All of it, or nothing."""
    link = keeper_link(night)
    fields = read_form()
    act = forms.kind_of(fields)
    if act not in ("result", "round", "undo"):
        raise unreadable("a button of the form")
    try:
        with recorder().night(link.night) as snapshot:
            form = ResultForm.read(fields, snapshot, link, begins=bool(forms.one(fields, "begins")))
            if act != "undo" and (wrong := misseated(fields) or form.result.mistake()):
                return _page(snapshot, link, ResultForm.read(fields, snapshot, link), wrong)
            asked = [("undo", {})] if act == "undo" else form.entries(snapshot, link)
        done = recorder().record_all(link.night, forms.in_a_row(fields, asked), link)[-1]
    except Problem as problem:
        notice = refused(problem, "round")
        with recorder().night(link.night) as snapshot:
            return _page(snapshot, link, ResultForm.read(fields, snapshot, link), notice)
    if act == "undo":
        return redirect(url_for("pages.result", night=link.night), 303)
    if done.to_settle:
        return redirect(url_for("pages.settle", night=link.night, number=done.to_settle), 303)
    return redirect(url_for("pages.table", night=link.night), 303)


def misseated(fields: forms.Fields) -> Notice | None:
    """Why no round begins with those who were chosen to sit in; None where they may, or nobody was."""
    seats = [player for player in fields.get("seats", ()) if player]
    if not seats or len(seats) == len(set(seats)) > 1:
        return None
    words = speaker()
    return Notice(
        words.gettext("Each player has one seat, and two sit in at the least. Choose again who sits in.")
    )


def takes_result(board: Board) -> bool:
    """Whether a round runs: its rest can be entered as its result at any time."""
    return board.round is not None and board.next is None and not board.round.over and not board.ended


@dataclass(frozen=True, slots=True)
class ResultFields:
    """What the fields of a result show, where it is entered and where it is corrected."""

    players: Sequence[str]
    done: Sequence[str]
    """Who is out or was knocked out by what was recorded before: nothing can be tapped of them."""
    places: list[str]
    knocked_out: list[str]
    extras: list[Extra]
    """The lines beside the places that are finished."""
    extra: Extra
    """The line that is being filled in."""
    one_place: bool
    """Whether the round ends with the first who is out, so that nobody else needs a place."""
    minds_untouched: bool
    twos: list[str]
    grids: list[table_view.Grid]
    """The other cards."""

    @classmethod
    def of(
        cls,
        fields: forms.Fields,
        players: Sequence[str],
        names: Collection[str],
        ruleset: Ruleset,
        *,
        entry: EntryRow | None = None,
        running: RoundView | None = None,
    ) -> "ResultFields":
        """What was tapped, with the last tap; where nothing was, an entry as it is recorded. Of a round that is
        `running` what was recorded stays. 400 for what no tap can say."""
        typed, extra = forms.result(fields), forms.extra_in_hand(fields)
        if entry and not fields:
            bombs = [Extra("bomb", one.seat, one.beat, one.captured) for one in entry.bombs or ()]
            typed = TypedResult(list(entry.places or ()), list(entry.knocked_out or ()), bombs)
        extras = typed.extras if extra.blank else typed.extras[:-1]
        _require_readable([*extras, extra], names, ruleset.deck)
        act, _, which = (forms.kind_of(fields) or forms.one(fields, "act")).partition(" ")
        blank = replace(extra, who="", whom="", cards=[])
        if act == "extra" and extra.whole:
            extras, extra = [*extras, extra], blank
        elif act == "without" and which == "this":
            extra = blank
        elif act == "without":
            extras = [one for place, one in enumerate(extras) if str(place) != which]
        out, knocked = (running.places, running.knocked_out) if running else ([], [])
        done = (*out, *knocked)
        places, knocked_out = (
            [*before, *(one for one in some if one in players and one not in done)]
            for before, some in ((out, typed.places), (knocked, typed.knocked_out))
        )
        tap = which if act == "tap" and which not in done else ""
        places, knocked_out = tapped(places, knocked_out, players, tap, ruleset)
        out_of_reach = _out_of_reach(running) if running else {}
        two = twos(ruleset.deck)
        return cls(
            players=players,
            done=done,
            places=places,
            knocked_out=knocked_out,
            extras=extras,
            extra=extra,
            one_place=ruleset.ending.at_first_out,
            minds_untouched=ruleset.minds_untouched,
            twos=[card for card in two if not out_of_reach.get(card)],
            grids=table_view.grids(ruleset.deck, seen_counts=out_of_reach, checked=extra.cards, but=two),
        )

    @property
    def complete(self) -> bool:
        """Whether everybody who needs one has a place."""
        everybody = {*self.places, *self.knocked_out} >= set(self.players)
        return bool(self.places) and (self.one_place or everybody)

    def mistake(self) -> Notice | None:
        """What is missing, in a sentence; what the rules say of it they say themselves."""
        words = speaker()
        if not self.complete:
            return Notice(words.gettext("Tap who came in, in order: first, second and so on."))
        if not (self.extra.blank or self.extra.whole):
            return Notice(
                words.gettext(
                    "A bomb needs who, whom and the cards that it took. Cards left over: whose, and which."
                )
            )
        return None


def tapped(
    places: list[str], knocked_out: list[str], players: Sequence[str], player: str, ruleset: Ruleset
) -> tuple[list[str], list[str]]:
    """Who came in and who had played nothing, after a tap on a player: the first gives the next place, a second
    says that nothing was played, where the rules mind, and the last takes it back. Whoever is left came in last."""
    one_place = ruleset.ending.at_first_out
    if player in knocked_out:
        knocked_out = [one for one in knocked_out if one != player]
    elif player in places:
        places = [one for one in places if one != player]
        knocked_out = [*knocked_out, player] if ruleset.minds_untouched else knocked_out
    elif player in players:
        places = [player] if one_place else [*places, player]
    free = [one for one in players if one not in {*places, *knocked_out}]
    last = free if len(free) == 1 and not one_place else []
    return [*places, *last], knocked_out


def _out_of_reach(round: RoundView) -> Counter[str]:
    """Cards that nobody holds any more, and no bomb can still take: those that were seen, but for the top."""
    return Counter(round.seen_counts) - Counter(round.pile[-1].cards if round.pile else ())


def twos(deck: Deck) -> list[str]:
    """The cards that are paid for most often: to be tapped without looking for them."""
    backs = range(deck.packs if deck.backs else 1)
    return [str(Card(Rank.TWO, suit, back)) for back in backs for suit in Suit]


def _require_readable(extras: Sequence[Extra], names: Collection[str], deck: Deck) -> None:
    players = {player for one in extras for player in (one.who, one.whom)}
    if not players <= {"", *names} or any(forms.wrong_card(one.cards, deck) for one in extras):
        raise unreadable("a button of the form")


Entry = tuple[str, Mapping[str, Any]]
"""The kind of an event that is asked for, and what it says."""


class Plan(NamedTuple):
    """What is to be recorded, and the round as it is then."""

    entries: list[Entry]
    round: RoundPage

    @property
    def settles(self) -> bool:
        """Whether the payments are among it: nothing else is needed for them."""
        return self.entries[-1][0] == "settle"


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The form of a result, on the night as it stands: the round that it is of, and what was tapped."""

    fields: forms.Fields
    board: Board
    begins: bool
    """Whether the round is yet to begin."""
    seats: Sequence[str]
    result: ResultFields

    @classmethod
    def read(
        cls, fields: forms.Fields, snapshot: NightSnapshot, link: Link, *, begins: bool | None = None
    ) -> "ResultForm":
        """What a form, or an address, says of it; `begins` where the form says that the round is yet to begin."""
        board = board_in(snapshot, link)
        begins = board.next is not None if begins is None else begins
        seats = [player for player in fields.get("seats", ()) if player in board.names]
        running = None if begins else board.round
        if begins and board.next:
            seats = seats or table_view.proposed_seats(board, snapshot.ruleset)
        elif not begins and board.round:
            seats = board.round.seats
        result = ResultFields.of(
            fields, [*dict.fromkeys(seats)], board.names, snapshot.ruleset, running=running
        )
        return cls(fields, board, begins, seats, result)

    @property
    def is_rest(self) -> bool:
        """Whether moves of the round are recorded: they stay, and only the rest is asked for."""
        moves = self.board.round.moves if self.board.round and not self.begins else []
        return any(row.kind != "contract" for row in moves)

    @property
    def number(self) -> int:
        """The number that the round has, or will have."""
        return (self.board.round.number if self.board.round else 0) + self.begins

    @property
    def leader(self) -> str:
        """Who leads: as it was chosen, else who is to by the rules; nobody where the lowest card opens."""
        due = self.board.next
        return forms.one(self.fields, "leader") if "leader" in self.fields else (due and due.leader) or ""

    def entries(self, snapshot: NightSnapshot, link: Link) -> list[Entry]:
        """What is to be recorded. Where the night has gone on since the form was shown, only what it says itself:
        that was recorded by it already, or comes too late."""
        if forms.one(self.fields, "after") != snapshot.state.after:
            return self._entries_typed()
        return self.plan(snapshot, link).entries

    def plan(self, snapshot: NightSnapshot, link: Link) -> Plan:
        """What is to be recorded; of whoever holds cards that would be paid for, and of whom nothing was said, that
        there are none. Problem where the rules refuse it."""
        entries = self._entries_typed()
        then_declared, then = _supposed(snapshot, link, entries)
        none = [("declare", {"seat": seat, "round": then.number, "cards": []}) for seat in then.needed]
        _, whole = _supposed(then_declared, link, none) if none else (then_declared, then)
        if whole.can_settle:
            return Plan([*entries, *none, ("settle", {"round": whole.number})], whole)
        return Plan(entries, then)

    def _entries_typed(self) -> list[Entry]:
        result = self.result
        extras = [*result.extras, *([result.extra] if result.extra.whole else [])]
        left = [one for one in extras if one.what == "left"]
        typed = TypedResult(result.places, result.knocked_out, extras)
        header = {**forms.beginning({**self.fields, "leader": [self.leader]}), "seats": list(self.seats)}
        return [
            *([("round", header)] if self.begins else []),
            ("result", typed.content),
            *(("declare", {"seat": one.who, "round": self.number, "cards": one.cards}) for one in left),
        ]


def _supposed(
    snapshot: NightSnapshot, link: Link, entries: Sequence[Entry]
) -> tuple[NightSnapshot, RoundPage]:
    """The night as it would be then, and its round."""
    fields = {"id": [str(uuid4())], "after": [snapshot.state.after]}
    then = supposed(snapshot, forms.in_a_row(fields, entries), link)
    current = then.state.current
    assert current is not None, "the round of the result"
    return then, then.round_page(current.number, speaker().finding)


def _page(snapshot: NightSnapshot, link: Link, form: ResultForm, notice: Notice | None = None) -> Response:
    """The form with what was tapped, and what it comes to."""
    plan, most_seats = None, max(snapshot.ruleset.deal.players)
    if not notice and form.result.complete:
        try:
            plan = form.plan(snapshot, link)
        except (
            Problem
        ) as problem:  # said before anything is asked to be recorded: the page is as it should be
            notice = replace(refused(problem, "round", names=form.board.names), status=200)
    return night_page(
        "result.html", form.board, notice, place_here="table", form=form, most_seats=most_seats, plan=plan
    )
