"""Payments with the steps of their sums; balances; and the bombs of a pile that are paid for, as the table's chain
decides (clause CHOP)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar, assert_never

from ledger.game.cards import Cards, shown, union
from ledger.game.errors import Clause
from ledger.game.hands import Source
from ledger.game.moves import Cover, CoverReason
from ledger.game.round import UNSEEN_BOMB, PilePlay, Round
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.paying import Chain, Payments
from ledger.game.special_sets import Appraiser


class Reason(StrEnum):
    """What a payment is for, in the order in which payments are listed."""

    BOMB_BONUS = "bomb-bonus"
    INSTANT_WIN = "instant-win"
    PLACEMENT = "placement"
    CARD_COUNT = "card-count"
    GOT_TO_GET_IN = "got-to-get-in"
    LAST_CARD = "last-card"
    CONTRACT = "contract"
    HOARDING_PENALTY = "hoarding-penalty"


class StepKind(StrEnum):
    """What a step of a payment's sum stands for."""

    SPECIAL_SET = "special-set"
    """A special set, captured in the play `move`, or left in a hand."""
    DOUBLING = "doubling"
    """The sum of the steps before it is multiplied by `count`."""
    ROUND_COUNTS = "round-counts"
    """The same, because the table agreed that the round counts `count` times."""
    CHOP = "chop"
    """`count` times `each` for the `count`th bomb of a pile, which beat `cards`."""
    PLACE = "place"
    """One place pays another."""
    NO_PLACE = "no-place"
    """Left with `count` cards when the round ended."""
    FULL_HAND = "full-hand"
    """Knocked out, nothing played, or left with `count` cards, enough for a full hand."""
    LAST_TWOS = "last-twos"
    """Gone out with `count` 2s at `each`."""
    CARDS = "cards"
    """`count` cards left at `each`."""
    UNPLAYED = "unplayed"
    """A fixed sum instead of cards: nothing was played."""
    INSTEAD = "instead"
    """A special set at `count`, instead of its cards at `each`."""
    GOT_TO_GET_IN = "got-to-get-in"
    """Nothing played when the payee went out."""
    LAST_CARD = "last-card"
    """Gone out with, or left with, the lowest card alone."""
    CONTRACT = "contract"
    """A contract of this `name`, won by the payee or lost by the payer."""
    INSTANT_WIN = "instant-win"
    """A hand of this `name`; empty for a hand that is not in the list, but stood."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a payment's sum: the points that it adds, and the facts that its kind needs."""

    __repr__ = shown
    kind: StepKind
    points: int
    cards: Cards = 0
    """The cards that are paid for."""
    move: int = 0
    """The number of the play that the cards were in; 0: not on a pile."""
    count: int = 0
    """The number of things paid for, where they are counted; for a place, the number of players with a place."""
    each: int = 0
    """What each of them costs."""
    name: str = ""
    places: tuple[int, int] = (0, 0)
    """The places, from 1, of payer and payee."""


def multiplied(steps: tuple[Step, ...], times: int, kind: StepKind = StepKind.DOUBLING) -> tuple[Step, ...]:
    """The steps, and one more that multiplies their sum by `times`, unless that is 1."""
    points = (times - 1) * sum(step.points for step in steps)
    return (*steps, Step(kind, points, count=times)) if times > 1 else steps


class Covering(NamedTuple):
    """Whose payment another player makes, and why (clause COVER)."""

    owed_by: int
    why: CoverReason


class Payment(NamedTuple):
    """Points from one player to another, and what they are based on."""

    payer: int
    payee: int
    points: int
    """The sum of the steps: a positive whole number."""
    reason: Reason
    clause: str
    """The id of the clause that requires it."""
    move: int
    """The number of the move that caused it."""
    steps: tuple[Step, ...]
    moves: tuple[int, ...]
    """The numbers of all moves that led to it, in their order."""
    clauses: tuple[str, ...]
    """The ids of all clauses that it is based on, its own first."""
    source: Source | None = None
    """How the hand that is paid for is known; None: no hand is paid for."""
    provisional: bool = False
    """Whether a bomb, or a hand, may still change it."""
    covering: Covering | None = None
    """Whose payment the payer makes; None: the payer's own."""

    @property
    def owed_by(self) -> int:
        """The player by whose play, hand or place it came about: the payer, unless the payer covers another."""
        return self.covering.owed_by if self.covering else self.payer

    @property
    def cards(self) -> Cards:
        """The cards that are paid for."""
        return union(step.cards for step in self.steps)


def covered(round: Round, payments: Iterable[Payment]) -> list[Payment]:
    """Clause COVER: the payments of the end of a round; but for contracts, who covers a player makes the player's.

    Such a payment keeps its steps and its place, and names the declaration that moved it.
    """
    return [_covered(round, payment, round.covers.get(payment.payer, 0)) for payment in payments]


def _covered(round: Round, payment: Payment, number: int) -> Payment:
    cover = round.moves[number - 1] if number else None
    if not isinstance(cover, Cover) or payment.reason is Reason.CONTRACT:
        return payment
    clause = round.ruleset.clause(Clause.COVER)
    return payment._replace(
        payer=cover.player,
        clause=clause,
        move=number,
        moves=tuple(sorted({*payment.moves, number})),
        clauses=(clause, *payment.clauses),
        covering=Covering(payment.payer, cover.why),
    )


