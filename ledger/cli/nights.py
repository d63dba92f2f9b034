"""Commands about nights: list, audit, import, export, forget, links; and verify, which needs only an export's file.

A NIGHT is given by its id, or by an unambiguous beginning of it.
"""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from uuid import UUID

import click
from click.core import ParameterSource

from ledger.cli.group import (
    Failed,
    Unusable,
    damage_explained,
    explained,
    give_way,
    harmless,
    lines_of,
    main,
    read_text,
    recorder_of,
)
from ledger.game.report import Outcome, score
from ledger.language import Speaker, report_text
from ledger.language.offline import offline_page
from ledger.recorder import (
    AuditShare,
    Imported,
    Installation,
    LogDifference,
    LogUnreadable,
    NightExists,
    Recorder,
    Unverified,
    Verified,
    audit,
    audit_in_processes,
    import_log,
    import_tln,
    read_code,
    server_address,
    verify,
)
from ledger.recorder.exports import Format, export
from ledger.recorder.groups import GroupNotTaken
from ledger.recorder.moves_file import is_moves_file, scored
from ledger.recorder.operations.transfer import GROUP_LINE, export_groups, read_groups


def _part(context: click.Context, option: click.Parameter, value: str) -> AuditShare:
    number, _, of = value.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise click.BadParameter(f"3/16 is the third of sixteen parts, not {value}", context, option)
    return AuditShare(int(number), int(of))


@main.command("audit")
@click.option("--night", metavar="NIGHT", help="Only this night.")
@click.option(
    "--part",
    callback=_part,
    metavar="K/N",
    default="1/1",
    help="Only every Nth night, from the Kth on; the first part includes the database as a whole.",
)
@click.option(
    "--processes",
    type=click.IntRange(1),
    help="How many work at the same time; otherwise one a core, or one alone where a server of these nights runs.",
)
@click.pass_context
def audit_nights(context: click.Context, night: str | None, part: AuditShare, processes: int | None) -> None:
    """Replay everything, recompute payments and balances, verify the chain and the seals.

    For each damaged night its first difference is told; the other nights are audited all the same.
    """
    give_way()
    damaged = set[str | None]()
    for found in _differences(context, night, part, processes):
        place = f"{found.night or 'database'}{f' #{found.seq}' if found.seq else ''}"
        if found.engine or found.night not in damaged:
            click.echo(harmless(f"{place}: {found.what}"), err=not found.engine)
        if not found.engine:
            damaged.add(found.night)
    if damaged:
        context.exit(1)
    click.echo("ok")


def _differences(
    context: click.Context, night: str | None, part: AuditShare, processes: int | None
) -> Iterator[LogDifference]:
    with recorder_of(context) as recorder:
        if processes is None:  # several would make the tables of a server wait
            processes = 1 if server_address(context.obj[0]) else len(os.sched_getaffinity(0))
        if night is not None or processes == 1:
            yield from audit(recorder, night and recorder.find_night(night), part)
            return
    # The database is closed before the processes start, or they would share its connections.
    with explained():
        yield from audit_in_processes(Installation.find(context.obj[0], make=False), part, processes)


