"""Enter a round, or the rest of one, as its result: one screen from the places to the payments; nothing is recorded
before it is complete."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import uuid4

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.cards import Card, Deck, Rank, Suit
from ledger.game.rulesets.model import Ruleset
from ledger.recorder import Link, NightSnapshot, Problem, with_unrecorded
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.night import Board
from ledger.recorder.views.round import RoundView
from ledger.recorder.views.round_page import RoundPage
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.forms import Extra, TypedResult
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.pages.table import table_view
from ledger.web.preferences import say_finding, speaker
from ledger.web.request_body import read_form, unreadable


@pages.get("/n/<night:night>/result")
def result(night: str) -> AnyResponse:
    """The form of a result. Its fields are in the address, so that they survive a reload and the back button."""
    visit = visit_as_keeper(night)
    form = ResultForm.read(request.args.to_dict(flat=False), visit)
    if form.begins or takes_result(form.board):
        return _page(visit, form)
    return redirect(url_for("pages.table", night=night))


@pages.post("/n/<night:night>/result")
def record_result(night: str) -> AnyResponse:
    """Record the result of a round: its beginning if it has not begun, the result, the hands left, and its settling
    if nothing else is needed, unless a player pays for others. All of it or nothing."""
    visit = visit_as_keeper(night)
    fields = read_form()
    act = forms.kind_of(fields)
    if act not in ("result", "cover", "round", "undo"):
        raise unreadable("a button of the form")
    try:
        form = ResultForm.read(fields, visit, begins=bool(forms.one(fields, "begins")))
        if act != "undo" and (wrong := misseated(fields) or form.result.mistake()):
            return _page(visit, ResultForm.read(fields, visit), wrong)
        asked = [("undo", {})] if act == "undo" else form.entries(visit)
        if act == "cover" and asked[-1][0] == "settle":
            asked.pop()
        done = visit.record(*forms.in_a_row(fields, asked))[-1]
    except Problem as problem:
        notice = refused(problem, "round")
        return _page(visit, ResultForm.read(fields, visit), notice)
    if act == "undo":
        return redirect(url_for("pages.result", night=night), 303)
    if done.to_settle:
        return redirect(url_for("pages.settle", night=night, number=done.to_settle), 303)
    return redirect(url_for("pages.table", night=night), 303)


def misseated(fields: forms.Fields) -> Notice | None:
    """Why a round cannot begin with the chosen seats; None if it can, or if none were chosen."""
    seats = [player for player in fields.get("seats", ()) if player]
    if not seats or len(seats) == len(set(seats)) > 1:
        return None
    words = speaker()
    return Notice(
        words.gettext("Each player has one seat, and two sit in at the least. Choose again who sits in.")
    )


def takes_result(board: Board) -> bool:
    """Whether a round is running, so that its rest can be entered as its result."""
    return board.round is not None and board.next is None and not board.round.over and not board.ended


@dataclass(frozen=True, slots=True)
class ResultFields:
    """The fields of a result, for entering and for correcting one."""

    players: Sequence[str]
    done: Sequence[str]
    """The players who are out or knocked out by recorded moves: they cannot be tapped."""
    places: list[str]
    knocked_out: list[str]
    extras: list[Extra]
    """The finished extra payments."""
    extra: Extra
    """The extra payment that is being filled in."""
    one_place: bool
    """Whether the round ends with the first player out, so that nobody else needs a place."""
    never_played_matters: bool
    deck: Deck
    out_of_reach: Mapping[str, int]
    """Cards that nobody holds and no bomb can capture, each with how often it was seen."""

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
        """The fields after the last tap; without any, those of a recorded `entry`. Places of a `running` round
        stay. Raises a Problem (400) for values that no tap can produce."""
        typed, extra = forms.result(fields), forms.extra_being_typed(fields)
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
        return cls(
            players=players,
            done=done,
            places=places,
            knocked_out=knocked_out,
            extras=extras,
            extra=extra,
            one_place=ruleset.ending.at_first_out,
            never_played_matters=ruleset.never_played_matters,
            deck=ruleset.deck,
            out_of_reach=_out_of_reach(running) if running else {},
        )

    @property
    def twos(self) -> list[str]:
        """The 2s that can be paid for."""
        return [card for card in twos(self.deck) if not self.out_of_reach.get(card)]

    @property
    def grids(self) -> list[table_view.Grid]:
        """The keys of all cards except twos."""
        return table_view.grids(
            self.deck, seen_counts=self.out_of_reach, checked=self.extra.cards, but=twos(self.deck)
        )

    @property
    def complete(self) -> bool:
        """Whether every player who needs a place has one."""
        everybody = {*self.places, *self.knocked_out} >= set(self.players)
        return bool(self.places) and (self.one_place or everybody)

    def mistake(self) -> Notice | None:
        """What is missing; the rules are not checked here."""
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
    """The places and the knocked out after a tap on a player: the first tap gives the next place, a second marks as
    knocked out if the rules have that, the last undoes it. A single remaining player gets the last place."""
    one_place = ruleset.ending.at_first_out
    if player in knocked_out:
        knocked_out = [one for one in knocked_out if one != player]
    elif player in places:
        places = [one for one in places if one != player]
        knocked_out = [*knocked_out, player] if ruleset.never_played_matters else knocked_out
    elif player in players:
        places = [player] if one_place else [*places, player]
    free = [one for one in players if one not in {*places, *knocked_out}]
    last = free if len(free) == 1 and not one_place else []
    return [*places, *last], knocked_out


def _out_of_reach(round: RoundView) -> Counter[str]:
    """Cards that nobody holds and no bomb can capture: those seen, except the top of the pile."""
    return Counter(round.seen_counts) - Counter(round.pile[-1].cards if round.pile else ())


def twos(deck: Deck) -> list[str]:
    """The 2s, which are paid for most often and get buttons of their own."""
    backs = range(deck.packs if deck.backs else 1)
    return [str(Card(Rank.TWO, suit, back)) for back in backs for suit in Suit]


def _require_readable(extras: Sequence[Extra], names: Collection[str], deck: Deck) -> None:
    players = {player for one in extras for player in (one.who, one.whom)}
    if not players <= {"", *names} or any(forms.wrong_card(one.cards, deck) for one in extras):
        raise unreadable("a button of the form")


KindAndContent = tuple[str, Mapping[str, Any]]
"""The kind and the content of an event."""


class Plan(NamedTuple):
    """The events to record, and the round after them."""

    entries: list[KindAndContent]
    round: RoundPage

    @property
    def settles(self) -> bool:
        """Whether the events include the settling."""
        return self.entries[-1][0] == "settle"


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The form of a result for a night's current state: its round, and its fields."""

    fields: forms.Fields
    board: Board
    begins: bool
    """Whether the round has not begun."""
    seats: Sequence[str]
    result: ResultFields

    @classmethod
    def read(cls, fields: forms.Fields, visit: NightVisit, *, begins: bool | None = None) -> "ResultForm":
        """Read it from a form or an address; `begins`, if the form has it, is whether the round has not begun."""
        board, ruleset = visit.board(), visit.night.ruleset
        begins = board.next is not None if begins is None else begins
        seats = [player for player in fields.get("seats", ()) if player in board.names]
        running = None if begins else board.round
        if begins and board.next:
            seats = seats or table_view.proposed_seats(board, ruleset)
        elif not begins and board.round:
            seats = board.round.seats
        result = ResultFields.of(fields, [*dict.fromkeys(seats)], board.names, ruleset, running=running)
        return cls(fields, board, begins, seats, result)

    @property
    def is_rest(self) -> bool:
        """Whether moves of the round are recorded: they stay, and only the rest is entered."""
        moves = self.board.round.moves if self.board.round and not self.begins else []
        return any(row.kind != "contract" for row in moves)

    @property
    def number(self) -> int:
        """The number of the round, or of the one to begin."""
        return (self.board.round.number if self.board.round else 0) + self.begins

    @property
    def leader(self) -> str:
        """The leader: the chosen one, else the one by the rules; empty if the lowest card opens."""
        due = self.board.next
        return forms.one(self.fields, "leader") if "leader" in self.fields else (due and due.leader) or ""

    @property
    def times(self) -> str:
        """The chosen factor of the payments; empty if none was chosen."""
        return forms.times(self.fields)

    def entries(self, visit: NightVisit) -> list[KindAndContent]:
        """The events to record. If the night has changed since the form was shown, only those of its fields: either
        this form has recorded them before, or they are stale."""
        if forms.one(self.fields, "after") != visit.night.state.after:
            return self._entries_typed()
        return self.plan(visit).entries

    def plan(self, visit: NightVisit) -> Plan:
        """The events to record; players whose hands would be needed but were not filled in declare no special sets.
        Raises a Problem if the rules refuse it."""
        entries = self._entries_typed()
        then_declared, then = _supposed(visit.night, visit.link, entries)
        none = [("declare", {"seat": seat, "round": then.number, "cards": []}) for seat in then.needed]
        _, whole = _supposed(then_declared, visit.link, none) if none else (then_declared, then)
        if whole.can_settle:
            return Plan([*entries, *none, ("settle", {"round": whole.number})], whole)
        return Plan(entries, then)

    def _entries_typed(self) -> list[KindAndContent]:
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
    snapshot: NightSnapshot, link: Link, entries: Sequence[KindAndContent]
) -> tuple[NightSnapshot, RoundPage]:
    """The night after these events, and its round."""
    fields = {"id": [str(uuid4())], "after": [snapshot.state.after]}
    then = with_unrecorded(snapshot, forms.in_a_row(fields, entries), link)
    current = then.state.current
    assert current is not None, "the round of the result"
    return then, then.round_page(current.number, say_finding)


def _page(visit: NightVisit, form: ResultForm, notice: Notice | None = None) -> Response:
    """The form with its fields, and the payments that would result."""
    plan, most_seats = None, max(visit.night.ruleset.deal.players)
    if not notice and form.result.complete:
        try:
            plan = form.plan(visit)
        except Problem as problem:  # nothing was to be recorded yet, so the status is 200
            notice = replace(refused(problem, "round"), status=200)
    return night_page(
        "table/result.html",
        form.board,
        notice,
        place_here="table",
        form=form,
        most_seats=most_seats,
        plan=plan,
    )
