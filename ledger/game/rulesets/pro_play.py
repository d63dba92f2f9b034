"""Pro-Play: thirteen with a ladder of bombs, and points for all of it (source 003, "Pro-Play Thirteen")."""

from ledger.game.rulesets.serialization import preset_over
from ledger.game.rulesets.thirteen import THIRTEEN

# Rungs, lowest first: a level, a shape, and whether 2s are on top of it.
_LADDER = (
    (1, "2x3", False),
    (1, "4", False),
    (2, "2x3", True),
    (2, "2x4", False),
    (2, "4+2", False),
    (2, "3x3", False),
    (3, "2x4", True),
    (3, "2x5", False),
    (3, "2x5", True),
    (3, "2x6", False),
    (3, "3x3", True),
    (3, "3x4", False),
    (3, "4+3", False),
    (3, "2x6", True),
    (4, "3x4", True),
    (4, "4", True),
)
# Targets by level: a 2 (also at the top of a sequence), a pair of 2s, three 2s.
_TWOS = ("|".join(("1@2", *(f"1x{length}@2" for length in range(3, 14)))), "2@2", "3@2")
# Each rung as a target. Fours of a kind together are one rung, with or without 2s among them.
_TARGETS = [shape + ("" if "+" in shape else "@2" if on_twos else "<2") for _, shape, on_twos in _LADDER]
# Every rung beats those below it, and up to as many 2s as its level.
_BOMBS = ",".join(
    f"{shape}:{'|'.join((*_TWOS[:level], *_TARGETS[:index]))}{':rank=2' if on_twos else ''}"
    for index, (level, shape, on_twos) in enumerate(_LADDER)
)
_LEVELS = ",".join(f"{shape}{'@2' if on_twos else ''}:{level}" for level, shape, on_twos in _LADDER)

PRO_PLAY = preset_over(
    THIRTEEN,
    "pro-play",
    f"""
    ; 2s may end sequences of every kind; triples in sequence, and fours of a kind of any ranks together
    combinations.triple_sequences=3,4
    combinations.fours=2,3
    combinations.top_of_sequences=2
    combinations.top_of_pair_sequences=2
    bombs={_BOMBS}
    instant_wins.hands=none
    ; White-out: a player who has played nothing when the first goes out is eliminated
    ending.knock_out=yes
    ; +2, +1, -1, -2. The source says it for four; for fewer this is the southern table.
    payments.places=4:4:1:2,4:3:2:1,3:2:1:1,3:3:1:2,2/-2
    ; White-out: twice what a loser pays
    payments.full_hand=4
    ; 1 for each 2 that is bombed. Points compound by the levels: read as a bomb being worth its level to the bomb
    ; that beats it (two fours of a kind together 2, three 3, whatever their ranks), on top of what it had taken, so
    ; that the last player bombed pays it all.
    payments.chain=cut
    payments.captured=1@2:1:suits=scdh,{_LEVELS}
    payments.captured_whole=yes
    payments.chop_free_if_out=no
    payments.got_to_get_in=2
    ; Agreed to by all players before the play; blind is announced before looking at the hand
    contracts=guaransheed:1:2,blind-guaransheed:2:2
    """,
    clauses="PP",
    # Open: what beats a sequence that ends in a 2; places of two and three players; who pays for a bomb, and how
    # points compound; whether got-to-get-in and white-out are both paid; whether contracts replace places
    open=(
        *THIRTEEN.open,
        "bombs",
        "payments.places",
        "payments.full_hand",
        "payments.chain",
        "payments.captured",
        "payments.chop_free_if_out",
        "payments.got_to_get_in",
        "contracts",
    ),
)
