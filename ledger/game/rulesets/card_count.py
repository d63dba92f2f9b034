"""Card count (đếm lá): the southern game that stops at the first player out, and every card left is paid.

Read out of a public rules text, the house rules of the BaiViet program, where it is the way to score by default.
"""

from dataclasses import replace

from ledger.game.cards import Rank, Suit
from ledger.game.patterns import (
    FIVE_PAIRS,
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    THREE_PAIRS,
    TWO,
    Pattern,
    SpecialSet,
    Target,
)
from ledger.game.rulesets.model import Chain, InstantWin, InstantWins, Several
from ledger.game.rulesets.southern import WINNER_TAKES_ALL

CARD_COUNT = replace(
    WINNER_TAKES_ALL,
    id="card-count",
    clauses="DL",
    parent=WINNER_TAKES_ALL.id,
    # 26 from everybody for the same hands as in the south but for the triples, for thirteen cards of one colour,
    # and in the first round for four 3s instead of a bomb with 3♠ in it
    instant_wins=InstantWins(
        hands=(
            InstantWin("dragon", block=Target(Pattern(1, 12))),
            InstantWin("four-twos", block=Target(FOUR_OF_A_KIND, Rank.TWO)),
            InstantWin("five-consecutive-pairs", block=Target(FIVE_PAIRS)),
            InstantWin("six-pairs", pairs=6),
            InstantWin("one-colour", one_colour=13),
            InstantWin("four-threes", block=Target(FOUR_OF_A_KIND, Rank.THREE), opening_only=True),
        ),
        points=26,
        # The strongest alone wins, in this order; of two of one kind, the one that wins with higher cards
        several=Several.STRONGEST,
    ),
    payments=replace(
        WINNER_TAKES_ALL.payments,
        # Everybody pays the winner 1 a card, and for special sets their value instead of their cards
        left=0,
        full_hand=0,
        card=1,
        special_sets=(
            SpecialSet(TWO, 3, suits=(Suit.SPADES, Suit.CLUBS)),
            SpecialSet(TWO, 6, suits=(Suit.DIAMONDS, Suit.HEARTS)),
            SpecialSet(Target(THREE_PAIRS), 9),
            SpecialSet(Target(FOUR_OF_A_KIND), 12),
            SpecialSet(Target(FOUR_PAIRS), 18),
        ),
        hoarding=False,
        # Who has played nothing pays 26, and special sets on top of that
        unplayed=26,
        # The last player who was chopped pays the last bomb for all chops of the pile
        chain=Chain.CUT,
    ),
    # Who deals; who begins after an instant win; how chops on chops are paid
    open=("deal.dealer", "opening.after_instant_win", "payments.chain"),
)
