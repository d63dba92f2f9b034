"""Statistics of players over one or more nights: places, bombs, 2s, points, streaks; and who bombed whom.

Only rounds that have ended and were not voided count, with their payments so far. All numbers are whole: an average
is a pair of points and rounds.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from ledger.game.cards import Rank
from ledger.game.payments import Payment, Reason, StepKind, post
from ledger.game.round import Round
from ledger.game.scoring import hands, payments
from ledger.game.sheet import sheet_of


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


class SeatCount(NamedTuple):
    """One player's numbers of one round."""

    player: int
    points: tuple[int, ...]
    """The net points of each heading, in their order."""
    place: int
    """0 for none."""
    last: bool
    knocked_out: bool
    instant_wins: int
    twos: Tally
    sheet: int


class RoundCount(NamedTuple):
    """The numbers of one round that counts."""

    seats: tuple[SeatCount, ...]
    bombs: tuple[tuple[int, int, int], ...]
    """(Player of the bomb, player it beat, points) for each bomb that is paid for."""


class NightCount(NamedTuple):
    """The numbers of one night."""

    names: tuple[str, ...]
    rounds: Sequence[RoundCount | None]
    """None for each round that does not count."""
    adjustments: Mapping[int, int]
    """Player -> net points of payments by hand."""

    @property
    def counting(self) -> int:
        """How many rounds count."""
        return sum(round is not None for round in self.rounds)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Name -> person, in the order in which they appear; and who bombed whom."""

    people: Mapping[str, Person]
    bombed: Mapping[tuple[str, str], Tally]
    """(Player of the bomb, player it beat) -> how often it was paid for, and the points."""


def count_round(round: Round) -> RoundCount | None:
    """The numbers of a round; None if it does not count."""
    if not round.counts:
        return None
    paid = payments(round)
    by_heading = [post(one for one in paid if HEADINGS[one.reason] is heading) for heading in Heading]
    claimants = Counter(player for player, _ in round.claims)
    # Instant wins end a round without places, and their hands are not counted.
    places = {} if claimants else {player: place for place, player in enumerate(round.places, start=1)}
    out = () if claimants else round.seats_in(round.knocked_out)
    twos = {} if claimants else _twos(round, paid)
    sheet = sheet_of(round)
    return RoundCount(
        tuple(
            SeatCount(
                player=player,
                points=tuple(net.get(player, 0) for net in by_heading),
                place=places.get(player, 0),
                last=places.get(player) == len(round.header.seats),
                knocked_out=player in out,
                instant_wins=claimants[player],
                twos=twos.get(player, Tally()),
                sheet=sheet.get(player, 0),
            )
            for player in round.header.seats
        ),
        tuple((one.payee, one.payer, one.points) for one in paid if one.reason is Reason.BOMB_BONUS),
    )


def statistics(nights: Iterable[NightCount]) -> Statistics:
    """The statistics of some nights. The same name in several nights is the same person.

    Raises ValueError if two players of one night share a name.
    """
    sums: dict[str, _Sum] = {}
    bombed: dict[tuple[str, str], Tally] = {}
    for night, (names, rounds, adjustments) in enumerate(nights):
        if len(set(names)) != len(names):
            raise ValueError("two players of one night under one name")
        people = [sums.setdefault(name, _Sum()) for name in names]
        for number, round in enumerate(rounds, start=1):
            if round is None:
                continue
            for seat in round.seats:
                people[seat.player].seats.append(seat)
                people[seat.player].swings.append(Swing(night, number, sum(seat.points)))
            for bomber, beaten, points in round.bombs:
                people[bomber].bombs_made = people[bomber].bombs_made.plus(points)
                people[beaten].bombs_suffered = people[beaten].bombs_suffered.plus(points)
                pair = names[bomber], names[beaten]
                bombed[pair] = bombed.get(pair, Tally()).plus(points)
        for player, points in adjustments.items():
            people[player].by_hand += points
    return Statistics({name: added.person() for name, added in sums.items()}, bombed)


@dataclass(slots=True)
class _Sum:
    """One person's numbers, to be added up."""

    seats: list[SeatCount] = field(default_factory=list)
    """One for each round."""
    swings: list[Swing] = field(default_factory=list)
    """The net points of each round."""
    bombs_made: Tally = field(default_factory=Tally)
    bombs_suffered: Tally = field(default_factory=Tally)
    by_hand: int = 0
    """The net points of payments by hand."""

    def person(self) -> Person:
        places = Counter([seat.place for seat in self.seats])
        by_hand = [self.by_hand * (heading is Heading.ADJUSTMENTS) for heading in Heading]
        points = zip(by_hand, *[seat.points for seat in self.seats], strict=True)
        biggest = max(self.swings, key=lambda swing: abs(swing.points), default=None)
        return Person(
            rounds=len(self.swings),
            places=tuple([places[place] for place in range(1, max(places, default=0) + 1)]),
            last=sum([seat.last for seat in self.seats]),
            knocked_out=sum([seat.knocked_out for seat in self.seats]),
            instant_wins=sum([seat.instant_wins for seat in self.seats]),
            bombs_made=self.bombs_made,
            bombs_suffered=self.bombs_suffered,
            twos=Tally(*map(sum, zip(*[seat.twos for seat in self.seats], strict=True))),
            points=tuple(zip(Heading, map(sum, points), strict=True)),
            biggest=biggest if biggest and biggest.points else None,
            winning=_longest(swing.points > 0 for swing in self.swings),
            losing=_longest(swing.points < 0 for swing in self.swings),
            sheet=sum([seat.sheet for seat in self.seats]),
        )


def _twos(round: Round, paid: Sequence[Payment]) -> dict[int, Tally]:
    """Player -> 2s in a known hand, and what they cost: their own value, where cards are counted too."""
    twos = round.ruleset.deck.rank(Rank.TWO)
    found = {player: Tally((hand.cards & twos).bit_count()) for player, hand in hands(round).items()}
    for payment in paid:
        for step in payment.steps if HEADINGS[payment.reason] is Heading.HOARDING else ():
            if step.cards & twos:
                cost = round.header.times * (step.count if step.kind is StepKind.INSTEAD else step.points)
                found[payment.owed_by] = found.get(payment.owed_by, Tally()).plus(cost, times=0)
    return found


def _longest(each: Iterable[bool]) -> int:
    """The length of the longest run of true values."""
    return max((len(list(run)) for so, run in groupby(each) if so), default=0)
