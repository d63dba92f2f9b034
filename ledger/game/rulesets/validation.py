"""Validation: rejects rulesets whose numbers or fields do not go together."""

from collections.abc import Iterator
from operator import attrgetter
from typing import TypeVar

from ledger.game.cards import Card, Rank
from ledger.game.patterns import Pattern
from ledger.game.rulesets.model import DECLARED, Ruleset

T = TypeVar("T")

_NUMBERS = {
    path: agreed for path, agreed in DECLARED.items() if path.startswith(("payments.", "instant_wins."))
}
"""Fields that may be numbers with bounds."""
MOST_PACKS = 2
MOST_PLAYERS = 12


class Unplayable(ValueError):
    """Raised with what a ruleset would need to be playable; `about` names the groups or fields concerned."""

    def __init__(self, needed: str, *about: str) -> None:
        super().__init__(needed)
        self.about = about


def validated(ruleset: Ruleset) -> Ruleset:
    """The ruleset; Unplayable if no table can play by it."""
    deal, deck = ruleset.deal, ruleset.deck
    if not 1 <= deal.packs <= MOST_PACKS:
        raise Unplayable(f"1 to {MOST_PACKS} packs", "deal")
    if not deal.players or not all(2 <= n <= MOST_PLAYERS for n in deal.players):
        raise Unplayable(f"2 to {MOST_PLAYERS} players", "deal")
    if not all(1 <= deal.hand_of(n) <= deck.all.bit_count() // n for n in deal.players):
        raise Unplayable("a hand of 1 card at least, and enough cards in the deck for every player", "deal")
    if 1 not in ruleset.combinations.same_rank:
        raise Unplayable("single cards that may be played", "combinations")
    if ruleset.combinations.sequence_from < 3:
        raise Unplayable("3 ranks at least in a sequence", "combinations")
    narrow = any(
        bomb.shape.suits > ruleset.combinations.as_played(bomb.shape.shape).suits for bomb in ruleset.bombs
    )
    if narrow and ruleset.opening.bombs_answer:
        raise Unplayable(
            "bombs of narrower suits than they are played in, only where bombs may be led", "bombs", "opening"
        )
    if any(bomb.alike and bomb.rank is not None for bomb in ruleset.bombs):
        raise Unplayable("bombs of every top rank, if they compare alike", "bombs")
    if not all(1 <= row.payee < row.payer for row in ruleset.payments.places):
        raise Unplayable("a place that pays a better one", "payments.places")
    sheets = [len(row.points) for row in ruleset.payments.sheets]
    if len({*sheets}) < len(sheets) or not all(2 <= players <= MOST_PLAYERS for players in sheets):
        raise Unplayable("scores for each number of players once", "payments.sheets")
    for path, agreed in _NUMBERS.items():
        value = attrgetter(path)(ruleset)
        if isinstance(value, int) and not agreed.least <= value <= agreed.most:
            raise Unplayable(f"a number from {agreed.least} to {agreed.most}", path)
    shapes = [*_parts(ruleset, Pattern), *(("combinations", one) for one in ruleset.combinations.shapes())]
    for path, shape in shapes:
        if not (1 <= shape.width <= deck.rank_bits and 1 <= shape.length <= len(Rank)):
            raise Unplayable("patterns that the deck holds", path, "deal")
    for path, card in _parts(ruleset, Card):
        if card.back >= (deck.packs if deck.backs else 1):
            raise Unplayable("cards of the deck", path, "deal")
    sets = (*ruleset.payments.special_sets, *ruleset.payments.captured)
    wins = (win.block for win in ruleset.instant_wins.hands if win.block is not None)
    for target in (*(one.target for one in sets), *wins):
        if target.shape is None or target.plain or target.below is not None:
            raise Unplayable(
                "a pattern of each special set and instant win, of one top rank or of any",
                "payments",
                "instant_wins",
            )
    return ruleset


def _parts(value: object, wanted: type[T], path: str = "") -> Iterator[tuple[str, T]]:
    """Every part of a value that is of the wanted type, each with the ruleset field that holds it."""
    if isinstance(value, wanted):
        yield path, value
    elif isinstance(value, tuple):
        for one in value:
            yield from _parts(one, wanted, path)
    else:
        # What `dataclasses.fields` reads: for every part of a ruleset, that would take most of the time of a check.
        for name in getattr(value, "__dataclass_fields__", ()):
            inner = name if isinstance(value, Ruleset) else path
            yield from _parts(getattr(value, name), wanted, inner)
