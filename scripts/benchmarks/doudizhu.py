"""Games of dou dizhu, played by rlcard in a process of its own: `python -m benchmarks.doudizhu`, by its Python.

Prints how many actions the games have; then plays all of them, and prints a line, for each line that it reads.
"""

import gc
import sys
from typing import Any, NamedTuple

from numpy.random import RandomState
from rlcard.games.doudizhu import Game

_GAMES = 10


class Recorded(NamedTuple):
    """A game: what it was dealt by, its actions as text, and who won."""

    seed: int
    actions: str
    winner: int


def record(seed: int) -> Recorded:
    """A game in which everybody plays as many cards as possible, and passes only where nothing beats; the same on
    every machine, whatever the order in which the playable cards are listed."""
    game, state = _dealt(seed)
    actions = []
    while not game.is_over():
        actions.append(min(state["actions"], key=lambda action: (action == "pass", -len(action), action)))
        state, _ = game.step(actions[-1])
    return Recorded(seed, " ".join(actions), game.winner_id)


def play(recorded: Recorded) -> None:
    """Deal, judge and play a whole game, and see who is paid."""
    game, state = _dealt(recorded.seed)
    for action in recorded.actions.split():
        assert action in state["actions"]
        state, _ = game.step(action)
    assert game.winner_id == recorded.winner
    game.judger.judge_payoffs(game.round.landlord_id, game.winner_id)


def _dealt(seed: int) -> tuple[Game, dict[str, Any]]:
    game = Game()
    game.np_random = RandomState(seed)
    state, _ = game.init_game()
    return game, state


def main() -> None:
    games = [record(seed) for seed in range(_GAMES)]
    gc.collect()
    gc.freeze()
    print(sum(len(game.actions.split()) for game in games), flush=True)
    for _ in sys.stdin:
        for game in games:
            play(game)
        print(flush=True)


if __name__ == "__main__":
    main()
