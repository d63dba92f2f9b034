"""What no table can play by: numbers and fields that do not go together."""

from ledger.game.rulesets.model import MOST_PACKS, MOST_PLAYERS, Ruleset


def validated(ruleset: Ruleset) -> Ruleset:
    """The ruleset; ValueError if no table can play by it."""
    deal = ruleset.deal
    if not 1 <= deal.packs <= MOST_PACKS:
        raise ValueError(f"1 to {MOST_PACKS} packs")
    if not deal.players or not all(2 <= n <= MOST_PLAYERS for n in deal.players):
        raise ValueError(f"2 to {MOST_PLAYERS} players")
    if not all(1 <= deal.hand_of(n) <= ruleset.deck.all.bit_count() // n for n in deal.players):
        raise ValueError("a hand of 1 card at least, and enough cards in the deck for every player")
    if ruleset.combinations.sequence_from < 3:
        raise ValueError("3 ranks at least in a sequence")
    narrow = any(
        bomb.shape.suits > ruleset.combinations.as_played(bomb.shape.shape).suits for bomb in ruleset.bombs
    )
    if narrow and ruleset.opening.bombs_answer:
        raise ValueError("bombs of narrower suits than they are played in, only where bombs may be led")
    if not all(1 <= row.payee < row.payer for row in ruleset.payments.places):
        raise ValueError("a place that pays a better one")
    return ruleset
