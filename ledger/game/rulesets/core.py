"""The core rules as the encyclopedias tell them, after McLeod and Parlett, with their larger deals and Viet Cong.

The sources are two editions of one article (sources 002 and 004); what Viet Cong changes is told by its table in
the rules that this module was made from.
"""

from collections.abc import Iterable
from dataclasses import replace

from ledger.game.cards import Rank
from ledger.game.patterns import (
    FIVE_PAIRS,
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    PAIR_OF_TWOS,
    THREE_PAIRS,
    TRIPLE_OF_TWOS,
    TWO,
    Bomb,
    Combinations,
    Kind,
    Pattern,
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
    PlacePayment,
    Ruleset,
)


def loser_pays_each(players: Iterable[int]) -> tuple[PlacePayment, ...]:
    """The last player pays every other one a stake."""
    return tuple(
        PlacePayment(players=count, payer=count, payee=place, points=1)
        for count in players
        for place in range(1, count)
    )


def _bombs(most_pairs: int) -> tuple[Bomb, ...]:
    """Bombs lie on 2s only, then on lower ones of their own type: a quartet on one 2; three pairs or more on one,
    four or more on two, five or more on three."""
    return (
        Bomb(THREE_PAIRS, (TWO,)),
        Bomb(FOUR_OF_A_KIND, (TWO,)),
        Bomb(FOUR_PAIRS, (TWO, PAIR_OF_TWOS)),
        *(Bomb(Pattern(2, pairs), (TWO, PAIR_OF_TWOS, TRIPLE_OF_TWOS)) for pairs in range(5, most_pairs + 1)),
    )


# 002 and 004, "Core rules"
CORE = Ruleset(
    id="core",
    clauses="C",
    # Two to four players, 13 cards; clockwise; chance says who deals first, then the loser of the last hand does
    deal=Deal(
        players=(2, 3, 4),
        hand=13,
        packs=1,
        direction=Direction.CLOCKWISE,
        dealer=Dealer.LAST,
        first_dealer_by_lot=True,
    ),
    # The first hand begins with the lowest card, played singly; later ones with whatever the last winner likes
    opening=Opening(after_instant_win=False, kinds=(Kind.SINGLE,)),
    # Whoever has passed may not play to this pile again
    passing=Passing(locks=True, late=()),
    # Single to quartet; a sequence of three or more, with the 2 above the ace; three or more pairs in a row
    combinations=Combinations(
        same_rank=(1, 2, 3, 4),
        sequence_from=3,
        pair_sequences=(3, 4, 5, 6),
        top_of_sequences=Rank.TWO,
        top_of_pair_sequences=Rank.TWO,
    ),
    bombs=_bombs(most_pairs=6),
    instant_wins=InstantWins(hands=(), points=0),
    # The hand ends when one player holds cards
    ending=Ending(at_first_out=False, knock_out=False),
    # The loser pays each other player a fixed stake
    payments=Payments(places=loser_pays_each((2, 3, 4)), left=0, full_hand=0, special_sets=()),
    # Whether pairs in a row may end in 2s (Parlett: they may); whether a sequence may answer one of another length
    # ("matches the type"); whether one may go on beating oneself
    open=("combinations.top_of_pair_sequences", "combinations.equal_length", "passing.forward"),
)

# 002 and 004, "Number of players": three may be dealt 17 cards each, the odd card aside
CORE_17 = replace(
    CORE,
    id="core-17",
    parent=CORE.id,
    deal=replace(CORE.deal, players=(3,), hand=17),
    combinations=replace(CORE.combinations, pair_sequences=(3, 4, 5, 6, 7, 8)),
    bombs=_bombs(most_pairs=8),
    # Who begins if 3♠ is the odd card (the lowest dealt)
    open=(*CORE.open, "opening"),
)

# 002 and 004, "Number of players": five to eight with two packs, 13 cards each or as many as come out even
CORE_DOUBLE = replace(
    CORE,
    id="core-double",
    parent=CORE.id,
    deal=replace(CORE.deal, players=(5, 6, 7, 8), packs=2),
    # As many pairs as twenty cards hold: the most that five players may be dealt
    combinations=replace(CORE.combinations, pair_sequences=tuple(range(3, 11))),
    bombs=_bombs(most_pairs=10),
    payments=replace(CORE.payments, places=loser_pays_each((5, 6, 7, 8))),
    # 13 or as many as come out even; which of two 3♠ begins (whichever is laid first); whether five or more of a
    # kind are anything; what becomes of a tie: no source speaks of it, and a play has to beat the top
    open=(*CORE.open, "deal.equal", "opening", "combinations.same_rank", "combinations.ties"),
)

# 002 and 004, "Viet Cong"
VIET_CONG = replace(
    CORE,
    id="viet-cong",
    parent=CORE.id,
    # The first hand may begin with any combination that holds 3♠
    opening=replace(CORE.opening, kinds=()),
    # No 2 in a sequence; two or three quartets in a row may be played
    combinations=replace(CORE.combinations, top_of_sequences=Rank.ACE, fours_consecutive=(2, 3)),
    # Slams: a quartet or three pairs on one 2, two quartets or five pairs on two, three quartets or seven pairs
    # (with 17 cards) on three; a slam is beaten by its own type only
    bombs=(
        Bomb(THREE_PAIRS, (TWO,)),
        Bomb(FOUR_OF_A_KIND, (TWO,)),
        Bomb(FOUR_PAIRS, (TWO, PAIR_OF_TWOS)),
        Bomb(FIVE_PAIRS, (PAIR_OF_TWOS,)),
        Bomb(Pattern(2, 6), (PAIR_OF_TWOS,)),
        Bomb(Pattern(4, 2), (PAIR_OF_TWOS,)),
        Bomb(Pattern(4, 3), (TRIPLE_OF_TWOS,)),
    ),
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
