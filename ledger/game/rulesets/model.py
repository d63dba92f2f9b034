"""The Ruleset: everything that a table agreed on, as plain data in small groups."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, TypeVar

from ledger.game.agreed import Agreed, agreed
from ledger.game.cards import Card, Deck
from ledger.game.errors import Clause, Code, Refusal, Verdict
from ledger.game.patterns import Bomb, Combinations, Kind, Pattern, Target, Ties, Trump
from ledger.game.rulesets.paying import Contract, Payments

Seat = TypeVar("Seat")


class Direction(StrEnum):
    """Which way round a table plays."""

    CLOCKWISE = "clockwise"
    ANTICLOCKWISE = "anticlockwise"
    ALTERNATING = "alternating"
    """Reversed in every other round. Seats are always listed in playing order."""


class Dealer(StrEnum):
    """Who deals the next round. Shown, never enforced."""

    OPEN = "open"
    LAST = "last"
    THIRD = "third"
    NEWCOMER_ELSE_LAST = "newcomer-else-last"


@dataclass(frozen=True, slots=True)
class Deal:
    """The numbers of players, the hand size and the deck (clause DEAL)."""

    players: tuple[int, ...]
    hand: int = agreed(Clause.DEAL, "equal=no")
    packs: int = agreed(Clause.DEAL)
    direction: Direction = agreed(Clause.DEAL)
    backs: bool = agreed(Clause.RANK, "packs!=1", default=False)
    """Whether the backs of the two packs tell equal cards apart."""
    equal: bool = agreed(Clause.DEAL, "other-hands", default=False)
    """Deal as many cards as equal hands allow, instead of `hand`."""
    four_hands: bool = False
    """Four hands are always dealt; those without a player are dead."""
    draw_pile: bool = agreed(Clause.DRAW, "undealt", default=False)
    """The undealt cards are a pile, from which a player who passes draws one."""
    dealer: Dealer = agreed(
        Clause.DEAL,
        "ending.at_first_out=no|dealer!=third",
        "ending.at_first_out=no|dealer!=last|two-players",
        default=Dealer.OPEN,
    )
    first_dealer_by_lot: bool = False
    """Whether the first dealer is drawn by lot. Shown, never enforced."""

    def seats_after(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """The seats of the next round: the same, or reversed where the direction alternates."""
        return seats[::-1] if self.direction is Direction.ALTERNATING else seats

    def hand_of(self, players: int) -> int:
        """The number of cards that each of `players` is dealt."""
        return self.packs * 52 // players if self.equal else self.hand

    def most_held(self, players: int) -> int:
        """The most cards that one of `players` may hold, with all that may be drawn."""
        hand = self.hand_of(players)
        return hand + (self.packs * 52 - players * hand if self.draw_pile else 0)


@dataclass(frozen=True, slots=True)
class Opening:
    """Who begins a round and with what (clauses OPEN, LEAD)."""

    after_instant_win: bool = agreed(Clause.OPEN, "instant_wins.hands", "every_round=no")
    """Whether the lowest card opens again after an instant win."""
    every_round: bool = False
    """Whether the lowest card opens every round, instead of the winner of the last one leading."""
    after_player_change: bool = agreed(Clause.OPEN, "every_round=no", default=False)
    """Whether the lowest card opens again when a new player sits in."""
    kinds: tuple[Kind, ...] = ()
    """The kinds in which the lowest card may be opened; none listed: any."""
    forbidden: tuple[Kind, ...] = agreed(Clause.OPEN, "forbidden-first", default=())
    """The kinds that no round may begin with."""
    bombs_answer: bool = agreed(Clause.BOMB, "bomb", default=False)
    """Whether bombs may only answer another play, and never be led."""
    led_bombs_alike: bool = agreed(Clause.BOMB, "bomb-over-bomb", "bombs_answer=no|intruders", default=False)
    """Whether only higher bombs of the same shape may answer a bomb that is led."""
    intruders: tuple[Pattern, ...] = agreed(Clause.OPEN, "intruder", default=())
    """Patterns that any player may play out of turn: as the first play of a round, or to beat that play."""
    intruders_spare: tuple[Target, ...] = agreed(Clause.OPEN, "intruders", "spared", default=())
    """Targets on which intruders may not be played."""


@dataclass(frozen=True, slots=True)
class Late:
    """The only targets on which a shape may be played late."""

    shape: Pattern
    on: tuple[Target, ...]
    chopped: tuple[Target, ...] = ()
    """Further ones, where a bomb of the pile has beaten another shape than its own."""


@dataclass(frozen=True, slots=True)
class Passing:
    """The effect of a pass, and what may be played in spite of it (clauses PASS, LATE)."""

    locks: bool
    late: tuple[Pattern, ...] = agreed(Clause.LATE, "late-play")
    """What a player who has passed may still play out of turn, locked out or not, if it beats the top."""
    late_on: tuple[Late, ...] = agreed(Clause.LATE, "late", "late-on-some", default=())
    """The targets on which it may be played; a shape not listed here may be played on everything it beats."""
    any_time: tuple[Pattern, ...] = agreed(Clause.LATE, "free-play", default=())
    """What any player may play out of turn, if it beats the top."""
    bomb_reopens: bool = agreed(Clause.PASS, "locks", "bomb", default=False)
    """Whether a bomb lets all players back in who have passed on its pile."""
    twos_pass_lead: bool = False
    """Whether a player who is to lead and holds only 2s may pass the lead on."""
    forward: bool = agreed(Clause.FORWARD, default=False)
    """Whether the winner of a pile may go on beating it alone before leading the next one (clause FORWARD)."""


@dataclass(frozen=True, slots=True)
class InstantWin:
    """A hand that wins at once, if it meets every condition that is set here (clause INSTANT)."""

    name: str
    pairs: int = 0
    """At least this many pairs; four of a kind counts as two."""
    triples: int = 0
    fours: int = 0
    """At least this many triples, or fours of a kind, of any ranks."""
    bombs: int = 0
    """At least this many bombs that share no card."""
    block: Target | None = None
    """Contains this block."""
    bomb_with: Card | None = None
    """Contains a bomb with this card in it."""
    one_colour: int = 0
    """At least this many cards of one colour."""
    in_one_suit: bool = False
    """The block is of one suit."""
    one_colour_pairs: bool = False
    """Each pair is of one colour (2s excepted where they need not follow suit); a block is of one throughout."""
    opening_only: bool = False
    """Only in a round that the lowest card opens."""
    points: int | None = None
    """What every other player pays, if not `InstantWins.points`."""


class Several(StrEnum):
    """Which claims are paid, if several players claim an instant win in one round."""

    EVERY = "every"
    STRONGEST = "strongest"
    """The hand that is first in the list; of two of one kind, the one with the higher winning cards."""
    FIRST_IN_TURN = "first-in-turn"
    """The first in turn order from the player who was to lead; the first to claim, if that player is unknown."""


_WON = "paid-hand|payments.sheet!=none|payments.sheets|kneeling.last|kneeling.chopped"
"""What may depend on who has won at once, other than who leads."""


@dataclass(frozen=True, slots=True)
class InstantWins:
    """Which hands win at once, the strongest first, and what every other player then pays the claimant."""

    hands: tuple[InstantWin, ...]
    points: int = agreed(Clause.INSTANT, "unpriced-hand")
    several: Several = agreed(
        Clause.INSTANT,
        "hands",
        f"{_WON}|opening.after_instant_win=no",
        f"{_WON}|opening.every_round=no",
        default=Several.EVERY,
    )


@dataclass(frozen=True, slots=True)
class Ending:
    """When a round ends (clauses END, KNOCK)."""

    at_first_out: bool
    knock_out: bool = agreed(Clause.KNOCK, "at_first_out=no")
    """Whether players who have played nothing when the first goes out are knocked out, and last."""
    last_play_stands: bool = agreed(Clause.OUT, "at_first_out=no", default=False)
    """Whether the pile ends at once when a player goes out: the last play cannot be beaten."""
    no_last_two: bool = False
    """Whether a player may not go out with a 2, except when leading with only 2s."""


class OwedCard(StrEnum):
    """Which cards are owed."""

    HIGHEST_TWO = "highest-two"
    ANY_TWO = "any-two"
    HIGHEST_CARD = "highest-card"


class OwedCount(StrEnum):
    """How many cards are owed for a chop on top of other 2s or chops."""

    FLAT = "flat"
    """One for a 2 at the bottom, two for a pair of them."""
    STACKING = "stacking"
    """One more for each 2 or chop above the first."""
    DOUBLING = "doubling"
    """Twice as many for each 2 or chop above the first."""


@dataclass(frozen=True, slots=True)
class Debts:
    """Cards that players owe each other in the next round. Shown, never enforced."""

    chopped: bool = False
    """Whether the last player chopped in a pile owes the player who did it."""
    loser: bool = False
    """Whether the loser owes the winner a 2 for each 2 left in hand."""
    card: OwedCard = agreed(Clause.CUSTOM, "chopped", default=OwedCard.ANY_TWO)
    count: OwedCount = agreed(Clause.CUSTOM, "chopped", default=OwedCount.FLAT)
    returned: bool = agreed(Clause.CUSTOM, "chopped|loser", default=False)
    """Whether the receiver gives back as many cards of any kind, and a debtor may not claim four 2s."""


@dataclass(frozen=True, slots=True)
class Kneeling:
    """Who kneels until coming in first. Shown, never enforced."""

    last: bool = False
    """Whether the last player of a round kneels."""
    chopped: bool = False
    """Whether a player who was chopped kneels, unless that chop was itself chopped."""


@dataclass(frozen=True)
class Ruleset:
    """Everything that a table agreed on, as an immutable value."""

    id: str
    clauses: str
    """The prefix of its clauses' ids."""
    deal: Deal = agreed(Clause.DEAL)
    opening: Opening = agreed(Clause.OPEN)
    passing: Passing = agreed(Clause.PASS)
    combinations: Combinations = agreed(Clause.COMBO)
    bombs: tuple[Bomb, ...] = agreed(Clause.BOMB)
    instant_wins: InstantWins = agreed(Clause.INSTANT)
    ending: Ending = agreed(Clause.END)
    payments: Payments = agreed(Clause.PLACE)
    trumps: tuple[Trump, ...] = agreed(Clause.TRUMP, default=())
    contracts: tuple[Contract, ...] = agreed(Clause.CONTRACT, default=())
    customs: tuple[str, ...] = agreed(Clause.CUSTOM, default=())
    """Agreements outside of play: recorded and shown, never enforced."""
    debts: Debts = agreed(Clause.CUSTOM, default=Debts())
    kneeling: Kneeling = agreed(Clause.CUSTOM, default=Kneeling())
    house_rules: tuple[str, ...] = ()
    """The house rules applied to its preset, as `rule` lines."""
    scheme: str = ""
    """The payment scheme applied to it; none: it pays as its preset does."""
    parent: str = ""
    """The preset from which it is derived."""
    open: tuple[str, ...] = ()
    """Fields that its source leaves open: the table's choice."""

    def clause(self, topic: Clause) -> str:
        """The id of a clause: `S-PASS`."""
        return f"{self.clauses}-{topic}"

    def refusal(
        self, code: Code, clause: Clause, verdict: Verdict = Verdict.IMPOSSIBLE, **facts: Any
    ) -> Refusal:
        """A refusal by a clause of these rules; `facts` are its further attributes."""
        return Refusal(code=code, verdict=verdict, clause=self.clause(clause), **facts)

    @cached_property
    def deck(self) -> Deck:
        """The deck that it is played with."""
        return Deck(self.deal.packs, self.deal.backs)

    @cached_property
    def playable_rows(self) -> tuple[Bomb, ...]:
        """The rows of its bombs that can be played, those not called bombs too."""
        played = set(self.combinations.shapes())
        return tuple(row for row in self.bombs if row.shape.shape in played)

    @cached_property
    def playable_bombs(self) -> tuple[Bomb, ...]:
        """The bombs that can be played."""
        return tuple(row for row in self.playable_rows if not row.plain)

    @property
    def counts_turns(self) -> bool:
        """Whether plays and passes alone determine the turn, as long as no player goes out."""
        passing, ties = self.passing, self.combinations.ties
        freely = passing.any_time or passing.forward or passing.bomb_reopens or self.opening.intruders
        return passing.locks and not freely and ties is not Ties.EARLIER_STANDS

    @property
    def never_played_matters(self) -> bool:
        """Whether it matters who has played nothing."""
        rules = self.payments
        counted = rules.unplayed and rules.card
        return self.ending.knock_out or bool(rules.full_hand or counted or rules.got_to_get_in)

    @property
    def counts_cards(self) -> bool:
        """Whether payments depend on how many cards a player is left with, not just on having played any."""
        return bool(self.payments.card or (self.payments.full_hand and self.payments.full_from))

    def deals_all(self, players: int) -> bool:
        """Whether the whole deck is dealt to this many players, so that no card is out of the round."""
        return players * self.deal.hand_of(players) == self.deck.all.bit_count()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Cached, because hashing a ruleset is slow and caches are keyed by it."""
        return hash(tuple(getattr(self, field.name) for field in fields(self)))


def _declared() -> Iterator[tuple[str, Agreed]]:
    """Path -> what is declared of a field or a group, with the whole paths of what it needs."""
    for one in fields(Ruleset):
        if (about := one.metadata.get("agreed")) is None:
            continue
        yield one.name, about
        within = fields(one.type) if is_dataclass(one.type) else ()
        paths = {inner.name: f"{one.name}.{inner.name}" for inner in within}
        for inner in within:
            about_inner = (inner.metadata or agreed(about.clause).metadata)["agreed"]
            needs = (
                tuple(need._replace(name=paths.get(need.name, need.name)) for need in ways)
                for ways in about_inner.needs
            )
            yield paths[inner.name], replace(about_inner, needs=tuple(needs))


DECLARED: Final[Mapping[str, Agreed]] = dict(_declared())
"""Path of a field, or a group -> what is declared of it; a field of which nothing is needs nothing."""
