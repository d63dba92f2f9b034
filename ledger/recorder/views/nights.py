"""Many nights at one moment: who sat in each, what it came to, and what is owed in it.

Each is read together for all nights of which it is not cached, with as many statements for hundreds as for one.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from ledger.game.statistics import NightCount, Tally, statistics
from ledger.game.terms import Stake
from ledger.recorder.agreements import AGREE, AgreedTerms, Agreements
from ledger.recorder.cache import Cache, CacheEntry, Made, size_of
from ledger.recorder.events.ending import NightEnded, NightReopened
from ledger.recorder.history import read_events
from ledger.recorder.rounds import Rounds
from ledger.recorder.terms import Opening, read_night
from ledger.recorder.views.counts import (
    RoundNumbers,
    count_night,
    numbers_of_nights,
    won_in,
)
from ledger.recorder.views.owed import Account, Owed, read_owed, read_paid
from ledger.recorder.views.worth import Unit, Worths
from ledger.store import EntryUnreadable, Night, NightMark, Reader


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sat at the table of a night, and what it agreed on."""

    opened: str
    """When it was opened."""
    date: str
    stake: Stake | None
    """What a point was worth when it was opened."""
    changed: bool
    """Whether it agreed on new terms since."""
    names: Mapping[str, str | None]
    """Player -> name, None if it was erased; p1 first."""


@dataclass(frozen=True, slots=True)
class NightOutline:
    """A night as a list of nights shows it."""

    opening: Opening
    changed: bool
    """Whether it agreed on new terms since."""
    opened: str
    """When it was opened."""
    names: Mapping[str, str]
    """Player -> name, or the tag if the name was erased; p1 first."""
    rounds: int
    """The number of its last round; 0 before the first."""
    ended: bool
    net: Mapping[str, int]
    """Player -> points won in settled rounds and by adjustments."""


class PlayerResults(NamedTuple):
    """What a player came to in a night."""

    rounds: int
    firsts: int
    """Rounds won by coming in first."""
    instant_wins: int
    knocked_out: int
    bombs_made: Tally
    bombs_suffered: Tally
    twos: Tally
    """2s left in hands that are known, and what they cost."""
    sheet: int


@dataclass(frozen=True, slots=True)
class NightResults:
    """What a night came to; it depends on its head alone."""

    ended: str
    """When its last round was settled; when it was opened, if none is."""
    rounds: int
    """How many rounds have ended and are not void."""
    net: Mapping[str, int]
    """Player -> points won in settled rounds and by adjustments."""
    won: Sequence[tuple[str, str, int]]
    """(Player, another, points won from them), for each pair of players between whom points were posted."""
    people: Mapping[str, PlayerResults]
    worths: Worths
    unit: Unit
    """What is counted in `money`: a point, or a sum of money if points were worth different ones."""
    money: Mapping[str, int]
    """Player -> the same as `net`, in the unit."""


class _Named(NamedTuple):
    """A cached value, and how many names of its night were not erased when it was made."""

    named: int
    value: Any


