"""For other programs: how many ways there are to play a deal, rounds with payments, what a moves file may hold."""

from collections.abc import Iterator
from importlib import import_module
from itertools import count, cycle
from pathlib import Path
from random import Random

import click

from ledger.cli.group import Unusable, main, read_text
from ledger.cli.scoring import agreed, why_unread
from ledger.game.corpus import made_up
from ledger.game.deals import Dealt, read_deal
from ledger.game.night import MOST_ROUNDS
from ledger.game.notation import Unreadable, move_line, write
from ledger.game.perft import divide, perft
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.southern import CLASSIC
from ledger.language import Speaker

_ROUNDS = 20
"""Rounds of a night, where there are several."""


@main.command("perft")
@click.argument("deal", metavar="DEAL")
@click.option("--depth", type=click.IntRange(min=1), required=True, metavar="N", help="So many moves.")
@click.option(
    "--under", type=click.Choice(list(PRESETS)), default=CLASSIC.id, metavar="ID", help="The ruleset."
)
@click.option("--rule", "rules", multiple=True, metavar="RULE=VALUE", help="Lay this over the ruleset.")
@click.option("--divide", "divided", is_flag=True, help="Tell them apart by their first move.")
@click.pass_context
def count_moves(
    context: click.Context, deal: str, depth: int, under: str, rules: tuple[str, ...], divided: bool
) -> None:
    """Count the sequences of exactly N legal moves from a deal on: a file with a line for each hand, or -."""
    say: Speaker = context.obj[1]
    dealt = _dealt(deal, agreed(under, rules, say), say)
    if not divided:
        click.echo(perft(dealt, depth))
        return
    total = 0
    for move, below in divide(dealt, depth):
        total += below
        click.echo(f"{move_line(move, dealt.round.ruleset.deck)}: {below}")
    click.echo(total)


def _dealt(path: str, ruleset: Ruleset, say: Speaker) -> Dealt:
    """The deal of a file; what is wrong with it is one line, and status 2."""
    try:
        return read_deal(read_text(path), ruleset)
    except Unreadable as error:
        raise Unusable(f"{path}:{error.line}: {say.unreadable(error.expected)}") from None
    except (OSError, ValueError) as error:
        raise Unusable(f"{path}: {why_unread(error, say)}") from None


@main.command("corpus")
@click.argument("rounds", type=click.IntRange(min=1), metavar="N")
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, help="The same seed makes the same rounds."
)
@click.option(
    "--under", type=click.Choice(list(PRESETS)), metavar="ID", help="The ruleset; otherwise all of them."
)
@click.option("--rule", "rules", multiple=True, metavar="RULE=VALUE", help="Lay this over that ruleset.")
@click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="A file for each night."
)
@click.pass_context
def make_up_rounds(
    context: click.Context,
    rounds: int,
    seed: int,
    under: str | None,
    rules: tuple[str, ...],
    into: Path | None,
) -> None:
    """Make up N rounds with their payments, as replays (.tln): nights of 20 rounds in DIR, or one night to standard
    output."""
    say: Speaker = context.obj[1]
    if rules and under is None:
        raise click.UsageError("--rule is about the ruleset of --under: give its ID")
    if into is None and rounds > MOST_ROUNDS:
        raise click.UsageError(f"a night has {MOST_ROUNDS} rounds at the most: give --into DIR for several")
    if into is None and under is None:
        raise click.UsageError(
            "one night is played under one ruleset: give --under ID, or --into DIR for all"
        )
    rulesets = [agreed(under, rules, say)] if under else [*PRESETS.values()]
    for name, text in _nights(seed, rounds, rulesets, rounds if into is None else _ROUNDS):
        if into is None:
            click.echo(text, nl=False)
            return
        try:
            into.mkdir(parents=True, exist_ok=True)
            (into / name).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise Unusable(f"{into / name}: {error.strerror}") from None


def _nights(seed: int, rounds: int, rulesets: list[Ruleset], each: int) -> Iterator[tuple[str, str]]:
    """The names and the texts of nights under some rulesets in turn."""
    chance, turns = Random(seed), cycle(rulesets)
    for number in count(1):
        if rounds <= 0:
            return
        night = made_up(chance, next(turns), min(each, rounds))
        yield f"{number:04}-{night.ruleset.id}.tln", write(night, with_payments=True)
        rounds -= each


@main.command("schema")
def print_schema() -> None:
    """Print the JSON Schema of a line of a moves file (.jsonl)."""
    click.echo(import_module("ledger.web.api.openapi").moves_schema_text())
