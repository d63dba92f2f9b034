"""The season of a group: its nights between two dates, and each member's results, by night and in total."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, NamedTuple

from ledger.game.settlement import Transfer
from ledger.game.statistics import Tally
from ledger.game.terms import Stake
from ledger.recorder.groups import Group
from ledger.recorder.members import Members, SeatRef
from ledger.recorder.views.nights import NightResults, PlayerResults, Sitting
from ledger.recorder.views.owed import LateDebt, Owed
from ledger.recorder.views.worth import Unit, in_money


@dataclass(frozen=True, slots=True)
class SeasonNight:
    """A night of the season, numbered from 1."""

    number: int
    night: str
    sitting: Sitting
    results: NightResults
    due: Owed
    members: Members = field(repr=False)
    """The people of the group."""

    @property
    def own(self) -> dict[str, SeatRef]:
        """Player -> member."""
        of, night = self.members.of, self.night
        return {player: of[SeatRef(night, player)] for player in self.sitting.names}

    @property
    def date(self) -> str:
        """Its date."""
        return self.sitting.date

    @property
    def opened(self) -> str:
        """When it was opened."""
        return self.sitting.opened

    @property
    def ended(self) -> str:
        """When its last round was settled; equal to `opened` if none is."""
        return self.results.ended

    @property
    def unit(self) -> Unit:
        """What is counted in what is owed."""
        return self.due.unit

    @property
    def currency(self) -> str | None:
        """The currency of its worths; None if its points are worth nothing."""
        return self.unit.currency

    @property
    def money(self) -> dict[SeatRef, Decimal]:
        """Member who took part -> money won; empty if its points are worth nothing."""
        stake, money = self.results.unit.stake, self.results.money
        if stake is None:
            return {}
        return {
            member: in_money(stake, money[player])
            for player, member in self.own.items()
            if self._took_part(player)
        }

    @property
    def rounds(self) -> int:
        """How many rounds have ended and are not void."""
        return self.results.rounds

    @property
    def net(self) -> dict[SeatRef, int]:
        """Member who took part -> points won."""
        net = self.results.net
        return {member: net[player] for player, member in self.own.items() if self._took_part(player)}

    @property
    def people(self) -> dict[SeatRef, PlayerResults]:
        """Member who took part -> what they came to."""
        people = self.results.people
        return {member: people[player] for player, member in self.own.items() if self._took_part(player)}

    def _took_part(self, player: str) -> bool:
        return bool(self.results.net[player] or self.results.people[player].rounds)

    @property
    def owed(self) -> list[Transfer[SeatRef]]:
        """What is still owed in it, which later nights do not owe."""
        own = self.own
        return [Transfer(own[one.payer], own[one.payee], one.points) for one in self.due.transfers]

    @property
    def differences(self) -> list[LateDebt[SeatRef]]:
        """What of it is owed because a round was corrected after money had changed hands."""
        own = self.own
        return [late for one in self.due.differences if (late := one.among(own))]


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's results over the season."""

    member: SeatRef
    name: str
    nights: int
    rounds: int
    points: int
    money: dict[str, Decimal]
    """Currency -> amount won, in nights with a stake."""
    firsts: int
    """Rounds won by coming in first."""
    instant_wins: int
    knocked_out: int
    bombs_made: Tally
    bombs_suffered: Tally
    twos: Tally
    """2s left in hands that are known, and what they cost."""
    sheet: int
    """Points for places on a score sheet kept apart from the money."""
    guest: bool
    """Whether the member came to one night only, of three or more."""


class Pair(NamedTuple):
    """A member who has won points from another."""

    winner: SeatRef
    loser: SeatRef
    points: int


