"""The rules engine against other games' libraries; each turn uses nights new to this process."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import repeat
from statistics import median

from benchmarks import peers
from benchmarks.measuring import Effort, Figure, Goal, Pass, Row, ratios, take_turns
from ledger.game import notation
from ledger.game.scoring import payments


def rows(effort: Effort) -> Iterator[Row]:
    """Whole nights from text, compared with whole games of other libraries."""
    games, hands = peers.chess_games(), peers.poker_hands()
    passes: dict[str, Iterator[Pass]] = {
        "ours": _on_unseen_nights(effort),
        "chess": repeat(Pass(lambda: peers.play_chess(games), sum(map(len, games)))),
        "poker": repeat(Pass(lambda: peers.play_poker(hands), sum(hand.played for hand in hands))),
    }
    times = take_turns(passes, effort.turns)
    ours = {"a move": Figure(median(times["ours"]))}
    cold = (
        f"Whole made-up nights from text, in each turn {effort.fresh_nights} that this process has never seen: "
        "every line read, every move judged, every round paid; by move."
    )
    yield Row(
        name="replay-chess",
        title="replay and score, against python-chess",
        values=ratios(times["chess"], times["ours"]),
        goal=Goal(2, least=True),
        same_work=f"{cold} Whole recorded games from UCI texts, read, judged and played by Board.push_uci; by ply.",
        measured=ours | {"a ply": Figure(median(times["chess"]))},
    )
    yield Row(
        name="replay-pokerkit",
        title="replay and score, against pokerkit",
        values=ratios(times["poker"], times["ours"]),
        goal=Goal(25, least=True),
        same_work=f"{cold} Whole no-limit hold'em hands from PHH texts, read, judged and played by parse_action, "
        "from the deal to the chips; by the players' action: dealing is done on the way, as paying is.",
        measured=ours | {"an action": Figure(median(times["poker"]))},
    )


def score(texts: Iterable[str]) -> None:
    """Replay and score nights: text in, payments out."""
    for text in texts:
        for round in notation.replay(notation.read(text)).rounds:
            payments(round)


def _on_unseen_nights(effort: Effort) -> Iterator[Pass]:
    """Passes on fresh nights. Another process generates them, since this one caches what it has seen."""
    count = (effort.turns + 1) * effort.fresh_nights
    command = [sys.executable, "-m", "benchmarks.made_up", str(count)]
    made = subprocess.run(command, check=True, capture_output=True, text=True)
    nights: list[tuple[str, int]] = json.loads(made.stdout)
    for first in range(0, count, effort.fresh_nights):
        texts, moves = zip(*nights[first : first + effort.fresh_nights], strict=True)
        yield Pass(partial(score, texts), sum(moves))
