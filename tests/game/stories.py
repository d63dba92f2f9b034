"""Rounds in which each player holds one suit: p1 spades, p2 clubs, p3 diamonds, p4 hearts."""

from tests.game.table import run

IN_TURN = "p1 3s\np2 4c\np3 5d\np4 6h"
"""Each player plays one card."""

_FIRST = f"p1 2s\np1 {run('s', '4')}"
_SECOND = f"p2 -\np3 -\np4 -\np2 {run('c', '5')}\np2 2c\np2 3c"
_THIRD = f"p3 -\np4 -\np3 {run('d', '6')}\np3 2d\np3 4d\np3 3d"


def _without(story: str, players: int) -> str:
    """A story without the lines of players beyond `players`."""
    return "\n".join(line for line in story.splitlines() if int(line[1]) <= players)


FIRST_OUT = {players: _without(f"{IN_TURN}\n{_FIRST}", players) for players in (2, 3, 4)}
"""Every player has played, and p1 goes out."""

WHOLE_ROUND = {
    players: _without("\n".join([IN_TURN, _FIRST, _SECOND, _THIRD][:players]), players)
    for players in (2, 3, 4)
}
"""A round to its end, when only the last player has cards."""

OUT_WITH_A_TWO = f"""round 1 lead p2
    p2 {run("h", "5")}
    p2 3c 3h
    p3 6c 6d
    p4 7c 7d
    p1 8s 8c
    p1 2c
    p2 2h
    p3 4s 4c 4d 4h"""
"""p2 goes out with a 2, and p3 bombs it."""
