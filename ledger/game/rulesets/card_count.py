"""Card count (đếm lá): the southern game, which ends at the first player out; every card left is paid for.

The source is a public rules text, the house rules of the BaiViet program, which scores this way by default.
"""

from ledger.game.rulesets.serialization import preset_over
from ledger.game.rulesets.southern import WINNER_TAKES_ALL

CARD_COUNT = preset_over(
    WINNER_TAKES_ALL,
    "card-count",
    """
    ; 26 from every other player for the southern hands without the triples, for thirteen cards of one colour,
    ; and in the first round for four 3s instead of a bomb with 3♠ in it
    instant_wins.hands=dragon:block=1x12,four-twos:block=4@2,five-consecutive-pairs:block=2x5,six-pairs:pairs=6,
        one-colour:one_colour=13,four-threes:block=4@3:opening_only
    instant_wins.points=26
    ; The strongest alone wins, in this order; of two of one kind, the one that wins with higher cards
    instant_wins.several=strongest
    ; Every other player pays the winner 1 per card, and for special sets their value instead of their cards
    payments.left=0
    payments.full_hand=0
    payments.card=1
    payments.special_sets=1@2:3:suits=sc,1@2:6:suits=dh,2x3:9,4:12,2x4:18
    payments.hoarding=no
    ; A player who has played nothing pays 26, and special sets on top of that
    payments.unplayed=26
    ; The last player who was chopped pays the last bomb for all chops of the pile
    payments.chain=cut
    """,
    clauses="DL",
    # Who deals; who begins after an instant win; how chops on chops are paid
    open=("deal.dealer", "opening.after_instant_win", "payments.chain"),
)
