"""Looking at an installation from outside of its nights: what it is, and what is wrong with it."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from ledger.cli.group import explained, leads_to_a_server, main, recorder_of
from ledger.cli.sites import examine_site
from ledger.recorder import Installation
from ledger.recorder.operations.doctor import Check, State, examine

_SIGNS = {State.FINE: "✓", State.DOUBTFUL: "!", State.WRONG: "✗"}


@main.command()
@click.option(
    "--url",
    metavar="https://HOST/",
    callback=leads_to_a_server,
    help="Look at it from outside, too: HTTPS, proxy, streams.",
)
@click.option("--backups", type=click.Path(path_type=Path), metavar="DIR", help="Where backups are written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a check.")
@click.pass_context
def doctor(context: click.Context, url: str | None, backups: Path | None, as_json: bool) -> None:
    """Tell what is wrong with this installation, and how to mend it; exit 0 if nothing is, 1 if something is,
    2 if it cannot be looked at."""
    worst = False
    with explained():
        for check in _checks(context.obj[0], url, backups):
            worst = worst or check.state is State.WRONG
            click.echo(json.dumps(asdict(check), ensure_ascii=False) if as_json else _line(check))
    context.exit(int(worst))


def _checks(database: str | None, url: str | None, backups: Path | None) -> Iterator[Check]:
    now = datetime.now(UTC)
    yield from examine(database, now, backups=backups)
    if url is not None:
        recorder = Installation.find(database, make=False).open()
        with closing(recorder.store):
            yield from examine_site(url, recorder)


def _line(check: Check) -> str:
    mend = f"\n    {check.mend}" if check.mend else ""
    return f"{_SIGNS[check.state]} {check.name:12} {check.found}{mend}"


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(context: click.Context, as_json: bool) -> None:
    """Tell what this installation is and how much lies in it; no names, no cards, no links."""
    with recorder_of(context) as recorder:
        found = recorder.status().listed()
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        told = "; ".join(value) if isinstance(value, list) else value
        click.echo(f"{name:11} {told if told or told == 0 else 'none'}")
