"""The command that runs the groups and prints each row as soon as it is measured."""

import json
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping

import click
from rich.console import Console
from rich.table import Table

from benchmarks import auditing, club, engine, growth, ihatemoney, reading, resources, service, watching
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
    "resources": resources.rows,
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick", is_flag=True, help="A few repeats over a few records: shows that it runs, no more.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option("--only", "groups", multiple=True, type=click.Choice(list(GROUPS)), help="Only these groups.")
def main(quick: bool, as_json: bool, groups: tuple[str, ...]) -> None:
    """Measure the rules and the service against work of the same kind, in one run."""
    effort = Effort.quick() if quick else Effort.full()
    rows: list[Row] = []
    for group in groups or GROUPS:
        click.echo(f"measuring: {group}", err=True)
        for row in GROUPS[group](effort):
            if not as_json:
                _print(row, heading=_heading(quick=quick) if not rows else "")
            rows.append(row)
    if as_json:
        click.echo(json.dumps({**_machine(), "quick": quick, "rows": [row.data() for row in rows]}, indent=2))


def _machine() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "machine": platform.machine(),
    }


def _heading(*, quick: bool) -> str:
    machine = _machine()
    how = (
        "quick: too few repeats to conclude from" if quick else "medians; the range holds half of the repeats"
    )
    return f"Python {machine['python']}, SQLite {machine['sqlite']}; {how}"


def _print(row: Row, *, heading: str) -> None:
    """Print a row, below a heading and the names of the columns if it is the first."""
    table = Table(title=heading or None, show_header=bool(heading), expand=True)
    table.add_column("what", ratio=3)
    for name in ("result", "range", "goal"):
        table.add_column(name, justify="right", width=16)
    table.add_column("holds", width=5)
    table.add_column("the same work", ratio=6)
    verdict = "–" if row.holds is None else "yes" if row.holds else "NO"
    measured = "; ".join(f"{name} {figure}" for name, figure in row.measured.items())
    beside = f"not measured: {row.missing}" if row.missing else measured
    goal = str(row.goal) if row.goal else "–"
    table.add_row(row.title, row.result, row.range, goal, verdict, f"{row.same_work}\n[dim]{beside}[/dim]")
    console = Console()
    # In a pipe or a narrow window, a table of full width is easier to read than one with broken words.
    console.width = max(console.width, 140)
    console.print(table)
    console.file.flush()


if __name__ == "__main__":
    sys.exit(main())
