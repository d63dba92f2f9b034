"""The part of a ruleset about payments: how many points for what, from whom to whom."""

from dataclasses import dataclass, fields
from enum import StrEnum

from ledger.game.agreed import agreed
from ledger.game.errors import Clause
from ledger.game.patterns import SpecialSet, SuitRule


@dataclass(frozen=True, slots=True)
class PlacePayment:
    """In a round of `players`, one place pays another; places count from 1 (clause PLACE)."""

    players: int
    payer: int
    payee: int
    points: int


class Chain(StrEnum):
    """How a pile with several bombs, or with a bomb on 2s that beat 2s, is paid for (clause CHOP)."""

    WHOLE_PILE = "whole-pile"
    """The last bomb is paid for everything below it, by the player it beat; earlier bombs earn nothing."""
    CUT = "cut"
    """The same, but only for plays that a bomb beat: not for a 2 beaten by a 2."""
    EACH = "each"
    """Every bomb is paid by the player it beat, for that play alone."""
    DOUBLING = "doubling"
    """Every bomb is paid by the player it beat: the first for that play, each further one twice as much."""
    FIRST = "first"
    """The last bomb is paid by the player it beat, but only for the play that the first bomb beat."""
    GROWING = "growing"
    """Every bomb is paid for all plays that bombs have beaten in the pile so far; no payment is returned."""
    ALL_TO_LAST = "all-to-last"
    """Every player whose play a bomb beat pays the player of the last bomb for it."""
    COUNTING = "counting"
    """Every bomb is paid: 1 for the first of a pile, 2 for the second, and so on, times `chop_unit`."""
    LAST_COUNTING = "last-counting"
    """The last bomb is paid by the player it beat: the number of bombs of the pile times `chop_unit`; earlier bombs
    earn nothing."""
    LAST_DOUBLING = "last-doubling"
    """The last bomb is paid by the player it beat: the value of the play that the first bomb beat, doubled for each
    further bomb; earlier bombs earn nothing."""

    @property
    def counts(self) -> bool:
        """Whether bombs are counted, not valued."""
        return self in (Chain.COUNTING, Chain.LAST_COUNTING)

    @property
    def doubles(self) -> bool:
        """Whether each further bomb doubles a payment."""
        return self in (Chain.DOUBLING, Chain.LAST_DOUBLING)

    @property
    def pays_last_alone(self) -> bool:
        """Whether the last bomb of a pile alone is paid, so that earlier ones earn and cost nothing."""
        return self in (
            *(Chain.WHOLE_PILE, Chain.CUT, Chain.FIRST),
            *(Chain.LAST_COUNTING, Chain.LAST_DOUBLING),
        )


class Payee(StrEnum):
    """Who is paid for hoarded cards (clause HOARD). The knocked out pay the winner."""

    LAST_OUT = "last-out"
    """The player who went out most recently."""
    WINNER = "winner"
    SECOND = "second"
    """The second place; the winner, if nobody else has it."""
    THIRD = "third"
    """The third place; the next better one, if nobody else has it."""


class Sheet(StrEnum):
    """Scores for places on a separate sheet, first place first; not paid for (clause PLACE)."""

    NONE = "none"
    FOUR_TWO_ONE = "4-2-1-0"
    FOUR_TO_ONE = "4-3-2-1"
    THREE_TO_NONE = "3-2-1-0"

    @property
    def points(self) -> tuple[int, ...]:
        """The score of each place; further places score nothing."""
        return () if self is Sheet.NONE else tuple(map(int, self.split("-")))


@dataclass(frozen=True, slots=True)
class PlaceScores:
    """The scores for places with as many players as there are scores, first place first."""

    points: tuple[int, ...]


_AT_THE_END = "places|left|full_hand|card|got_to_get_in|lowest_last|lowest_left|hoarding|contracts"
"""All that is paid at the end of a round."""
_COUNTS = "chain=counting|chain=last-counting"
_VALUES = "chain!=counting", "chain!=last-counting"
_BOMBS = f"captured|special_sets|{_COUNTS}", *(f"chop_unit|{values}" for values in _VALUES)
"""What is needed for a bomb to earn anything."""
_HOARDED = "special_sets", "card=0"
"""What is needed for special sets to be paid for as such where they are left in a hand."""


