"""Casual rules: simpler ones for players who are just starting (source 003, "Casual rules")."""

from dataclasses import replace

from ledger.game.cards import Rank
from ledger.game.patterns import FOUR_OF_A_KIND, Bomb, Pattern, Target
from ledger.game.rulesets.thirteen import THIRTEEN, still_open
from ledger.game.rulesets.types import Dealer, Direction, InstantWin, InstantWins

_CHOPS = tuple(Pattern(2, pairs) for pairs in THIRTEEN.combinations.pair_sequences)
_ANYTHING_BUT_A_BOMB = Target(plain=True)

CASUAL = replace(
    THIRTEEN,
    id="casual",
    parent=THIRTEEN.id,
    # The loser shuffles and deals; the direction is reversed in every game
    deal=replace(THIRTEEN.deal, direction=Direction.ALTERNATING, dealer=Dealer.LAST),
    # Chops, three pairs or more, beat anything but bombs, and lower chops of as many pairs; a four of a kind beats
    # chops too, and lower ones
    bombs=(
        *(Bomb(chop, (_ANYTHING_BUT_A_BOMB,)) for chop in _CHOPS),
        Bomb(FOUR_OF_A_KIND, (_ANYTHING_BUT_A_BOMB, *map(Target, _CHOPS))),
    ),
    # The standard four 2s stay. A run of all thirteen ranks in any suits instead of twelve; four triples, three
    # fours, six pairs, none of them in a row
    instant_wins=InstantWins(
        hands=(
            InstantWin("four-twos", block=Target(FOUR_OF_A_KIND, Rank.TWO)),
            InstantWin("dragon", block=Target(Pattern(1, 13), Rank.TWO)),
            InstantWin("four-triples", triples=4),
            InstantWin("three-fours", fours=3),
            InstantWin("six-pairs", pairs=6),
        ),
        points=0,
    ),
    customs=("trading",),
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
