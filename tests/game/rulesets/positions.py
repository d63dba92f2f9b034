"""Piles of any ruleset, with candidates to lay on them."""

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random

from ledger.game.cards import Cards
from ledger.game.fold import apply, begin
from ledger.game.moves import Pass, Play
from ledger.game.round import Header, Round
from ledger.game.rulesets import Ruleset
from tests import soaking
from tests.game.rulesets.agreed import plays
from tests.game.rulesets.reading import PilePlay, Reading, of_row, samples


@cache
def read(ruleset: Ruleset) -> Reading:
    """The cached Reading of a ruleset."""
    return Reading(ruleset)


Position = tuple[PilePlay | None, Round, list[Cards]]
"""The top of the pile (None if player 1 leads), the round, and sets of cards that player 1 may try to lay."""


def positions(ruleset: Ruleset) -> Iterator[Position]:
    """For each bomb, piles with what it beats, its own kind, and something else, with real bombs and near misses as
    candidates; and two piles that player 1 leads."""
    reading, chance = read(ruleset), Random(str(plays(ruleset)))
    every = samples(ruleset)
    anything = [play for cards in every if (play := reading.read(cards)) is not None]
    bombs = [play.cards for play in anything if play.bomb]
    for row in ruleset.bombs:
        like = list(of_row(ruleset, row.shape, row.rank))
        near = [*like[:2], *chance.sample(like[2:], min(8 if soaking.asked else 3, len(like[2:])))]
        beaten = [
            chance.choice(list(of_row(ruleset, target.shape, target.rank)))
            for target in chance.sample(row.beats, min(2, len(row.beats)))
            if target.shape is not None
        ]
        tops = [*beaten, like[0], chance.choice(like), chance.choice(anything).cards]
        for top in filter(None, map(reading.read, tops)):
            yield from _after(ruleset, top, [*near, *chance.sample(every, 3)])
    led = [
        cards
        for row in ruleset.bombs
        for cards in chance.sample(list(of_row(ruleset, row.shape, row.rank)), 3)
    ]
    for card in (1 << 17, 1):
        round = begin(ruleset, Header(_seats(ruleset), leader=1), [Play(1, card, stood=True)])
        while not round.leading:
            round = apply(round, Pass(round.turn))
        yield None, round, _free(round, [*bombs[:: len(bombs) // 8 + 1], *led, *chance.sample(every, 8)])


def _after(ruleset: Ruleset, top: PilePlay, offers: Iterable[Cards]) -> Iterator[Position]:
    """The position after player 0 led a play and, if possible, locked the pile."""
    header = Header(_seats(ruleset), leader=0)
    if top.shape.size < ruleset.deal.hand_of(len(header.seats)):
        round = begin(ruleset, header, [Play(0, top.cards, stood=True, locks=True)])
        yield top, round, _free(round, offers)


def _seats(ruleset: Ruleset) -> tuple[int, ...]:
    return tuple(range(min(ruleset.deal.players)))


def _free(round: Round, offers: Iterable[Cards]) -> list[Cards]:
    """The candidates that player 1 may hold, without going out."""
    return [cards for cards in offers if not cards & round.seen and cards.bit_count() < round.cards_left[1]]
