"""Scored replays as lines of text, for a terminal."""

from typing import Any

from ledger.game.notation import by_tag
from ledger.language.speaker import Speaker


def error_line(path: str, error: dict[str, Any], say: Speaker) -> str:
    """One line: file, line, code, clause, what was offered and what lay on the table."""
    place = f"{path}:{error['line']}"
    words = [place, error["code"], *([error["clause"]] if "clause" in error else [])]
    if "move" in error:
        words.append(f"(round {error['round']}, move {error['move']})")
    line = f"{' '.join(map(str, words))}: {error['message']}"
    if error.get("offered"):
        line += f" [{say.cards(error['offered'])} → {say.cards(error['top']) or '–'}]"
    return line


def summary(path: str, data: dict[str, Any], say: Speaker, *, several: bool) -> str:
    """A scored night: round by round, and the totals; of one among several files the totals only."""
    names = by_tag(data["players"])
    net = "  ".join(f"{names[player]} {say.signed(points)}" for player, points in data["net"].items())
    if several:
        return f"{path}: {net}"
    lines = []
    for round in data["rounds"]:
        said = [say.status(round["status"]), _by_result(round, say), round.get("void")]
        lines.append(f"{round['number']}. {': '.join(filter(None, said))}")
        lines += [
            f"   {names[paid['payer']]} → {names[paid['payee']]} {paid['points']}"
            f"  {say.reason(paid['reason'])} ({paid['clause']})"
            for paid in round["payments"]
        ]
        lines += [f"   {finding['message']} ({finding['clause']})" for finding in round["findings"]]
    lines += [
        f"{names[paid['payer']]} → {names[paid['payee']]} {paid['points']}  {paid['reason']}"
        for paid in data["adjustments"]
    ]
    return "\n".join([*lines, f"= {net}"])


def side_by_side(path: str, data: dict[str, Any], say: Speaker, *, several: bool) -> str:
    """A night under its own ruleset and another: round by round, the totals, and where the two first differ."""
    names = by_tag(data["players"])
    laid = ", ".join(f"{path}={value}" for path, value in data["rules"])
    sides = {"here": f"{data['ruleset']} + {laid}" if laid else data["ruleset"], "there": data["under"]}

    def net(points: dict[str, int]) -> str:
        return "  ".join(f"{names[player]} {say.signed(number)}" for player, number in points.items())

    lines = []
    for round in data["rounds"]:
        said = filter(None, [_by_result(round, say), say.left_out(round)])
        lines.append(f"{round['number']}. {' '.join(said)}".rstrip())
        for side, ruleset in sides.items():
            if round[side] is None:
                continue
            lines.append(f"   {ruleset}: {say.status(round[side]['status'])}: {net(round[side]['net'])}")
            lines += [
                f"      {names[paid['payer']]} → {names[paid['payee']]} {paid['points']}"
                f"  {say.reason(paid['reason'])} ({paid['clause']})"
                for paid in round[side]["payments"]
            ]
    totals = [f"= {ruleset}: {net(data['net'][side])}" for side, ruleset in sides.items()]
    found = [say.difference(data, with_move=True)]
    if first := data["first"]:
        found += [f"   {ruleset}: {first[side]['message']}" for side, ruleset in sides.items()]
    if several:
        return "\n".join(f"{path}: {line}" for line in [*totals, found[0]])
    return "\n".join([*lines, *totals, *found])


def _by_result(round: dict[str, Any], say: Speaker) -> str:
    return say.gettext("entered as its result") if "recorded" in round else ""
