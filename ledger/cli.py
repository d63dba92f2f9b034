"""The command line: `tienlen serve | score | rules | audit | export | import | demo | nights | link | migrate`.

Exit statuses: 0 done; 1 refused, or a difference was found; 2 unreadable input or an unusable installation.
"""

import json
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.resources import files
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import NoReturn

import click
import segno
from rich.console import Console
from rich.progress import track

from ledger.game import notation
from ledger.game.comparing import score_under
from ledger.game.report import Outcome, Report, Words, score
from ledger.game.rulesets import PRESETS
from ledger.language import LANGUAGES, Speaker, rules_text, speaker
from ledger.language.reports import error_line, side_by_side, summary
from ledger.recorder import (
    DATABASE_VARIABLE,
    KEY_VARIABLE,
    Imported,
    Installation,
    LogUnreadable,
    NightExists,
    Problem,
    ProblemCode,
    Recorder,
    StoreError,
    audit,
    export_tln,
    import_tln,
)

_LARGEST = 64 * 1024 * 1024
"""A file beyond this size is no replay that people made."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--database", metavar="URL", help="The database; otherwise $TIENLEN_DATABASE_URL, or your own.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="The language of messages.")
@click.version_option(package_name="tienlen-ledger")
@click.pass_context
def main(context: click.Context, database: str | None, language: str) -> None:
    """Keep, score and audit nights of tiến lên."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A file's name may be no text, and a terminal's alphabet may be a small one.
        sys.stdout.reconfigure(errors="backslashreplace")
    context.obj = (database, speaker(language))


@main.command("score")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
@click.option("--strict", is_flag=True, help="Every pass must be written out.")
@click.option(
    "--under", type=click.Choice(list(PRESETS)), metavar="ID", help="Compare with this ruleset's payments."
)
@click.pass_context
def score_files(
    context: click.Context, paths: tuple[str, ...], as_json: bool, strict: bool, under: str | None
) -> None:
    """Replay and score replays (.tln): files, folders of them, or - for standard input."""
    say: Speaker = context.obj[1]
    found = list(_replays(paths))
    several = len(found) > 1
    worst = Outcome.SCORED
    # The bar goes to standard error, and only where somebody watches a long work.
    console = Console(stderr=True)
    for path in track(found, "Scoring", console=console, transient=True, disable=len(found) < 20):
        report = _score_file(path, say, strict=strict, under=under)
        worst = max(worst, report.outcome)
        if as_json:
            data = {"file": path, **report.data} if several else report.data
            click.echo(json.dumps(data, ensure_ascii=False))
        elif report.night is None or report.outcome:
            click.echo(error_line(path, report.data["error"], say), err=True)
        elif under:
            click.echo(side_by_side(path, report.data, say, several=several))
        else:
            click.echo(summary(path, report.data, say, several=several))
    context.exit(worst)


def words(say: Speaker) -> Words:
    """The sentences of a report, as one language says them."""
    return Words(say.refusal, say.finding, say.disagreement, say.unreadable)


