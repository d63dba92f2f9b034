"""The numbers of a night: what statistics, seasons and settling up add up, kept round by round."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ledger.game.settlement import Transfer
from ledger.game.statistics import NightCount, RoundCount, count_round
from ledger.recorder.agreements import Agreements
from ledger.recorder.parts import player
from ledger.recorder.round_log import RoundLog
from ledger.recorder.rounds import Rounds, read_together
from ledger.recorder.views.worth import BegunUnder, Won, add_up, begun_under, worths
from ledger.store import Reader


class RoundNumbers(NamedTuple):
    """The numbers of a round; small enough to be cached."""

    begun: bool
    """Whether its beginning stands."""
    numbers: RoundCount | None
    """None if it does not count."""
    by_hand: tuple[tuple[str, str, int], ...]
    """(Payer, payee, points) of the payments of no round that its events posted."""
    paid: tuple[tuple[str, str, int], ...]
    """(Payer, payee, points) of all that its events posted, a sum for each pair; a reversal is paid back."""
    settled: tuple[int, str] | None
    """The seq and time of its last settling."""
    agreed: BegunUnder
    posted_by_hand: tuple[tuple[int, str, str, int], ...] = ()
    """(Seq, payer, payee, points) of all that events of no round posted; empty for a round."""


def _numbers(log: RoundLog) -> RoundNumbers:
    posted = [payment for event in log.events for payment in event.payments]
    paid = Counter[tuple[str, str]]()
    for one in posted:
        paid[one.payer, one.payee] += one.points
    settled = [(event.seq, event.at) for event in log.events if event.kind == "settle"]
    return RoundNumbers(
        begun=log.round is not None,
        numbers=None if log.round is None else count_round(log.round),
        by_hand=tuple((one.payer, one.payee, one.points) for one in posted if not one.round),
        paid=tuple((payer, payee, points) for (payer, payee), points in paid.items()),
        settled=max(settled, default=None),
        agreed=begun_under(log),
        posted_by_hand=()
        if log.number
        else tuple(
            (event.seq, one.payer, one.payee, one.points) for event in log.events for one in event.payments
        ),
    )


def won_in(players: Iterable[str], agreements: Agreements, rounds: Sequence[RoundNumbers]) -> Won:
    """What each player has won in a night, from the numbers of its rounds, those of no round first."""
    agreed = worths(agreements, (one.agreed for one in rounds))
    posted = (
        (agreed.of(number, seq), Transfer(payer, payee, points))
        for number, one in enumerate(rounds)
        for seq, payer, payee, points in (one.posted_by_hand or ((0, *paid) for paid in one.paid))
    )
    return add_up(players, agreed, posted)


def numbers_of(rounds: Rounds) -> list[RoundNumbers]:
    """The numbers of all rounds of a night, those of no round first."""
    return [*rounds.derived(_numbers, range(rounds.newest + 1)).values()]


def numbers_of_nights(reader: Reader, nights: Iterable[Rounds]) -> Iterator[tuple[str, list[RoundNumbers]]]:
    """Each of some nights, with the numbers of its rounds as `numbers_of` has them, in any order."""
    for rounds in read_together(reader, nights, _numbers):
        yield rounds.night, numbers_of(rounds)


def count_night(names: tuple[str, ...], rounds: list[RoundNumbers]) -> NightCount:
    """The numbers of a night for its statistics."""
    by_hand = Counter[int]()
    for payer, payee, points in (one for round in rounds for one in round.by_hand):
        by_hand[player(payer)] -= points
        by_hand[player(payee)] += points
    return NightCount(names, [round.numbers for round in rounds if round.begun], by_hand)