@dataclass(frozen=True, slots=True)
class Payments:
    """The payments of a ruleset. If they are all 0, rounds are only ranked."""

    places: tuple[PlacePayment, ...] = agreed(Clause.PLACE, "ending.at_first_out=no", earns=True)
    left: int = agreed(
        Clause.PLACE, "ending.at_first_out|ending.knock_out", "ending.at_first_out|full_hand=0", earns=True
    )
    """What a player without a place pays the winner."""
    full_hand: int = agreed(Clause.FULL, earns=True, usual=4)
    """What a player who was knocked out, or has played nothing, pays the winner instead of anything for a place."""
    special_sets: tuple[SpecialSet, ...] = agreed(
        Clause.SPECIAL, *(f"hoarding|card|{values}" for values in _VALUES), "hoarding|card|captured=none"
    )
    """What captured and hoarded cards are worth."""
    full_from: int = agreed(Clause.FULL, "full_hand", default=0)
    """The number of cards from which a hand counts as full; 0: only a hand of which nothing was played."""
    full_hand_leaves: bool = agreed(Clause.FULL, "full_hand", "places", default=False)
    """Whether a player who pays for a full hand takes no place, so that the others pay as at a smaller table."""
    chain: Chain = agreed(Clause.CHOP, *_BOMBS, default=Chain.WHOLE_PILE)
    chop_unit: int = agreed(Clause.CHOP, _COUNTS, default=0, usual=1)
    """The payment for the first bomb of a pile, where bombs are counted, not valued."""
    captured: tuple[SpecialSet, ...] = agreed(Clause.SPECIAL, *_VALUES, default=())
    """The values of cards captured by a bomb; none: the same as in a hand."""
    captured_whole: bool = agreed(Clause.SPECIAL, *_VALUES, "worth-more-in-parts", default=False)
    """Whether a captured play that is a special set is worth just that, whatever smaller sets it holds."""
    chop_free_if_out: bool = agreed(
        Clause.CHOP_OUT, *_BOMBS, "ending.at_first_out=no", "ending.last_play_stands=no", default=True
    )
    """Whether a player who went out with the beaten play pays nothing for it."""
    hoarding: bool = agreed(Clause.HOARD, *_HOARDED, default=True)
    """Whether special sets left in a hand are paid for where cards are not counted."""
    hoard_payee: Payee = agreed(
        Clause.HOARD, *_HOARDED, "hoarding", "ending.at_first_out=no", default=Payee.LAST_OUT
    )
    card: int = agreed(Clause.CARDS, default=0, earns=True, usual=1)
    """The price of each card left, paid to the winner; special sets cost their value, if more."""
    sets_beside_cards: bool = agreed(Clause.CARDS, "card", "special_sets", default=False)
    """Whether special sets cost their value on top of their cards."""
    doubled_by_twos: bool = agreed(Clause.CARDS, "card", default=False)
    """Whether each 2 left in a hand doubles what the hand costs, where cards are counted."""
    unplayed: int = agreed(Clause.CARDS, "card", default=0, earns=True, usual=26)
    """What a player who has played nothing pays the winner for the cards, before special sets."""
    unplayed_replaces: bool = agreed(
        Clause.CARDS, "card", "unplayed", "special_sets", "sets_beside_cards=no", default=False
    )
    """Whether special sets cost their value instead of their cards then, too."""
    last_twos: int = agreed(Clause.END, default=0, earns=True)
    """What a winner whose last play is of 2s pays each other player per 2; nothing else is paid then but bombs."""
    got_to_get_in: int = agreed(Clause.GET_IN, default=0, earns=True)
    """What each player who has played nothing pays each player who goes out."""
    lowest_last: int = agreed(Clause.LAST_CARD, default=0, earns=True)
    """What every other player pays a winner who went out with the lowest card alone."""
    lowest_last_doubles: bool = agreed(Clause.LAST_CARD, _AT_THE_END, default=False)
    """Whether such a win doubles everything that is paid at the end of the round: all but bombs."""
    lowest_left: int = agreed(Clause.LAST_CARD, default=0, earns=True)
    """What a player who is left with the lowest card alone pays the winner, in addition to all else."""
    sheet: Sheet = agreed(Clause.PLACE, "sheets=none", default=Sheet.NONE)
    sheets: tuple[PlaceScores, ...] = agreed(Clause.PLACE, "seated-sheet", default=())
    """The separate sheet, with scores of its own for each number of players; for others it keeps none. Whoever has
    no place scores as the last."""
    doubles_by: int = agreed(
        Clause.CHOP,
        "chain=doubling|chain=last-doubling|doubled_by_twos|lowest_last_doubles",
        default=2,
        least=2,
        most=10,
    )
    """The factor, wherever a payment doubles."""

    @property
    def keeps_sheet(self) -> bool:
        """Whether places score on a separate sheet."""
        return bool(self.sheets) or self.sheet is not Sheet.NONE

    @property
    def for_outcome(self) -> bool:
        """Whether the end of a round earns anything, whatever special sets are left in hands."""
        return any(getattr(self, one.name) for one in fields(self) if one.metadata["agreed"].earns)

    @property
    def for_hoarding(self) -> bool:
        """Whether special sets left in a hand are paid for as such (clause HOARD)."""
        return bool(self.special_sets) and self.hoarding and not self.card

    @property
    def for_hands(self) -> bool:
        """Whether special sets left in a hand cost anything."""
        return self.for_hoarding or bool(self.special_sets and self.card)

    @property
    def for_runs_of_one_suit(self) -> bool:
        """Whether runs of one suit are special sets, captured or left in a hand."""
        sets = (one for one in (*self.captured, *self.special_sets) if one.shape.is_run)
        return any(one.suits or one.shape.suits is SuitRule.ONE_SUIT for one in sets)


@dataclass(frozen=True, slots=True)
class Contract:
    """A player's bet on coming in first, agreed on before play (clause CONTRACT)."""

    name: str
    gain: int
    loss: int