def _replays(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        if path != "-" and Path(path).is_dir():
            yield from sorted(str(file) for file in Path(path).glob("*.tln") if file.is_file())
        else:
            yield path


def _score_file(path: str, say: Speaker, *, strict: bool, under: str | None) -> Report:
    texts = words(say)
    try:
        text = _read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return _unreadable(line, "UTF-8 text", texts)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return _unreadable(0, f"a file that can be read ({reason})", texts)
    if under is None:
        return score(text, texts, strict=strict)
    return score_under(text, PRESETS[under], texts, say.ruling, strict=strict)


def _read(path: str) -> bytes:
    """A file's bytes, or those of standard input (-). Raises OSError, ValueError."""
    with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
        raw = file.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise ValueError(f"more than {_LARGEST // 1024 // 1024} MB")
    return raw


def _unreadable(line: int, expected: str, texts: Words) -> Report:
    message = texts.unreadable(expected)
    return Report(Outcome.UNREADABLE, {"error": {"line": line, "code": "notation", "message": message}})


@main.command("rules")
@click.argument("ruleset", required=False, type=click.Choice(list(PRESETS)), metavar="[ID]")
@click.option("--language", "spoken", type=click.Choice(LANGUAGES), help="The language of the rules.")
@click.pass_context
def tell_rules(context: click.Context, ruleset: str | None, spoken: str | None) -> None:
    """Tell the rules of a ruleset, every clause with its id; without an ID, list the rulesets."""
    say: Speaker = speaker(spoken) if spoken else context.obj[1]
    if ruleset is not None:
        click.echo(rules_text(PRESETS[ruleset], say), nl=False)
        return
    widest = max(map(len, PRESETS))
    for preset in PRESETS:
        click.echo(f"{preset:{widest}}  {say.ruleset(preset)}. {say.ruleset_line(preset)}")


@main.command("audit")
@click.option("--night", metavar="ID", help="Only this night.")
@click.pass_context
def audit_nights(context: click.Context, night: str | None) -> None:
    """Replay everything, recompute payments and balances, verify the chain and the seals."""
    with _recorder(context) as recorder:
        differences = 0
        for found in audit(recorder, night):
            place = f"{found.night or 'database'}{f' #{found.seq}' if found.seq else ''}"
            click.echo(f"{place}: {found.what}", err=not found.engine)
            if not found.engine:
                differences += 1
                break
        if differences:
            context.exit(1)
        click.echo("ok")


@main.command("export")
@click.argument("night")
@click.option("--exact", is_flag=True, help="The exact log (NDJSON), from which the same heads come out.")
@click.option("--with-payments", is_flag=True, help="Write the payments of each round as = lines.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="A file; otherwise standard output.")
@click.pass_context
def export_night(
    context: click.Context, night: str, exact: bool, with_payments: bool, output: str | None
) -> None:
    """Write a night as a replay (.tln), or as its exact log."""
    with _recorder(context) as recorder:
        if exact:
            text = "".join(f"{line}\n" for line in recorder.store.export_log(night))
        else:
            text = export_tln(recorder, night, with_payments=with_payments)
    if output is None:
        click.echo(text, nl=False)
    else:
        _write_new(Path(output), text)


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise _Unusable(f"{path} is there already: nothing was written") from None
    except OSError as error:
        raise _Unusable(f"{path} cannot be written: {error.strerror}") from None


@main.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def import_nights(context: click.Context, paths: tuple[str, ...]) -> None:
    """Carry nights in: replays (.tln), or exact logs (.ndjson)."""
    with _recorder(context, make=True) as recorder:
        for path in paths:
            try:
                text = _read(path).decode("utf-8").removeprefix("\ufeff")
            except (OSError, ValueError) as error:
                raise _Unusable(f"{path} cannot be read: {error}") from None
            _report_import(path, _import(context, recorder, path, text))


def _import(context: click.Context, recorder: Recorder, path: str, text: str) -> Imported:
    if text.lstrip().startswith("{"):
        try:
            # Not splitlines: what else ends a line for Python may stand inside of a text.
            night, head = recorder.store.import_log(text.removesuffix("\n").split("\n"))
        except LogUnreadable as error:
            raise _Unusable(f"{path}: {error}") from None
        except NightExists as error:
            raise _Failed(f"{path}: {error}") from None
        return Imported(night, head.seq, ())
    say: Speaker = context.obj[1]
    report = score(text, words(say))
    if report.night is None or report.outcome:
        failure = _Unusable if report.outcome is Outcome.UNREADABLE else _Failed
        raise failure(error_line(path, report.data["error"], say))
    return import_tln(recorder, report.night)


def _report_import(path: str, imported: Imported) -> None:
    click.echo(f"{path}: night {imported.night}, {imported.events} entries")
    if imported.unsettled:
        rounds = ", ".join(map(str, imported.unsettled))
        click.echo(f"{path}: not settled yet: round {rounds}", err=True)


_ADDRESS = click.option(
    "--address",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="Where the server is reached: the links begin with it.",
)


@main.command()
@_ADDRESS
@click.pass_context
def demo(context: click.Context, address: str) -> None:
    """Make a played night, so that there is something to look at."""
    text = files("ledger").joinpath("demo.tln").read_text(encoding="utf-8")
    with _recorder(context, make=True) as recorder:
        imported = import_tln(recorder, notation.replay(notation.read(text)))
        _print_links(recorder, imported.night, address)


@main.command()
@click.pass_context
def nights(context: click.Context) -> None:
    """List the nights of this installation, the newest first."""
    with _recorder(context) as recorder:
        for night in recorder.nights():
            names = ", ".join(night["names"].values())
            click.echo(f"{night['id']}  {night['created_at'][:16]}  {night['ruleset']}  {names}")


@main.command()
@click.argument("night")
@_ADDRESS
@click.pass_context
def link(context: click.Context, night: str, address: str) -> None:
    """Print the links of a night again."""
    with _recorder(context) as recorder:
        _print_links(recorder, night, address)


def _print_links(recorder: Recorder, night: str, address: str) -> None:
    tokens = recorder.links(night)
    click.echo(f"night   {night}")
    for who, token in [("keeper", tokens["keeper"]), ("watch", tokens["watch"]), *tokens["seats"].items()]:
        click.echo(f"{who:7} {address.rstrip('/')}/t/{token}")


@main.command()
@click.pass_context
def migrate(context: click.Context) -> None:
    """Bring the database to this version's schema, or make it."""
    with _explained():
        installation = Installation.find(context.obj[0])
        installation.migrate()
        click.echo(f"{installation.database_url}: up to date")


@main.command()
@click.option("--lan", is_flag=True, help="Listen to the network, not only to this machine.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes.")
@click.pass_context
def serve(context: click.Context, lan: bool, port: int, workers: int) -> None:
    """Migrate, check, and serve; prints the address, and a QR code of it."""
    with _explained():
        installation = Installation.find(context.obj[0])
        installation.migrate()
        installation.open().check()
    host = "0.0.0.0" if lan else "127.0.0.1"
    try:
        _check_free(host, port)
    except OSError as error:
        raise _Unusable(f"port {port} cannot be used: {error.strerror}; choose another with --port") from None
    address = f"http://{_address_in_network() if lan else host}:{port}/"
    click.echo(address)
    click.echo(_qr(address))
    _become_server(installation, f"{host}:{port}", workers)


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def _address_in_network() -> str:
    """This machine's address as its neighbours see it; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def _qr(address: str) -> str:
    text = StringIO()
    segno.make(address, micro=False).terminal(text, compact=True)
    return text.getvalue()


def _become_server(installation: Installation, bind: str, workers: int) -> NoReturn:
    """Replace this process by gunicorn, which loads the web; the command line does not know it."""
    environment = os.environ | {
        DATABASE_VARIABLE: installation.database_url,
        KEY_VARIABLE: installation.key.hex(),
    }
    settings = ["--config", "python:ledger.web.serving", "--bind", bind, "--workers", str(workers)]
    command = [sys.executable, "-m", "gunicorn", *settings, "ledger.web.serving:application()"]
    sys.stdout.flush()
    os.execve(sys.executable, command, environment)


@contextmanager
def _recorder(context: click.Context, *, make: bool = False) -> Iterator[Recorder]:
    """A recorder over a database that is there, or is made; what goes wrong is one line and an exit status."""
    with _explained():
        installation = Installation.find(context.obj[0])
        if make:
            installation.migrate()
        recorder = installation.open()
        try:
            yield recorder
        finally:
            recorder.store.close()


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise _Unusable(str(error)) from None
    except Problem as problem:
        if problem.code == ProblemCode.NOT_FOUND:
            raise _Unusable("there is no such night") from None
        raise _Failed(f"refused: {problem.code}") from None
    except UnicodeEncodeError:
        raise _Unusable("an argument is not text") from None
    except LookupError as error:
        raise _Unusable(str(error.args[0]) if error.args else "not found") from None


class _Failed(click.ClickException):
    """Refused by the rules, or by the state of a night: one line, status 1."""

    exit_code = 1


class _Unusable(click.ClickException):
    """Input or an installation that cannot be used: one line, status 2."""

    exit_code = 2
