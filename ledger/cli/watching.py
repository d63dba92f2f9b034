"""Looking at an installation from outside of its nights."""

import json

import click

from ledger.cli.group import main, recorder_of


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
