"""One family's rules, in which the winner of a pile may go on beating it, going forward.

The source is a page of rules that a family wrote down (source 001).
"""

from ledger.game.rulesets.serialization import PLAIN, preset_over

FAMILY = preset_over(
    PLAIN,
    "family",
    """
    ; Four players, one pack; counter-clockwise; the player in fourth place shuffles and deals
    deal.players=4
    deal.direction=anticlockwise
    deal.dealer=last
    ; The first game begins with 3♠ in some combination; later ones with any play of the last winner
    opening.after_instant_win=no
    ; A pass lasts until a new pile begins, whatever comes; the last one left in a pile may go on beating it alone
    passing.locks=yes
    passing.forward=yes
    ; Single, pair, triple, straight of three or more without 2s; apart from them only the three chops
    combinations.same_rank=1,2,3,4
    combinations.sequence_from=3
    combinations.pair_sequences=3,4
    combinations.top_of_sequences=A
    ; Chops beat 2s, or a lower chop of the same type; they may also start a pile
    bombs=2x3:1@2,4:1@2,2x4:1@2|2@2
    ; The game goes on until one player holds cards; the order of going out ranks
    ending.at_first_out=no
    ; Players need not say how many cards they have left, unless the table agrees to
    customs=card-count-untold
    """,
    clauses="F",
    # Whether fewer than four may play; whether a chop may go forward on one's own 2 (the words "beat the
    # combination in the center" allow it)
    open=("deal.players", "passing.forward"),
)
