"""The root command, and what all commands share: a recorder, files, errors in one line."""

import gc
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from errno import ENOSPC
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import click

from ledger.language import LANGUAGES, speaker

if TYPE_CHECKING:
    from ledger.recorder import Recorder

LARGEST = 64 * 1024 * 1024
"""The largest input file in bytes, far beyond any real night."""
_JOINERS: Final = "\u200c\u200d"  # parts of Persian words and of emoji

MODULES: Final = {
    "hosting": ("backup", "doctor", "restore", "status"),
    "links": ("demo", "link"),
    "nights": ("audit", "export", "forget", "import", "nights", "verify"),
    "scoring": ("corpus", "perft", "rules", "schema", "score"),
    "serving": ("migrate", "serve"),
}
"""The commands of each module. Modules are imported on use: loading the store takes longer than scoring nights."""

_MODULE_OF: Final = {command: module for module, commands in MODULES.items() for command in commands}


def give_way() -> None:
    """Lower this process's priority: it reads all nights, perhaps while a server runs."""
    os.setpriority(os.PRIO_PROCESS, 0, 19)


class _Commands(click.Group):
    """The commands of `MODULES`, which register themselves when they are imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_MODULE_OF)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno != ENOSPC:
                raise
            # Otherwise Python would flush stdout at exit and fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise Unusable(f"what was to be said cannot be written: {error.strerror}") from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _MODULE_OF and cmd_name not in self.commands:
            with _loading():
                import_module(f"ledger.cli.{_MODULE_OF[cmd_name]}")
        return super().get_command(ctx, cmd_name)


@contextmanager
def _loading() -> Iterator[None]:
    """Import without garbage collection, and freeze the imported objects: they are never garbage."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--database", metavar="URL", help="The database; otherwise $TIENLEN_DATABASE_URL, or your own.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="The language of messages.")
@click.version_option(package_name="tienlen-ledger")
@click.pass_context
def main(context: click.Context, database: str | None, language: str) -> None:
    """Keep, score and audit nights of tiến lên."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A file's name may not be valid text, and a terminal's encoding may lack characters.
        sys.stdout.reconfigure(errors="backslashreplace")
    context.obj = (database, speaker(language))


def read_text(path: str) -> str:
    """The text of a file, or of standard input (-), without a byte-order mark. Raises OSError or ValueError."""
    with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise ValueError(f"more than {LARGEST // 1024 // 1024} MB")
    return raw.decode().removeprefix("\ufeff")


def harmless(text: str) -> str:
    """A foreign text made safe for a terminal, without control and direction characters."""
    return "".join(char if char.isprintable() or char in _JOINERS else "\ufffd" for char in text)


def lines_of(log: str) -> list[str]:
    """The lines of an exact log."""
    # Not `splitlines`: other characters that end a line for Python may be part of a text.
    return log.removesuffix("\n").split("\n")


@contextmanager
def recorder_of(context: click.Context, *, make: bool = False) -> "Iterator[Recorder]":
    """A recorder on an existing database, or one made with `make`; errors become one line and an exit status."""
    from ledger.recorder import Installation  # imported late, as below

    with explained():
        installation = Installation.find(context.obj[0], make=make)
        if make:
            installation.migrate()
        recorder = installation.open()
        try:
            yield recorder
        finally:
            recorder.store.close()


@contextmanager
def explained() -> Iterator[None]:
    """Turn errors of the store and the recorder into one line and an exit status."""
    # Imported late: not every command needs it.
    from ledger.recorder import Problem, ProblemCode, StoreError

    try:
        yield
    except StoreError as error:
        raise Unusable(str(error)) from None
    except Problem as problem:
        if problem.code == ProblemCode.NOT_FOUND:
            raise Unusable("there is no such night") from None
        raise Failed(f"refused: {problem.code}") from None
    except UnicodeEncodeError:
        raise Unusable("an argument is not text") from None
    except LookupError as error:
        raise Unusable(harmless(str(error.args[0])) if error.args else "not found") from None


@contextmanager
def damage_explained(recorder: "Recorder", night: str) -> Iterator[None]:
    """Turn errors caused by a damaged log into one line that names the damaged entry."""
    from ledger.recorder import UNREADABLE, EntryUnreadable, first_damage  # imported late, as above

    try:
        yield
    except EntryUnreadable:
        raise
    except UNREADABLE as error:
        raise first_damage(recorder, night) or error from None


def leads_to_a_server(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Validate an option that is the address of a server. Raises BadParameter for anything else."""
    try:
        site = urlsplit(value or "")
        leads = site.scheme in ("http", "https") and site.hostname and site.port != 0
    except ValueError:  # invalid brackets or port
        leads = False
    if value is not None and (not leads or re.search(r"[\s?#]", value)):
        raise click.BadParameter(
            f"where phones reach the server is https://HOST/, not {value}", context, option
        )
    return value


class Failed(click.ClickException):
    """Refused by the rules or by the state of a night: one line, exit status 1."""

    exit_code = 1


class Unusable(click.ClickException):
    """Unusable input or installation: one line, exit status 2."""

    exit_code = 2
