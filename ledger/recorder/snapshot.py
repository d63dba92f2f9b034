"""A night at one moment. A page takes all that it shows of a night from one snapshot, so all of it has one head."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

from ledger.game.night import Night
from ledger.game.round import Round
from ledger.game.rulesets.model import Ruleset
from ledger.game.statistics import NightCount
from ledger.game.terms import Terms
from ledger.recorder.cache import Cache
from ledger.recorder.events import people
from ledger.recorder.history import cached_state, with_round_loaded
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.replays import night_of
from ledger.recorder.round_log import RoundLog
from ledger.recorder.rounds import Rounds
from ledger.recorder.state import NightState
from ledger.recorder.terms import Opening, read_night
from ledger.recorder.views import attributes
from ledger.recorder.views.counts import count_night, numbers_of
from ledger.recorder.views.customs import Customs, customs
from ledger.recorder.views.ledger import (
    Agreement,
    LedgerView,
    RoundAccount,
    view_accounts,
    view_agreement,
    view_ledger,
    view_won,
)
from ledger.recorder.views.new_terms import AgreedChange, view_new_terms
from ledger.recorder.views.night import (
    Board,
    Frame,
    LogView,
    OwnText,
    view_board,
    view_frame,
    view_fresh_round,
    view_head,
    view_logged,
)
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
from ledger.recorder.views.settle_up import SettleUpView, view_settle_up
from ledger.recorder.views.stories import Stories, view_stories
from ledger.recorder.views.worth import Won
from ledger.store import Link, Reader, require_key
from ledger.store import Night as NightRow


class NightSnapshot:
    """All queries on one night, at one head.

    Valid within the block of `Reading.snapshot` or `Reading.night` that made it. Problem (not found) if there is no
    such night, round, payment or dispute.
    """

    def __init__(
        self, reader: Reader, id: str, cache: Cache, key: bytes | None, state: NightState | None = None
    ) -> None:
        """`reader` sees the night at one moment; `state` is a hypothetical state to use instead of its own."""
        try:
            self.head = reader.head(id)
        except LookupError:
            raise Problem(ProblemCode.NOT_FOUND) from None
        self.reader = reader
        self.id = id
        self._cache = cache
        self._key = key
        self._supposed = state

    def at(self, state: NightState) -> "NightSnapshot":
        """The night in a hypothetical state; valid for its board and for the rounds loaded in that state."""
        return NightSnapshot(self.reader, self.id, self._cache, self._key, state)

    @cached_property
    def row(self) -> NightRow:
        """The row of the night."""
        row = self.reader.night(self.id)
        assert row is not None, "a night that has a head"
        return row

    @cached_property
    def state(self) -> NightState:
        """The state at the head, or the hypothetical one."""
        return self._supposed or cached_state(self._cache, self.reader, self.id, self.head)

    @cached_property
    def rounds(self) -> Rounds:
        """The rounds, and what is cached of them."""
        state = self.state
        return Rounds(
            self.reader, self.id, state.agreements, self.head, state.newest, self._cache, state.logs
        )

    @property
    def names(self) -> dict[str, str]:
        """Player -> name, or the tag if the name was erased."""
        return self.reader.names(self.id)

    @property
    def opening(self) -> Opening:
        """How it was opened."""
        return read_night(self.row)

    @property
    def terms(self) -> Terms:
        """The terms that hold: those of the running round, or of the next one."""
        return self.state.terms

    @property
    def ruleset(self) -> Ruleset:
        """The rules that hold."""
        return self.terms.ruleset

    def has_event(self, id: str) -> bool:
        """Whether an event with this id was recorded."""
        return self.reader.event_by_id(self.id, id) is not None

    def standing_at(self, number: int, target: str) -> str:
        """The address of the entry of a round that stands in place of `target`, which is an address, or the id of
        an event, whose last entry is meant; empty if none does any more. An unknown `target` is returned as it
        is."""
        log = self._round(number)
        ids = {event.id: f"{event.seq}.{len(event.parts) - 1}" for event in log.events}
        chain = log.chain_at(ids.get(target, target))
        if chain is None:
            return target
        return chain.standing.address if chain.standing else ""

    def tokens(self) -> people.Tokens:
        """The tokens of its links: the keeper's, the watchers' and each player's."""
        return people.tokens(require_key(self._key), self.reader, self.id)

    def board(self, actor: Link, say: Say) -> Board:
        """Everything that the table's page shows, so that no page judges anything itself; `say` words findings."""
        return view_board(self.state, self.names, actor, say)

    def frame(self, actor: Link) -> Frame:
        """What every page of the night shows, without its rounds."""
        return view_frame(self.state, self.names, actor)

    def log(self, *, after: int = 0, limit: int | None = None) -> LogView:
        """The head, and the events after a seq with bodies and hashes as stored. From the start, also the night's
        own text, so that a client can verify the chain."""
        return LogView(
            **attributes(view_head(self.head)),
            night=OwnText(self.row.body, self.row.hash.hex()) if after == 0 else None,
            events=[view_logged(row) for row in self.reader.events(self.id, after=after, limit=limit)],
        )

    @cached_property
    def accounts(self) -> Mapping[int, RoundAccount]:
        """Round -> everything that the ledger shows of it; 0 for payments of no round."""
        return view_accounts(self.state, self.rounds)

    def ledger(self, *, after_round: int = 0, limit: int | None = None) -> LedgerView:
        """Payments, balances, running totals by round, and an outline of every round."""
        return view_ledger(self.state, self.names, self.accounts, after_round=after_round, limit=limit)

    @cached_property
    def won(self) -> Won:
        """What each player has won, and what a point was worth in each round."""
        return view_won(self.state, self.accounts)

    def settle_up(self) -> SettleUpView:
        """The balances, the transfers already paid, and the fewest transfers that clear the rest."""
        return view_settle_up(self.reader, self.ledger(), self.state.open_disputes)

    def stories(self, *, heading: str | None = None, **players: str | None) -> Stories:
        """Every round with its story, or those that match a search: by the heading of payments, and by `players`,
        the fields of `Search`."""
        return view_stories(self.rounds, heading, players)

    def agreement(self) -> Agreement:
        """Who agrees with which settled round, and every dispute with its decision."""
        return view_agreement(self.accounts)

    def new_terms(self) -> list[AgreedChange]:
        """What the table has agreed on since the opening, as far as it stands."""
        return view_new_terms(self.state, self.rounds) if self.state.agreed_at else []

    def customs(self) -> Customs:
        """Customs of the table: what was noted, and what is due before the next round."""
        return customs(self.state, self.rounds)

    def round_page(self, number: int, say: Say) -> RoundPage:
        """One round, move by move."""
        log = self._round(number)
        return view_round_page(log, self.names, say, self.state.worth_in(log))

    def fresh_round(self, say: Say) -> RoundView:
        """The next round, before its first move."""
        return view_fresh_round(self.state, self.names, say)

    def why(self, number: int, words: Words) -> RoundExplained:
        """One round: why each payment is made, and why others are not."""
        names, state = self.names, self.state

        def make(numbers: Collection[int]) -> dict[int, RoundExplained]:
            logs = {number: self._round(number) for number in numbers}
            return {
                number: view_explained(log, names, words, state.worth_in(log)) for number, log in logs.items()
            }

        called = (*names.items(), state.agreed_at)
        return self.rounds.cached_by_round("why", [number], make, variant=words, names=called, follows=True)[
            number
        ]

    def payment(self, place: str, words: Words) -> PaymentView:
        """A posted payment, by its `seq.idx`: why it was made, and whether it was reversed or disputed since."""
        return view_payment(self.reader, self.state, self.accounts, place, words)

    def dispute(self, seq: int, words: Words) -> DisputePage:
        """A dispute, the payment or move it is about, and the moves around that."""
        return view_dispute_page(self.reader, self.state, self.accounts, seq, words)

    def round(self, number: int) -> Round:
        """One round as a `Round` of the rules."""
        round = self._round(number).round
        assert round is not None
        return round

    def rules_of(self, number: int) -> Ruleset:
        """The rules that a round was begun under; those of the opening for 0, payments of no round."""
        return self.round(number).ruleset if number else self.opening.terms.ruleset

    def only_round(self, number: int) -> Night:
        """A night of that round alone, opened under its rules, to be compared under others."""
        round = self.round(number)
        terms = replace(self.state.terms, ruleset=round.ruleset)
        return Night(terms, tuple(self.names.values()), (round,))

    def counts(self) -> NightCount:
        """The numbers of the night that statistics add up."""
        return count_night(tuple(self.names.values()), numbers_of(self.rounds))

    def whole(self) -> Night:
        """The whole night as a `Night` of the rules."""
        return night_of(self.reader, self.state.opening, self.state.agreements)

    def _round(self, number: int) -> RoundLog:
        """The log of a round whose header stands; Problem (not found) if there is none."""
        log = with_round_loaded(self.reader, self.state, number).logs.get(number) if number else None
        if log is None or log.round is None:
            raise Problem(ProblemCode.NOT_FOUND)
        return log
