"""Scored replays as lines of text, for a terminal."""

from collections.abc import Iterable

from ledger.game.notation import by_tag
from ledger.game.report import NightReport, NoScore, PaymentReport, RoundReport
from ledger.game.side_by_side import ComparedRoundReport, ComparisonReport
from ledger.language.speaker import Speaker


def report_text(
    path: str, told: NightReport | ComparisonReport | NoScore, say: Speaker, *, several: bool
) -> str:
    """What is told of a file; `several`: of one among others, the totals only."""
    match told:
        case NoScore():
            return _error_line(path, told, say)
        case NightReport():
            return _summary(path, told, say, several=several)
        case ComparisonReport():
            return _side_by_side(path, told, say, several=several)


def _error_line(path: str, told: NoScore, say: Speaker) -> str:
    """One line: file, line, code, clause, what was offered and what lay on the table."""
    error = told.error
    words = [f"{path}:{error.line}", error.code, *([error.clause] if error.clause is not None else [])]
    if error.move is not None:
        words.append(f"(round {error.round}, move {error.move})")
    line = f"{' '.join(map(str, words))}: {error.message}"
    if error.offered:
        line += f" [{say.cards(error.offered)} → {say.cards(error.top or ()) or '–'}]"
    return line


def _summary(path: str, told: NightReport, say: Speaker, *, several: bool) -> str:
    """A scored night: round by round, and the totals."""
    names = by_tag(told.players)
    net = _net(told.net, names, say)
    if several:
        return f"{path}: {net}"
    lines = []
    for round in told.rounds:
        said = [say.status(round.status), _by_result(round, say), round.void]
        lines.append(f"{round.number}. {': '.join(filter(None, said))}")
        lines += [f"   {line}" for line in _paid(round.payments, names, say)]
        lines += [f"   {finding.message} ({finding.clause})" for finding in round.findings]
    lines += [
        f"{names[one.payer]} → {names[one.payee]} {one.points}  {one.reason}" for one in told.adjustments
    ]
    scored = (f"{names[player]} {points}" for player, points in told.sheet.items())
    sheet = [say.say("report sheet", scored="  ".join(scored))] if told.sheet else []
    return "\n".join([*lines, f"= {net}", *sheet])


def _side_by_side(path: str, told: ComparisonReport, say: Speaker, *, several: bool) -> str:
    """A night under its own ruleset and another: round by round, the totals, and where the two first differ."""
    names = by_tag(told.players)
    own, other = _with_rules(told.ruleset, told.rules), _with_rules(told.under, told.under_rules)
    lines = []
    for round in told.rounds:
        said = filter(None, [_by_result(round, say), say.left_out(round)])
        lines.append(f"{round.number}. {' '.join(said)}".rstrip())
        for ruleset, side in ((own, round.here), (other, round.there)):
            if side is not None:
                lines.append(f"   {ruleset}: {say.status(side.status)}: {_net(side.net, names, say)}")
                lines += [f"      {line}" for line in _paid(side.payments, names, say)]
    nets = ((own, told.net.here), (other, told.net.there))
    totals = [f"= {ruleset}: {_net(net, names, say)}" for ruleset, net in nets]
    found = [say.difference(told, with_move=True)]
    if first := told.first:
        found += [f"   {own}: {first.here.message}", f"   {other}: {first.there.message}"]
    if several:
        return "\n".join(f"{path}: {line}" for line in [*totals, found[0]])
    return "\n".join([*lines, *totals, *found])


def _with_rules(ruleset: str, rules: Iterable[tuple[str, str]]) -> str:
    laid = ", ".join(f"{path}={value}" for path, value in rules)
    return f"{ruleset} + {laid}" if laid else ruleset


def _net(net: dict[str, int], names: dict[str, str], say: Speaker) -> str:
    return "  ".join(f"{names[player]} {say.signed(points)}" for player, points in net.items())


def _paid(payments: Iterable[PaymentReport], names: dict[str, str], say: Speaker) -> list[str]:
    return [
        f"{names[one.payer]} → {names[one.payee]} {one.points}  {say.reason(one.reason)} ({one.clause})"
        for one in payments
    ]


def _by_result(round: RoundReport | ComparedRoundReport, say: Speaker) -> str:
    return say.gettext("entered as its result") if round.recorded else ""
