"""The Ruleset: everything that a table agreed on, as plain data in small groups."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import TypeVar

from ledger.game.caches import BoundedCache
from ledger.game.cards import BLACK, RED, Card, Cards, Deck, Rank, bits, union
from ledger.game.combinations import Combination, CombinationIndex, Combinations, Ties
from ledger.game.errors import Clause
from ledger.game.patterns import Bomb, Kind, Pattern, SuitRule, Target, Trump, find_blocks
from ledger.game.special_sets import Appraiser, SpecialSet

Seat = TypeVar("Seat")


class Direction(StrEnum):
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
    forward: bool = False
    """Whether the winner of a pile may go on beating it alone before leading the next one (clause FORWARD)."""


@dataclass(frozen=True, slots=True)
class InstantWin:
    """A hand that wins at once: every demand that is made of it holds (clause INSTANT)."""

    name: str
    pairs: int = 0
    """So many pairs; four of a kind is two."""
    triples: int = 0
    """So many triples, of any ranks."""
    fours: int = 0
    """So many fours of a kind, of any ranks."""
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
    COUNTING = "counting"
    """Every bomb is paid: 1 for the first of a pile, 2 for the second, and so on, times the unit."""


class Payee(StrEnum):
    """Who is paid for what was hoarded (clause HOARD)."""

    LAST_OUT = "last-out"
    """Whoever went out most recently; the winner, from the knocked out."""
    WINNER = "winner"


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
    """What each card left in a hand costs, paid to the winner. Special sets cost their value instead of their
    cards, where that is more, and nothing beside them (clause CARDS). 0: cards are not counted."""
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
    lowest_left: int = 0
    """What a player who is left with the lowest card alone pays the winner, beside all else."""

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


MOST_PACKS = 2
MOST_PLAYERS = 12
MOST_COUNTED = 24
"""Cards among which runs of one suit are counted as bombs: a 2, and four bombs on it."""


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

    def __post_init__(self) -> None:
        """ValueError for numbers that no table can play by."""
        deal = self.deal
        if not 1 <= deal.packs <= MOST_PACKS:
            raise ValueError(f"1 to {MOST_PACKS} packs")
        if not deal.players or not all(2 <= n <= MOST_PLAYERS for n in deal.players):
            raise ValueError(f"2 to {MOST_PLAYERS} players")
        if not all(1 <= deal.hand_of(n) <= self.deck.all.bit_count() // n for n in deal.players):
            raise ValueError("a hand of 1 card at least, and enough cards in the deck for every player")
        if self.combinations.sequence_from < 3:
            raise ValueError("3 ranks at least in a sequence")
        narrow = any(
            bomb.shape.suits > self.combinations.as_played(bomb.shape.shape).suits for bomb in self.bombs
        )
        if narrow and self.opening.bombs_answer:
            raise ValueError("bombs of narrower suits than they are played in, only where bombs may be led")
        if not all(1 <= row.payee < row.payer for row in self.payments.places):
            raise ValueError("a place that pays a better one")

    def clause(self, topic: Clause) -> str:
        """The id of a clause: `S-PASS`."""
        return self._clause_ids[topic]

    @cached_property
    def _clause_ids(self) -> Mapping[Clause, str]:
        return {topic: f"{self.clauses}-{topic}" for topic in Clause}

    @cached_property
    def place_payments(self) -> Mapping[tuple[int, int], tuple[PlacePayment, ...]]:
        """How many play and the payer's place -> what that place pays."""
        table: dict[tuple[int, int], tuple[PlacePayment, ...]] = {}
        for row in self.payments.places:
            key = row.players, row.payer
            table[key] = (*table.get(key, ()), row)
        return table

    @cached_property
    def deck(self) -> Deck:
        return Deck(self.deal.packs, self.deal.backs)

    @cached_property
    def index(self) -> CombinationIndex:
        """Its combinations, and what beats what."""
        late, opening = self.passing, self.opening
        named = (*late.late, *late.any_time, *opening.intruders, *(row.shape for row in late.late_on))
        spared = (*opening.intruders_spare, *(target for row in late.late_on for target in row.on))
        named = (*named, *(target.shape for target in spared if target.shape is not None))
        return CombinationIndex(self.deck, self.combinations, self.bombs, self.trumps, named)

    @cached_property
    def values(self) -> Appraiser:
        """What cards left in a hand are worth in it."""
        return Appraiser(self.deck, self.combinations, self.payments.special_sets)

    @cached_property
    def captured_values(self) -> Appraiser:
        """What cards are worth to a bomb in it."""
        rules = self.payments
        if not rules.captured and not rules.captured_whole:
            return self.values
        sets = rules.captured or rules.special_sets
        return Appraiser(self.deck, self.combinations, sets, whole=rules.captured_whole)

    def bombs_of_pile(self, taken: Cards) -> int:
        """How many bombs a pile has that ends with a bomb which took these cards: one more than there are among
        them, as many as can be found. 0 where no bomb beats what else was taken."""
        bombs = self._bombs.breakdown(taken)
        rest = taken & ~union(bomb.cards for bomb in bombs)
        beaten = self.index.read(rest)
        bombed = beaten is not None and self.index.can_be_bombed(beaten)
        return len(bombs) + 1 if bombed or not rest else 0

    @property
    def most_captured(self) -> int:
        """How many cards the bomb of a result takes at the most: fewer where bombs are counted among them, and runs
        of one suit are bombs."""
        runs = (self.combinations.as_played(bomb.shape) for bomb in self.bombs if not bomb.plain)
        counted = any(run.is_run and run.suits is SuitRule.ONE_SUIT for run in runs)
        counting = counted and self.payments.chain is Chain.COUNTING
        return MOST_COUNTED if counting else self.deck.all.bit_count()

    @cached_property
    def _bombs(self) -> Appraiser:
        """Finds bombs: as many cards of theirs as can be, in as many bombs."""
        shapes = {bomb.shape for bomb in self.bombs if not bomb.plain and not bomb.shape.loose}
        counted = (
            SpecialSet(Target(self.combinations.as_played(shape)), 100 * shape.size + 1)
            for shape in sorted(shapes)
        )
        return Appraiser(self.deck, self.combinations, tuple(counted), whole=True)

    @property
    def counts_turns(self) -> bool:
        """Whether it follows from who played and who passed alone whose turn it is, as long as nobody goes out."""
        passing = self.passing
        out_of_turn = passing.any_time or passing.forward or self.opening.intruders
        return passing.locks and not out_of_turn and self.combinations.ties is not Ties.EARLIER_STANDS

    @property
    def minds_untouched(self) -> bool:
        """Whether it matters who has played nothing."""
        rules = self.payments
        return self.ending.knock_out or bool(rules.full_hand or rules.unplayed or rules.got_to_get_in)

    @property
    def counts_cards(self) -> bool:
        """Whether it matters how many cards a player is left with, beyond having played any."""
        rules = self.payments
        return bool(rules.card or (rules.full_hand and rules.full_from))

    @cached_property
    def values_above_cards(self) -> Appraiser:
        """What special sets are worth beyond their cards, where cards are counted: those that are worth more."""
        card = self.payments.card
        above = (
            replace(special, points=special.points - card * special.shape.size)
            for special in self.payments.special_sets
        )
        return Appraiser(
            self.deck, self.combinations, tuple(special for special in above if special.points > 0)
        )

    def late_on(self, top: Combination) -> tuple[Pattern, ...]:
        """What a player who has passed may still play on this top, if it beats it (clause LATE)."""
        spared = {row.shape for row in self.passing.late_on if not self.index.is_target(top, row.on)}
        return tuple(shape for shape in self.passing.late if shape not in spared)

    def deals_all(self, players: int) -> bool:
        """Whether the whole deck is dealt to so many players, so that no card is out of the round."""
        return players * self.deal.hand_of(players) == self.deck.all.bit_count()

    def instant_win(self, hand: Cards, *, opening: bool) -> InstantWin | None:
        """The first instant win of the list that a whole hand is, or None."""
        return self._winning_hands[opening][hand]

    @cached_property
    def _winning_hands(
        self,
    ) -> tuple[BoundedCache[Cards, InstantWin | None], BoundedCache[Cards, InstantWin | None]]:
        """What hands are in a round that somebody leads, and in one that the lowest card opens."""

        def first_of(wins: Sequence[InstantWin], hand: Cards) -> InstantWin | None:
            return next((win for win in wins if self._meets(win, hand)), None)

        every = self.instant_wins.hands
        led = [win for win in every if not win.opening_only]
        return BoundedCache(partial(first_of, led)), BoundedCache(partial(first_of, every))

    def _meets(self, win: InstantWin, hand: Cards) -> bool:
        return (
            (not win.pairs or self._pairs(win, hand) >= win.pairs)
            and (not win.triples or sum(n >= 3 for n in self._counts(hand)) >= win.triples)
            and (not win.fours or sum(n // 4 for n in self._counts(hand)) >= win.fours)
            and (not win.one_colour or max(map(int.bit_count, self._colours(hand))) >= win.one_colour)
            and (win.block is None or any(self._blocks(win, hand)))
            and (win.bomb_with is None or self._holds_bomb_with(win.bomb_with, hand))
        )

    def _counts(self, hand: Cards) -> list[int]:
        """How many cards of each rank."""
        return [(hand & self.deck.rank(rank)).bit_count() for rank in range(13)]

    def _pairs(self, win: InstantWin, hand: Cards) -> int:
        if win.one_colour_pairs or self.combinations.one_colour:
            return self._one_colour_pairs(hand)
        return sum(n // 2 for n in self._counts(hand))

    def _one_colour_pairs(self, hand: Cards) -> int:
        twos = hand & self._free_twos
        return twos.bit_count() // 2 + sum(
            (stock & self.deck.rank(rank)).bit_count() // 2
            for stock in self._colours(hand & ~twos)
            for rank in Rank
        )

    @property
    def _free_twos(self) -> Cards:
        """The 2s where any two of them are a pair, whatever the colours of other pairs."""
        return self.deck.rank(Rank.TWO) if self.combinations.follow_suits else 0

    def _colours(self, hand: Cards) -> tuple[Cards, Cards]:
        return hand & self.deck.suits(BLACK), hand & self.deck.suits(RED)

    def winning_cards(self, win: InstantWin, hand: Cards) -> Cards:
        """The cards of a hand that make it this instant win: of two hands of one kind, the one with the highest of
        them is the stronger, whatever else it holds."""
        if win.block is not None:
            return max(self._blocks(win, hand))
        if win.one_colour:
            return max(self._colours(hand), key=int.bit_count)
        if win.pairs and (win.one_colour_pairs or self.combinations.one_colour):
            twos = hand & self._free_twos
            return self.deck.paired(hand & ~twos) | self._ranks_of(2, twos)
        return self._ranks_of(2 if win.pairs else 3 if win.triples else 4 if win.fours else 1, hand)

    def _ranks_of(self, count: int, hand: Cards) -> Cards:
        """The cards of a hand of whose rank it holds so many, or more."""
        return union(held for rank in Rank if (held := hand & self.deck.rank(rank)).bit_count() >= count)

    def _blocks(self, win: InstantWin, hand: Cards) -> Iterator[Cards]:
        """Every block of a hand that an instant win is, with all cards of its ranks that it can be made of."""
        assert win.block is not None
        assert win.block.shape is not None
        rank, pattern = win.block.rank, win.block.shape
        pattern = pattern.strict(self.combinations.pairs_of(pattern))
        if win.in_one_suit or win.one_colour_pairs:
            pattern = pattern.strict(SuitRule.ONE_SUIT if win.in_one_suit else SuitRule.ONE_COLOUR)
        for found in find_blocks(self.deck, pattern, hand, Rank.ACE if rank is None else rank):
            for low in bits(found.ending(rank)):
                yield found._replace(starts=low).cards(self.deck)

    def _holds_bomb_with(self, card: Card, hand: Cards) -> bool:
        held = hand & self.deck.every(card)
        return any(
            found.cards(self.deck) & held
            for bomb in self.bombs
            if not bomb.plain
            for found in find_blocks(self.deck, self.combinations.as_played(bomb.shape), hand)
        )
