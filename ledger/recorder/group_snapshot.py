"""A group at one moment: its season, and what is still owed in earlier nights. A page takes all that it shows of a
group from one snapshot."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ledger.game.terms import Stake
from ledger.recorder.cache import Cache, CacheEntry, size_of
from ledger.recorder.groups import read_group
from ledger.recorder.members import Members, SeatRef, members
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.views.nights import Nights
from ledger.recorder.views.owed import LateDebt, Offer
from ledger.recorder.views.season import Pair, Season, SeasonNight, Standing, view_pairs, view_standings
from ledger.recorder.views.worth import Unit
from ledger.store import Head, Reader


@dataclass(frozen=True, slots=True)
class Debt:
    """A debt between players of this night from an earlier night."""

    night: str
    """The earlier night."""
    date: str
    payer: str
    payee: str
    points: int
    worth: Stake | None
    """What one of the points is worth, if it is no point of this night."""
    there: Offer
    """The transfer of the earlier night, with that night's tags."""


@dataclass(frozen=True, slots=True)
class EarlierNight:
    """What is still owed in an earlier night among the players of this one."""

    night: str
    date: str
    unit: Unit
    """What is counted in its debts."""
    carries: bool
    """Whether it can be carried over: both nights play for the same currency, or for points alone."""
    debts: list[Debt]
    differences: list[LateDebt[str]]
    """What of it is owed because a round was corrected after money had changed hands."""


class _Made(NamedTuple):
    """A cached value, and what it was made from."""

    source: object
    value: Any


class _Sums(NamedTuple):
    """What is added up over the nights of a season."""

    standings: list[Standing]
    pairs: list[Pair]


class GroupSnapshot:
    """All queries on one group. Problem (not found) if there is no such group.

    Valid within the block of `Reading.snapshot` that made it.
    """

    def __init__(self, reader: Reader, id: str, cache: Cache) -> None:
        """`reader` sees the group and its nights at one moment."""
        self.group = read_group(reader, cache, id)
        self._reader = reader
        self._cache = cache

    @cached_property
    def nights(self) -> Nights:
        """The nights that were ever in the group."""
        return Nights(self._reader, self._cache, self.group.ever)

    @cached_property
    def members(self) -> Members:
        """The people of all nights that were ever in the group."""
        people = {night: sitting.names for night, sitting in self.nights.sittings.items()}
        joined = list(self.group.joined.values())
        found: Members = self._made(Members, (people, joined), lambda: members(people, joined))
        return found

    def season(self, *, since: str = "", until: str = "") -> Season:
        """The season from the date `since` to `until`, inclusive (`2026-11-26`); empty means no limit."""
        sittings = self.nights.sittings
        shown = [night for night in self._inside if since <= sittings[night].date <= (until or "9")]
        results, owed = self.nights.results(shown), self.nights.owed(shown)

        nights = [
            SeasonNight(number, night, sittings[night], results[night], owed[night], self.members)
            for number, night in enumerate(shown, start=1)
        ]

        def add_up() -> _Sums:
            return _Sums(view_standings(nights, self.members.names), view_pairs(nights))

        source = self.members, [(night, results[night]) for night in shown]
        sums: _Sums = self._made(Season, source, add_up, variant=(since, until))
        dates = {night: sitting.date for night, sitting in sittings.items()}
        return Season(
            self.group, nights, sums.standings, sums.pairs, self.members, dates, self.nights.unreadable
        )

    def earlier_nights(self, night: str, among: Collection[str] | None = None) -> list[EarlierNight]:
        """The earlier nights, of some or of all, in which players of a night still owe each other, the oldest
        first.

        Debts of or to people who are not in this night are left out. Problem (not found) if the night is not in the
        group.
        """
        if night not in self.group.nights:
            raise Problem(ProblemCode.NOT_FOUND)
        sittings, here = self.nights.sittings, {member: player for player, member in self._own(night).items()}
        this = sittings[night]
        present = {
            earlier: {player: here.get(member) for player, member in self._own(earlier).items()}
            for earlier in self._inside[: self._inside.index(night)]
            if among is None or earlier in among
        }
        shared = [earlier for earlier, players in present.items() if sum(map(bool, players.values())) > 1]
        found = []
        now = self.nights.owed([night])[night].unit if this.changed else Unit(this.stake)
        for earlier, owed in self.nights.owed(shared).items():
            there, sitting, stake = present[earlier], sittings[earlier], owed.unit.stake
            same = stake == this.stake and not this.changed
            debts = [
                Debt(earlier, sitting.date, payer, payee, one.points, None if same else stake, one)
                for one in owed.transfers
                if (payer := there[one.payer]) and (payee := there[one.payee])
            ]
            if debts:
                because = [late for one in owed.differences if (late := one.among(there))]
                carries = owed.unit.currency == now.currency
                found.append(EarlierNight(earlier, sitting.date, owed.unit, carries, debts, because))
        return found

    @cached_property
    def _inside(self) -> list[str]:
        """The nights of the group that can be read, the oldest first."""
        inside = set(self.group.nights)
        return [night for night in self.nights.sittings if night in inside]

    def _own(self, night: str) -> Mapping[str, SeatRef]:
        """Player of a night -> member."""
        of = self.members.of
        return {player: of[SeatRef(night, player)] for player in self.nights.sittings[night].names}

    def _made(self, what: Hashable, source: object, make: Any, variant: Hashable = None) -> Any:
        """A value of the group that depends on `source` alone, cached or made. The parts of a source are cached
        objects, most of which are the same as before, so that they are soon compared."""
        kept: CacheEntry[_Made] | None = self._cache.get(self.group.id, what, variant)
        if kept is not None and kept.value.source == source:
            return kept.value.value
        made, head = make(), Head(self.group.seq, b"")
        self._cache.put(self.group.id, what, head, _Made(source, made), size_of(made), variant)
        return made
