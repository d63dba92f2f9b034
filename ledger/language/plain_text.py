"""Rules and scored replays as lines of plain text."""

import textwrap
from collections.abc import Iterable, Iterator

from ledger.game.notation import by_tag
from ledger.game.report import NightReport, NoScore, PaymentReport, RoundReport, UnderReport
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.idle import idle_in
from ledger.game.rulesets.overrides import own_rules
from ledger.game.side_by_side import ComparedRoundReport, ComparisonReport
from ledger.language.rules import PrintedClause, Table, rules_page
from ledger.language.speaker import Speaker

_WIDTH = 78
_INDENT = "  "


def rules_text(ruleset: Ruleset, speaker: Speaker) -> str:
    """The rules page as lines; tables in columns."""
    return "\n".join(_lines(ruleset, speaker)) + "\n"


def _lines(ruleset: Ruleset, speaker: Speaker) -> Iterator[str]:
    name = speaker.ruleset(ruleset.id)
    yield name if name == ruleset.id else f"{name} ({ruleset.id})"
    yield from textwrap.wrap(speaker.ruleset_line(ruleset.id), _WIDTH)
    for path, value in own_rules(ruleset):
        yield from _wrapped(f"+ {speaker.rule(path, value)}", hanging=2)
    for idle in idle_in(ruleset):
        yield from _wrapped(f"! {speaker.idle(idle)}", hanging=2)
    for section in rules_page(ruleset, speaker):
        yield from ("", section.title.upper())
        for clause in section.clauses:
            yield from ("", f"{clause.title} [{clause.id}]")
            yield from _clause(clause)


def _clause(clause: PrintedClause) -> Iterator[str]:
    first, *others = clause.paragraphs
    yield from _wrapped(first)
    if clause.table:
        yield from _table(clause.table)
    for paragraph in others:
        yield from _wrapped(paragraph)


def _table(table: Table) -> Iterator[str]:
    """Columns as wide as their cells; the last one is wrapped."""
    rows = [table.head, *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for *cells, last in rows:
        start = "".join(cell.ljust(width + 2) for cell, width in zip(cells, widths, strict=True))
        yield from _wrapped(f"{_INDENT}{start}", last, hanging=len(start) + 2)


def _wrapped(text: str, last: str = "", *, hanging: int = 0) -> list[str]:
    """Wrap a text; if there is a `last`, only that is wrapped, after `text` on the first line."""
    start = _INDENT + text if last else _INDENT
    return textwrap.wrap(
        last or text,
        max(_WIDTH, len(start) + 24),
        initial_indent=start,
        subsequent_indent=_INDENT + " " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


# Scored replays


def report_text(
    path: str, report: NightReport | ComparisonReport | NoScore, say: Speaker, *, several: bool
) -> str:
    """The report on a file; `several`: one of several files, so only its totals."""
    match report:
        case NoScore():
            return _error_line(path, report, say)
        case NightReport():
            return _summary(path, report, say, several=several)
        case ComparisonReport():
            return _side_by_side(path, report, say, several=several)


def _error_line(path: str, report: NoScore, say: Speaker) -> str:
    """One line: file, line, code, clause, the cards offered and those on the table."""
    error = report.error
    words = [f"{path}:{error.line}", error.code, *([error.clause] if error.clause is not None else [])]
    if error.move is not None:
        words.append(f"(round {error.round}, move {error.move})")
    line = f"{' '.join(map(str, words))}: {error.message}"
    if error.offered:
        line += f" [{say.cards(error.offered)} → {say.cards(error.top or ()) or '–'}]"
    return line


def _summary(path: str, report: NightReport, say: Speaker, *, several: bool) -> str:
    """A scored night: round by round, and the totals."""
    names = by_tag(report.players)
    net = _net(report.net, names, say)
    if several:
        return f"{path}: {net}"
    lines = []
    for round in report.rounds:
        if round.under is not None:
            lines += _under(round.number, round.under, say)
        counts = say.say("step round-counts", count=round.times) if round.times else ""
        remarks = [say.status(round.status), _by_result(round, say), round.void, counts]
        lines.append(f"{round.number}. {': '.join(filter(None, remarks))}")
        lines += [f"   {line}" for line in _paid(round.payments, names, say)]
        lines += [f"   {finding.message} ({finding.clause})" for finding in round.findings]
    if report.next_under is not None:
        lines += _under(len(report.rounds) + 1, report.next_under, say)
    lines += [
        f"{names[one.payer]} → {names[one.payee]} {one.points}  {one.reason}" for one in report.adjustments
    ]
    scored = (f"{names[player]} {points}" for player, points in report.sheet.items())
    sheet = [say.say("report sheet", scored="  ".join(scored))] if report.sheet else []
    return "\n".join([*(report.without_effect or ()), *lines, f"= {net}", *sheet])


def _under(number: int, under: UnderReport, say: Speaker) -> list[str]:
    """The new terms of a round, and which of its rules have no effect."""
    stake = say.say("report all rounds", stake=under.stake) if under.all_rounds else under.stake
    terms = ", ".join(filter(None, [_with_rules(under.ruleset, under.rules), stake]))
    return [say.say("report under", number=number, terms=terms), *(under.without_effect or ())]


def _side_by_side(path: str, report: ComparisonReport, say: Speaker, *, several: bool) -> str:
    """A night under its own ruleset and another: round by round, the totals, and where the two first differ."""
    names = by_tag(report.players)
    own, other = _with_rules(report.ruleset, report.rules), _with_rules(report.under, report.under_rules)
    lines = []
    for round in report.rounds:
        remarks = filter(None, [_by_result(round, say), say.left_out(round)])
        lines.append(f"{round.number}. {' '.join(remarks)}".rstrip())
        here = own if round.own is None else _with_rules(round.own.ruleset, round.own.rules)
        for ruleset, side in ((here, round.here), (other, round.there)):
            if side is not None:
                lines.append(f"   {ruleset}: {say.status(side.status)}: {_net(side.net, names, say)}")
                lines += [f"      {line}" for line in _paid(side.payments, names, say)]
    nets = ((own, report.net.here), (other, report.net.there))
    totals = [f"= {ruleset}: {_net(net, names, say)}" for ruleset, net in nets]
    found = [say.difference(report, with_move=True)]
    if changed := [str(round.number) for round in report.rounds if round.own is not None]:
        found.append(say.say("comparison replaces", rounds=", ".join(changed)))
    if first := report.first:
        found += [f"   {own}: {first.here.message}", f"   {other}: {first.there.message}"]
    if several:
        return "\n".join(f"{path}: {line}" for line in [*totals, found[0]])
    return "\n".join([*lines, *totals, *found])


def _with_rules(ruleset: str, rules: Iterable[tuple[str, str]]) -> str:
    lines = ", ".join(f"{path}={value}" for path, value in rules)
    return f"{ruleset} + {lines}" if lines else ruleset


def _net(net: dict[str, int], names: dict[str, str], say: Speaker) -> str:
    return "  ".join(f"{names[player]} {say.signed(points)}" for player, points in net.items())


def _paid(payments: Iterable[PaymentReport], names: dict[str, str], say: Speaker) -> list[str]:
    explained = ((one, say.reason(one.reason, owed_by=names.get(one.owed_by or "", ""))) for one in payments)
    return [
        f"{names[one.payer]} → {names[one.payee]} {one.points}  {reason} ({one.clause})"
        for one, reason in explained
    ]


def _by_result(round: RoundReport | ComparedRoundReport, say: Speaker) -> str:
    return say.gettext("entered as its result") if round.recorded else ""
