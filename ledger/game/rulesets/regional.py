"""Thirteen as it is played elsewhere: what each place changes of it.

The source is the survey of variants and house rules (source 003), one section a preset. A field that a preset
lists as open is not fixed there: it has the parent's value, or the plainest reading that is given beside it.
"""

from dataclasses import replace

from ledger.game.cards import Card, Rank, Suit
from ledger.game.patterns import (
    FIVE_PAIRS,
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    SINGLE,
    THREE_PAIRS,
    TRIPLE,
    TWO,
    Bomb,
    Kind,
    Pattern,
    SuitLock,
    Target,
    Trump,
)
from ledger.game.rulesets.model import Chain, Dealer, InstantWins, PlacePayment
from ledger.game.rulesets.thirteen import THIRTEEN, still_open

_ANYTHING = Target()
_ANYTHING_BUT_A_BOMB = Target(plain=True)
_TRIPLE_ON_AN_ACE = Bomb(TRIPLE, (Target(SINGLE, Rank.ACE),), plain=True)
_NO_INSTANT_WINS = InstantWins(hands=(), points=0)

# 003, "Killer (Hawaiian variant)"
HAWAII = replace(
    THIRTEEN,
    id="hawaii",
    clauses="HI",
    parent=THIRTEEN.id,
    # 13 cards each, whether two or four play
    deal=replace(THIRTEEN.deal, players=(2, 4)),
    # The first play of any game holds the lowest card that anybody has, as a single, a pair or a sequence
    opening=replace(THIRTEEN.opening, kinds=(Kind.SINGLE, Kind.PAIR, Kind.SEQUENCE)),
    # Only bombs beat a 2: four of a kind, the stronger one, and three or more pairs. That four pairs beat a pair
    # of 2s, and five a triple, is named as a less common variation, so that here they beat one 2 as three do.
    bombs=(
        Bomb(THREE_PAIRS, (TWO,)),
        Bomb(FOUR_OF_A_KIND, (TWO, Target(THREE_PAIRS))),
        Bomb(FOUR_PAIRS, (TWO,)),
        Bomb(FIVE_PAIRS, (TWO,)),
        Bomb(Pattern(2, 6), (TWO,)),
    ),
    customs=("no-trading",),
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
AKITA = replace(
    THIRTEEN,
    id="akita",
    clauses="AK",
    parent=THIRTEEN.id,
    # The loser shuffles and deals
    deal=replace(THIRTEEN.deal, dealer=Dealer.LAST),
    # A pass locks nobody out
    passing=replace(THIRTEEN.passing, locks=False),
    # Six pairs are two bombs. A sequence of one suit asks for one suit until the pile is over
    combinations=replace(THIRTEEN.combinations, pair_sequences=(3, 4, 5), suit_lock=SuitLock.FORCED),
    # Four of a kind (2s too), three pairs and no more, and the dragon beat anything, and each other either way
    # round; any triple beats a single ace
    bombs=(
        Bomb(THREE_PAIRS, (_ANYTHING,)),
        Bomb(FOUR_OF_A_KIND, (_ANYTHING,)),
        Bomb(Pattern(1, 12), (_ANYTHING,)),
        _TRIPLE_ON_AN_ACE,
    ),
    # What a player goes out with is not answered: the next player leads
    ending=replace(THIRTEEN.ending, last_play_stands=True),
    customs=("no-trading",),
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
MELBOURNE = replace(
    THIRTEEN,
    id="melbourne",
    clauses="ME",
    parent=THIRTEEN.id,
    # The winner leads the next round, unless somebody new sits in for the last player
    opening=replace(THIRTEEN.opening, every_round=False, after_player_change=True),
    # A sequence of one suit is a "police": only others of one suit, no matter which, may answer it
    combinations=replace(THIRTEEN.combinations, suit_lock=SuitLock.FORCED),
    # A single 2 is chopped by four of a kind or three pairs, a single ace by a triple; nothing above singles is,
    # and no chop beats one of another kind. Four pairs and more are ordinary combinations.
    bombs=(
        Bomb(THREE_PAIRS, (TWO,)),
        Bomb(FOUR_OF_A_KIND, (TWO,)),
        _TRIPLE_ON_AN_ACE,
    ),
    open=(
        *still_open("opening"),
        "deal.direction",
        "opening.after_instant_win",
        "ending.at_first_out",
        "payments",
    ),
)

# 003, "Amsterdam Variant / Vietnamese Poker (VP)"
AMSTERDAM = replace(
    THIRTEEN,
    id="amsterdam",
    clauses="AM",
    parent=THIRTEEN.id,
    # Three or four players of four hands, one of which is dead if three play
    deal=replace(THIRTEEN.deal, players=(3, 4), four_hands=True),
    # A chop can only be played on a single 2, so that it is not led either
    opening=replace(THIRTEEN.opening, bombs_answer=True),
    # Three pairs and four of a kind beat a single 2; of two chops the one with the higher highest card is higher
    bombs=(
        Bomb(THREE_PAIRS, (TWO,), alike=True),
        Bomb(FOUR_OF_A_KIND, (TWO,), alike=True),
    ),
    # 3♦ beats every combination, 3♥ those and 3♦; neither beats a chop
    trumps=(
        Trump(Card(Rank.THREE, Suit.DIAMONDS), (_ANYTHING_BUT_A_BOMB,)),
        Trump(Card(Rank.THREE, Suit.HEARTS), (_ANYTHING_BUT_A_BOMB,)),
    ),
    instant_wins=_NO_INSTANT_WINS,
    payments=replace(
        THIRTEEN.payments,
        # The loser of a round gives its winner 1
        places=(
            PlacePayment(players=3, payer=3, payee=1, points=1),
            PlacePayment(players=4, payer=4, payee=1, points=1),
        ),
        # The chopped pay the chopper: 1, a double chop 2, a triple chop 3, always
        chain=Chain.COUNTING,
        chop_unit=1,
        chop_free_if_out=False,
    ),
    customs=("no-trading",),
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
INTERNS = replace(
    THIRTEEN,
    id="interns",
    clauses="UT",
    parent=THIRTEEN.id,
    # Always four hands. The loser deals the next round, or whoever took a seat for it.
    deal=replace(THIRTEEN.deal, four_hands=True, dealer=Dealer.NEWCOMER_ELSE_LAST),
    # A sequence of one suit locks the pile; it beats no higher one, nor one of another length
    combinations=replace(THIRTEEN.combinations, suit_lock=SuitLock.FORCED),
    # Three pairs alone are a bomb: led, on a single 2, or on a lower bomb
    bombs=(Bomb(THREE_PAIRS, (TWO,)),),
    instant_wins=_NO_INSTANT_WINS,
    # More than four people share the seats; two play two rounds with the hands of one deal
    customs=("no-trading", "losers-spot", "two-rounds-a-deal"),
    # Open: whether four of a kind and four pairs may be played at all
    open=(
        *still_open("deal.dealer", "opening.bombs_answer", "combinations.equal_length"),
        "combinations.same_rank",
        "combinations.pair_sequences",
    ),
)

# 003, "Double Deck 13"
DOUBLE_DECK = replace(
    THIRTEEN,
    id="double-deck",
    clauses="DD",
    parent=THIRTEEN.id,
    # Eight players, a blue pack and a red one. The blue 3♠ is the lowest card and opens; in a tie red is higher.
    deal=replace(THIRTEEN.deal, players=(8,), packs=2, backs=True),
    # The blue K♦ is the only single card that kills. What, and what kills it, is open: here every other single
    # card, 2s too, and nothing beats it.
    trumps=(Trump(Card(Rank.KING, Suit.DIAMONDS, back=0), (Target(SINGLE),)),),
    instant_wins=_NO_INSTANT_WINS,
    open=(*still_open("opening"), "deal.backs", "combinations.same_rank", "trumps", "payments"),
)
