"""One family's rules, in which the winner of a pile may go forward: tiến lên.

The source is a page of rules that a family wrote down (source 001).
"""

from ledger.game.cards import Rank
from ledger.game.patterns import (
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    PAIR_OF_TWOS,
    THREE_PAIRS,
    TWO,
    Bomb,
    Combinations,
)
from ledger.game.rulesets.model import (
    Deal,
    Dealer,
    Direction,
    Ending,
    InstantWins,
    Opening,
    Passing,
    Payments,
    Ruleset,
)

FAMILY = Ruleset(
    id="family",
    clauses="F",
    # Four players, one pack; counter-clockwise; whoever came in fourth shuffles and deals
    deal=Deal(players=(4,), hand=13, packs=1, direction=Direction.ANTICLOCKWISE, dealer=Dealer.LAST),
    # The first game begins with 3♠ in some combination; later ones with whatever the last winner likes
    opening=Opening(after_instant_win=False),
    # A pass lasts until a new pile begins, whatever comes; the last one left in a pile may go on beating it alone
    passing=Passing(locks=True, late=(), forward=True),
    # Single, pair, triple, straight of three or more without 2s; beside them only the three chops
    combinations=Combinations(
        same_rank=(1, 2, 3, 4), sequence_from=3, pair_sequences=(3, 4), top_of_sequences=Rank.ACE
    ),
    # Chops beat 2s, or a lower chop of the same type; they may also start a pile
    bombs=(
        Bomb(THREE_PAIRS, (TWO,)),
        Bomb(FOUR_OF_A_KIND, (TWO,)),
        Bomb(FOUR_PAIRS, (TWO, PAIR_OF_TWOS)),
    ),
    instant_wins=InstantWins(hands=(), points=0),
    # The game goes on until one player holds cards; the order of going out ranks
    ending=Ending(at_first_out=False, knock_out=False),
    payments=Payments(places=(), left=0, full_hand=0, special_sets=()),
    # Nobody has to tell how many cards are left, unless the table agrees to
    customs=("card-count-untold",),
    # Whether fewer than four may play; whether a chop may go forward on one's own 2 (the words "beat the
    # combination in the center" allow it)
    open=("deal.players", "passing.forward"),
)
