"""The Ruleset: everything that a table agreed on, as plain data in small groups."""

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from ledger.game.cards import Card, Deck
from ledger.game.errors import Clause
from ledger.game.patterns import Bomb, Combinations, Kind, Pattern, Target, Ties, Trump
from ledger.game.rulesets.paying import Contract, Payments

Seat = TypeVar("Seat")


class Direction(StrEnum):
    """Which way round a table plays."""

    CLOCKWISE = "clockwise"
    ANTICLOCKWISE = "anticlockwise"
    ALTERNATING = "alternating"
    """The other way round in every other round. Seats are listed as they play."""


class Dealer(StrEnum):
    """Who deals the next round. Told and shown, never enforced."""

    OPEN = "open"
    LAST = "last"
    THIRD = "third"
    NEWCOMER_ELSE_LAST = "newcomer-else-last"


@dataclass(frozen=True, slots=True)
class Deal:
    """Who plays, with how many cards of which deck (clause DEAL)."""

    players: tuple[int, ...]
    hand: int
    packs: int
    direction: Direction
    backs: bool = False
    """Whether the two packs have backs of two colours that matter."""
    equal: bool = False
    """Deal out as many as may be dealt equally, instead of `hand`."""
    four_hands: bool = False
    """Four hands are dealt whoever plays; the others are dead."""
    draw_pile: bool = False
    """What is not dealt is a pile, from which whoever passes draws a card."""
    dealer: Dealer = Dealer.OPEN
    first_dealer_by_lot: bool = False
    """Whether chance says who deals the first round. Told and shown, never enforced."""

    def seats_after(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """How those who sat in a round play the next one: in the same order, or the other way round."""
        return seats[::-1] if self.direction is Direction.ALTERNATING else seats

    def hand_of(self, players: int) -> int:
        """How many cards each of so many players is dealt."""
        return self.packs * 52 // players if self.equal else self.hand


@dataclass(frozen=True, slots=True)
class Opening:
    """Who begins a round and with what (clauses OPEN, LEAD)."""

    after_instant_win: bool
    """Whether the lowest card opens again after an instant win."""
    every_round: bool = False
    """Whether the lowest card opens every round, instead of the winner of the last one leading."""
    after_player_change: bool = False
    """Whether the lowest card opens again when somebody new sits in."""
    kinds: tuple[Kind, ...] = ()
    """What the lowest card may be opened in; nothing named: any combination."""
    forbidden: tuple[Kind, ...] = ()
    """What no round may begin with."""
    bombs_answer: bool = False
    """Whether bombs may only be laid on something, and never led."""
    led_bombs_alike: bool = False
    """Whether a pile that a bomb leads may be beaten by higher ones of that shape alone."""
    intruders: tuple[Pattern, ...] = ()
    """What anybody may lay without the lead: as the first play of a round, or on it if it beats it."""
    intruders_spare: tuple[Target, ...] = ()
    """What intruders may not be laid on."""


@dataclass(frozen=True, slots=True)
class Late:
    """What a shape may be played on late, of all that it beats."""

    shape: Pattern
    on: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Passing:
    """What a pass costs, and who may come in all the same (clauses PASS, LATE)."""

    locks: bool
    late: tuple[Pattern, ...]
    """What a player who has passed may still play out of turn, locked out or not, if it beats the top."""
    late_on: tuple[Late, ...] = ()
    """What it may be played on; a shape that is not named here: whatever it beats."""
    any_time: tuple[Pattern, ...] = ()
    """What needs no turn, from whomever, if it beats the top."""
    bomb_reopens: bool = False
    """Whether a bomb lets everybody back in who has passed on the pile that it is laid on."""
    twos_pass_lead: bool = False
    """Whether whoever leads and holds nothing but 2s may pass the lead on."""
    forward: bool = False
    """Whether the winner of a pile may go on beating it alone before leading the next one (clause FORWARD)."""


@dataclass(frozen=True, slots=True)
class InstantWin:
    """A hand that wins at once: every demand that is made of it holds (clause INSTANT)."""

    name: str
    pairs: int = 0
    """So many pairs; four of a kind is two."""
    triples: int = 0
    fours: int = 0
    """So many triples, or fours of a kind, of any ranks."""
    bombs: int = 0
    """So many bombs that share no card."""
    block: Target | None = None
    """Contains this block."""
    bomb_with: Card | None = None
    """Contains a bomb with this card in it."""
    one_colour: int = 0
    """So many cards of one colour."""
    in_one_suit: bool = False
    """The block is of one suit."""
    one_colour_pairs: bool = False
    """Each of the pairs is of one colour, but for 2s where these need not follow suit; a block is throughout."""
    opening_only: bool = False
    """Only in a round that the lowest card opens."""
    points: int | None = None
    """What every other player pays, if not what the others of the list bring."""


class Several(StrEnum):
    """Which of several players who claim an instant win in one round has it."""

    EVERY = "every"
    STRONGEST = "strongest"
    """Whose hand stands first in the list; of two of one kind, the one that wins with the higher cards."""
    FIRST_IN_TURN = "first-in-turn"
    """The first in turn order from whoever was to lead; the first to claim, where nobody knows who that was."""


@dataclass(frozen=True, slots=True)
class InstantWins:
    """Which hands win at once, the strongest first, and what every other player then pays the claimant."""

    hands: tuple[InstantWin, ...]
    points: int
    several: Several = Several.EVERY


@dataclass(frozen=True, slots=True)
class Ending:
    """When a round ends (clauses END, KNOCK)."""

    at_first_out: bool
    knock_out: bool
    """Whether whoever has played nothing when the first player goes out is out of the round, and last."""
    last_play_stands: bool = False
    """Whether the pile ends at once when a player goes out: the last play cannot be beaten."""
    no_last_two: bool = False
    """Whether a player may not go out with a 2; whoever leads and holds only 2s may."""


class OwedCard(StrEnum):
    """Which cards are owed."""

    HIGHEST_TWO = "highest-two"
    ANY_TWO = "any-two"
    HIGHEST_CARD = "highest-card"


class OwedCount(StrEnum):
    """How many cards are owed for a chop that lies on other 2s or chops."""

    FLAT = "flat"
    """As many as were chopped at first: one for a 2, two for a pair of them."""
    STACKING = "stacking"
    """One more for each 2 or chop above the first."""
    DOUBLING = "doubling"
    """Twice as many for each 2 or chop above the first."""


@dataclass(frozen=True, slots=True)
class Debts:
    """Cards that players owe each other in the next round. Told and shown, never enforced."""

    chopped: bool = False
    """Whether the last player who was chopped in a pile owes the one who chopped."""
    loser: bool = False
    """Whether the loser owes the winner a 2 for each 2 left in hand."""
    card: OwedCard = OwedCard.ANY_TWO
    count: OwedCount = OwedCount.FLAT
    returned: bool = False
    """Whether the receiver gives back as many cards of any kind, and nobody who owes may claim four 2s."""


@dataclass(frozen=True, slots=True)
class Kneeling:
    """Who kneels until coming in first. Told and shown, never enforced."""

    last: bool = False
    """Whether the last player of a round does."""
    chopped: bool = False
    """Whether a player who was chopped does, unless that chop was itself chopped."""


@dataclass(frozen=True)
class Ruleset:
    """What a table agreed on. A value: a preset is one, and a house rule replaces a field of one."""

    id: str
    clauses: str
    """The prefix of its clauses' ids."""
    deal: Deal
    opening: Opening
    passing: Passing
    combinations: Combinations
    bombs: tuple[Bomb, ...]
    instant_wins: InstantWins
    ending: Ending
    payments: Payments
    trumps: tuple[Trump, ...] = ()
    contracts: tuple[Contract, ...] = ()
    customs: tuple[str, ...] = ()
    """What is agreed on beside the play: recorded and shown, never enforced."""
    debts: Debts = Debts()
    kneeling: Kneeling = Kneeling()
    house_rules: tuple[str, ...] = ()
    """The house rules that were laid over its preset, as `rule` lines say them."""
    scheme: str = ""
    """The payment scheme that was laid over it; none: it pays as its preset does."""
    parent: str = ""
    """The preset that it says its differences from."""
    open: tuple[str, ...] = ()
    """Fields that its source leaves open: the table's choice."""

    def clause(self, topic: Clause) -> str:
        """The id of a clause: `S-PASS`."""
        return f"{self.clauses}-{topic}"

    @cached_property
    def deck(self) -> Deck:
        """The deck that it is played with."""
        return Deck(self.deal.packs, self.deal.backs)

    @property
    def counts_turns(self) -> bool:
        """Whether it follows from who played and who passed alone whose turn it is, as long as nobody goes out."""
        passing, ties = self.passing, self.combinations.ties
        freely = passing.any_time or passing.forward or passing.bomb_reopens or self.opening.intruders
        return passing.locks and not freely and ties is not Ties.EARLIER_STANDS

    @property
    def minds_untouched(self) -> bool:
        """Whether it matters who has played nothing."""
        rules = self.payments
        return self.ending.knock_out or bool(rules.full_hand or rules.unplayed or rules.got_to_get_in)

    @property
    def counts_cards(self) -> bool:
        """Whether it matters how many cards a player is left with, beyond having played any."""
        return bool(self.payments.card or (self.payments.full_hand and self.payments.full_from))

    def deals_all(self, players: int) -> bool:
        """Whether the whole deck is dealt to so many players, so that no card is out of the round."""
        return players * self.deal.hand_of(players) == self.deck.all.bit_count()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once: a ruleset is long, and what is known of it is found by it."""
        return hash(tuple(getattr(self, field.name) for field in fields(self)))