@main.command("export")
@click.argument("night", required=False)
@click.option(
    "--format",
    type=click.Choice([format.value for format in Format]),
    help=f"What to write it as; otherwise {Format.TLN}.",
)
@click.option("--exact", "format", flag_value=Format.EXACT.value, help="The same as --format exact.")
@click.option("--with-payments", is_flag=True, help="A replay (tln, jsonl) with the payments of each round.")
@click.option("--address", default="", help="The last line for a chat: where the night is to be read.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="A file; otherwise standard output.")
@click.option(
    "--all",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The exact log of every night, a file each, and the groups, for `import` into another database.",
)
@click.pass_context
def export_night(
    context: click.Context,
    night: str | None,
    format: str | None,
    with_payments: bool,
    address: str,
    output: str | None,
    folder: Path | None,
) -> None:
    """Write a night: a replay (tln), the same as JSON lines (jsonl), the exact log (which keeps all heads), a table
    of the payments (csv) or of the running totals, all of it as json, a journal for hledger or beancount, the bills
    of a group (splitwise, ihatemoney), or lines for a chat (share). Columns and reasons of the two tables are those
    that programs read, unless `--language` is given."""
    if folder is not None:
        if night or with_payments or address or output or format not in (None, Format.EXACT.value):
            raise click.UsageError("--all writes the exact log of every night: nothing else goes with it.")
        _export_all(context, folder)
        return
    if night is None:
        raise click.UsageError("Name a NIGHT, or a folder for all of them with --all.")
    say: Speaker = context.obj[1]
    with recorder_of(context) as recorder:
        night = recorder.find_night(night)
        with damage_explained(recorder, night):
            text = export(
                recorder,
                night,
                Format(format or Format.TLN),
                say,
                address=address,
                with_payments=with_payments,
                coded=context.find_root().get_parameter_source("language") is ParameterSource.DEFAULT,
            ).text
    if output is None:
        click.echo(text, nl=False)
    else:
        _write_new(Path(output), text)


def _export_all(context: click.Context, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"the folder {folder} cannot be made: {error.strerror}") from None
    with recorder_of(context) as recorder:
        left_out = False
        for night in (listed.id for listed in recorder.nights()):
            if not _is_uuid(night):
                left_out = True
                click.echo(harmless(f"the night {night!r} was left out: its id is none"), err=True)
                continue
            path = folder / f"{night}.ndjson"
            _write_new(path, "".join(f"{line}\n" for line in recorder.store.export_log(night)))
            click.echo(path)
        if groups := "".join(f"{line}\n" for line in export_groups(recorder)):
            _write_new(folder / "groups.ndjson", groups)
            click.echo(folder / "groups.ndjson")
    context.exit(int(left_out))


def _is_uuid(night: str) -> bool:
    try:
        return str(UUID(night)) == night
    except ValueError:
        return False


def _write_new(path: Path, text: str) -> None:
    try:
        file = path.open("x", encoding="utf-8", newline="")
    except FileExistsError:
        raise Unusable(f"{path} is there already: nothing was written") from None
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror}") from None
    try:
        with file:
            file.write(text)
    except OSError as error:
        path.unlink()  # leave no partial file
        raise Unusable(f"{path} cannot be written: {error.strerror}") from None


@main.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def import_nights(context: click.Context, paths: tuple[str, ...]) -> None:
    """Import nights: replays (.tln), moves files (.jsonl), exact logs (.ndjson), which are verified first; and,
    after their nights, the groups that `export --all` wrote with them.

    A night that is here already is unchanged, one that does not verify is refused, and the others are imported: an
    interrupted import can be repeated.
    """
    status = 0
    with recorder_of(context, make=True) as recorder:
        for path in paths:
            try:
                text = read_text(path)
            except (OSError, ValueError) as error:
                raise Unusable(f"{path} cannot be read: {error}") from None
            if text.startswith(GROUP_LINE):
                status = max(status, _import_groups(recorder, path, text))
                continue
            try:
                _report_import(path, _import(context, recorder, path, text))
            except (NightExists, Unverified) as error:
                status = 1
                click.echo(f"Error: {path}: {error}", err=True)
    context.exit(status)


def _import_groups(recorder: Recorder, path: str, text: str) -> int:
    try:
        groups = read_groups(lines_of(text))
    except LogUnreadable as error:
        raise Unusable(f"{path}: {error}") from None
    status = 0
    for id, entries in groups.items():
        try:
            group = recorder.groups.take(id, entries)
            click.echo(harmless(f"{path}: group {group.name}, {group.seq} entries"))
        except GroupNotTaken as error:
            status = 1
            click.echo(f"Error: {path}: group {id}: {error}", err=True)
    return status


