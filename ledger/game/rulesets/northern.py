"""The northern rules (tiến lên miền Bắc): answers follow suit, bombs have an order of their own.

Read out of a public rules text, the specification of a table's own northern game; other northern tables play
without pair sequences.
"""

from dataclasses import replace

from ledger.game.cards import BLACK, RED, Rank
from ledger.game.patterns import (
    FIVE_PAIRS,
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    PAIR,
    PAIR_OF_TWOS,
    SINGLE,
    THREE_PAIRS,
    TRIPLE,
    TRIPLE_OF_TWOS,
    TWO,
    Bomb,
    Combinations,
    Pattern,
    SpecialSet,
    Target,
)
from ledger.game.rulesets.card_count import CARD_COUNT
from ledger.game.rulesets.model import Chain, InstantWin, InstantWins, Passing, Several

_UP_TO_A_PAIR = (TWO, PAIR_OF_TWOS)
_UP_TO_THREE = (*_UP_TO_A_PAIR, TRIPLE_OF_TWOS)

# From the weakest to the strongest, with the 2s that each beats. Of two long sequences the longer is the stronger.
_ORDER = (
    (THREE_PAIRS, (TWO,)),
    (FOUR_OF_A_KIND, _UP_TO_A_PAIR),
    (Pattern(1, 5), _UP_TO_A_PAIR),
    *((Pattern(1, length), _UP_TO_THREE) for length in range(6, 13)),
    (FOUR_PAIRS, _UP_TO_A_PAIR),
    (FIVE_PAIRS, _UP_TO_THREE),
)


def _bombs() -> tuple[Bomb, ...]:
    """Each bomb beats its 2s and every weaker one, whatever their suits."""
    return tuple(
        Bomb(shape, (*twos, *(Target(weaker) for weaker, _ in _ORDER[:place])))
        for place, (shape, twos) in enumerate(_ORDER)
    )


def _twos_beat_all() -> tuple[Bomb, ...]:
    """2s need not follow suit: one beats any single card, two any pair, three any triple."""
    return tuple(
        Bomb(shape, (Target(shape, below=Rank.TWO),), rank=Rank.TWO, plain=True)
        for shape in (SINGLE, PAIR, TRIPLE)
    )


NORTHERN = replace(
    CARD_COUNT,
    id="northern",
    clauses="N",
    parent=CARD_COUNT.id,
    # A pass locks, and nothing is played out of turn
    passing=Passing(locks=True, late=()),
    # Pairs are of one colour, sequences of one suit, pair sequences of one colour throughout. An answer is of the
    # same suits: a single or a sequence of the same, a pair of the same colour, a triple of the same three.
    combinations=Combinations(
        same_rank=(1, 2, 3, 4),
        sequence_from=3,
        pair_sequences=(3, 4, 5),
        top_of_sequences=Rank.ACE,
        one_suit=True,
        one_colour=True,
        one_colour_throughout=True,
        follow_suits=True,
    ),
    bombs=(*_twos_beat_all(), *_bombs()),
    # In the order of the text; 13 from everybody is half of what never having played costs
    instant_wins=InstantWins(
        hands=(
            InstantWin("four-twos", block=Target(FOUR_OF_A_KIND, Rank.TWO)),
            InstantWin("dragon-of-one-suit", block=Target(Pattern(1, 12)), in_one_suit=True),
            InstantWin("six-pairs-of-one-colour", pairs=6, one_colour_pairs=True),
            InstantWin(
                "five-consecutive-pairs-of-one-colour", block=Target(FIVE_PAIRS), one_colour_pairs=True
            ),
            InstantWin("one-colour", one_colour=13),
            InstantWin("four-threes", block=Target(FOUR_OF_A_KIND, Rank.THREE), opening_only=True),
        ),
        points=13,
        several=Several.STRONGEST,
    ),
    # Nobody goes out with 2s
    ending=replace(CARD_COUNT.ending, no_last_two=True),
    payments=replace(
        CARD_COUNT.payments,
        special_sets=(
            SpecialSet(TWO, 2, suits=BLACK),
            SpecialSet(TWO, 4, suits=RED),
            *(SpecialSet(Target(THREE_PAIRS), 6, suits=colour) for colour in (BLACK, RED)),
            SpecialSet(Target(FOUR_OF_A_KIND), 8),
            *(SpecialSet(Target(FOUR_PAIRS), 8, suits=colour) for colour in (BLACK, RED)),
        ),
        # Who has played nothing pays 26 for the cards; special sets replace what their cards are worth of that
        unplayed=26,
        unplayed_replaces=True,
        # Whoever goes out with 2s all the same pays everybody 13 for each, and nobody pays anything else
        last_twos=13,
        # Whoever goes out with 3♠ alone is paid 26 by everybody; who is caught with it alone pays 26
        lowest_last=26,
        lowest_left=26,
        # Every chop is paid by itself
        chain=Chain.EACH,
    ),
    # Where the winner has left the lowest card opens: in one text the second leads then, but no round here has one.
    # Who deals; whether runs of five and more, which are bombs, are answered by other suits and lengths, and what a
    # bombed one is worth (nothing); whether the lowest card opens every round, as texts differ; who begins after an
    # instant win, what one brings, and which of several is paid; what never having played costs, and what becomes
    # of special sets then; whether 26 for 3♠ stands beside what cards cost, and whom the caught pays
    open=(
        "deal.dealer",
        "bombs",
        "opening.every_round",
        "opening.after_instant_win",
        "instant_wins.points",
        "instant_wins.several",
        "payments.special_sets",
        "payments.unplayed",
        "payments.unplayed_replaces",
        "payments.lowest_last",
        "payments.lowest_left",
    ),
)
