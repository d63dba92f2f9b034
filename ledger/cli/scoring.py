"""Commands that need no installation: score replays, print rules; and for other engines: perft, generated rounds,
and the schema of moves files."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, cycle
from pathlib import Path
from random import Random

import click
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

from ledger.cli.group import Unusable, main, read_text
from ledger.game.corpus import made_up
from ledger.game.deals import Dealt, read_deal
from ledger.game.night import MOST_ROUNDS
from ledger.game.notation import Unreadable, move_line, write
from ledger.game.perft import divide, perft
from ledger.game.report import NightReport, NoScore, Outcome, Report, ScoreError, as_data, score, unreadable
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overrides import field_lines, with_rules
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.side_by_side import ComparisonReport, score_under
from ledger.language import LANGUAGES, Speaker, overviews, report_text, rules_text, speaker

_TABLE_WIDTH = 150


@main.command("score")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
@click.option("--strict", is_flag=True, help="Every pass must be written out.")
@click.option(
    "--under", type=click.Choice(list(PRESETS)), metavar="ID", help="Compare with this ruleset's payments."
)
@click.option("--rule", "rules", multiple=True, metavar="RULE=VALUE", help="Lay this over that ruleset.")
@click.pass_context
def score_files(
    context: click.Context,
    paths: tuple[str, ...],
    as_json: bool,
    strict: bool,
    under: str | None,
    rules: tuple[str, ...],
) -> None:
    """Replay and score replays (.tln), or moves files (.jsonl): files, folders of them, or - for standard input."""
    say: Speaker = context.obj[1]
    if rules and under is None:
        raise click.UsageError("--rule is about the ruleset of --under: give its ID")
    others = agreed(under, rules, say) if under else None
    found = list(_replays(paths))
    several = len(found) > 1
    worst = Outcome.SCORED
    # The progress bar is shown on standard error, for many files and on a terminal only.
    console = Console(stderr=True)
    for path in track(found, "Scoring", console=console, transient=True, disable=len(found) < 20):
        report = _score_file(path, say, strict=strict, under=others)
        worst = max(worst, report.outcome)
        if as_json:
            data = {"file": path} if several else {}
            click.echo(json.dumps(data | as_data(report.answer), ensure_ascii=False))
        else:
            click.echo(report_text(path, report.answer, say, several=several), err=bool(report.outcome))
    context.exit(worst)


def _replays(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        if path != "-" and Path(path).is_dir():
            yield from sorted(str(file) for file in Path(path).glob("*.tln") if file.is_file())
        else:
            yield path


def _score_file(
    path: str, say: Speaker, *, strict: bool, under: Ruleset | None
) -> Report[NightReport | ComparisonReport | NoScore]:
    texts = say.words
    try:
        text = read_text(path)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return unreadable(line, "UTF-8 text", texts)
    except (OSError, ValueError) as error:
        no_score = NoScore(ScoreError(line=0, code="notation", message=why_unread(error, say)))
        return Report(Outcome.UNREADABLE, no_score)

    def scored_as_asked(replay: str) -> Report[NightReport | ComparisonReport | NoScore]:
        if under is None:
            return score(replay, texts, strict=strict)
        return score_under(replay, under, texts, say.ruling, strict=strict)

    if not text.lstrip().startswith("{"):
        return scored_as_asked(text)
    from ledger.recorder.moves_file import scored  # imported late: that takes longer than scoring nights

    return scored(text, texts, scored_as_asked)


def why_unread(error: OSError | ValueError, say: Speaker) -> str:
    """A sentence on why a file could not be read."""
    if isinstance(error, FileNotFoundError):
        return say.say("score no file")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return say.say("score unreadable file", reason=reason)


def agreed(preset: str, rules: Iterable[str], say: Speaker) -> Ruleset:
    """A preset changed by the `--rule` options. Raises BadParameter for one that is refused."""
    try:
        return with_rules(PRESETS[preset], (rule.partition("=")[::2] for rule in rules))
    except ValueError as error:
        raise click.BadParameter(say.expected(f"a house rule ({error})"), param_hint="--rule") from None


@main.command("rules")
@click.argument("ruleset", required=False, type=click.Choice(list(PRESETS)), metavar="[ID]")
@click.option("--language", "spoken", type=click.Choice(LANGUAGES), help="The language of the rules.")
@click.option("--table", "as_table", is_flag=True, help="Every ruleset side by side.")
@click.option("--rule", "rules", multiple=True, metavar="RULE=VALUE", help="Lay this over the ruleset.")
@click.option("--lines", "as_lines", is_flag=True, help="Every field of the ruleset as a line.")
@click.pass_context
def tell_rules(
    context: click.Context,
    ruleset: str | None,
    spoken: str | None,
    as_table: bool,
    rules: tuple[str, ...],
    as_lines: bool,
) -> None:
    """Tell the rules of a ruleset, every clause with its id; without an ID, list the rulesets."""
    say: Speaker = speaker(spoken) if spoken else context.obj[1]
    if ruleset is None and (rules or as_lines):
        raise click.UsageError("--rule and --lines are about one ruleset: give its ID")
    if as_table:
        if ruleset is not None:
            raise click.UsageError("--table tells every ruleset: leave the ID out")
        _tell_all(say)
        return
    if ruleset is not None:
        chosen = agreed(ruleset, rules, say)
        lines = "".join(f"rule {path}={value}\n" for path, value in field_lines(chosen))
        click.echo(lines if as_lines else rules_text(chosen, say), nl=False)
        return
    widest = max(map(len, PRESETS))
    for preset in PRESETS:
        click.echo(f"{preset:{widest}}  {say.ruleset(preset)}. {say.ruleset_line(preset)}")


def _tell_all(say: Speaker) -> None:
    """Print all rulesets side by side, in tables at least 150 characters wide, also to a file or pipe."""
    plain = Console(highlight=False)
    console = Console(highlight=False, width=max(plain.width, _TABLE_WIDTH))
    for overview in overviews(say):
        table = Table(Column(no_wrap=True), *overview.head, title=overview.title)
        for preset, cells in overview.rows.items():
            table.add_row(preset, *cells)
        console.print(table)


# For other engines

_ROUNDS = 20
"""The rounds of a generated night, if several nights are written."""


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
    """The deal of a file. Raises Unusable for one that cannot be read."""
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
    """Generate nights under the rulesets in turn: pairs of a file's name and its text."""
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
    from ledger.web.api.openapi import moves_schema_text  # late: no other command here needs the web

    click.echo(moves_schema_text())
