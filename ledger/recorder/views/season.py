"""The season of a group: its nights between two dates, and each member's results, by night and in total."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from itertools import chain
from typing import Final

from ledger.game.settlement import Transfer
from ledger.game.statistics import Person, Tally, statistics
from ledger.game.terms import Stake, Terms
from ledger.recorder.groups import Group, named
from ledger.recorder.members import Members, Seat, members
from ledger.recorder.rounds import Rounds
from ledger.recorder.terms import read_night
from ledger.recorder.views.counts import count_night, numbers_of
from ledger.recorder.views.owed import Difference, Owed, view_owed
from ledger.store import EntryUnreadable, Night, Reader


@dataclass(frozen=True, slots=True)
class NightCounted:
    """The results of a night by player; they depend on its head alone."""

    opened: str
    ended: str
    """When it was opened, and when its last round was settled; equal if no round is settled yet."""
    rounds: int
    """How many rounds have ended and are not void."""
    net: Mapping[str, int]
    """Player -> points won in settled rounds and by adjustments."""
    paid: Mapping[tuple[str, str], int]
    """(Payer, payee) -> points posted; a reversal counts the other way round."""
    people: Mapping[str, Person]
    owed: Owed


def count_results(row: Night, rounds: Rounds) -> NightCounted:
    """The results of a night, from the numbers of its rounds."""
    tags, results = tuple(rounds.reader.names(row.id)), numbers_of(rounds)
    count = count_night(tags, results)
    paid = Counter[tuple[str, str]]()
    for payer, payee, points in chain.from_iterable(one.paid for one in results):
        paid[payer, payee] += points
    _, settled = max((one.settled for one in results if one.settled), default=(0, row.created_at))
    net = dict.fromkeys(tags, 0) | rounds.reader.balances(row.id)
    return NightCounted(
        opened=row.created_at,
        ended=max(row.created_at, settled),
        rounds=count.counting,
        net=net,
        paid=paid,
        people=statistics([count]).people,
        owed=view_owed(rounds.reader, row.id, net),
    )


@dataclass(frozen=True, slots=True)
class SeasonNight:
    """A night of the season, numbered from 1."""

    number: int
    night: str
    date: str
    opened: str
    ended: str
    """When its last round was settled; equal to `opened` if none is."""
    stake: Stake | None
    rounds: int
    net: dict[Seat, int]
    """Member who took part -> points won."""
    people: dict[Seat, Person]
    owed: list[Transfer[Seat]]
    """What is still owed in it, which later nights do not owe."""
    differences: list[Difference[Seat]]
    """What of it is owed because a round was corrected after money had changed hands."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's results over the season."""

    member: Seat
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


@dataclass(frozen=True, slots=True)
class Season:
    """The nights of a group between two dates."""

    group: Group
    nights: list[SeasonNight]
    """The oldest first."""
    standings: list[Standing]
    """By points won, the most first."""
    against: dict[tuple[Seat, Seat], int]
    """(Member, another) -> points won by the first from the second, in both orders."""
    members: Members
    """All people of the group, including those not in these nights."""
    dates: dict[str, str]
    """Night -> its date, for every readable night that was ever in the group."""
    unreadable: int
    """How many nights are left out because their texts cannot be read."""

    @property
    def currencies(self) -> list[str]:
        """The currencies that its nights played for."""
        return sorted({night.stake.currency for night in self.nights if night.stake})

    @property
    def names(self) -> dict[Seat, str]:
        """Member in the standings -> name."""
        return {one.member: one.name for one in self.standings}


_NIGHTS_OF_A_GUEST: Final = 3


def view_season(
    reader: Reader,
    group: Group,
    counted: Callable[[Reader, str], NightCounted],
    *,
    since: str = "",
    until: str = "",
) -> Season:
    """The season of a group from the date `since` to `until`, inclusive (`2026-11-26`); empty means no limit.
    `counted` returns a night's results, computed or cached."""
    terms, unreadable = terms_of(reader, group)
    people = members_in(reader, group, terms)
    standing = set(group.nights)
    shown = [
        (night, one)
        for night, one in terms.items()
        if night in standing and since <= one.date <= (until or "9")
    ]
    nights = []
    against = Counter[tuple[Seat, Seat]]()
    for number, (night, one) in enumerate(shown, start=1):
        count = counted(reader, night)
        own = {player: people.of[Seat(night, player)] for player in count.net}
        there = [player for player in own if count.people[player].rounds or count.net[player]]
        net = {own[player]: count.net[player] for player in there}
        stats = {own[player]: count.people[player] for player in there}
        when = (one.date, count.opened, count.ended)
        owed = [Transfer(own[due.payer], own[due.payee], due.points) for due in count.owed.transfers]
        late = [found for due in count.owed.differences if (found := due.among(own))]
        nights.append(SeasonNight(number, night, *when, one.stake, count.rounds, net, stats, owed, late))
        for (payer, payee), points in count.paid.items():
            against[own[payee], own[payer]] += points
            against[own[payer], own[payee]] -= points
    dates = {night: one.date for night, one in terms.items()}
    came = dict.fromkeys(chain.from_iterable(night.net for night in nights))
    standings = [_standing(member, people.names[member], nights) for member in came]
    standings.sort(key=lambda one: -one.points)
    return Season(group, nights, standings, dict(against), people, dates, unreadable)


def _standing(member: Seat, name: str, nights: Sequence[SeasonNight]) -> Standing:
    there = [night for night in nights if member in night.net]
    people = [night.people[member] for night in there]
    money: dict[str, Decimal] = {}
    for night in there:
        if stake := night.stake:
            before = money.get(stake.currency, Decimal(0))
            money[stake.currency] = before + stake.amount * night.net[member]
    return Standing(
        member=member,
        name=name,
        nights=len(there),
        rounds=sum(one.rounds for one in people),
        points=sum(night.net[member] for night in there),
        money=money,
        firsts=sum(map(firsts, people)),
        instant_wins=sum(one.instant_wins for one in people),
        knocked_out=sum(one.knocked_out for one in people),
        bombs_made=_all(one.bombs_made for one in people),
        bombs_suffered=_all(one.bombs_suffered for one in people),
        twos=_all(one.twos for one in people),
        sheet=sum(one.sheet for one in people),
        guest=len(there) == 1 and len(nights) >= _NIGHTS_OF_A_GUEST,
    )


def firsts(person: Person) -> int:
    """How many rounds a person won by coming in first."""
    return person.places[0] if person.places else 0


def _all(tallies: Iterable[Tally]) -> Tally:
    return reduce(lambda sum, one: sum.plus(one.points, times=one.times), tallies, Tally())


def members_in(reader: Reader, group: Group, nights: Iterable[str]) -> Members:
    """The people of a group in some of its nights, the oldest first."""
    return members({night: named(reader, night) for night in nights}, group.joined.values())


def terms_of(reader: Reader, group: Group) -> tuple[dict[str, Terms], int]:
    """Night -> terms, for every night that was ever in the group, the oldest first; and how many are unreadable."""
    found = list[tuple[str, str, Terms]]()
    unreadable = 0
    for night in group.ever:
        row = reader.night(night)
        assert row is not None, "a night that a group refers to"
        try:
            found.append((row.created_at, night, read_night(row).terms))
        except EntryUnreadable:
            unreadable += 1
    found.sort(key=lambda one: (one[2].date, one[0]))
    return {night: terms for _, night, terms in found}, unreadable
