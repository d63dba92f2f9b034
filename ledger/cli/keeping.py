"""Keeping nights safe: backups, and putting them back."""

from datetime import UTC, datetime
from pathlib import Path

import click

from ledger.cli.group import (
    Failed,
    Unusable,
    explained,
    give_way,
    harmless,
    lines_of,
    main,
    read_text,
    recorder_of,
)
from ledger.recorder import Installation, LogUnreadable
from ledger.recorder.operations.backup import Backup, NotKept, back_up
from ledger.recorder.operations.backup import restore as put_back
from ledger.recorder.operations.transfer import add_tail


@main.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.pass_context
def backup(context: click.Context, folder: Path) -> None:
    """Write a backup of all nights into DIR, whoever is recording. It is audited before it is called one.

    A night that is damaged is copied as it is, and named; the exit status is 1 then.
    """
    give_way()
    with explained():
        try:
            made = back_up(Installation.find(context.obj[0], make=False), folder, datetime.now(UTC))
        except NotKept as error:
            raise Failed(str(error)) from None
    click.echo(made.file)
    _tell(made)
    if made.key_file is None:
        click.echo("the key is in the environment, and not in the backup: keep it, too", err=True)
    context.exit(int(bool(made.damaged)))


@main.command()
@click.argument("backup", required=False, type=click.Path(path_type=Path))
@click.option(
    "--tail", metavar="FILE", help="Add what an exact log (.ndjson) has past the head of its night here."
)
@click.pass_context
def restore(context: click.Context, backup: Path | None, tail: str | None) -> None:
    """Put BACKUP where the nights of this installation belong, and its key; nothing may be there yet.

    With --tail, add to a night that is here what somebody's exact log of it has more.
    """
    if (backup is None) == (tail is None):
        raise click.UsageError("Name a BACKUP, or a log with --tail.")
    try:
        if backup is not None:
            _restore_all(context, backup)
        elif tail is not None:
            _restore_tail(context, tail)
    except NotKept as error:
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
    click.echo(f"night {added.night}: entries {added.before.seq + 1} to {added.after.seq} were added")


def _tell(backup: Backup) -> None:
    for night, head in backup.heads.items():
        click.echo(f"night {night}  {head['code']}")
    for night, what in backup.damaged.items():
        click.echo(harmless(f"night {night}  is damaged, and was copied as it is: {what}"), err=True)
