"""A night as it stands: the board, and the frame that every page of a night has."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ledger.game.cards import Deck
from ledger.game.fold import begin
from ledger.game.night import due_header, seats_after
from ledger.game.notation import tag
from ledger.game.round import Header
from ledger.recorder.bodies import Terms
from ledger.recorder.events.undo import redo_target, undo_target
from ledger.recorder.rounds import RoundLog
from ledger.recorder.state import NightState
from ledger.recorder.views.round import RoundView, Say, view_round
from ledger.store import Event, Head, Link, Role, head_code

Data = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ChainHead:
    """Where the chain of a night has come to, and its code for people to compare."""

    seq: int
    hash: str
    """In hexadecimal."""
    code: str


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player, and what that player is called; whoever's name was erased goes by the tag."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class StakeInUse:
    """What a point is worth: an amount in the currency's own decimals, and the currency."""

    amount: str
    currency: str


@dataclass(frozen=True, slots=True)
class RulesetInUse:
    """A ruleset by its preset, and the fields of it that a table has changed, each with its value."""

    id: str
    rules: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class DeckInUse:
    """How many packs there are, and whether their backs tell cards apart."""

    packs: int
    backs: bool


@dataclass(frozen=True, slots=True)
class NextHeader:
    """How the next round begins if nobody says otherwise: the lowest card opens, or a player leads."""

    opening: bool
    leader: str | None
    seats: list[str]


@dataclass(frozen=True, kw_only=True)
class Frame(ChainHead):
    """What every page of a night needs of it, whatever else it shows."""

    id: str
    after: str
    """The id of the last entry about the play, which the next one comes after."""
    players: list[NamedPlayer]
    stake: StakeInUse | None
    role: str
    """keeper, watch, or the player of a seat's link."""
    ended: bool
    net: dict[str, int]
    """What each player has won, by the rounds that are settled and the payments by hand."""
    provisional: dict[str, int]
    """What each player has won in rounds that are not settled, as far as they have come."""

    @property
    def names(self) -> dict[str, str]:
        """What each player is called."""
        return {player.player: player.name for player in self.players}


@dataclass(frozen=True, kw_only=True)
class Board(Frame):
    """A night as it stands."""

    ruleset: RulesetInUse
    deck: DeckInUse
    posted: bool
    """Whether nothing waits to be settled in the last round."""
    undo: bool
    redo: bool
    """Whether there is something to take back, or to put in force again."""
    unsettled: list[int]
    """The rounds that are not settled, running ones included."""
    next: NextHeader | None
    """None while a round runs, and where the night has ended."""
    round: RoundView | None
    """The last round; None before the first."""


def view_board(state: NightState, names: Mapping[str, str], actor: Link, say: Say) -> Board:
    """The night as somebody sees it who comes by a link; findings as `say` words them."""
    log, frame = state.current, view_frame(state, names, actor)
    running = log is not None and log.counts and log.round is not None and not log.round.over
    return Board(
        **{name: getattr(frame, name) for name in Frame.__dataclass_fields__},
        ruleset=view_ruleset(state.terms),
        deck=view_deck(state.terms.ruleset.deck),
        posted=log is None or not log.open,
        undo=not state.ended and undo_target(state) is not None,
        redo=not state.ended and redo_target(state) is not None,
        unsettled=state.open_rounds,
        next=None if running else _next(state),
        round=view_round(log, names, say) if log and log.round else None,
    )


def view_frame(state: NightState, names: Mapping[str, str], actor: Link) -> Frame:
    """The frame of a night for whoever comes by a link."""
    return Frame(
        **head_data(state.head),
        id=state.terms.night,
        after=state.after,
        players=view_players(names),
        stake=view_stake(state.terms),
        role=actor.player if actor.role is Role.SEAT and actor.player else actor.role.value,
        ended=state.ended,
        net=dict(state.net),
        provisional=state.provisional(),
    )


def view_fresh_round(state: NightState, names: Mapping[str, str], say: Say) -> RoundView:
    """The round that would come next, before anything is played in it: whoever sat in the last one sits, and nobody
    knows yet who begins."""
    ruleset = state.terms.ruleset
    seats = _sitting(state)[: max(ruleset.deal.players)]
    return view_round(RoundLog(state.newest + 1, round=begin(ruleset, Header(seats))), names, say)


def view_ruleset(terms: Terms) -> RulesetInUse:
    """The ruleset that a night agreed on."""
    return RulesetInUse(terms.ruleset.id, list(terms.rules))


def view_deck(deck: Deck) -> DeckInUse:
    """The deck that a night is played with."""
    return DeckInUse(deck.packs, deck.backs)


def view_stake(terms: Terms) -> StakeInUse | None:
    """What a point is worth; None where nothing was agreed on."""
    return StakeInUse(f"{terms.stake.amount:f}", terms.stake.currency) if terms.stake else None


def view_players(names: Mapping[str, str]) -> list[NamedPlayer]:
    """The players of a night, p1 first."""
    return [NamedPlayer(player, name) for player, name in names.items()]


def players_data(names: Mapping[str, str]) -> list[Data]:
    """The players of a night as data."""
    return [asdict(player) for player in view_players(names)]


def head_data(head: Head) -> Data:
    """Where the chain has come to, as data."""
    return {"seq": head.seq, "hash": head.hash.hex(), "code": head_code(head.seq, head.hash)}


def log_entry(row: Event) -> Data:
    """An event as it is stored: its exact text, and the hashes in hexadecimal."""
    return {"seq": row.seq, "id": row.id, "kind": row.kind, "hash": row.hash.hex(), "body": row.body}


def _next(state: NightState) -> NextHeader | None:
    if state.ended:
        return None
    seats = _sitting(state)
    due = due_header(state.terms.ruleset, seats, state.previous)
    return NextHeader(
        due.leader is None, None if due.leader is None else tag(due.leader), list(map(tag, seats))
    )


def _sitting(state: NightState) -> tuple[int, ...]:
    """Who sits in the next round if nobody says otherwise, in playing order; everyone in the first."""
    previous = state.previous
    return seats_after(previous) if previous else tuple(range(len(state.players)))
