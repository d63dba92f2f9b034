"""Statistics of players over one or more nights: places, bombs, 2s, points, streaks; and who bombed whom.

Only rounds that have ended and were not voided count, with their payments so far. All numbers are whole: an average
is a pair of points and rounds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from ledger.game.cards import Rank
from ledger.game.night import Night
from ledger.game.payments import Payment, Postable, Reason, StepKind, post
from ledger.game.round import Round
from ledger.game.scoring import hands, payments, sheet_of


class Heading(StrEnum):
    """The sources of points."""

    PLACES = "places"
    BOMBS = "bombs"
    HOARDING = "hoarding"
    INSTANT_WINS = "instant-wins"
    CONTRACTS = "contracts"
    ADJUSTMENTS = "adjustments"


HEADINGS: Mapping[Reason, Heading] = {
    Reason.BOMB_BONUS: Heading.BOMBS,
    Reason.INSTANT_WIN: Heading.INSTANT_WINS,
    Reason.PLACEMENT: Heading.PLACES,
    Reason.CARD_COUNT: Heading.HOARDING,
    Reason.GOT_TO_GET_IN: Heading.PLACES,
    Reason.LAST_CARD: Heading.PLACES,
    Reason.CONTRACT: Heading.CONTRACTS,
    Reason.HOARDING_PENALTY: Heading.HOARDING,
}
"""Payments for cards left in a hand are hoarding; those for getting in, or for the last card, are for places."""


class Tally(NamedTuple):
    """A number of times, and the points of all of them together."""

    times: int = 0
    points: int = 0

    def plus(self, points: int, *, times: int = 1) -> "Tally":
        """The tally with more of both."""
        return Tally(self.times + times, self.points + points)


class Swing(NamedTuple):
    """A player's net points of one round. Nights count from 0 as they were given, rounds from 1."""

    night: int
    round: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One person over all nights."""

    rounds: int
    """Rounds played to their end."""
    places: tuple[int, ...]
    """How often 1st, 2nd and so on, down to the worst place reached."""
    last: int
    """How often last, in rounds where all players have a place."""
    knocked_out: int
    instant_wins: int
    bombs_made: Tally
    bombs_suffered: Tally
    twos: Tally
    """2s left in known hands, and what they cost."""
    points: tuple[tuple[Heading, int], ...]
    """The net points of each heading."""
    biggest: Swing | None
    """The round of the greatest gain or loss; of several, the first."""
    winning: int
    """The most rounds in a row with a gain."""
    losing: int
    """The most rounds in a row with a loss."""
    sheet: int
    """The score of places on a separate sheet."""

    @property
    def total(self) -> int:
        return sum(points for _, points in self.points)

    @property
    def average(self) -> tuple[int, int]:
        """The net points of rounds, and the number of rounds: the average is their quotient."""
        played = sum(points for heading, points in self.points if heading is not Heading.ADJUSTMENTS)
        return played, self.rounds


@dataclass(frozen=True, slots=True)
class Statistics:
    """Name -> person, in the order in which they appear; and who bombed whom."""

    people: Mapping[str, Person]
    bombed: Mapping[tuple[str, str], Tally]
    """(Player of the bomb, player it beat) -> how often it was paid for, and the points."""


def statistics(nights: Iterable[Night]) -> Statistics:
    """The statistics of some nights. The same name in several nights is the same person.

    Raises ValueError if two players of one night share a name.
    """
    counts: dict[str, _Count] = {}
    bombed: dict[tuple[str, str], Tally] = {}
    for place, night in enumerate(nights):
        names = night.names
        if len(set(names)) != len(names):
            raise ValueError("two players of one night under one name")
        people = [counts.setdefault(name, _Count()) for name in names]
        for number, round in enumerate(night.rounds, start=1):
            if round.counts:
                paid = payments(round)
                _count_round(round, paid, people, place, number)
                for made in _bombs(paid):
                    pair = names[made.payee], names[made.payer]
                    bombed[pair] = bombed.get(pair, Tally()).plus(made.points)
        _post(people, Heading.ADJUSTMENTS, night.adjustments)
    return Statistics({name: count.person() for name, count in counts.items()}, bombed)


@dataclass(slots=True)
class _Count:
    """One person's numbers while they are being counted."""

    swings: list[Swing] = field(default_factory=list)
    """The net points of each round."""
    places: Counter[int] = field(default_factory=Counter)
    last: int = 0
    knocked_out: int = 0
    instant_wins: int = 0
    bombs_made: Tally = field(default_factory=Tally)
    bombs_suffered: Tally = field(default_factory=Tally)
    twos: Tally = field(default_factory=Tally)
    points: Counter[Heading] = field(default_factory=Counter)
    sheet: int = 0

    def person(self) -> Person:
        biggest = max(self.swings, key=lambda swing: abs(swing.points), default=None)
        return Person(
            rounds=len(self.swings),
            places=tuple(self.places[place] for place in range(1, max(self.places, default=0) + 1)),
            last=self.last,
            knocked_out=self.knocked_out,
            instant_wins=self.instant_wins,
            bombs_made=self.bombs_made,
            bombs_suffered=self.bombs_suffered,
            twos=self.twos,
            points=tuple((heading, self.points[heading]) for heading in Heading),
            biggest=biggest if biggest and biggest.points else None,
            winning=_longest(swing.points > 0 for swing in self.swings),
            losing=_longest(swing.points < 0 for swing in self.swings),
            sheet=self.sheet,
        )


