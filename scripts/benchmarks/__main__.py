"""The command that runs the groups and prints the table."""

import json
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping

import click
from rich.console import Console
from rich.table import Table

from benchmarks import auditing, club, engine, growth, ihatemoney, reading, service, watching
from benchmarks.measuring import Effort, Row

GROUPS: Mapping[str, Callable[[Effort], Iterator[Row]]] = {
    "engine": engine.rows,
    "audit": auditing.rows,
    "service": service.rows,
    "reading": reading.rows,
    "ihatemoney": ihatemoney.rows,
    "watching": watching.rows,
    "growth": growth.rows,
    "club": club.rows,
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick", is_flag=True, help="A few repeats over a few records: shows that it runs, no more.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option("--only", "groups", multiple=True, type=click.Choice(list(GROUPS)), help="Only these groups.")
def main(quick: bool, as_json: bool, groups: tuple[str, ...]) -> None:
    """Measure the rules and the service against work of the same kind, in one run."""
    effort = Effort.quick() if quick else Effort.full()
    progress = Console(stderr=True)
    rows: list[Row] = []
    for group in groups or GROUPS:
        with progress.status(f"measuring: {group}"):
            rows += GROUPS[group](effort)
    if as_json:
        click.echo(json.dumps({**_machine(), "quick": quick, "rows": [row.data() for row in rows]}, indent=2))
    else:
        _print(rows, quick=quick)


def _machine() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "machine": platform.machine(),
    }


def _print(rows: list[Row], *, quick: bool) -> None:
    machine = _machine()
    how = (
        "quick: too few repeats to conclude from" if quick else "medians; the range holds half of the repeats"
    )
    table = Table(
        title=f"Python {machine['python']}, SQLite {machine['sqlite']}; {how}", show_lines=True, expand=True
    )
    table.add_column("what", ratio=3)
    for heading in ("result", "range", "goal"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("holds", no_wrap=True)
    table.add_column("the same work", ratio=6)
    for row in rows:
        verdict = "–" if row.holds is None else "yes" if row.holds else "NO"
        measured = "; ".join(f"{name} {figure}" for name, figure in row.measured.items())
        beside = f"not measured: {row.missing}" if row.missing else measured
        goal = str(row.goal) if row.goal else "–"
        table.add_row(
            row.title, row.result, row.range, goal, verdict, f"{row.same_work}\n[dim]{beside}[/dim]"
        )
    console = Console()
    # In a pipe or a narrow window, a table of full width is easier to read than one with broken words.
    console.width = max(console.width, 140)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
