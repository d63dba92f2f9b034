"""A night at one moment. Whatever a page shows of a night is asked of one snapshot, and so is all of one head."""

from dataclasses import dataclass, field
from functools import cached_property

from ledger.game.night import Night, Terms
from ledger.game.round import Round
from ledger.game.rulesets.model import Ruleset
from ledger.recorder.events import people
from ledger.recorder.events.note import Begun, Customs, customs
from ledger.recorder.groups import MOST_NIGHTS
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.replays import night_of
from ledger.recorder.round_cache import NightCache, RoundCache
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState, StateCache, in_sight
from ledger.recorder.terms import Opening, read_night
from ledger.recorder.views import attributes
from ledger.recorder.views.dispute import Agreement, view_agreement
from ledger.recorder.views.ledger import LedgerView, view_ledger
from ledger.recorder.views.night import (
    Board,
    LogView,
    OwnText,
    view_board,
    view_fresh_round,
    view_head,
    view_logged,
)
from ledger.recorder.views.outline import Outline
from ledger.recorder.views.payment import (
    DisputePage,
    PaymentView,
    RoundExplained,
    Words,
    view_dispute_page,
    view_explained,
    view_payment,
)
from ledger.recorder.views.round import RoundView, Say
from ledger.recorder.views.round_page import RoundPage, view_round_page
from ledger.recorder.views.season import NightCounted
from ledger.recorder.views.settle_up import SettleUpView, view_settle_up
from ledger.recorder.views.stories import RoundSummary, Stories, view_stories
from ledger.store import Link, Reader, require_key
from ledger.store import Night as NightRow


@dataclass(frozen=True, slots=True)
class Memory:
    """What one process remembers of nights; only ever used where it is still so."""

    states: StateCache = field(default_factory=StateCache)
    outlines: RoundCache[Outline] = field(default_factory=lambda: RoundCache[Outline]())
    stories: RoundCache[RoundSummary | None] = field(
        default_factory=lambda: RoundCache[RoundSummary | None](in_a_row=True)
    )
    begun: RoundCache[Begun | None] = field(default_factory=lambda: RoundCache[Begun | None]())
    counted: NightCache[NightCounted] = field(default_factory=lambda: NightCache[NightCounted](MOST_NIGHTS))


class NightSnapshot:
    """All that can be asked of one night, as it was at one head.

    It answers within the block of `Reading.night` that it was made for. Problem (not found) where there is no such
    night, round, payment or dispute.
    """

    def __init__(
        self, reader: Reader, id: str, memory: Memory, key: bytes | None, state: NightState | None = None
    ) -> None:
        """`reader` sees the night as of one moment; `state` is another that it is supposed to be in."""
        try:
            self.head = reader.head(id)
        except LookupError:
            raise Problem(ProblemCode.NOT_FOUND) from None
        self.reader = reader
        self.id = id
        self._memory = memory
        self._key = key
        self._supposed = state

    def at(self, state: NightState) -> "NightSnapshot":
        """The night as if it had come to that state: of its board, and of the rounds that are in sight there."""
        return NightSnapshot(self.reader, self.id, self._memory, self._key, state)

    @cached_property
    def row(self) -> NightRow:
        """The night as it was opened."""
        row = self.reader.night(self.id)
        assert row is not None, "a night that has a head"
        return row

    @cached_property
    def state(self) -> NightState:
        """What it has come to."""
        return self._supposed or self._memory.states.load(self.reader, self.id, self.head)

    @property
    def names(self) -> dict[str, str]:
        """The name of each player; an erased one goes by its tag."""
        return self.reader.names(self.id)

    @property
    def opening(self) -> Opening:
        """How it was opened."""
        return read_night(self.row)

    @property
    def terms(self) -> Terms:
        """What was agreed on when it was opened."""
        return self.opening.terms

    @property
    def ruleset(self) -> Ruleset:
        """The rules that were agreed on."""
        return self.terms.ruleset

    def tokens(self) -> people.Tokens:
        """The tokens of its links: the keeper's, the watchers' and each player's."""
        return people.tokens(require_key(self._key), self.reader, self.id)

    def board(self, actor: Link, say: Say) -> Board:
        """Everything that a page needs, so that no page judges anything itself; findings as `say` words them."""
        return view_board(self.state, self.names, actor, say)

    def log(self, *, after: int = 0, limit: int | None = None) -> LogView:
        """The head, and the events after a seq, bodies and hashes as stored; from the start, the night's own
        text with them, so that the chain can be checked from what was read."""
        return LogView(
            **attributes(view_head(self.head)),
            night=OwnText(self.row.body, self.row.hash.hex()) if after == 0 else None,
            events=[view_logged(row) for row in self.reader.events(self.id, after=after, limit=limit)],
        )

    def ledger(self, *, after_round: int = 0, limit: int | None = None) -> LedgerView:
        """Payments, balances, running totals by round, and every round in a line."""
        outlines = self._memory.outlines
        return view_ledger(self.reader, self.state, outlines, after_round=after_round, limit=limit)

    def settle_up(self) -> SettleUpView:
        """The account of a night, what was handed over of it, and the fewest transfers that clear the rest."""
        return view_settle_up(self.reader, self.ledger(), self.state.open_disputes)

    def stories(self, *, heading: str | None = None, **players: str | None) -> Stories:
        """Every round with its story, or those that are looked for: by what is paid in them, and by the players
        that a Search names."""
        return view_stories(self.reader, self.row, self._memory.stories, heading, players)

    def agreement(self) -> Agreement:
        """Who agrees with which settled round, and every dispute with its decision."""
        return view_agreement(self.reader, self.id)

    def customs(self) -> Customs:
        """What is beside the play: what was noted, and what is due before the next round."""
        return customs(self.reader, self.state, self._memory.begun)

    def round_page(self, number: int, say: Say) -> RoundPage:
        """One round, move by move."""
        return view_round_page(self.reader, self.state, self._round(number), say)

    def fresh_round(self, say: Say) -> RoundView:
        """The round that would come next, before anything is played in it."""
        return view_fresh_round(self.state, self.names, say)

    def why(self, number: int, words: Words) -> RoundExplained:
        """One round, why each payment of it is made, and why others are not."""
        return view_explained(self.reader, self.state, self._round(number), words)

    def payment(self, place: str, words: Words) -> PaymentView:
        """A posted payment, by its `seq.idx`: why it was made, and what became of it."""
        return view_payment(self.reader, self.state, place, words)

    def dispute(self, seq: int, words: Words) -> DisputePage:
        """A dispute with what it is about, and what lies around that."""
        return view_dispute_page(self.reader, self.state, seq, words)

    def round(self, number: int) -> Round:
        """One round as a value of the rules."""
        round = self._round(number).round
        assert round is not None
        return round

    def only_round(self, number: int) -> Night:
        """The night as if that round had been all of it: to see it under other rules."""
        return Night(self.state.terms, tuple(self.names.values()), (self.round(number),))

    def whole(self) -> Night:
        """The whole night as a value of the rules."""
        return night_of(self.reader, self.state.opening)

    def _round(self, number: int) -> RoundLog:
        """The log of a round that there is; Problem if there is none."""
        log = in_sight(self.reader, self.state, number).logs.get(number) if number else None
        if log is None or log.round is None:
            raise Problem(ProblemCode.NOT_FOUND)
        return log
