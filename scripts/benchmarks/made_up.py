"""Nights generated from a seed: `python -m benchmarks.made_up COUNT` prints, as JSON, the text of each with its
number of moves, for a measured process that must not have seen them."""

import json
import sys
from random import Random

from benchmarks.records import RULESET
from ledger.game import notation
from ledger.game.corpus import made_up

_ROUNDS = 4

if __name__ == "__main__":
    nights = [made_up(Random(seed), RULESET, _ROUNDS) for seed in range(int(sys.argv[1]))]
    print(
        json.dumps([(notation.write(one), sum(len(round.moves) for round in one.rounds)) for one in nights])
    )
