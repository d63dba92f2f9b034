"""Pro-Play: thirteen with a ladder of bombs, and points for all of it (source 003, "Pro-Play Thirteen")."""

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
    Pattern,
    SpecialSet,
    Target,
)
from ledger.game.rulesets.model import Chain, Contract, InstantWins, PlacePayment
from ledger.game.rulesets.thirteen import THIRTEEN

_SIX_PAIRS = Pattern(2, 6)
_THREE_TRIPLES, _FOUR_TRIPLES = Pattern(3, 3), Pattern(3, 4)
_TWO_FOURS, _THREE_FOURS = Pattern(4, 2, loose=True), Pattern(4, 3, loose=True)

# A rung: a level, a shape, and whether 2s are on top of it. From the lowest to the highest.
_LADDER = (
    (1, THREE_PAIRS, False),
    (1, FOUR_OF_A_KIND, False),
    (2, THREE_PAIRS, True),
    (2, FOUR_PAIRS, False),
    (2, _TWO_FOURS, False),
    (2, _THREE_TRIPLES, False),
    (3, FOUR_PAIRS, True),
    (3, FIVE_PAIRS, False),
    (3, FIVE_PAIRS, True),
    (3, _SIX_PAIRS, False),
    (3, _THREE_TRIPLES, True),
    (3, _FOUR_TRIPLES, False),
    (3, _THREE_FOURS, False),
    (3, _SIX_PAIRS, True),
    (4, _FOUR_TRIPLES, True),
    (4, FOUR_OF_A_KIND, True),
)


def _rung(shape: Pattern, on_twos: bool) -> Target:
    """One rung as what may be bombed. Fours of a kind together are one rung whether there are 2s among them."""
    if shape.loose:
        return Target(shape)
    return Target(shape, Rank.TWO) if on_twos else Target(shape, below=Rank.TWO)


def _bombs() -> tuple[Bomb, ...]:
    """Every rung beats those below it, and as many 2s as its level says, of which a sequence may end in one."""
    twos = (
        (TWO, *(Target(Pattern(1, length), Rank.TWO) for length in range(3, 14))),
        (PAIR_OF_TWOS,),
        (TRIPLE_OF_TWOS,),
    )
    found = []
    for place, (level, shape, on_twos) in enumerate(_LADDER):
        bombed = [target for count in twos[:level] for target in count]
        below = [_rung(lower, with_twos) for _, lower, with_twos in _LADDER[:place]]
        found.append(Bomb(shape, (*bombed, *below), rank=Rank.TWO if on_twos else None))
    return tuple(found)


PRO_PLAY = replace(
    THIRTEEN,
    id="pro-play",
    clauses="PP",
    parent=THIRTEEN.id,
    # 2s may end sequences of every kind; triples in sequence, and fours of a kind of any ranks together
    combinations=replace(
        THIRTEEN.combinations,
        triple_sequences=(3, 4),
        fours=(2, 3),
        top_of_sequences=Rank.TWO,
        top_of_pair_sequences=Rank.TWO,
    ),
    bombs=_bombs(),
    instant_wins=InstantWins(hands=(), points=0),
    # White-out: whoever has played nothing when the first player goes out is eliminated
    ending=replace(THIRTEEN.ending, knock_out=True),
    payments=replace(
        THIRTEEN.payments,
        # +2, +1, -1, -2. The source says it for four; for fewer this is the southern table.
        places=(
            PlacePayment(players=4, payer=4, payee=1, points=2),
            PlacePayment(players=4, payer=3, payee=2, points=1),
            PlacePayment(players=3, payer=2, payee=1, points=1),
            PlacePayment(players=3, payer=3, payee=1, points=2),
            PlacePayment(players=2, payer=2, payee=1, points=2),
        ),
        # White-out: twice what a loser pays
        full_hand=4,
        # 1 for each 2 that is bombed. Points compound by the levels: read as a bomb being worth its level to the
        # bomb that beats it (two fours of a kind together 2, three 3, whatever their ranks), on top of what it had
        # taken, so that the last player bombed pays it all.
        chain=Chain.CUT,
        captured=(
            SpecialSet(TWO, 1, suits=tuple(Suit)),
            *(
                SpecialSet(Target(shape, Rank.TWO if on_twos else None), level)
                for level, shape, on_twos in _LADDER
            ),
        ),
        captured_whole=True,
        chop_free_if_out=False,
        got_to_get_in=2,
    ),
    # Agreed to by all players before the play; blind is said before looking at the hand
    contracts=(
        Contract("guaransheed", gain=1, loss=2),
        Contract("blind-guaransheed", gain=2, loss=2),
    ),
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
