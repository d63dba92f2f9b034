"""Perft by the judge alone, which is asked about every set of cards of every hand and every player's pass.

It is independent of `ledger.game.perft`, which generates moves without the judge. `python -m tests.game.judging
--write` counts the published deals with both, and writes the counts if they agree.
"""

import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ledger.game.cards import Cards, Rank, bits
from ledger.game.deals import Dealt, read_deal
from ledger.game.errors import Code
from ledger.game.fold import apply
from ledger.game.judge import judge
from ledger.game.moves import NOBODY, Move, Pass, Play
from ledger.game.notation import Unreadable
from ledger.game.perft import perft
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from tests.case_files import CASES

PUBLISHED = CASES / "perft.toml"


class Held(NamedTuple):
    """A hand: its cards, and every subset that is a combination."""

    cards: Cards
    sets: tuple[Cards, ...]

    def without(self, cards: Cards) -> "Held":
        return Held(self.cards & ~cards, tuple(one for one in self.sets if not one & cards))


class Position(NamedTuple):
    """A round with all hands and the draw pile."""

    round: Round
    hands: dict[int, Held]
    pile: tuple[Cards, ...]


def position(dealt: Dealt) -> Position:
    """The first position of a deal."""
    hands = {player: held(dealt.round, player, cards) for player, cards in dealt.hands.items()}
    return Position(dealt.round, hands, dealt.pile)


def held(round: Round, player: int, cards: Cards) -> Held:
    """A hand with the subsets that the judge calls combinations; that never changes during a round."""
    found, each = [], list(bits(cards))
    for chosen in range(1, 1 << len(each)):
        some = sum(card for place, card in enumerate(each) if chosen >> place & 1)
        refusal = judge(round, Play(player, some))
        if refusal is None or refusal.code is not Code.NOT_A_COMBINATION:
            found.append(some)
    return Held(cards, tuple(found))


def legal(at: Position) -> Iterator[tuple[Move, Cards]]:
    """Every legal move with the cards that leave the hand; of twins, only the first."""
    deck, ways = at.round.ruleset.deck, (False, True) if at.round.ruleset.passing.forward else (False,)
    lowest = min(deck.cards(hand.cards)[0] for hand in at.hands.values() if hand.cards)
    intruders = at.round.ruleset.opening.intruders
    for player, hand in at.hands.items():
        listed = set()
        for cards in hand.sets:
            names = deck.write(cards)
            read = at.round.compiled.index.read(cards)
            opens = lowest in deck.cards(cards) or (read is not None and read.is_one_of(intruders))
            if names in listed or (at.round.must_open and not opens):
                continue
            listed.add(names)
            for forward in ways:
                if judge(at.round, move := Play(player, cards, forward=forward)) is None:
                    yield move, cards
        twos = not hand.cards & ~deck.rank(Rank.TWO)
        acts = at.round.turn == player or (at.round.turn == NOBODY and lowest in deck.cards(hand.cards))
        if acts and (twos or not at.round.leading) and judge(at.round, Pass(player)) is None:
            yield Pass(player), 0


def after(at: Position, move: Move, cards: Cards) -> Position:
    """The position after a move; a player who passes may draw."""
    round, hand = apply(at.round, move), at.hands[move.player].without(cards)
    pile = at.pile
    if round.drawn > at.round.drawn:
        hand, pile = held(at.round, move.player, hand.cards | pile[0]), pile[1:]
    return Position(round, at.hands | {move.player: hand}, pile)


def count(at: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` legal moves."""
    if at.round.over:
        return 0
    if depth == 1:
        return sum(1 for _ in legal(at))
    return sum(count(after(at, *step), depth - 1) for step in legal(at))


class Case(NamedTuple):
    """A published deal under a ruleset, and the numbers of sequences of one, two, three and more moves."""

    number: int
    deal: str
    ruleset: str
    counts: tuple[int, ...]

    def dealt(self) -> Dealt:
        return read_deal(self.deal, PRESETS[self.ruleset])


@cache
def published() -> tuple[Case, ...]:
    """All published counts."""
    deals = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))["deals"]
    return tuple(
        Case(number, deal["deal"], ruleset, tuple(counts))
        for number, deal in enumerate(deals, start=1)
        for ruleset, counts in deal["counts"].items()
    )


def fitting(deal: str) -> Iterator[str]:
    """The ids of the presets under which a deal can be read."""
    for preset in PRESETS.values():
        try:
            read_deal(deal, preset)
        except Unreadable:
            continue
        yield preset.id


def counted(deal: str, preset: str) -> list[int]:
    """The counts of a deal. Raises AssertionError if the two generators differ."""
    dealt = read_deal(deal, PRESETS[preset])
    depths = range(1, 1 + (6 if dealt.round.hand_size <= 6 else 4))
    counts, at = [perft(dealt, depth) for depth in depths], position(dealt)
    judged = [count(at, depth) for depth in depths]
    if counts != judged:
        raise AssertionError(f"{preset}: {counts}, by judging {judged}\n{deal}")
    return counts


def write() -> None:
    """Count the published deals again with both generators, under every preset that fits."""
    text = PUBLISHED.read_text(encoding="utf-8")
    deals = [deal["deal"] for deal in tomllib.loads(text)["deals"]]
    lines = [line for line in text.splitlines() if line.startswith("#")]
    for number, deal in enumerate(deals, start=1):
        print(f"deal {number} of {len(deals)}", file=sys.stderr)
        lines += ["", "[[deals]]", f'deal = """\n{deal}"""', "", "[deals.counts]"]
        lines += [f"{preset} = {counted(deal, preset)}" for preset in fitting(deal)]
    PUBLISHED.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
