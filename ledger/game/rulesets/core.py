"""The core rules, after McLeod and Parlett, with their larger deals and the variant Viet Cong.

The sources are two editions of one encyclopedia article (sources 002 and 004).
"""

from ledger.game.rulesets.serialization import PLAIN, preset_over

# Bombs beat 2s only, and lower bombs of their own type: a quartet on one 2; three pairs or more on one, four
# or more on two, five or more on three.
_UP_TO_SIX = "2x3:1@2,4:1@2,2x4:1@2|2@2,2x5:1@2|2@2|3@2,2x6:1@2|2@2|3@2"
_UP_TO_EIGHT = f"{_UP_TO_SIX},2x7:1@2|2@2|3@2,2x8:1@2|2@2|3@2"
_UP_TO_TEN = f"{_UP_TO_EIGHT},2x9:1@2|2@2|3@2,2x10:1@2|2@2|3@2"

# 002 and 004, "Core rules"
CORE = preset_over(
    PLAIN,
    "core",
    f"""
    ; Two to four players, 13 cards; clockwise; the first dealer is drawn by lot, then the last loser deals
    deal.players=2,3,4
    deal.hand=13
    deal.direction=clockwise
    deal.dealer=last
    deal.first_dealer_by_lot=yes
    ; The first hand begins with the lowest card, played singly; later ones with any play of the last winner
    opening.kinds=single
    ; A player who has passed may not play on this pile again
    passing.locks=yes
    ; Single to quartet; a sequence of three or more, with the 2 above the ace; three or more pairs in a row
    combinations.same_rank=1,2,3,4
    combinations.sequence_from=3
    combinations.pair_sequences=3,4,5,6
    combinations.top_of_sequences=2
    combinations.top_of_pair_sequences=2
    bombs={_UP_TO_SIX}
    ; The hand ends when one player holds cards
    ending.at_first_out=no
    ; The loser pays each other player a fixed stake
    payments.places=1/-1,1/1/-2,1/1/1/-3
    """,
    clauses="C",
    # Whether pairs in a row may end in 2s (Parlett: they may); whether a sequence may answer one of another length
    # ("matches the type"); whether one may go on beating oneself
    open=("combinations.top_of_pair_sequences", "combinations.equal_length", "passing.forward"),
)

# 002 and 004, "Number of players": three may be dealt 17 cards each, the odd card aside
CORE_17 = preset_over(
    CORE,
    "core-17",
    f"""
    bombs={_UP_TO_EIGHT}
    deal.players=3
    deal.hand=17
    combinations.pair_sequences=3,4,5,6,7,8
    """,
    # Who begins if 3♠ is the odd card (the lowest dealt)
    open=(*CORE.open, "opening"),
)

# 002 and 004, "Number of players": five to eight with two packs, 13 cards each or as many as come out even
CORE_DOUBLE = preset_over(
    CORE,
    "core-double",
    f"""
    bombs={_UP_TO_TEN}
    deal.players=5,6,7,8
    deal.packs=2
    ; As many pairs as twenty cards hold: the most that five players may be dealt
    combinations.pair_sequences=3,4,5,6,7,8,9,10
    payments.places=1/1/1/1/-4,1/1/1/1/1/-5,1/1/1/1/1/1/-6,1/1/1/1/1/1/1/-7
    """,
    # 13 or as many as come out even; which of two 3♠ begins (whichever is laid first); whether five or more of a
    # kind are a combination; how ties are treated: no source mentions them, and a play has to beat the top
    open=(*CORE.open, "deal.equal", "opening", "combinations.same_rank", "combinations.ties"),
)

# 002 and 004, "Viet Cong"
VIET_CONG = preset_over(
    CORE,
    "viet-cong",
    """
    ; The first hand may begin with any combination that holds 3♠
    opening.kinds=none
    ; No 2 in a sequence; two or three quartets in a row may be played
    combinations.top_of_sequences=A
    combinations.fours_consecutive=2,3
    ; Slams: a quartet or three pairs on one 2, two quartets or five pairs on two, three quartets or seven pairs
    ; (with 17 cards) on three; a slam is beaten by its own type only
    bombs=2x3:1@2,4:1@2,2x4:1@2|2@2,2x5:2@2,2x6:2@2,4x2:2@2,4x3:3@2
    """,
    # What four and six pairs beat (four as in the core rules, six as five); locks of one suit, plays out of turn,
    # instant wins and what is paid
    open=(
        *CORE.open,
        "bombs",
        "combinations.suit_lock",
        "passing.late",
        "instant_wins.hands",
        "payments",
    ),
)