def _import(context: click.Context, recorder: Recorder, path: str, text: str) -> Imported:
    if text.lstrip().startswith("{") and not is_moves_file(text):
        try:
            log = import_log(recorder, lines_of(text)).log
        except LogUnreadable as error:
            raise Unusable(f"{path}: {error}") from None
        return Imported(log.night.id, log.head.seq, ())
    say: Speaker = context.obj[1]
    report = scored(text, say.words, partial(score, words=say.words))
    if report.night is None or report.outcome:
        failure = Unusable if report.outcome is Outcome.UNREADABLE else Failed
        raise failure(report_text(path, report.answer, say, several=False))
    return import_tln(recorder, report.night)


def _report_import(path: str, imported: Imported) -> None:
    click.echo(f"{path}: night {imported.night}, {imported.events} entries")
    if imported.unsettled:
        rounds = ", ".join(map(str, imported.unsettled))
        click.echo(f"{path}: not settled yet: round {rounds}", err=True)


@main.command()
@click.pass_context
def nights(context: click.Context) -> None:
    """List the nights of this installation, the newest first."""
    unreadable = False
    with recorder_of(context) as recorder:
        for night in recorder.nights():
            ruleset = night.ruleset or f"cannot be read: {night.wrong}"
            line = f"{night.id}  {night.created_at[:16]}Z  {ruleset}  {', '.join(night.names)}"
            click.echo(harmless(line), err=night.ruleset is None)
            unreadable = unreadable or night.ruleset is None
    context.exit(int(unreadable))


@main.command()
@click.argument("night")
@click.option(
    "--player",
    "players",
    metavar="PLAYER",
    multiple=True,
    help="Only the name of this player (p1, …). May be given more than once.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def forget(context: click.Context, night: str, players: tuple[str, ...], yes: bool) -> None:
    """Erase the names of a night: seats, cards and points remain, and the log verifies as before."""
    with recorder_of(context) as recorder:
        night = recorder.find_night(night)
        with recorder.night(night) as snapshot:
            names = snapshot.ledger().names
        if unknown := [player for player in players if player not in names]:
            raise click.BadParameter(f"{unknown[0]} is not {', '.join(names)}", param_hint="--player")
        if not yes:
            click.echo(harmless(f"{night}  {', '.join(names[player] for player in players or names)}"))
            click.confirm("Names that are forgotten cannot be brought back. Forget them?", abort=True)
        recorder.forget(night, players)
        with recorder.night(night) as snapshot:
            remains = snapshot.ledger()
    click.echo(f"night   {night}")
    click.echo(f"head    {remains.code}")
    for player, points in remains.balances.items():
        click.echo(f"{player:7} {points:+}")


@main.command("verify")
@click.argument("export", required=False)
@click.option("--head", metavar="CODE", help="What a phone has seen: #412 · 7K3Q-9FZD-MW2H-XA4T.")
@click.option("--page", is_flag=True, help="Write the page that does this in any browser, offline.")
@click.pass_context
def verify_export(context: click.Context, export: str | None, head: str | None, page: bool) -> None:
    """Verify an exact log (`tienlen export --exact`): chain, names, payments, the rules, and a code that was seen.

    EXPORT is a file, or - for standard input; no installation is needed.
    """
    if page:
        click.echo(offline_page(), nl=False)
        return
    if export is None:
        raise click.UsageError("name an export, or - for standard input")
    try:
        known_code = None if head is None else read_code(head)
        verified = verify(lines_of(read_text(export)), known_code)
    except Unverified as error:
        raise Failed(f"{export}: {error}") from None
    except (LogUnreadable, OSError, ValueError) as error:
        raise Unusable(f"{export}: {error}") from None
    _report(verified, context.obj[1])


def _report(verified: Verified, say: Speaker) -> None:
    click.echo(f"verified: night {verified.night}")
    click.echo(verified.code)
    if verified.continues:
        click.echo(f"continues what was seen: {verified.continues}")
    balances = (f"{name} {say.signed(verified.net[player])}" for player, name in verified.names.items())
    click.echo(harmless(" · ".join(balances)))
    if verified.erased:
        click.echo(f"names erased: {', '.join(verified.erased)}")
    for remark in verified.remarks:
        click.echo(remark)
