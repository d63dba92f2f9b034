"""What is paid for what: the part of a ruleset that is about points."""

from dataclasses import dataclass
from enum import StrEnum

from ledger.game.patterns import SpecialSet, SuitRule


@dataclass(frozen=True, slots=True)
class PlacePayment:
    """In a round of so many players, one place pays another; places count from 1 (clause PLACE)."""

    players: int
    payer: int
    payee: int
    points: int


class Chain(StrEnum):
    """What a bomb is paid that lies on other bombs, or on 2s that lie on 2s (clause CHOP)."""

    WHOLE_PILE = "whole-pile"
    """Everything below the last bomb; its last victim pays, earlier bombs earn nothing."""
    CUT = "cut"
    """The same, of what was itself beaten by a bomb only: a 2 beaten by a 2 was not chopped."""
    EACH = "each"
    """Every bomb is paid by the player it beat, for what it beat and nothing else."""
    DOUBLING = "doubling"
    """The last bomb is paid twice what the one below it would have been."""
    FIRST = "first"
    """The last bomb is paid what the first one of the pile beat, and nothing more, by the player it beat."""
    GROWING = "growing"
    """Every bomb is paid for all that bombs beat in the pile so far; nobody is paid back."""
    ALL_TO_LAST = "all-to-last"
    """Everybody whose play a bomb beat pays the player of the last bomb for that play."""
    COUNTING = "counting"
    """Every bomb is paid: 1 for the first of a pile, 2 for the second, and so on, times the unit."""


class Payee(StrEnum):
    """Who is paid for what was hoarded (clause HOARD)."""

    LAST_OUT = "last-out"
    """Whoever went out most recently; the winner, from the knocked out."""
    WINNER = "winner"


class Sheet(StrEnum):
    """What places score on a sheet beside the money, the first one first. Nobody pays for it (clause PLACE)."""

    NONE = "none"
    FOUR_TWO_ONE = "4-2-1-0"
    FOUR_TO_ONE = "4-3-2-1"
    THREE_TO_NONE = "3-2-1-0"

    @property
    def points(self) -> tuple[int, ...]:
        """What each place scores; a place past the last one scores nothing."""
        return () if self is Sheet.NONE else tuple(map(int, self.split("-")))


@dataclass(frozen=True, slots=True)
class Payments:
    """What is paid for what. Nothing of it: the round only ranks."""

    places: tuple[PlacePayment, ...]
    left: int
    """What a player without a place pays the winner (clause PLACE)."""
    full_hand: int
    """What a player who was knocked out, or has played nothing, pays the winner instead (clause FULL)."""
    special_sets: tuple[SpecialSet, ...]
    """What captured and hoarded cards are worth (clauses SPECIAL, CHOP, HOARD)."""
    full_from: int = 0
    """A hand of so many cards counts as full; 0: only one of which nothing was played."""
    full_hand_leaves: bool = False
    """Whether a player who pays for a full hand takes no place: the others are paid as a smaller table is."""
    chain: Chain = Chain.WHOLE_PILE
    chop_unit: int = 0
    """What the first bomb of a pile is paid where bombs are counted, not valued."""
    captured: tuple[SpecialSet, ...] = ()
    """What cards are worth to a bomb, if not what they are worth in a hand."""
    captured_whole: bool = False
    """Whether a play that is a special set is worth that to a bomb, whatever smaller ones it holds."""
    chop_free_if_out: bool = True
    """Whether a player who went out with what was beaten pays nothing (clause CHOP-OUT)."""
    hoarding: bool = True
    """Whether special sets left in a hand are paid for where cards are not counted."""
    hoard_payee: Payee = Payee.LAST_OUT
    card: int = 0
    """What each card left costs, paid to the winner (clause CARDS); special sets their value instead, if more."""
    sets_beside_cards: bool = False
    """Whether special sets cost their value on top of their cards."""
    doubled_by_twos: bool = False
    """Whether each 2 left in a hand doubles what the hand costs, where cards are counted."""
    unplayed: int = 0
    """What a player who has played nothing pays the winner for the cards, before special sets."""
    unplayed_replaces: bool = False
    """Whether special sets cost their value instead of their cards there too."""
    last_twos: int = 0
    """What a player who goes out with 2s pays each other player for each of them, and nobody anything else."""
    got_to_get_in: int = 0
    """What each player who has played nothing pays each player who goes out (clause GET-IN)."""
    lowest_last: int = 0
    """What every other player pays a winner who went out with the lowest card alone (clause LAST-CARD)."""
    lowest_last_doubles: bool = False
    """Whether such a win doubles everything that is paid for places and hands."""
    lowest_left: int = 0
    """What a player who is left with the lowest card alone pays the winner, beside all else."""
    sheet: Sheet = Sheet.NONE
    doubles_by: int = 2
    """How many times as much it is where something doubles."""

    @property
    def for_bombs(self) -> bool:
        """Whether a bomb can earn anything."""
        return bool(self.chop_unit if self.chain is Chain.COUNTING else self.captured or self.special_sets)

    @property
    def for_hoarding(self) -> bool:
        """Whether special sets left in a hand are paid for by themselves (clause HOARD)."""
        return bool(self.special_sets) and self.hoarding and not self.card

    @property
    def for_hands(self) -> bool:
        """Whether special sets that are left in a hand cost anything."""
        return self.for_hoarding or bool(self.special_sets and self.card)

    @property
    def for_runs_of_one_suit(self) -> bool:
        """Whether runs of one suit are special sets, captured or left in a hand."""
        sets = (one for one in (*self.captured, *self.special_sets) if one.shape.is_run)
        return any(one.suits or one.shape.suits is SuitRule.ONE_SUIT for one in sets)


@dataclass(frozen=True, slots=True)
class Contract:
    """A bet on one's own first place, agreed on before the play (clause CONTRACT)."""

    name: str
    gain: int
    loss: int