class Nights:
    """Some nights at the moment of a reader. Nights that do not exist are left out."""

    def __init__(self, reader: Reader, cache: Cache, nights: Iterable[str]) -> None:
        self._reader = reader
        self._cache = cache
        self._openings: dict[str, Opening] = {}
        self.marks: Mapping[str, NightMark] = reader.marks(nights)

    @cached_property
    def sittings(self) -> Mapping[str, Sitting]:
        """Night -> who sat there, in the order of dates; without nights whose own texts cannot be read."""
        found = self._cached(Sitting, self.marks, self._sittings, named=True)
        return dict(sorted(found.items(), key=lambda one: (one[1].date, one[1].opened)))

    def outlines(self) -> Mapping[str, NightOutline | None]:
        """Night -> what a list shows of it; None for one whose own text cannot be read."""
        endings = NightEnded.kind, NightReopened.kind
        closings = self._reader.events_of_kinds_of_nights(self.sittings, endings)
        balances, rows = self._balances(self.sittings), self._reader.nights_of(self.sittings)
        self._reader.look_up(self.sittings)
        found: dict[str, NightOutline | None] = dict.fromkeys(self.marks)
        for night, closing in closings.items():
            found[night] = NightOutline(
                opening=self._opening(night, rows[night]),
                changed=self.sittings[night].changed,
                opened=rows[night].created_at,
                names=self._reader.names(night),
                rounds=self.marks[night].newest,
                ended=bool(closing) and closing[-1].kind == NightEnded.kind,
                net=balances[night],
            )
        return found

    def counts(self, nights: Iterable[str]) -> Mapping[str, NightCount]:
        """Night -> the numbers of it that statistics add up, for some that can be read."""
        sittings, found = self.sittings, dict[str, NightCount]()
        for night, numbers in numbers_of_nights(self._reader, self._rounds(nights)):
            names = (name or player for player, name in sittings[night].names.items())
            found[night] = count_night(tuple(names), numbers)
        return found

    @property
    def unreadable(self) -> int:
        """How many nights have texts of their own that cannot be read."""
        return len(self.marks) - len(self.sittings)

    def results(self, nights: Iterable[str]) -> Mapping[str, NightResults]:
        """Night -> what it came to, for some that can be read."""
        return self._cached(NightResults, nights, self._results)

    def owed(self, nights: Iterable[str]) -> Mapping[str, Owed]:
        """Night -> what is owed in it, for some that can be read."""
        return self._cached(Owed, nights, lambda some: read_owed(self._reader, self.accounts(some)))

    def accounts(self, nights: Sequence[str]) -> dict[str, Account]:
        """Night -> what it came to, and what was paid of it, for some that can be read."""
        paid = read_paid(self._reader, nights)
        changed = self.results([night for night in nights if self.sittings[night].changed])
        balances = self._balances([night for night in nights if night not in changed])
        accounts = {}
        for night in nights:
            if found := changed.get(night):
                account = Account.of(found.money, paid[night], found.worths, found.unit)
            else:
                stake = self.sittings[night].stake
                account = Account.of(balances[night], paid[night], Worths(stake), Unit(stake))
            accounts[night] = account
        return accounts

    def _cached(
        self,
        what: Hashable,
        nights: Iterable[str],
        make: Callable[[Sequence[str]], Mapping[str, Made]],
        *,
        named: bool = False,
    ) -> dict[str, Made]:
        """Night -> a value of it, cached at its head, or made; a value that has names, only as long as none was
        erased. A new value that equals the one before is the same object."""
        nights, known, found = list(nights), dict[str, _Named](), dict[str, Made]()
        for night in nights:
            kept: CacheEntry[_Named] | None = self._cache.get(night, what)
            if kept is not None:
                known[night] = kept.value
                mark = self.marks[night]
                if kept.head == mark.head and (not named or kept.value.named == mark.named):
                    found[night] = kept.value.value
        missing = [night for night in nights if night not in found]
        for night, value in make(missing).items() if missing else ():
            mark, before = self.marks[night], known.get(night)
            if before and before.value == value:
                value = before.value
            self._cache.put(night, what, mark.head, _Named(mark.named, value), size_of(value))
            found[night] = value
        return found

    def _opening(self, night: str, row: Night) -> Opening:
        """How a night was opened, parsed once. Raises EntryUnreadable."""
        if night not in self._openings:
            self._openings[night] = read_night(row)
        return self._openings[night]

    def _sittings(self, nights: Sequence[str]) -> Mapping[str, Sitting]:
        self._reader.look_up(nights)
        found, readable = {}, dict[str, Night]()
        for night, row in self._reader.nights_of(nights).items():
            with suppress(EntryUnreadable):
                self._opening(night, row)
                readable[night] = row
        for night, agreements in self._agreements(readable).items():
            terms = agreements.opening.terms
            found[night] = Sitting(
                opened=readable[night].created_at,
                date=terms.date,
                stake=terms.stake,
                changed=bool(agreements.since),
                names=self._reader.named(night),
            )
        return found

    def _results(self, nights: Sequence[str]) -> Mapping[str, NightResults]:
        balances, rounds = self._balances(nights), self._rounds(nights)
        agreed = {one.night: one.agreements for one in rounds}
        return {
            night: _results(self.sittings[night].opened, balances[night], numbers, agreed[night])
            for night, numbers in numbers_of_nights(self._reader, rounds)
        }

    def _rounds(self, nights: Iterable[str]) -> list[Rounds]:
        rows = self._reader.nights_of(nights)
        agreed = self._agreements(rows)
        return [
            Rounds(self._reader, night, agreed[night], mark.head, mark.newest, self._cache, {})
            for night in rows
            for mark in [self.marks[night]]
        ]

    def _agreements(self, rows: Mapping[str, Night]) -> dict[str, Agreements]:
        """Night -> what it agreed on, for some nights."""
        found = {
            night: Agreements(AgreedTerms(self._opening(night, row).terms)) for night, row in rows.items()
        }
        for night, events in self._reader.events_of_kinds_of_nights(rows, (AGREE,)).items():
            for event in read_events(events):
                found[night] = found[night].with_event(event)
        return found

    def _balances(self, nights: Collection[str]) -> Mapping[str, dict[str, int]]:
        found = self._reader.balances_of_nights(nights)
        return {night: dict.fromkeys(self.sittings[night].names, 0) | found[night] for night in nights}


def _results(
    opened: str, net: Mapping[str, int], rounds: Sequence[RoundNumbers], agreements: Agreements
) -> NightResults:
    worths, unit, money = won_in(net, agreements, rounds)
    count = count_night(tuple(net), list(rounds))
    paid = Counter[tuple[str, str]]()
    for payer, payee, points in chain.from_iterable(one.paid for one in rounds):
        one, other, sign = (payee, payer, 1) if payee < payer else (payer, payee, -1)
        paid[one, other] += sign * points
    _, settled = max((one.settled for one in rounds if one.settled), default=(0, opened))
    return NightResults(
        ended=max(opened, settled),
        rounds=count.counting,
        net=net,
        won=tuple((one, other, points) for (one, other), points in paid.items()),
        people={
            player: PlayerResults(
                rounds=one.rounds,
                firsts=one.places[0] if one.places else 0,
                instant_wins=one.instant_wins,
                knocked_out=one.knocked_out,
                bombs_made=one.bombs_made,
                bombs_suffered=one.bombs_suffered,
                twos=one.twos,
                sheet=one.sheet,
            )
            for player, one in statistics([count]).people.items()
        },
        worths=worths,
        unit=unit,
        money=money,
    )
