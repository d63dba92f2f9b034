"""Regional variants of thirteen, each given by what it changes.

The source is the survey of variants and house rules (source 003), one section per preset. A field that a preset
lists as open is not fixed there: it has the parent's value, or the plainest reading, which a comment gives.
"""

from ledger.game.rulesets.serialization import preset_over
from ledger.game.rulesets.thirteen import THIRTEEN, still_open

# 003, "Killer (Hawaiian variant)"
HAWAII = preset_over(
    THIRTEEN,
    "hawaii",
    """
    ; 13 cards each, whether two or four play
    deal.players=2,4
    ; The first play of any game holds the lowest card that anybody has, as a single, a pair or a sequence
    opening.kinds=single,pair,sequence
    ; Only bombs beat a 2: four of a kind, the stronger one, and three or more pairs. That four pairs beat a pair
    ; of 2s, and five a triple, is named as a less common variation, so that here they beat one 2 as three do.
    bombs=2x3:1@2,4:1@2|2x3,2x4:1@2,2x5:1@2,2x6:1@2
    customs=no-trading
    """,
    clauses="HI",
    # Open: three players; whether the lowest card opens every round; what bombs of four pairs beat
    open=(
        *still_open("opening"),
        "deal.direction",
        "deal.players",
        "opening.every_round",
        "bombs",
        "payments",
    ),
)

# 003, "Akita International University variant"
AKITA = preset_over(
    THIRTEEN,
    "akita",
    """
    ; The loser shuffles and deals
    deal.dealer=last
    ; A pass locks no player out
    passing.locks=no
    ; Six pairs are two bombs. A sequence of one suit asks for one suit until the pile is over
    combinations.pair_sequences=3,4,5
    combinations.suit_lock=forced
    ; Four of a kind (2s too), three pairs and no more, and the dragon beat anything, and each other either way
    ; round; any triple beats a single ace
    bombs=2x3:any,4:any,1x12:any,3:1@A:plain
    ; What a player goes out with is not answered: the next player leads
    ending.last_play_stands=yes
    customs=no-trading
    """,
    clauses="AK",
    # Open: whether four and five pairs may be played at all, and whether a dragon also wins at once
    open=(
        *still_open("deal.dealer"),
        "combinations.pair_sequences",
        "combinations.suit_lock",
        "instant_wins.hands",
        "payments",
    ),
)

# 003, "South-eastern Metropolitan Melbourne variant"
MELBOURNE = preset_over(
    THIRTEEN,
    "melbourne",
    """
    ; The winner leads the next round, unless a new player sits in for the last one
    opening.every_round=no
    opening.after_player_change=yes
    ; A sequence of one suit is a "police": only others of one suit, no matter which, may answer it
    combinations.suit_lock=forced
    ; A single 2 is chopped by four of a kind or three pairs, a single ace by a triple; nothing above singles is,
    ; and no chop beats one of another kind. Four pairs and more are ordinary combinations.
    bombs=2x3:1@2,4:1@2,3:1@A:plain
    """,
    clauses="ME",
    open=(
        *still_open("opening"),
        "deal.direction",
        "opening.after_instant_win",
        "ending.at_first_out",
        "payments",
    ),
)

# 003, "Amsterdam Variant / Vietnamese Poker (VP)"
AMSTERDAM = preset_over(
    THIRTEEN,
    "amsterdam",
    """
    ; Three or four players of four hands, one of which is dead if three play
    deal.players=3,4
    deal.four_hands=yes
    ; A chop can only be played on a single 2, so that it is not led either
    opening.bombs_answer=yes
    ; Three pairs and four of a kind beat a single 2; of two chops the one with the higher highest card is higher
    bombs=2x3:1@2:alike,4:1@2:alike
    ; 3♦ beats every combination, 3♥ those and 3♦; neither beats a chop
    trumps=3d:any/plain,3h:any/plain
    instant_wins.hands=none
    ; The loser of a round gives its winner 1
    payments.places=1/0/-1,1/0/0/-1
    ; The chopped pay the chopper: 1, a double chop 2, a triple chop 3, always
    payments.chain=counting
    payments.chop_unit=1
    payments.chop_free_if_out=no
    customs=no-trading
    """,
    clauses="AM",
    # Open: whether chops of different shapes compare, what becomes of four pairs, what red threes are in pairs and
    # sequences, whether play goes on after the first out, whether an earlier fine is kept
    open=(
        *still_open("opening.bombs_answer"),
        "combinations.pair_sequences",
        "bombs",
        "trumps",
        "ending.at_first_out",
        "payments.chain",
    ),
)

# 003, "UT Pike / OC Intern variant"
INTERNS = preset_over(
    THIRTEEN,
    "interns",
    """
    ; Always four hands. The loser deals the next round, or the player who took a seat for it.
    deal.four_hands=yes
    deal.dealer=newcomer-else-last
    ; A sequence of one suit locks the pile; it beats no higher one, nor one of another length
    combinations.suit_lock=forced
    ; Three pairs alone are a bomb: led, on a single 2, or on a lower bomb
    bombs=2x3:1@2
    instant_wins.hands=none
    ; More than four people share the seats; two play two rounds with the hands of one deal
    customs=no-trading,losers-spot,two-rounds-a-deal
    """,
    clauses="UT",
    # Open: whether four of a kind and four pairs may be played at all
    open=(
        *still_open("deal.dealer", "opening.bombs_answer", "combinations.equal_length"),
        "combinations.same_rank",
        "combinations.pair_sequences",
    ),
)

# 003, "Double Deck 13"
DOUBLE_DECK = preset_over(
    THIRTEEN,
    "double-deck",
    """
    ; Eight players, a blue pack and a red one. The blue 3♠ is the lowest card and opens; in a tie red is higher.
    deal.players=8
    deal.packs=2
    deal.backs=yes
    ; The blue K♦ is the only single card that kills. What, and what kills it, is open: here every other single
    ; card, 2s too, and nothing beats it.
    trumps=Kd:1
    instant_wins.hands=none
    """,
    clauses="DD",
    open=(*still_open("opening"), "deal.backs", "combinations.same_rank", "trumps", "payments"),
)