@dataclass(frozen=True, slots=True)
class Season:
    """The nights of a group between two dates."""

    group: Group
    nights: list[SeasonNight]
    """The oldest first."""
    standings: list[Standing]
    """By points won, the most first."""
    pairs: list[Pair]
    """Who has won from whom, the most points first."""
    members: Members
    """All people of the group, including those not in these nights."""
    dates: Mapping[str, str]
    """Night -> its date, for every readable night that was ever in the group."""
    unreadable: int
    """How many nights are left out because their texts cannot be read."""

    @property
    def currencies(self) -> list[str]:
        """The currencies that its nights played for."""
        return sorted({night.currency for night in self.nights if night.currency})

    @property
    def names(self) -> dict[SeatRef, str]:
        """Member in the standings -> name."""
        return {one.member: one.name for one in self.standings}

    @property
    def against(self) -> dict[tuple[SeatRef, SeatRef], int]:
        """(Member, another) -> points won by the first from the second, in both orders; without pairs that are
        even."""
        return {
            pair: points
            for one in self.pairs
            for pair, points in (
                ((one.winner, one.loser), one.points),
                ((one.loser, one.winner), -one.points),
            )
        }


_NIGHTS_OF_A_GUEST: Final = 3
_NONE: Final = Tally()


@dataclass(slots=True)
class _Sum:
    """A member's results while they are added up."""

    nights: int = 0
    rounds: int = 0
    points: int = 0
    money: dict[str, Decimal] = field(default_factory=dict)
    firsts: int = 0
    instant_wins: int = 0
    knocked_out: int = 0
    bombs_made: Tally = _NONE
    bombs_suffered: Tally = _NONE
    twos: Tally = _NONE
    sheet: int = 0

    def add(self, points: int, one: PlayerResults, stake: Stake | None, count: int) -> None:
        """Add a night that the member took part in; `count` times `stake` is what was won."""
        self.nights += 1
        self.rounds += one.rounds
        self.points += points
        if stake:
            self.money[stake.currency] = self.money.get(stake.currency, Decimal(0)) + in_money(stake, count)
        self.firsts += one.firsts
        self.instant_wins += one.instant_wins
        self.knocked_out += one.knocked_out
        self.bombs_made = _plus(self.bombs_made, one.bombs_made)
        self.bombs_suffered = _plus(self.bombs_suffered, one.bombs_suffered)
        self.twos = _plus(self.twos, one.twos)
        self.sheet += one.sheet

    def standing(self, member: SeatRef, name: str, of_nights: int) -> Standing:
        """The standing in a season of so many nights."""
        return Standing(
            member=member,
            name=name,
            nights=self.nights,
            rounds=self.rounds,
            points=self.points,
            money=self.money,
            firsts=self.firsts,
            instant_wins=self.instant_wins,
            knocked_out=self.knocked_out,
            bombs_made=self.bombs_made,
            bombs_suffered=self.bombs_suffered,
            twos=self.twos,
            sheet=self.sheet,
            guest=self.nights == 1 and of_nights >= _NIGHTS_OF_A_GUEST,
        )


def _plus(one: Tally, other: Tally) -> Tally:
    return one.plus(other.points, times=other.times) if any(other) else one


def view_standings(nights: Sequence[SeasonNight], names: Mapping[SeatRef, str]) -> list[Standing]:
    """The results of all members over some nights, by points won, the most first."""
    sums: dict[SeatRef, _Sum] = {}
    for night in nights:
        results, own = night.results, night.own
        stake, people = results.unit.stake, results.people
        for player, points in results.net.items():
            one = people[player]
            if points or one.rounds:
                member = own[player]
                sum = sums.get(member) or sums.setdefault(member, _Sum())
                sum.add(points, one, stake, results.money[player])
    standings = [sum.standing(member, names[member], len(nights)) for member, sum in sums.items()]
    return sorted(standings, key=lambda one: -one.points)


def view_pairs(nights: Iterable[SeasonNight]) -> list[Pair]:
    """Who has won from whom over some nights, the most points first."""
    won: dict[tuple[SeatRef, SeatRef], int] = {}
    for night in nights:
        own = night.own
        for player, other, points in night.results.won:
            pair = own[player], own[other]
            if pair not in won and (pair[1], pair[0]) in won:
                pair, points = (pair[1], pair[0]), -points
            won[pair] = won.get(pair, 0) + points
    found = [
        Pair(one, other, points) if points > 0 else Pair(other, one, -points)
        for (one, other), points in won.items()
        if points
    ]
    return sorted(found, key=lambda pair: -pair.points)
