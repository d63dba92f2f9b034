"""The southern rules: the primary rulesets, as the game is commonly played in the south of Vietnam."""

from dataclasses import replace

from ledger.game.rulesets.model import Ending
from ledger.game.rulesets.serialization import PLAIN, preset_over

CLASSIC = preset_over(
    PLAIN,
    "southern-classic",
    """
    ; S-DEAL
    deal.players=2,3,4
    deal.hand=13
    deal.packs=1
    deal.direction=anticlockwise
    ; S-OPEN, S-LEAD
    opening.after_instant_win=yes
    ; S-PASS, S-LATE
    passing.locks=yes
    passing.late=2x4
    ; S-COMBO: four pairs at the most, and no 2 in a sequence of any kind
    combinations.same_rank=1,2,3,4
    combinations.sequence_from=3
    combinations.pair_sequences=3,4
    combinations.top_of_sequences=A
    ; S-BOMB
    bombs=2x3:1@2,4:1@2|2@2|2x3,2x4:1@2|2@2|2x3|4
    ; S-INSTANT
    instant_wins.hands=dragon:block=1x12,four-twos:block=4@2,six-pairs:pairs=6,five-consecutive-pairs:block=2x5,
        three-consecutive-triples:block=3x3,bomb-with-lowest:bomb_with=3s:opening_only
    instant_wins.points=2
    ; S-END, S-KNOCK
    ending.at_first_out=no
    ending.knock_out=yes
    ; S-PLACE: for four 2 and 1; for three the winner takes 1 and 2; for two 2
    payments.places=2/1/-1/-2,3:2:1:1,3:3:1:2,2/-2
    payments.left=0
    ; S-FULL
    payments.full_hand=4
    ; S-SPECIAL
    payments.special_sets=1@2:1:suits=sc,1@2:2:suits=dh,2x3:2,4:3,2x4:4
    """,
    clauses="S",
    # Who deals
    open=("deal.dealer",),
)

WINNER_TAKES_ALL = replace(
    CLASSIC,
    id="southern-winner-takes-all",
    ending=Ending(at_first_out=True, knock_out=False),
    payments=replace(CLASSIC.payments, places=(), left=2),
)
