"""The bombs of a pile that are paid for, and with what: the table's chain decides (clause CHOP)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, assert_never

from ledger.game.payments import Step, StepKind
from ledger.game.rulesets.types import Chain, Payments, Ruleset
from ledger.game.special_sets import Appraiser
from ledger.game.state import UNSEEN_BOMB, Laid


class Chop(NamedTuple):
    """A bomb that is paid for, and the plays of its pile that it is paid for."""

    beaten: Laid
    bomb: Laid
    taken: tuple[Laid, ...]
    times: int = 1
    """The factor by which the value of what was taken is multiplied."""
    each: int | None = None
    """What each play that was taken is worth, where bombs are counted; None: its special sets."""

    def steps(self, values: Appraiser) -> tuple[Step, ...]:
        """What the player whose play was beaten pays, play by play."""
        if self.each is not None:
            points = self.times * self.each
            return tuple(
                Step(StepKind.CHOP, points, laid.cards, laid.move, count=self.times, each=self.each)
                for laid in self.taken
            )
        sets = tuple(
            Step(StepKind.SPECIAL_SET, worth.points, worth.cards, laid.move)
            for laid in self.taken
            for worth in values.breakdown(laid.cards)
        )
        if self.times == 1:
            return sets
        points = (self.times - 1) * sum(step.points for step in sets)
        return (*sets, Step(StepKind.DOUBLING, points, count=self.times))

    def is_free(self, rules: Payments) -> bool:
        """Whether nobody pays: the player who would went out with what was beaten (clause CHOP-OUT)."""
        return self.beaten.last and rules.chop_free_if_out


def chops_in(pile: Sequence[Laid], ruleset: Ruleset) -> Iterator[Chop]:
    """The bombs of one pile that are paid for as the table's chain has it (clause CHOP)."""
    rules = ruleset.payments
    chops = [(beaten, bomb) for beaten, bomb in pairwise(pile) if bomb.bomb]
    match rules.chain:
        case Chain.WHOLE_PILE | Chain.CUT:
            if chops and chops[-1][1] is pile[-1]:
                cut = tuple(beaten for beaten, _ in chops)
                yield Chop(*chops[-1], tuple(pile[:-1]) if rules.chain is Chain.WHOLE_PILE else cut)
        case Chain.EACH:
            yield from (Chop(beaten, bomb, (beaten,)) for beaten, bomb in chops)
        case Chain.DOUBLING:
            for depth, (beaten, bomb) in enumerate(chops):
                yield Chop(beaten, bomb, (chops[0][0],), times=1 << depth)
        case Chain.COUNTING:
            for count, (beaten, bomb) in enumerate(chops, start=1):
                if bomb.combination is UNSEEN_BOMB:
                    count = ruleset.bombs_of_pile(beaten.cards)
                yield Chop(beaten, bomb, (beaten,), times=count, each=rules.chop_unit)
        case _:
            assert_never(rules.chain)