def _count_round(
    round: Round, paid: Sequence[Payment], people: Sequence[_Count], night: int, number: int
) -> None:
    brought = post(paid)
    for player in round.header.seats:
        people[player].swings.append(Swing(night, number, brought.get(player, 0)))
    for heading in Heading:
        _post(people, heading, (payment for payment in paid if HEADINGS[payment.reason] is heading))
    for made in _bombs(paid):
        payer, payee = people[made.payer], people[made.payee]
        payer.bombs_suffered = payer.bombs_suffered.plus(made.points)
        payee.bombs_made = payee.bombs_made.plus(made.points)
    for player, scored in sheet_of(round).items():
        people[player].sheet += scored
    for player, _ in round.claims:
        people[player].instant_wins += 1
    if not round.claims:
        _count_places(round, people)
        _count_twos(round, people, paid)


def _post(people: Sequence[_Count], heading: Heading, payments: Iterable[Postable[int]]) -> None:
    for player, points in post(payments).items():
        people[player].points[heading] += points


def _count_places(round: Round, people: Sequence[_Count]) -> None:
    for place, player in enumerate(round.places, start=1):
        people[player].places[place] += 1
    if len(round.places) == len(round.header.seats):
        people[round.places[-1]].last += 1
    for player in round.seats_in(round.knocked_out):
        people[player].knocked_out += 1


def _count_twos(round: Round, people: Sequence[_Count], paid: Sequence[Payment]) -> None:
    """Count 2s in known hands, and what they cost: their own value, where cards are counted too."""
    twos = round.ruleset.deck.rank(Rank.TWO)
    for player, hand in hands(round).items():
        people[player].twos = people[player].twos.plus(0, times=(hand.cards & twos).bit_count())
    for payment in paid:
        for step in payment.steps if HEADINGS[payment.reason] is Heading.HOARDING else ():
            if step.cards & twos:
                payer = people[payment.payer]
                cost = step.count if step.kind is StepKind.INSTEAD else step.points
                payer.twos = payer.twos.plus(cost, times=0)


def _bombs(paid: Sequence[Payment]) -> Iterator[Payment]:
    return (payment for payment in paid if payment.reason is Reason.BOMB_BONUS)


def _longest(each: Iterable[bool]) -> int:
    """The length of the longest run of true values."""
    return max((len(list(run)) for so, run in groupby(each) if so), default=0)
