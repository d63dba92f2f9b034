"""The rules of a ruleset as plain text: the same page, for a terminal or a letter."""

import textwrap
from collections.abc import Iterator

from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.overrides import own_rules
from ledger.language.rules import PrintedClause, Table, rules_page
from ledger.language.speaker import Speaker

_WIDTH = 78
_INDENT = "  "


def rules_text(ruleset: Ruleset, speaker: Speaker) -> str:
    """What the page says, in lines; tables in columns."""
    return "\n".join(_lines(ruleset, speaker)) + "\n"


def _lines(ruleset: Ruleset, speaker: Speaker) -> Iterator[str]:
    name = speaker.ruleset(ruleset.id)
    yield name if name == ruleset.id else f"{name} ({ruleset.id})"
    yield from textwrap.wrap(speaker.ruleset_line(ruleset.id), _WIDTH)
    for path, value in own_rules(ruleset):
        yield from _wrapped(f"+ {speaker.rule(path, value)}", hanging=2)
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
    """Lines that are not too long; `text` stays on the first one as it is where something comes `last`."""
    start = _INDENT + text if last else _INDENT
    return textwrap.wrap(
        last or text,
        max(_WIDTH, len(start) + 24),
        initial_indent=start,
        subsequent_indent=_INDENT + " " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
