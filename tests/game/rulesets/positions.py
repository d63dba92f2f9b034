"""Piles of every ruleset on which something is to be laid, and what might be."""

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random

from ledger.game.cards import Cards
from ledger.game.moves import Pass, Play
from ledger.game.rounds import apply, begin
from ledger.game.rulesets import Ruleset
from ledger.game.state import Header, Round
from tests.game.rulesets.agreed import plays
from tests.game.rulesets.reading import Laid, Reading, samples


@cache
def read(ruleset: Ruleset) -> Reading:
    """A ruleset read anew, once."""
    return Reading(ruleset)


Position = tuple[Laid | None, Round, list[Cards]]


def positions(ruleset: Ruleset, *, tops: int = 6, offers: int = 12) -> Iterator[Position]:
    """What player 1 is to lay something on, the round, and what might be laid: much that is of one size with the
    top, and some of all else. At last piles that player 1 is to lead."""
    reading, chance, every = read(ruleset), Random(str(plays(ruleset))), samples(ruleset)
    seats = tuple(range(min(ruleset.deal.players)))
    piles = [laid for cards in every if (laid := reading.read(cards)) is not None]
    for top in chance.sample(piles, min(tops, len(piles))):
        header = Header(seats, leader=0)
        if top.shape.size < ruleset.deal.hand_of(len(seats)):
            round = begin(ruleset, header, [Play(0, top.cards, stood=True, locks=True)])
            like = [cards for cards in every if cards.bit_count() == top.shape.size]
            some = chance.sample(every, min(offers, len(every)))
            yield top, round, _free(round, like[:: len(like) // offers + 1] + some)
    for card in (1 << 17, 1):
        round = begin(ruleset, Header(seats, leader=1), [Play(1, card, stood=True)])
        while not round.leading:
            round = apply(round, Pass(round.turn))
        bombs = [laid.cards for laid in piles if laid.bomb]
        some = chance.sample(every, min(offers, len(every)))
        yield None, round, _free(round, bombs[:: len(bombs) // offers + 1] + some)


def _free(round: Round, offers: Iterable[Cards]) -> list[Cards]:
    """What player 1 may still hold, and does not go out with."""
    return [cards for cards in offers if not cards & round.seen and cards.bit_count() < round.left[1]]
