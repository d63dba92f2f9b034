"""The state of a night, as far as recording needs it: the running round and the rounds not settled yet. A value:
`history` loads it."""

from collections.abc import Mapping
from typing import NamedTuple

from ledger.game.notation import by_tag
from ledger.game.payments import post
from ledger.game.round import Round
from ledger.game.scoring import payments
from ledger.game.terms import Stake, Terms
from ledger.recorder.agreements import AGREE, AgreedTerms, Agreements
from ledger.recorder.revisions import BEGINNING, BY_HAND, CORRECTING, TAKING_BACK
from ledger.recorder.round_log import Preceding, RoundLog
from ledger.recorder.terms import Opening, read_night
from ledger.store import EventBody, Head, Night


class NightState(NamedTuple):
    """A night at one head. `logs` holds the newest round, those back to the last that counts before it (undoing the
    header makes that one current), and every earlier round that is open."""

    opening: Opening
    agreements: Agreements
    head: Head
    after: str
    """The id of the last recording event, or of the night."""
    ended: bool
    net: Mapping[str, int]
    logs: Mapping[int, RoundLog]
    open_disputes: int = 0
    """How many disputes are not decided yet."""
    paid_at: int = 0
    """The seq of the last payment by hand or transfer since the newest round was begun or agreed on; 0 for none."""

    @property
    def night(self) -> str:
        """The id of the night."""
        return self.opening.night

    @property
    def terms(self) -> Terms:
        """The terms that hold: those of the running round, or of the next one."""
        agreements = self.agreements
        return agreements.at(self.agreed_at).terms if agreements.since else agreements.opening.terms

    @property
    def agreed(self) -> AgreedTerms:
        """The last agreement that stands, or the opening."""
        agreements = self.agreements
        return agreements.at(self.agreed_at) if agreements.since else agreements.opening

    @property
    def agreed_at(self) -> int:
        """The seq of the last agreement that stands; 0 for the opening."""
        return max([log.agreed for log in self.logs.values()], default=0) if self.agreements.since else 0

    def worth_in(self, log: RoundLog) -> Stake | None:
        """What a point is worth in a round."""
        if not self.agreements.since:
            return self.opening.terms.stake
        return self.agreements.worth(log.begun_under, self.agreed_at)

    @property
    def players(self) -> tuple[str, ...]:
        """The tags of all players so far, p1 first: every player has a net, even if it is 0."""
        return tuple(self.net)

    @property
    def newest(self) -> int:
        """The greatest round number so far, even if that header was undone; 0 before the first."""
        return max(self.logs, default=0)

    @property
    def current(self) -> RoundLog | None:
        """The last round whose header stands."""
        for number in sorted(self.logs, reverse=True):
            if self.logs[number].round is not None:
                return self.logs[number]
        return None

    @property
    def previous(self) -> Round | None:
        """The last round that counts, which the next one follows."""
        before = counting_before(self.logs, self.newest + 1)
        return before.round if before else None

    @property
    def open_rounds(self) -> list[int]:
        """The numbers of rounds that are not settled, the running one included."""
        return sorted(log.number for log in self.logs.values() if log.open)

    def with_round(self, log: RoundLog) -> "NightState":
        """The state with the log of an earlier round added, for requests about that round."""
        return self._replace(logs={log.number: log, **self.logs})

    def provisional(self) -> dict[str, int]:
        """Player -> points won so far in rounds that are not settled."""
        balances = dict.fromkeys(range(len(self.players)), 0)
        for number in self.open_rounds:
            round = self.logs[number].round
            assert round is not None
            balances = post(payments(round), balances)
        return by_tag(balances.values())

    def with_entries(self, event: EventBody, hash: bytes, *, after: str) -> "NightState":
        """The state with the entries and payments of one more event, of this hash, which the next one comes
        `after`."""
        agreements = self.agreements.with_event(event) if event.kind == AGREE else self.agreements
        return self._replace(
            agreements=agreements,
            head=Head(event.seq, hash),
            after=after,
            net=event.net,
            logs=self._logs_with(agreements, event),
            paid_at=event.seq if event.kind in BY_HAND else self.paid_at,
        )

    def _logs_with(self, agreements: Agreements, event: EventBody) -> Mapping[int, RoundLog]:
        number = event.round
        log = self.logs.get(number) if number else None
        if log is None and (not number or event.kind not in BEGINNING):
            return needed(self.logs)
        logs = dict(self.logs)
        logs[number] = (log or RoundLog(number)).add(agreements, event, counting_before(logs, number))
        if event.kind in CORRECTING | TAKING_BACK:
            # The leaders due in later rounds may have changed.
            for later in sorted(other for other in logs if other > number):
                logs[later] = RoundLog.fold(
                    agreements, later, logs[later].events, counting_before(logs, later)
                )
        return needed(logs)


def counting_before(logs: Mapping[int, RoundLog], number: int) -> Preceding | None:
    """The last round that counts before a number.

    Rounds that are not loaded have not changed: the `previous` of a log still holds, unless a loaded round lies in
    between.
    """
    nearest = max((earlier for earlier in logs if 0 < earlier < number), default=0)
    known = logs[number].previous if number in logs else None
    if not nearest or (known is not None and known.number > nearest):
        return known
    log = logs[nearest]
    if not log.stands:
        return counting_before(logs, nearest)
    assert log.round is not None
    return Preceding(nearest, log.round)


def at_opening(row: Night) -> NightState:
    """The state of a night before its first event."""
    opening = read_night(row)
    return NightState(
        opening=opening,
        agreements=Agreements(AgreedTerms(opening.terms)),
        head=Head(0, row.hash),
        after=row.id,
        ended=False,
        net=dict.fromkeys(opening.players, 0),
        logs={},
    )


def needed(logs: Mapping[int, RoundLog]) -> dict[int, RoundLog]:
    """The logs without rounds that nothing depends on any more, and without round 0."""
    newest = max(logs, default=0)
    counting = max((number for number, log in logs.items() if number < newest and log.stands), default=1)
    return {number: log for number, log in logs.items() if number >= counting or (number and log.open)}
