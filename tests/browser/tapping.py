"""A random round, by seed, as the taps of a keeper who records it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from random import Random

from ledger.game.corpus import Chance, greedy
from ledger.game.deals import Dealt
from ledger.game.fold import implied_passes
from ledger.game.moves import Bid, Move, Pass, Play
from ledger.game.notation import tag
from ledger.game.patterns import SuitLock
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from tests.game.generator import play_round
from tests.game.table import lay_all


@dataclass(frozen=True)
class Table:
    """A preset, players and house rules, and the seed of a short round with them."""

    preset: str
    players: int
    rules: tuple[str, ...]
    seed: int

    @cached_property
    def ruleset(self) -> Ruleset:
        return lay_all(PRESETS[self.preset], self.rules)

    def round(self) -> list[Dealt]:
        """The positions of the round, until it is over."""
        header = Header(tuple(range(self.players)))
        positions = play_round(Random(self.seed), self.ruleset, header, self._choose, bombs=True)
        return [dealt for dealt in positions if not dealt.round.moves or is_of_the_play(dealt)]

    def _choose(self, chance: Chance, moves: Sequence[Move]) -> Move:
        """Play greedily, but forward if possible; lock with a sequence of one suit where locking is optional."""
        forward = [move for move in moves if isinstance(move, Play) and move.forward]
        move = greedy(chance, forward or moves)
        if self.ruleset.combinations.suit_lock is SuitLock.OPTIONAL and isinstance(move, Play):
            suits = {card.suit for card in self.ruleset.deck.cards(move.cards)}
            locks = len(suits) == 1 and move.cards.bit_count() > 2
            return replace(move, locks=True) if locks else move
        return move


@dataclass(frozen=True)
class Tap:
    """One entry of the recording page; `button` is the value of the button pressed."""

    button: str
    seat: str
    cards: tuple[str, ...] = ()
    locks: bool = False


class CannotBeTapped(Exception):
    """The page would infer other passes than those of the round."""


def taps(positions: Sequence[Dealt]) -> Iterator[Tap]:
    """The fewest taps that record a round: passes are implied where possible."""
    start, passes = positions[0].round, list[Pass]()
    write = start.ruleset.deck.write
    for before, after in pairwise(positions):
        move = after.round.moves[-1]
        match move:
            case Bid(player, contract):
                yield Tap(f"contract {contract}", tag(player))
            case Pass():
                passes.append(move)
                continue
            case Play(player, cards):
                if player == start.turn or list(implied_passes(start, move)) != passes:
                    if implied_passes(before.round, move):
                        raise CannotBeTapped
                    yield from _pass_taps(passes, closing=before.round.leading)
                button = "forward" if move.forward else "play"
                yield Tap(button, tag(player), tuple(write(cards)), bool(move.locks))
        start, passes = after.round, []
    yield from _pass_taps(passes, closing=False)


def _pass_taps(passes: Sequence[Pass], *, closing: bool) -> Iterator[Tap]:
    if closing and passes:
        yield Tap("pass-all", "")
    else:
        yield from (Tap("pass", tag(one.player)) for one in passes)


def is_of_the_play(dealt: Dealt) -> bool:
    return isinstance(dealt.round.moves[-1], Bid | Pass | Play)
