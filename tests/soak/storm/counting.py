"""How many taps a round costs its keeper: computed from the page's behaviour, over rounds of a greedy player. The
tests of the browser check the same counts against a real page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import NamedTuple

from ledger.game.blocks import Block
from ledger.game.cards import Card, Cards, Rank
from ledger.game.corpus import greedy
from ledger.game.deals import Dealt
from ledger.game.legal_cards import higher_singles, legal_combinations
from ledger.game.moves import NOBODY, Play
from ledger.game.notation import tag
from ledger.game.round import Header, Round
from ledger.game.rulesets.southern import CLASSIC
from tests.browser.tapping import Tap, is_of_the_play, taps
from tests.game.composing import Choices, choices, composed
from tests.game.generator import play_round
from tests.soak.running import Tally, progress, row

MOST, ROOM = 8, 48  # the most buttons and letters that offers may take up, as in `offers.js`


@dataclass(frozen=True)
class Phone:
    """Settings and layout of a phone."""

    singles: bool = False  # a single that beats a single is recorded on the first tap
    offers: bool = False  # the offer for the wanted cards is tapped as soon as it is shown
    rank_then_suit: bool = False  # other than our grid: thirteen ranks, then four suits, for every card


def round_of(seed: int) -> list[Dealt]:
    """The positions of a round of four players under the classic rules, until it is over."""
    positions = play_round(Random(seed), CLASSIC, Header((0, 1, 2, 3)), greedy)
    return [dealt for dealt in positions if not dealt.round.moves or is_of_the_play(dealt)]


class Entry(NamedTuple):
    """One entry to record."""

    tap: Tap
    shown: Round  # the round as the page shows it before the entry
    offered_after: int | None  # so many cards, one tap on an offer records the entry; None if never


def count(entries: Sequence[Entry], phone: Phone) -> int:
    return sum(cost(entry, phone) for entry in entries)


def entries(positions: Sequence[Dealt]) -> Iterator[Entry]:
    at = [position.round for position in positions]
    moves, place = at[-1].moves, 0
    for tap in taps(positions):
        yield Entry(tap, at[place], offered_after(tap, at[place]))
        passes = next((n for n, move in enumerate(moves[place:]) if isinstance(move, Play)), 0)
        place += {"play": passes + 1, "pass": 1, "pass-all": passes}[tap.button]


def cost(entry: Entry, phone: Phone) -> int:
    """The taps of one entry: the seat if the page expects another, the cards, the button."""
    tap, shown, offered = entry
    cards = len(tap.cards)
    seat = bool(tap.seat) and (shown.turn == NOBODY or tap.seat != tag(shown.turn))
    if phone.rank_then_suit:
        return seat + 2 * cards + 1
    if phone.offers and offered:
        return seat + offered + 1
    higher = phone.singles and cards == 1 and CLASSIC.deck.write(higher_singles(shown))
    records_itself = higher and tap.cards[0] in higher
    return seat + cards + (not records_itself)


def offered_after(tap: Tap, shown: Round) -> int | None:
    """The number of cards tapped before the page offers the rest."""
    if len(tap.cards) < 2:
        return None
    player = int(tap.seat[1:]) - 1
    ways, left = list(legal_combinations(shown, player)), shown.cards_left[player]
    return next((n for n in range(1, len(tap.cards)) if is_offered(tap, n, ways, left)), None)


def is_offered(tap: Tap, tapped: int, ways: Sequence[Block], left: int) -> bool:
    """Whether the page offers all cards after so many taps, computed as in `offers.js`."""
    deck = CLASSIC.deck
    wanted, first = (deck.gather(map(Card.read, tap.cards[:n]))[0] for n in (len(tap.cards), tapped))
    kinds: dict[tuple[int, int], list[Choices]] = {}
    for way in ways:
        more = way.pattern.size - tapped
        if 0 < more <= left - tapped and (ranks := choices(deck, way, first)):
            low = deck.rank(way.ranks(deck)[0])
            kind = 0 if way.pattern.length == 1 else 1 if first & low else 2
            kinds.setdefault((more, kind), []).append(ranks)
    buttons = letters = 0
    for _, some in sorted(kinds.items()):
        if buttons + sum(prod(map(len, ranks)) for ranks in some) > MOST:
            continue
        found = [play for block in some for play in composed(block)]
        length = sum(2 + len(text(play, first)) for play in found)
        if letters + length <= ROOM:
            buttons, letters = buttons + len(found), letters + length
            if wanted in found:
                return True
    return False


def text(cards: Cards, tapped: Cards) -> str:
    """The label of an offer's button."""
    deck = CLASSIC.deck
    whole = len({card.rank for card in deck.cards(cards)}) == 1
    shown = deck.cards(cards if whole else cards & ~tapped)
    ranks = {card.rank: "10" if card.rank is Rank.TEN else card.rank.letter for card in shown}
    return "+" * (not whole) + "".join(ranks.values()) + "x" * len(shown)


PHONES = {
    "as it comes": Phone(),
    "with what is offered": Phone(offers=True),
    "singles that record themselves": Phone(singles=True),
    "both": Phone(singles=True, offers=True),
    "rank, then suit (not ours)": Phone(rank_then_suit=True),
}


def taps_a_play(rounds: int = 500) -> dict[str, float]:
    """The average number of taps per play, by phone; taps for passes included."""
    taps, plays = dict.fromkeys(PHONES, 0), 0
    for positions in map(round_of, progress(range(rounds), rounds, "rounds")):
        plays += sum(isinstance(move, Play) for move in positions[-1].round.moves)
        recorded = list(entries(positions))
        for name, phone in PHONES.items():
            taps[name] += count(recorded, phone)
    return {name: total / plays for name, total in taps.items()}


def soak(*, rounds: int = 500) -> Tally:
    """Count the taps of a play, by what the page offers."""
    averages = taps_a_play(rounds)
    for name, average in averages.items():
        row(name, f"{average:.2f}")
    return Tally({"rounds": rounds, "taps of 100 plays": round(100 * averages["as it comes"])})
