"""How many taps a round costs its keeper: counted from what the page does, over rounds of a plain greedy player.

    python -m tests.browser.counting

`test_counting.py` holds the same counts against a real page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ledger.game.moves import Play
from ledger.game.notation import tag
from ledger.game.possible import alone
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.state import NOBODY, Header, Round
from tests.browser.tapping import Tap, is_of_the_play, taps
from tests.game.generator import Dealt, greedy, play_round

ROUNDS = 500
PLAYERS = (0, 1, 2, 3)


@dataclass(frozen=True)
class Phone:
    """How a phone is used."""

    singles: bool = False
    """Singles record themselves where they beat a single."""
    offers: bool = False
    """Cards of one rank are taken together where the page offers them."""
    rank_then_suit: bool = False
    """Not our grid: thirteen ranks, then four suits, for every card."""


def round_of(seed: int) -> list[Dealt]:
    """The positions of a round of four players under the classic rules, until it is over."""
    positions = play_round(Random(seed), CLASSIC, Header(PLAYERS), greedy)
    return [dealt for dealt in positions if not dealt.round.moves or is_of_the_play(dealt)]


def count(positions: Sequence[Dealt], phone: Phone) -> int:
    """The taps that record a round."""
    return sum(cost(tap, shown, phone) for tap, shown in entries(positions))


def entries(positions: Sequence[Dealt]) -> Iterator[tuple[Tap, Round]]:
    """Each entry, with the round as the page shows it then."""
    at = [position.round for position in positions]
    moves, place = at[-1].moves, 0
    for tap in taps(positions):
        yield tap, at[place]
        passes = next((n for n, move in enumerate(moves[place:]) if isinstance(move, Play)), 0)
        place += {"play": passes + 1, "pass": 1, "pass-all": passes}[tap.button]


def cost(tap: Tap, shown: Round, phone: Phone) -> int:
    """The taps of one entry: the seat where the page expects another one, the cards, the button."""
    cards = len(tap.cards)
    seat = bool(tap.seat) and (shown.turn == NOBODY or tap.seat != tag(shown.turn))
    if phone.rank_then_suit:
        return seat + 2 * cards + 1
    top = None if shown.leading else shown.top
    of_one_rank = cards > 1 and len({card[0] for card in tap.cards}) == 1
    if phone.offers and of_one_rank and (top is None or (top.size == cards and top.shape.length == 1)):
        return seat + 2
    records_itself = phone.singles and cards == 1 and tap.cards[0] in CLASSIC.deck.write(alone(shown))
    return seat + cards + (not records_itself)


PHONES = {
    "as it comes": Phone(),
    "with what is offered": Phone(offers=True),
    "singles that record themselves": Phone(singles=True),
    "both": Phone(singles=True, offers=True),
    "rank, then suit (not ours)": Phone(rank_then_suit=True),
}


def taps_a_play(rounds: int = ROUNDS) -> dict[str, float]:
    """By phone, on the average; those for passes included."""
    taps, plays = dict.fromkeys(PHONES, 0), 0
    for positions in map(round_of, range(rounds)):
        plays += sum(isinstance(move, Play) for move in positions[-1].round.moves)
        for name, phone in PHONES.items():
            taps[name] += count(positions, phone)
    return {name: total / plays for name, total in taps.items()}


if __name__ == "__main__":
    for name, average in taps_a_play().items():
        print(f"{name:32}{average:6.2f}")
