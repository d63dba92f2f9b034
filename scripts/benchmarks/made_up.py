"""Nights that are made up from a seed: `python -m benchmarks.made_up COUNT` prints, as JSON, the text of each with
the number of its moves, for a process that is measured and must not have seen them."""

import json
import sys
from random import Random

from benchmarks.records import NAMES, RULESET
from ledger.game import notation
from ledger.game.night import Night, due_header
from ledger.game.round import Round
from tests.game.generator import greedy, patient, play_round

_ROUNDS = 4
_SEATS = (0, 1, 2, 3)


def night(seed: int) -> Night:
    """A night of a few rounds under the usual ruleset; half of its tables are dealt bombs."""
    chance = Random(seed)
    rounds: list[Round] = []
    for _ in range(_ROUNDS):
        header = due_header(RULESET, _SEATS, rounds[-1] if rounds else None)
        choose = chance.choice((greedy, patient))
        *_, last = play_round(chance, RULESET, header, choose, bombs=chance.random() < 0.5)
        rounds.append(last.round)
    return Night(RULESET, NAMES, entries=tuple(rounds))


if __name__ == "__main__":
    nights = [night(seed) for seed in range(int(sys.argv[1]))]
    print(
        json.dumps([(notation.write(one), sum(len(round.moves) for round in one.rounds)) for one in nights])
    )