Player_co = TypeVar("Player_co", covariant=True)
Player = TypeVar("Player")


class Postable(Protocol[Player_co]):
    """Anything that moves points from one player to another: a payment, an adjustment, a row of the store."""

    @property
    def payer(self) -> Player_co: ...

    @property
    def payee(self) -> Player_co: ...

    @property
    def points(self) -> int: ...


def post(
    payments: Iterable[Postable[Player]], balances: Mapping[Player, int] | None = None
) -> dict[Player, int]:
    """Balances after some payments: player -> points received less points paid.

    `balances` are those before; without them, only players in a payment have one. Their sum does not change.

    >>> from collections import namedtuple
    >>> Paid = namedtuple("Paid", "payer payee points")
    >>> post([Paid("An", "Chi", 3), Paid("Chi", "An", 1)], {"An": 10, "Bình": 0})
    {'An': 8, 'Bình': 0, 'Chi': 2}
    """
    after = dict(balances or {})
    for payment in payments:
        after[payment.payer] = after.get(payment.payer, 0) - payment.points
        after[payment.payee] = after.get(payment.payee, 0) + payment.points
    return after


class Chop(NamedTuple):
    """A bomb that is paid for, and the plays of its pile that it is paid for."""

    beaten: PilePlay
    bomb: PilePlay
    taken: tuple[PilePlay, ...]
    times: int = 1
    """The factor by which the value of what was taken is multiplied."""
    each: int | None = None
    """The points of each play taken, where bombs are counted; None: those of its special sets."""

    def steps(self, values: Appraiser) -> tuple[Step, ...]:
        """The steps that the beaten player pays, play by play."""
        if self.each is not None:
            points = self.times * self.each
            return tuple(
                Step(StepKind.CHOP, points, play.cards, play.move, count=self.times, each=self.each)
                for play in self.taken
            )
        sets = tuple(
            Step(StepKind.SPECIAL_SET, worth.points, worth.cards, play.move)
            for play in self.taken
            for worth in values.breakdown(play.cards)
        )
        return multiplied(sets, self.times)

    def is_free(self, rules: Payments) -> bool:
        """Whether it is not paid, because the payer went out with the beaten play (clause CHOP-OUT)."""
        return self.beaten.last and rules.chop_free_if_out


def chops_in(pile: Sequence[PilePlay], ruleset: Ruleset) -> Iterator[Chop]:
    """The bombs of one pile that are paid for by the table's chain (clause CHOP).

    >>> from ledger.game.fold import begin
    >>> from ledger.game.moves import Play
    >>> from ledger.game.round import Header
    >>> from ledger.game.rulesets import PRESETS
    >>> southern = PRESETS["southern-classic"]
    >>> two, fours = 1 << 48, 0b1111 << 4
    >>> round = begin(southern, Header(seats=(0, 1), leader=0), [Play(0, two), Play(1, fours)])
    >>> for chop in chops_in(round.pile, southern):
    ...     print([str(play).partition(", combination")[0] for play in (chop.bomb, *chop.taken)])
    ['PilePlay(player=1, cards=<4s 4c 4d 4h of one pack>', 'PilePlay(player=0, cards=<2s of one pack>']
    """
    rules = ruleset.payments
    chops = [(beaten, bomb) for beaten, bomb in pairwise(pile) if bomb.bomb]
    beaten_by_bombs = tuple(beaten for beaten, _ in chops)
    on_top = chops[-1:] if chops and chops[-1][1] is pile[-1] else []
    match rules.chain:
        case Chain.WHOLE_PILE:
            yield from (Chop(*last, tuple(pile[:-1])) for last in on_top)
        case Chain.CUT:
            yield from (Chop(*last, beaten_by_bombs) for last in on_top)
        case Chain.FIRST:
            yield from (Chop(*last, beaten_by_bombs[:1]) for last in on_top)
        case Chain.ALL_TO_LAST:
            yield from (Chop(beaten, bomb, (beaten,)) for _, bomb in on_top for beaten in beaten_by_bombs)
        case Chain.GROWING:
            for count, (beaten, bomb) in enumerate(chops, start=1):
                yield Chop(beaten, bomb, beaten_by_bombs[:count])
        case Chain.EACH:
            yield from (Chop(beaten, bomb, (beaten,)) for beaten, bomb in chops)
        case Chain.DOUBLING:
            for depth, (beaten, bomb) in enumerate(chops):
                yield Chop(beaten, bomb, (chops[0][0],), times=rules.doubles_by**depth)
        case Chain.COUNTING | Chain.LAST_COUNTING:
            for count, (beaten, bomb) in enumerate(chops, start=1):
                if rules.chain is Chain.COUNTING or (beaten, bomb) in on_top:
                    if bomb.combination is UNSEEN_BOMB:
                        count = compiled(ruleset).bombs_of_pile(beaten.cards)
                    yield Chop(beaten, bomb, (beaten,), times=count, each=rules.chop_unit)
        case Chain.LAST_DOUBLING:
            for beaten, bomb in on_top:
                first, more = chops[0][0], len(chops) - 1
                if bomb.combination is UNSEEN_BOMB:
                    cards, more = compiled(ruleset).first_of_pile(beaten.cards)
                    first = beaten._replace(cards=cards)
                yield Chop(beaten, bomb, (first,), times=rules.doubles_by**more)
        case _:
            assert_never(rules.chain)
