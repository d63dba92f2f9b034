"""The southern rules: the primary rulesets, as the game is commonly played in the south of Vietnam."""

from dataclasses import replace

from ledger.game.cards import Card, Rank, Suit
from ledger.game.patterns import (
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    PAIR_OF_TWOS,
    THREE_PAIRS,
    TWO,
    Bomb,
    Combinations,
    Pattern,
    SpecialSet,
    Target,
)
from ledger.game.rulesets.model import (
    Deal,
    Direction,
    Ending,
    InstantWin,
    InstantWins,
    Opening,
    Passing,
    Payments,
    PlacePayment,
    Ruleset,
)

CLASSIC = Ruleset(
    id="southern-classic",
    clauses="S",
    # S-DEAL
    deal=Deal(players=(2, 3, 4), hand=13, packs=1, direction=Direction.ANTICLOCKWISE),
    # S-OPEN, S-LEAD
    opening=Opening(after_instant_win=True),
    # S-PASS, S-LATE
    passing=Passing(locks=True, late=(FOUR_PAIRS,)),
    # S-COMBO: four pairs at the most, and no 2 in a sequence of any kind
    combinations=Combinations(
        same_rank=(1, 2, 3, 4), sequence_from=3, pair_sequences=(3, 4), top_of_sequences=Rank.ACE
    ),
    # S-BOMB
    bombs=(
        Bomb(THREE_PAIRS, (TWO,)),
        Bomb(FOUR_OF_A_KIND, (TWO, PAIR_OF_TWOS, Target(THREE_PAIRS))),
        Bomb(FOUR_PAIRS, (TWO, PAIR_OF_TWOS, Target(THREE_PAIRS), Target(FOUR_OF_A_KIND))),
    ),
    # S-INSTANT
    instant_wins=InstantWins(
        hands=(
            InstantWin("dragon", block=Target(Pattern(1, 12))),
            InstantWin("four-twos", block=Target(FOUR_OF_A_KIND, Rank.TWO)),
            InstantWin("six-pairs", pairs=6),
            InstantWin("five-consecutive-pairs", block=Target(Pattern(2, 5))),
            InstantWin("three-consecutive-triples", block=Target(Pattern(3, 3))),
            InstantWin("bomb-with-lowest", bomb_with=Card(Rank.THREE, Suit.SPADES), opening_only=True),
        ),
        points=2,
    ),
    # S-END, S-KNOCK
    ending=Ending(at_first_out=False, knock_out=True),
    payments=Payments(
        # S-PLACE
        places=(
            PlacePayment(players=4, payer=4, payee=1, points=2),
            PlacePayment(players=4, payer=3, payee=2, points=1),
            PlacePayment(players=3, payer=2, payee=1, points=1),
            PlacePayment(players=3, payer=3, payee=1, points=2),
            PlacePayment(players=2, payer=2, payee=1, points=2),
        ),
        left=0,
        # S-FULL
        full_hand=4,
        # S-SPECIAL
        special_sets=(
            SpecialSet(TWO, 1, suits=(Suit.SPADES, Suit.CLUBS)),
            SpecialSet(TWO, 2, suits=(Suit.DIAMONDS, Suit.HEARTS)),
            SpecialSet(Target(THREE_PAIRS), 2),
            SpecialSet(Target(FOUR_OF_A_KIND), 3),
            SpecialSet(Target(FOUR_PAIRS), 4),
        ),
    ),
    # Who deals
    open=("deal.dealer",),
)

WINNER_TAKES_ALL = replace(
    CLASSIC,
    id="southern-winner-takes-all",
    ending=Ending(at_first_out=True, knock_out=False),
    payments=replace(CLASSIC.payments, places=(), left=2),
)
