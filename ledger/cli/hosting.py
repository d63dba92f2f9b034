"""Commands for hosts: backup, restore, status, and doctor, which checks an installation, also from outside: through
its proxy and over HTTPS."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import click

from ledger.cli.group import (
    Failed,
    Unusable,
    explained,
    give_way,
    harmless,
    leads_to_a_server,
    lines_of,
    main,
    read_text,
    recorder_of,
)
from ledger.cli.site import ask, examine_running, examine_site
from ledger.recorder import BACKUPS_VARIABLE, Installation, LogUnreadable, Recorder, server_address
from ledger.recorder.installation import located
from ledger.recorder.operations.backup import Backup, BackupRefused, back_up, thin
from ledger.recorder.operations.backup import restore as put_back
from ledger.recorder.operations.checks import Check, State
from ledger.recorder.operations.damaged_logs import HOW_TO_FIX, tell_log
from ledger.recorder.operations.doctor import examine, examine_places
from ledger.recorder.operations.transfer import Tail, add_tail, restore_night


@main.command()
@click.argument("folder", metavar="DIR", envvar=BACKUPS_VARIABLE, type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="DAYS",
    help="Then delete backups in DIR older than so many days; and of each day before the last 24 hours, all but the"
    " last.",
)
@click.pass_context
def backup(context: click.Context, folder: Path, keep: int | None) -> None:
    """Write a backup of all nights into DIR ($TIENLEN_BACKUPS), also while a server runs. It is audited before it
    is kept.

    A damaged night is copied unchanged and listed; the exit status is then 1, and no backup is deleted, which may
    have what is missing.
    """
    give_way()
    with explained():
        try:
            made = back_up(Installation.find(context.obj[0], make=False), folder, datetime.now(UTC))
        except BackupRefused as error:
            raise Failed(str(error)) from None
    click.echo(made.file)
    _tell(made)
    incomplete = bool(made.damaged or made.logs)
    if keep and not incomplete:
        with explained():
            for old in thin(folder, datetime.now(UTC), keep):
                click.echo(f"deleted {old}")
    if made.key_file is None:
        click.echo("the key is in the environment, and not in the backup: keep it, too", err=True)
    context.exit(int(incomplete))


@main.command()
@click.argument("backup", required=False, type=click.Path(path_type=Path))
@click.option("--night", metavar="NIGHT", help="Only what is missing here of this night.")
@click.option(
    "--tail", metavar="FILE", help="Add what an exact log (.ndjson) has past the head of its night here."
)
@click.pass_context
def restore(context: click.Context, backup: Path | None, night: str | None, tail: str | None) -> None:
    """Restore the nights and the key of BACKUP to this installation, where nothing may be yet.

    With --night, bring back one night of BACKUP: all of it, or its entries after those that are here. With --tail,
    add to a night that is here the further entries of an exact log of it. Both change no other night.
    """
    if (backup is None) == (tail is None) or (tail is not None and night is not None):
        raise click.UsageError("Name a BACKUP, or a log with --tail.")
    try:
        if backup is not None and night is not None:
            with recorder_of(context) as recorder:
                _tell_added(
                    restore_night(recorder, backup.absolute(), night, located(context.obj[0])[1].parent)
                )
        elif backup is not None:
            _restore_all(context, backup.absolute())
        elif tail is not None:
            _restore_tail(context, tail)
    except BackupRefused as error:
        raise Failed(str(error)) from None


def _restore_all(context: click.Context, backup: Path) -> None:
    with explained():
        restored = put_back(backup, context.obj[0])
    _tell(restored)
    if restored.key_file is None:
        click.echo(
            "no key was put back: the links of before need the key of before, in TIENLEN_KEY", err=True
        )
    context.exit(int(bool(restored.damaged)))


def _restore_tail(context: click.Context, path: str) -> None:
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise Unusable(f"{path} cannot be read: {error}") from None
    with recorder_of(context) as recorder:
        try:
            added = add_tail(recorder, lines_of(text))
        except LogUnreadable as error:
            raise Unusable(f"{path}: {error}") from None
    _tell_added(added)


def _tell_added(added: Tail) -> None:
    click.echo(f"night {added.night}: entries {added.before.seq + 1} to {added.after.seq} were added")


def _tell(backup: Backup) -> None:
    for night, head in backup.heads.items():
        click.echo(f"night {night}  {head['code']}")
    for night, what in backup.damaged.items():
        click.echo(harmless(f"night {night}  is damaged, and was copied as it is: {what}"), err=True)
    for log in backup.logs:
        click.echo(harmless(f"{tell_log(log)}: {HOW_TO_FIX}"), err=True)


_BACKUPS = click.option(
    "--backups",
    envvar=BACKUPS_VARIABLE,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where backups are written; otherwise $TIENLEN_BACKUPS.",
)
_SIGNS = {State.FINE: "✓", State.DOUBTFUL: "!", State.WRONG: "✗"}


@main.command()
@click.option(
    "--url",
    metavar="https://HOST/",
    callback=leads_to_a_server,
    help="Look at it from outside, too: HTTPS, proxy, streams.",
)
@_BACKUPS
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a check.")
@click.pass_context
def doctor(context: click.Context, url: str | None, backups: Path | None, as_json: bool) -> None:
    """Tell what is wrong with this installation, and how to mend it; exit 0 if nothing is, 1 if something is,
    2 if it cannot be checked."""
    worst = False
    with explained():
        for check in _checks(context.obj[0], url, backups):
            worst = worst or check.state is State.WRONG
            click.echo(json.dumps(asdict(check), ensure_ascii=False) if as_json else _line(check))
    context.exit(int(worst))


def _checks(database: str | None, url: str | None, backups: Path | None) -> Iterator[Check]:
    now = datetime.now(UTC)
    yield from examine(database, now, backups=backups)
    if address := server_address(database):
        yield examine_running(address)
    if url is not None:
        recorder = Installation.find(database, make=False).open()
        with closing(recorder.store):
            yield from examine_site(url, recorder)


def _line(check: Check) -> str:
    mend = f"\n    {check.mend}" if check.mend else ""
    return f"{_SIGNS[check.state]} {check.name:12} {check.found}{mend}"


@main.command()
@_BACKUPS
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(context: click.Context, backups: Path | None, as_json: bool) -> None:
    """Show what goes on at this installation, in one screen: its size, its server's last ten minutes, backups,
    standbys and disk. It shows no names, cards or links."""
    with recorder_of(context) as recorder:
        found = recorder.status()
        found |= _recent(context.obj[0], recorder)
        for check in examine_places(context.obj[0], recorder.store, datetime.now(UTC), backups):
            found[check.name] = check.found
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        click.echo(f"{name.replace('_', ' '):20} {_value(value)}")


def _value(value: object) -> str:
    if isinstance(value, dict):
        value = [f"{name} {count}" for name, count in value.items()]
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return "none" if value in ("", None) else str(value)


def _recent(database: str | None, recorder: Recorder) -> dict[str, object]:
    """What this machine's server says of its last minutes, if one runs."""
    address = server_address(database)
    if address is None:
        return {"server": "none runs on this machine"}
    try:
        status, _, body = ask(urlsplit(address), "/setup", Authorization=f"Bearer {recorder.host_token()}")
        recent: dict[str, object] = json.loads(body)["recent"] if status == 200 else {}
    except (OSError, HTTPException, ValueError, KeyError) as error:
        return {"server": f"{address} does not answer: {error}"}
    return {"server": address if recent else f"{address} answers {status}"} | recent
