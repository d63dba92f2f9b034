"""A night as it stands: the board, and the frame that all pages of a night share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from ledger.game.cards import Deck
from ledger.game.fold import begin
from ledger.game.night import due_header, seats_after
from ledger.game.notation import Tag, tag
from ledger.game.round import Header
from ledger.game.terms import TYPED, Stake, TypedTerms
from ledger.recorder.events.correction import redo_target, undo_target
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState
from ledger.recorder.views import attributes
from ledger.recorder.views.round import RoundView, Say, view_round
from ledger.store import Head, Link, Role, StoredEvent, head_code

Uuid: TypeAlias = Annotated[str, ("format", "uuid")]
Hash: TypeAlias = Annotated[str, ("pattern", "^[0-9a-f]{64}$")]


@dataclass(frozen=True, kw_only=True)
class ChainHead:
    """The head of a night's chain, with its code for people to compare."""

    seq: int
    hash: Hash
    """In hexadecimal."""
    code: Annotated[str, ("example", "#412 · 7K3Q-9FZD-MW2H-XA4T")]


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player's tag and name; the tag is the name if that was erased."""

    player: Tag
    name: str


@dataclass(frozen=True, slots=True)
class StakeInUse:
    """What a point is worth: a decimal amount, and its currency."""

    amount: str
    currency: str


@dataclass(frozen=True, slots=True)
class RulesetInUse:
    """A ruleset: its preset, and the `rule` lines (name, value) by which the table changed it."""

    id: str
    rules: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class NextHeader:
    """How the next round begins by default: the lowest card opens, or a player leads."""

    opening: bool
    leader: str | None
    seats: list[str]


@dataclass(frozen=True, kw_only=True)
class Frame(ChainHead, TypedTerms):
    """What every page of a night shows."""

    id: Uuid
    after: Uuid
    """The id of the last event about the play: the `after` of the next request."""
    players: list[NamedPlayer]
    stake: StakeInUse | None
    role: str
    """keeper, watch, or the player of a seat's link."""
    ended: bool
    net: dict[str, int]
    """Player -> points won in settled rounds and by adjustments."""
    provisional: dict[str, int]
    """Player -> points won so far in rounds that are not settled."""
    open_disputes: int
    """How many disputes are not decided."""

    @property
    def names(self) -> dict[str, str]:
        """Player -> name."""
        return {player.player: player.name for player in self.players}


@dataclass(frozen=True, kw_only=True)
class Board(Frame):
    """A night as it stands."""

    ruleset: RulesetInUse
    deck: Deck
    posted: bool
    """Whether the last round has nothing left to settle."""
    undo: bool
    redo: bool
    """Whether there is something to undo, or to redo."""
    unsettled: list[int]
    """The numbers of rounds that are not settled, the running one included."""
    next: NextHeader | None
    """None while a round is running, and once the night has ended."""
    round: RoundView | None
    """The last round; None before the first."""


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An entry of the chain."""

    seq: int
    id: Uuid
    kind: str
    hash: Hash
    body: str
    """The exact text that was hashed."""


@dataclass(frozen=True, slots=True)
class OwnText:
    """The night's own text: what was agreed on when it was opened."""

    body: str
    """The exact text that was hashed."""
    hash: Hash


@dataclass(frozen=True, kw_only=True)
class LogView(ChainHead):
    """A part of the log."""

    night: OwnText | None = None
    """None unless the log is read from the start."""
    events: list[LoggedEvent]


def view_board(state: NightState, names: Mapping[str, str], actor: Link, say: Say) -> Board:
    """The board as the holder of a link sees it; `say` words the findings."""
    log, frame = state.current, view_frame(state, names, actor)
    running = log is not None and log.stands and log.round is not None and not log.round.over
    return Board(
        **attributes(frame),
        ruleset=RulesetInUse(state.terms.ruleset.id, list(state.agreed.rules)),
        deck=state.terms.ruleset.deck,
        posted=log is None or not log.open,
        undo=not state.ended and undo_target(state) is not None,
        redo=not state.ended and redo_target(state) is not None,
        unsettled=state.open_rounds,
        next=None if running else _next(state),
        round=view_round(log, names, say, state.worth_in(log)) if log and log.round else None,
    )


def view_frame(state: NightState, names: Mapping[str, str], actor: Link) -> Frame:
    """The frame of a night for the holder of a link."""
    return Frame(
        **attributes(view_head(state.head)),
        id=state.night,
        after=state.after,
        players=view_players(names),
        stake=view_stake(state.terms.stake),
        **{name: getattr(state.terms, name) for name in TYPED},
        role=actor.player if actor.role is Role.SEAT and actor.player else actor.role.value,
        ended=state.ended,
        net=dict(state.net),
        provisional=state.provisional(),
        open_disputes=state.open_disputes,
    )


def view_fresh_round(state: NightState, names: Mapping[str, str], say: Say) -> RoundView:
    """The next round before its first move: the players of the last round sit in it, as many as the ruleset allows,
    and its leader is open."""
    ruleset = state.terms.ruleset
    seats = _sitting(state)[: max(ruleset.deal.players)]
    log = RoundLog(state.newest + 1, round=begin(ruleset, Header(seats)))
    return view_round(log, names, say, state.terms.stake)


def view_stake(stake: Stake | None) -> StakeInUse | None:
    """View what a point is worth; None if it is worth nothing."""
    return StakeInUse(f"{stake.amount:f}", stake.currency) if stake else None


def view_players(names: Mapping[str, str]) -> list[NamedPlayer]:
    """The players of a night, p1 first."""
    return [NamedPlayer(player, name) for player, name in names.items()]


def view_head(head: Head) -> ChainHead:
    """View the head of a chain."""
    return ChainHead(seq=head.seq, hash=head.hash.hex(), code=head_code(head.seq, head.hash))


def view_logged(row: StoredEvent) -> LoggedEvent:
    """View an event as stored."""
    return LoggedEvent(row.seq, row.id, row.kind, row.hash.hex(), row.body)


def _next(state: NightState) -> NextHeader | None:
    if state.ended:
        return None
    seats = _sitting(state)
    due = due_header(state.terms.ruleset, seats, state.previous)
    return NextHeader(
        due.leader is None, None if due.leader is None else tag(due.leader), list(map(tag, seats))
    )


def _sitting(state: NightState) -> tuple[int, ...]:
    """The players in the next round by default, in playing order; all of them in the first."""
    previous = state.previous
    return seats_after(previous) if previous else tuple(range(len(state.players)))
