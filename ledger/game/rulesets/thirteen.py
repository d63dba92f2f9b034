"""Thirteen: the standard game of the survey of variants, and the games that add to it.

The source is a survey of variants and house rules (source 003). Most of the other presets that it names are
children of `THIRTEEN`.
"""

from ledger.game.rulesets.serialization import PLAIN, preset_over

# 003, from "Standard combinations" to "Instant wins"
THIRTEEN = preset_over(
    PLAIN,
    "thirteen",
    """
    ; Two to four players, 13 cards each, the rest aside; clockwise
    deal.players=2,3,4
    deal.hand=13
    deal.direction=clockwise
    ; Every game begins with 3♠, alone or in a combination; that the winner leads is a common variation
    opening.every_round=yes
    ; A player who has passed stays out until all others have passed
    passing.locks=yes
    ; Single, pair, triple, run of three or more up to the ace; bombs: four of a kind, three or more pairs in a row
    combinations.same_rank=1,2,3,4
    combinations.sequence_from=3
    combinations.pair_sequences=3,4,5,6
    combinations.top_of_sequences=A
    ; Bombs lie on as many 2s as they are large, and on weaker ones of their own type
    bombs=2x3:1@2,4:1@2,2x4:1@2|2@2,2x5:1@2|2@2|3@2,2x6:1@2|2@2|3@2
    instant_wins.hands=four-twos:block=4@2,six-pairs:pairs=6,dragon:block=1x12
    ; The first one out wins; the others go on until one is left
    ending.at_first_out=no
    """,
    clauses="T",
    # Who deals; who opens if 3♠ was not dealt (the holder of the lowest card); whether bombs are led (that none
    # may be the first play is named as a variation); whether a run is answered by one of another length
    open=("deal.dealer", "opening", "opening.bombs_answer", "combinations.equal_length"),
)


def still_open(*fixed: str) -> tuple[str, ...]:
    """What `THIRTEEN` leaves open, except what a child's own source fixes."""
    return tuple(path for path in THIRTEEN.open if path not in fixed)


# 003, "Points System": x is one point
POINTS = preset_over(
    THIRTEEN,
    "thirteen-points",
    """
    instant_wins.points=1
    ; First place receives x from every loser; there are no other places
    payments.places=2:2:1:1,3:2:1:1,3:3:1:1,4:2:1:1,4:3:1:1,4:4:1:1
    payments.left=1
    ; 2x from players with many cards left is an optional rule, of 13 cards or of 10
    payments.full_from=13
    ; An unused black 2 costs x, a red one 2x, a bomb 2x
    payments.special_sets=1@2:1:suits=sc,1@2:2:suits=dh,2x3:2,4:2,2x4:2,2x5:2,2x6:2
    ; Cutting a 2, black or red, is paid x at once; a bomb that is bombed is worth 2x, however long it is. That a
    ; second cut doubles the first one's is a variation
    payments.captured=1@2:1,2x3:2,4:2,2x4:2,2x5:2,2x6:2
    payments.captured_whole=yes
    payments.chain=each
    payments.chop_free_if_out=no
    payments.hoard_payee=winner
    """,
    # Who is paid for what is left unused; whether the game stops at the first one out; what an instant win brings,
    # and to whom of several; whether a cut red 2 is worth no more than a black one, as the list says; whether a cut
    # is refunded
    open=(
        *THIRTEEN.open,
        "ending.at_first_out",
        "instant_wins.points",
        "instant_wins.several",
        "payments.full_hand",
        "payments.full_from",
        "payments.captured",
        "payments.hoard_payee",
        "payments.chain",
        "payments.chop_free_if_out",
    ),
)

# 003, "Kneeling System": the fourth kneels, and so do chopped players, until coming in first; the third deals
KNEELING = preset_over(
    THIRTEEN,
    "thirteen-kneeling",
    """
    deal.dealer=third
    kneeling.last=yes
    kneeling.chopped=yes
    """,
    # Who deals and kneels when fewer than four play; who is saved when two were chopped
    open=(*still_open("deal.dealer"), "deal.players", "kneeling"),
)

# 003, "Asian Deuces": the winner chooses whether cards are cleared pile by pile or at the end; in the first game
# the holder of 3♠ does
ASIAN_DEUCES = preset_over(THIRTEEN, "asian-deuces", "customs=winner-chooses-clearing")

# 003, "Draw Pile Thirteen (San Jose)": three players, 13 cards each and a pile of 13 to draw from at each pass
DRAW_PILE = preset_over(
    THIRTEEN,
    "draw-pile",
    """
    deal.players=3
    deal.draw_pile=yes
    """,
    # Whether a pass locks although a card was drawn, and whether that card may be played at once
    open=(*THIRTEEN.open, "deal.draw_pile", "passing.locks"),
)

# 003, "Casual rules": simpler ones for players who are just starting
CASUAL = preset_over(
    THIRTEEN,
    "casual",
    """
    ; The loser shuffles and deals; the direction is reversed in every game
    deal.direction=alternating
    deal.dealer=last
    ; Chops, three pairs or more, beat anything but bombs, and lower chops of as many pairs; a four of a kind beats
    ; chops too, and lower ones
    bombs=2x3:any/plain,2x4:any/plain,2x5:any/plain,2x6:any/plain,4:any/plain|2x3|2x4|2x5|2x6
    ; The standard four 2s stay. A run of all thirteen ranks in any suits instead of twelve; four triples, three
    ; fours, six pairs, none of them in a row
    instant_wins.hands=four-twos:block=4@2,dragon:block=1x13@2,four-triples:triples=4,three-fours:fours=3,
        six-pairs:pairs=6
    customs=trading
    """,
    # The players choose whether the winner or the lowest card begins, whether hands win at once, and whether cards
    # are traded; how long a run must be is not said
    open=(
        *still_open("deal.dealer", "opening"),
        "opening.every_round",
        "combinations.sequence_from",
        "instant_wins.hands",
        "customs",
    ),
)
