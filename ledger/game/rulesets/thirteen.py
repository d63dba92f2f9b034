"""Thirteen: the game as the survey of variants tells it first, and what is played beside its plain form.

The source is a survey of variants and house rules (source 003). Most of the other presets that it names are
children of `THIRTEEN`.
"""

from collections.abc import Iterable
from dataclasses import replace

from ledger.game.cards import Rank, Suit
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
    Pattern,
    SpecialSet,
    Target,
)
from ledger.game.rulesets.model import (
    Chain,
    Deal,
    Dealer,
    Direction,
    Ending,
    InstantWin,
    InstantWins,
    Kneeling,
    Opening,
    Passing,
    Payee,
    Payments,
    PlacePayment,
    Ruleset,
)

_SIX_PAIRS = Pattern(2, 6)

# 003, from "Standard combinations" to "Instant wins"
THIRTEEN = Ruleset(
    id="thirteen",
    clauses="T",
    # Two to four players, 13 cards each, the rest aside; clockwise
    deal=Deal(players=(2, 3, 4), hand=13, packs=1, direction=Direction.CLOCKWISE),
    # Every game begins with 3♠, alone or in a combination; that the winner leads is a common variation
    opening=Opening(after_instant_win=False, every_round=True),
    # Whoever has passed stays out until all others have passed
    passing=Passing(locks=True, late=()),
    # Single, pair, triple, run of three or more up to the ace; bombs: four of a kind, three or more pairs in a row
    combinations=Combinations(
        same_rank=(1, 2, 3, 4), sequence_from=3, pair_sequences=(3, 4, 5, 6), top_of_sequences=Rank.ACE
    ),
    # Bombs lie on as many 2s as they are large, and on weaker ones of their own type
    bombs=(
        Bomb(THREE_PAIRS, (TWO,)),
        Bomb(FOUR_OF_A_KIND, (TWO,)),
        Bomb(FOUR_PAIRS, (TWO, PAIR_OF_TWOS)),
        Bomb(FIVE_PAIRS, (TWO, PAIR_OF_TWOS, TRIPLE_OF_TWOS)),
        Bomb(_SIX_PAIRS, (TWO, PAIR_OF_TWOS, TRIPLE_OF_TWOS)),
    ),
    instant_wins=InstantWins(
        hands=(
            InstantWin("four-twos", block=Target(FOUR_OF_A_KIND, Rank.TWO)),
            InstantWin("six-pairs", pairs=6),
            InstantWin("dragon", block=Target(Pattern(1, 12))),
        ),
        points=0,
    ),
    # The first one out wins; the others go on until one is left
    ending=Ending(at_first_out=False, knock_out=False),
    payments=Payments(places=(), left=0, full_hand=0, special_sets=()),
    # Who deals; who opens if nobody was dealt 3♠ (whoever holds the lowest card); whether bombs are led (that none
    # may be the first play is named as a variation); whether a run is answered by one of another length
    open=("deal.dealer", "opening", "opening.bombs_answer", "combinations.equal_length"),
)


def still_open(*fixed: str) -> tuple[str, ...]:
    """What thirteen leaves open, but for what a child's own source fixes."""
    return tuple(path for path in THIRTEEN.open if path not in fixed)


def each_pays_first(tables: Iterable[int]) -> tuple[PlacePayment, ...]:
    """Every other player pays the first 1, at tables of so many players."""
    return tuple(
        PlacePayment(players=players, payer=place, payee=1, points=1)
        for players in tables
        for place in range(2, players + 1)
    )


# 003, "Points System": x is one point
POINTS = replace(
    THIRTEEN,
    id="thirteen-points",
    parent=THIRTEEN.id,
    instant_wins=replace(THIRTEEN.instant_wins, points=1),
    payments=Payments(
        # First place receives x from every loser; there are no other places
        places=each_pays_first(THIRTEEN.deal.players),
        left=1,
        # 2x from players with many cards left is an optional rule, of 13 cards or of 10
        full_hand=0,
        full_from=13,
        # An unused black 2 costs x, a red one 2x, a bomb 2x
        special_sets=(
            SpecialSet(TWO, 1, suits=(Suit.SPADES, Suit.CLUBS)),
            SpecialSet(TWO, 2, suits=(Suit.DIAMONDS, Suit.HEARTS)),
            *(SpecialSet(Target(bomb.shape), 2) for bomb in THIRTEEN.bombs),
        ),
        # Cutting a 2, black or red, is paid x at once; a bomb that is bombed is worth 2x, however long it is. That
        # a second cut doubles the first one's is a variation
        captured=(SpecialSet(TWO, 1), *(SpecialSet(Target(bomb.shape), 2) for bomb in THIRTEEN.bombs)),
        captured_whole=True,
        chain=Chain.EACH,
        chop_free_if_out=False,
        hoard_payee=Payee.WINNER,
    ),
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

# 003, "Kneeling System": the fourth kneels, and whoever was chopped, until coming in first; the third deals
KNEELING = replace(
    THIRTEEN,
    id="thirteen-kneeling",
    parent=THIRTEEN.id,
    deal=replace(THIRTEEN.deal, dealer=Dealer.THIRD),
    kneeling=Kneeling(last=True, chopped=True),
    # Who deals and kneels when fewer than four play; who is saved when two were chopped
    open=(*still_open("deal.dealer"), "deal.players", "kneeling"),
)

# 003, "Asian Deuces": the winner chooses whether cards are cleared pile by pile or at the end; in the first game
# whoever holds 3♠ does
ASIAN_DEUCES = replace(
    THIRTEEN,
    id="asian-deuces",
    parent=THIRTEEN.id,
    customs=("winner-chooses-clearing",),
)

# 003, "Draw Pile Thirteen (San Jose)": three players, 13 cards each and a pile of 13 to draw from at each pass
DRAW_PILE = replace(
    THIRTEEN,
    id="draw-pile",
    parent=THIRTEEN.id,
    deal=replace(THIRTEEN.deal, players=(3,), draw_pile=True),
    # Whether a pass locks although a card was drawn, and whether that card may be played at once
    open=(*THIRTEEN.open, "deal.draw_pile", "passing.locks"),
)

# 003, "Casual rules": simpler ones for players who are just starting
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
