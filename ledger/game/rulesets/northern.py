"""The northern rules (tiến lên miền Bắc): answers follow suit, bombs have an order of their own.

The source is a public rules text, the specification of a table's own northern game; other northern tables play
without pair sequences.
"""

from ledger.game.combinations import twos_over_all
from ledger.game.rulesets.card_count import CARD_COUNT
from ledger.game.rulesets.serialization import preset_over, write_field

_UP_TO_A_PAIR, _UP_TO_THREE = "1@2|2@2", "1@2|2@2|3@2"

# From the weakest to the strongest, with the 2s that each beats. Of two long sequences the longer is the stronger.
_ORDER = {
    "2x3": "1@2",
    "4": _UP_TO_A_PAIR,
    "1x5": _UP_TO_A_PAIR,
    **{f"1x{length}": _UP_TO_THREE for length in range(6, 13)},
    "2x4": _UP_TO_A_PAIR,
    "2x5": _UP_TO_THREE,
}
# Each bomb beats its 2s and every weaker one, whatever their suits.
_BOMBS = ",".join(
    "|".join((f"{shape}:{twos}", *list(_ORDER)[:index])) for index, (shape, twos) in enumerate(_ORDER.items())
)

NORTHERN = preset_over(
    CARD_COUNT,
    "northern",
    f"""
    ; A pass locks, and nothing is played out of turn
    passing.late=none
    ; Pairs are of one colour, sequences of one suit, pair sequences of one colour throughout. An answer is of the
    ; same suits: a single or a sequence of the same, a pair of the same colour, a triple of the same three.
    combinations.pair_sequences=3,4,5
    combinations.one_suit=yes
    combinations.one_colour=yes
    combinations.one_colour_throughout=yes
    combinations.follow_suits=yes
    ; 2s need not follow suit: one beats any single card, two any pair, three any triple.
    bombs={write_field(tuple(twos_over_all((1, 2, 3))))},{_BOMBS}
    ; In the order of the text; 13 from every other player is half the price of never having played
    instant_wins.hands=four-twos:block=4@2,dragon-of-one-suit:block=1x12:in_one_suit,
        six-pairs-of-one-colour:pairs=6:one_colour_pairs,
        five-consecutive-pairs-of-one-colour:block=2x5:one_colour_pairs,
        one-colour:one_colour=13,four-threes:block=4@3:opening_only
    instant_wins.points=13
    ; No player may go out with 2s
    ending.no_last_two=yes
    payments.special_sets=1@2:2:suits=sc,1@2:4:suits=dh,2x3:6:suits=sc,2x3:6:suits=dh,4:8,2x4:8:suits=sc,
        2x4:8:suits=dh
    ; A player who has played nothing pays 26 for the cards; special sets replace their cards' part of that
    payments.unplayed=26
    payments.unplayed_replaces=yes
    ; A player who goes out with 2s all the same pays every other 13 for each; nothing else is paid
    payments.last_twos=13
    ; Every other player pays 26 to one who goes out with 3♠ alone; a player left with it alone pays 26
    payments.lowest_last=26
    payments.lowest_left=26
    ; Every chop is paid by itself
    payments.chain=each
    """,
    clauses="N",
    # If the winner has left, the lowest card opens: in one text the second leads then, but no round here has one.
    # Who deals; whether runs of five and more, which are bombs, are answered by other suits and lengths, and what a
    # bombed one is worth (nothing); whether the lowest card opens every round, as texts differ; who begins after an
    # instant win, what one brings, and which of several is paid; what never having played costs, and what becomes
    # of special sets then; whether 26 for 3♠ is in addition to the price of cards, and who is paid
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
