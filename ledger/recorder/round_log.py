"""The events of one round, folded: which entries stand, and the `Round` that they make."""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import replace
from typing import Final, NamedTuple

from ledger.game.errors import Finding, Refused
from ledger.game.findings import findings as noticed
from ledger.game.fold import replay, voided
from ledger.game.moves import MayStand
from ledger.game.night import begin_round
from ledger.game.round import Round
from ledger.recorder.agreements import AGREE, Agreements
from ledger.recorder.engine import ENGINE, HOST
from ledger.recorder.parts import MOVES, Part, agreed_before, header_part, move_part, read_header, read_move
from ledger.recorder.revisions import (
    CORRECTING,
    TAKING_BACK,
    UNDOABLE,
    Entry,
    RevisionChain,
    chains_of,
    entries_in,
    standing,
)
from ledger.store import FORMAT, EventBody

OF_ENTRIES = UNDOABLE | TAKING_BACK
"""Kinds of events that change which entries of a round stand."""
ENTRIES_PER_CHANGE: Final = 10
"""Entries that a correction, undo or redo counts as, in addition to one for each place that it changes: every later
move is judged again."""


class Preceding(NamedTuple):
    """The last round that counts before another one: the rules judge the next header by it."""

    number: int
    round: Round


class RoundLog(NamedTuple):
    """Everything recorded of one round, and the `Round` that results.

    `round` is None if the header was undone. `entries` are the moves that stand, one for each move of `round`;
    `chains` also hold those taken back or corrected; `events` are all events of the round. Its header was judged as
    following `previous`.
    """

    number: int
    events: tuple[EventBody, ...] = ()
    chains: tuple[RevisionChain, ...] = ()
    header: Entry | None = None
    round: Round | None = None
    entries: tuple[Entry, ...] = ()
    settled: bool = False
    previous: Preceding | None = None
    agreed: int = 0
    """The seq of the last agreement that stands in it, or else of the one that it was begun under; 0: the
    opening."""
    recorded: int = 0
    """How many entries were recorded, undos and corrections included, as `entries_of` counts."""

    @property
    def stands(self) -> bool:
        """Whether its header stands and it is not void, so that the next round follows it; it may still run."""
        return self.round is not None and self.round.void is None

    @property
    def open(self) -> bool:
        """Whether its payments are still to be posted."""
        return self.stands and not self.settled

    @property
    def begun_under(self) -> int:
        """The seq of the agreement that it was begun under; 0: the opening, or it has not begun."""
        return 0 if self.header is None else agreed_before(self.header.data)

    @property
    def begun_at(self) -> int:
        """The seq of the event that began the round, even if it was corrected since."""
        assert self.header is not None
        chain = self.chain_at(self.header.address)
        assert chain is not None
        return chain.versions[0].event.seq

    def add(self, agreements: Agreements, event: EventBody, previous: Preceding | None) -> "RoundLog":
        """The log with one more event; `previous` is the last round before this one that counts."""
        events = (*self.events, event)
        if event.kind not in OF_ENTRIES:
            return self._replace(events=events, settled=self.settled or event.kind == "settle")
        if event.kind in MOVES and self.round is not None:
            fresh = entries_in(event)
            return self._replace(
                events=events,
                chains=(*self.chains, *[RevisionChain((entry,)) for entry in fresh]),
                round=_replayed(self.round, fresh),
                entries=(*self.entries, *fresh),
                recorded=self.recorded + _recorded([event]),
            )
        return RoundLog.fold(agreements, self.number, events, previous)

    @classmethod
    def fold(
        cls,
        agreements: Agreements,
        number: int,
        events: tuple[EventBody, ...],
        previous: Preceding | None,
    ) -> "RoundLog":
        """Fold all events of a round, by seq, under the terms that it was begun with. `previous`, the last round
        before it that counts, decides whether the header is the one that was due.

        Raises Refused, with the index among the moves that stand, if a correction before a move makes it
        impossible.
        """
        chains = chains_of(events)
        stood = standing(chains)
        header = next((entry for entry in stood if entry.kind == "round"), None)
        settled = "settle" in [event.kind for event in events]
        log = cls(
            number,
            events,
            chains,
            settled=settled,
            previous=previous,
            agreed=max([entry.event.seq for entry in stood if entry.kind == AGREE], default=0),
            recorded=_recorded(events),
        )
        if header is None:
            return log
        ruleset = agreements.of_round(header.data).terms.ruleset
        entries = tuple([entry for entry in stood if entry.kind in MOVES])
        before = previous.round if previous else None
        # A leader who was not due has stood, as recorded or because a correction has changed the winner before.
        began = read_header(header.data)._replace(stood=True)
        round = _replayed(begin_round(ruleset, max(began.seats) + 1, began, before), entries)
        void = next((entry for entry in stood if entry.kind == "void"), None)
        if void is not None:
            round = voided(round, void.data["reason"])
        agreed = max(log.agreed, agreed_before(header.data))
        return log._replace(header=header, round=round, entries=entries, agreed=agreed)

    @classmethod
    def unrecorded(cls, number: int, round: Round, previous: Round | None) -> "RoundLog":
        """A log for a round that was never recorded, with an entry without a time for each move; `previous` is the
        last round before it that counts."""
        parts = [
            header_part(round.header, []),
            *(move_part(move, round.ruleset.deck) for move in round.moves),
        ]
        header, *entries = [
            entry
            for seq, part in enumerate(parts, start=1)
            for entry in entries_in(unrecorded(seq, number, part["kind"], [part]))
        ]
        chains = tuple(RevisionChain((entry,)) for entry in (header, *entries))
        before = None if previous is None else Preceding(number - 1, previous)
        return cls(number, (), chains, header, round, tuple(entries), previous=before)

    def corrected_since(self, seq: int) -> bool:
        """Whether it was corrected or voided after an event."""
        return any(event.kind in CORRECTING and event.seq > seq for event in self.events)

    @property
    def findings(self) -> list[Finding]:
        """The findings in the round, whose header must stand."""
        assert self.round is not None
        return noticed(self.round, self.previous.round if self.previous else None)

    def address_of(self, move: int) -> str | None:
        """The address of a move by its number, from 1; None for 0, the header."""
        return self.entries[move - 1].address if move else None

    def chain_at(self, address: str) -> RevisionChain | None:
        """The chain that has an entry of this round, standing or not; None if no chain has it."""
        holding = (chain for chain in self.chains for entry in chain.versions if entry.address == address)
        return next(holding, None)

    def move_at(self, address: str) -> int | None:
        """The number of the move that stands at the place of an entry, itself or corrected; None if none does."""
        chain = self.chain_at(address)
        stands = chain.standing if chain else None
        return next((number for number, entry in enumerate(self.entries, start=1) if entry is stands), None)


def unrecorded(seq: int, round: int, kind: str, parts: Sequence[Part]) -> EventBody:
    """An event outside any log, with what folding a round needs: no id, no time, no payments."""
    return EventBody(FORMAT, "", seq, "", kind, round, None, HOST, "", None, {}, parts, (), {}, ENGINE)


def entries_of(kind: str, parts: Sized) -> int:
    """How many entries of its round an event counts as."""
    return len(parts) + (ENTRIES_PER_CHANGE if kind in TAKING_BACK or kind == "correct" else 0)


def _recorded(events: Iterable[EventBody]) -> int:
    return sum([entries_of(event.kind, event.parts) for event in events if event.kind in OF_ENTRIES])


def _replayed(round: Round, entries: Iterable[Entry]) -> Round:
    """Replay recorded moves. A move stays even if a correction before it or a newer engine makes it irregular: it
    then counts as having stood.

    Raises Refused if one has become impossible: then the log makes no round any more.
    """
    moves = [read_move(entry.data, round.ruleset.deck) for entry in entries]
    try:
        return replay(round, moves)
    except Refused:
        return replay(
            round, [replace(move, stood=True) if isinstance(move, MayStand) else move for move in moves]
        )
