"""What a preset says of some cards, in the notation."""

from ledger.game.cards import Card
from ledger.game.combinations import Combination
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled


def read(preset: str, text: str) -> Combination | None:
    """What the cards are under a preset, or None."""
    ruleset = PRESETS[preset]
    return compiled(ruleset).index.read(ruleset.deck.gather(map(Card.read, text.split()))[0])


def beats(preset: str, higher: str, lower: str) -> bool:
    """Whether one combination may be laid on another."""
    one, other = read(preset, higher), read(preset, lower)
    assert one is not None, higher
    assert other is not None, lower
    return one.beats(other)


def beaten_by(preset: str, bomb: str, tops: tuple[str, ...]) -> list[str]:
    """Which of some tops a play beats, in their order."""
    return [top for top in tops if beats(preset, bomb, top)]


def one_by_one(hands: list[tuple[str, str]]) -> str:
    """A round in which each player of a list lays twelve cards in a row and then a last one, all others passing.

    Whoever stands last in the list is left with cards.
    """
    lines = []
    for place, (row, last) in enumerate(hands[:-1], start=1):
        lines += [f"p{place} {row}", f"p{place} {last}"]
        lines += [f"p{other} -" for other in range(place + 1, len(hands) + 1) if place < len(hands) - 1]
    return "\n".join(lines)


def wins_at_once(preset: str, hand: str, *, opening: bool = False) -> str | None:
    """The name of the instant win that a whole hand is, or None."""
    ruleset = PRESETS[preset]
    win = compiled(ruleset).instant_win(ruleset.deck.gather(map(Card.read, hand.split()))[0], opening=opening)
    return win.name if win else None
