"""Which cards an unknown hand can still play, against every play that could be made of the unseen cards."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from ledger.game.cards import Cards, Rank
from ledger.game.moves import Pass, Play
from ledger.game.possible import playable
from ledger.game.rounds import apply
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from ledger.game.state import NOBODY, Header, Round
from ledger.game.verdicts import judge
from tests.game.generator import at_random, greedy, patient, play_round
from tests.game.table import DECK, after, cards, run


def everything(stock: Cards) -> Iterator[Cards]:
    """Every combination that can be made of some cards, suit by suit."""
    suits = [
        [1 << 4 * rank + suit for suit in range(4) if stock >> 4 * rank + suit & 1] for rank in range(13)
    ]
    pairs = [[sum(pair) for pair in combinations(rank, 2)] for rank in suits]
    for rank in suits:
        for size in range(1, 5):
            yield from map(sum, combinations(rank, size))
    for length in range(3, 13):
        for low in range(13 - length):
            yield from map(sum, product(*suits[low : low + length]))
    for length in (3, 4):
        for low in range(13 - length):
            yield from map(sum, product(*pairs[low : low + length]))


def brute_force(round: Round, player: int) -> Cards:
    """The cards of every play of unseen cards that would be legal now, or once those before have passed."""
    brought = round
    while not brought.over and not brought.leading and brought.turn != player:
        brought = apply(brought, Pass(brought.turn))
    places = [round, brought] if brought.turn in (NOBODY, player) else [round]
    found: Cards = 0
    for play in everything(round.unseen):
        if play & ~found and play.bit_count() <= round.left[player]:
            move = Play(player, play)
            if any(judge(place, move) is None for place in places):
                found |= play
    return found


@pytest.mark.parametrize("seed", range(40))
def test_playable_is_what_brute_force_finds_late_in_a_round(seed: int) -> None:
    chance = Random(seed)
    ruleset = chance.choice((CLASSIC, WINNER_TAKES_ALL))
    choose = chance.choice((greedy, at_random, patient))
    header = Header((0, 1, 2, 3), chance.choice((None, 0)))
    late = [
        dealt.round
        for dealt in play_round(chance, ruleset, header, choose, bombs=True)
        if not dealt.round.over and dealt.round.unseen.bit_count() <= 22
    ]
    for round in chance.sample(late, min(6, len(late))):
        for player in range(4):
            assert DECK.write(playable(round, player)) == DECK.write(brute_force(round, player))


BOMBS_AND_TWOS = cards("3s 3c 3d 3h 4s 4c 4d 4h 5d 5h 6d 6h 7d 7h 8d 8h 2s 2c 2d 2h")


@pytest.mark.parametrize(
    "story",
    [
        "round 1 opening",
        "round 1 opening\np1 - !",
        "round 1 lead p1",
        "round 1 lead p1\np1 2s",
        "round 1 lead p1\np1 2s\np2 -",
        "round 1 lead p1\np1 2s\np2 -\np3 -\np4 -",
        "round 1 lead p1\np1 2s 2d\np2 -",
        "round 1 lead p1\np1 2s 2d 2c\np2 -",
        "round 1 lead p1\np1 2s 9s !\np2 -",
        "round 1 lead p1\np1 3s 3c 4s 4c 5d 5h\np2 -",
        "round 1 lead p1\np1 3s 3c 3d 3h\np2 -",
        "round 1 lead p1\np1 6d",
        "round 1 lead p1\np1 3s 3c",
        "round 1 lead p1\np1 3s 3c 3d",
        "round 1 lead p1\np1 3s 4s 5d",
        "round 1 lead p1\np1 3d 4d 5d 6d",
        "round 1 lead p1\np1 5d 5h 6d 6h 7d 7h",
    ],
)
def test_playable_is_what_brute_force_finds_with_few_cards_left(story: str) -> None:
    # As if all other cards had been seen: too many for a story to tell.
    round = after(story)
    round.seen |= DECK.all & ~BOMBS_AND_TWOS
    for player in range(4):
        assert DECK.write(playable(round, player)) == DECK.write(brute_force(round, player))


@pytest.mark.parametrize(
    ("story", "player", "expected"),
    [
        ("round 1 lead p1\np1 As", 1, "Ac Ad Ah 2s 2c 2d 2h"),
        ("round 1 lead p1\np1 2h", 0, "anything"),
        ("p1 3s\np2 2h", 0, "bombs"),
        ("p1 3s\np2 -\np3 2h", 1, "bombs"),
        ("p1 3s\np2 -\np3 4h", 1, ""),
        ("p1 3s\np2 -\np3 -\np4 -", 1, ""),
        ("p1 3s\np2 -\np3 -\np4 -", 0, "anything"),
        (f"p1 {run('s')}\np1 2s", 1, ""),
    ],
)
def test_playable_by_hand(story: str, player: int, expected: str) -> None:
    round = after(story)
    no_twos = round.unseen & ~DECK.rank(Rank.TWO)
    named = {"anything": round.unseen, "bombs": no_twos}
    assert playable(round, player) == (named[expected] if expected in named else cards(expected))


def test_s_open_the_opener_can_play_the_lowest_card_and_what_goes_with_it() -> None:
    assert playable(after("round 1 opening"), 2) == DECK.all & ~DECK.rank(Rank.TWO)
    assert playable(after("round 1 opening", players=3), 2) == DECK.all


def test_s_open_nobody_can_open_without_the_lowest_card() -> None:
    # It cannot have been seen before the opening; were it, there would be no answer but none.
    round = after("p1 - !")
    round.seen |= cards("3s")
    assert playable(round, 1) == 0
