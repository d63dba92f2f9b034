"""Replays scored, and rules told: what needs no installation."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

from ledger.cli.group import main, read_text
from ledger.game.report import NightReport, NoScore, Outcome, Report, ScoreError, as_data, score, unreadable
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overrides import field_lines, with_rules
from ledger.game.side_by_side import ComparisonReport, score_under
from ledger.language import LANGUAGES, Speaker, overviews, rules_text, speaker
from ledger.language.reports import report_text

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
    # The bar goes to standard error, and only where somebody watches a long work.
    console = Console(stderr=True)
    for path in track(found, "Scoring", console=console, transient=True, disable=len(found) < 20):
        report = _score_file(path, say, strict=strict, under=others)
        worst = max(worst, report.outcome)
        if as_json:
            data = {"file": path} if several else {}
            click.echo(json.dumps(data | as_data(report.told), ensure_ascii=False))
        else:
            click.echo(report_text(path, report.told, say, several=several), err=bool(report.outcome))
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
        return _no_score(why_unread(error, say))

    def told(replay: str) -> Report[NightReport | ComparisonReport | NoScore]:
        if under is None:
            return score(replay, texts, strict=strict)
        return score_under(replay, under, texts, say.ruling, strict=strict)

    if not text.lstrip().startswith("{"):
        return told(text)
    from ledger.recorder.moves_file import scored  # which takes longer to load than nights to score

    return scored(text, texts, told)


def why_unread(error: OSError | ValueError, say: Speaker) -> str:
    """Why a file could not be read, in a sentence."""
    if isinstance(error, FileNotFoundError):
        return say.say("score no file")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return say.say("score unreadable file", reason=reason)


def _no_score(message: str) -> Report[NoScore]:
    """Why a file has no score, before anything in it was read."""
    return Report(Outcome.UNREADABLE, NoScore(ScoreError(line=0, code="notation", message=message)))


def agreed(preset: str, rules: Iterable[str], say: Speaker) -> Ruleset:
    """A preset with what the command line lays over it."""
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
        told = agreed(ruleset, rules, say)
        lines = "".join(f"rule {path}={value}\n" for path, value in field_lines(told))
        click.echo(lines if as_lines else rules_text(told, say), nl=False)
        return
    widest = max(map(len, PRESETS))
    for preset in PRESETS:
        click.echo(f"{preset:{widest}}  {say.ruleset(preset)}. {say.ruleset_line(preset)}")


def _tell_all(say: Speaker) -> None:
    """Every ruleset side by side, in tables that are wide enough to be read, wherever they go."""
    plain = Console(highlight=False)
    console = Console(highlight=False, width=max(plain.width, _TABLE_WIDTH))
    for told in overviews(say):
        table = Table(Column(no_wrap=True), *told.head, title=told.title)
        for preset, cells in told.rows.items():
            table.add_row(preset, *cells)
        console.print(table)
