"""The command that all others belong to, and what they share: a recorder, files, failures in one line."""

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
"""A file beyond this size is no replay that people made."""
_JOINERS: Final = "\u200c\u200d"  # parts of Persian words and of emoji

MODULES: Final = {
    "hosting": ("backup", "doctor", "restore", "status"),
    "nights": ("audit", "demo", "export", "forget", "import", "link", "nights", "verify"),
    "scoring": ("corpus", "perft", "rules", "schema", "score"),
    "serving": ("migrate", "serve"),
}
"""Where each command is. It is loaded when it is asked for: the store takes longer to load than nights to score."""

_MODULE_OF: Final = {command: module for module, commands in MODULES.items() for command in commands}


def give_way() -> None:
    """Let this process wait for others: it reads all nights, perhaps beside a server that tables record with."""
    os.setpriority(os.PRIO_PROCESS, 0, 19)


class _Commands(click.Group):
    """The commands of `MODULES`, which add themselves when they are loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_MODULE_OF)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno != ENOSPC:
                raise
            # What is still to be written would be tried, and fail, once more at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise Unusable(f"what was to be said cannot be written: {error.strerror}") from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _MODULE_OF and cmd_name not in self.commands:
            with _loading():
                import_module(f"ledger.cli.{_MODULE_OF[cmd_name]}")
        return super().get_command(ctx, cmd_name)


@contextmanager
def _loading() -> Iterator[None]:
    """What is loaded stays: it is not looked through for garbage, neither on the way nor ever again."""
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
        # A file's name may be no text, and a terminal's alphabet may be a small one.
        sys.stdout.reconfigure(errors="backslashreplace")
    context.obj = (database, speaker(language))


def read_text(path: str) -> str:
    """A file's text, or that of standard input (-), without a byte-order mark. Raises OSError, ValueError."""
    with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise ValueError(f"more than {LARGEST // 1024 // 1024} MB")
    return raw.decode().removeprefix("\ufeff")


def harmless(text: str) -> str:
    """A text that others wrote, for a terminal: nothing in it moves the cursor, or turns what stands beside it."""
    return "".join(char if char.isprintable() or char in _JOINERS else "\ufffd" for char in text)


def lines_of(log: str) -> list[str]:
    """The lines of an exact log."""
    # Not splitlines: what else ends a line for Python may stand inside of a text.
    return log.removesuffix("\n").split("\n")


@contextmanager
def recorder_of(context: click.Context, *, make: bool = False) -> "Iterator[Recorder]":
    """A recorder over a database that is there, or is made; what goes wrong is one line and an exit status."""
    from ledger.recorder import Installation  # as below

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
    """What the store and the recorder raise within, as one line and an exit status."""
    # Not every command has loaded it.
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
    """What a log that is no log any more lets fail within: which entry it is, in one line."""
    from ledger.recorder import UNREADABLE, EntryUnreadable, first_damage  # as above

    try:
        yield
    except EntryUnreadable:
        raise
    except UNREADABLE as error:
        raise first_damage(recorder, night) or error from None


def leads_to_a_server(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """The value of an option that is where phones reach a server. Raises BadParameter for what leads to none."""
    try:
        site = urlsplit(value or "")
        leads = site.scheme in ("http", "https") and site.hostname and site.port != 0
    except ValueError:  # of brackets, and of a port
        leads = False
    if value is not None and (not leads or re.search(r"[\s?#]", value)):
        raise click.BadParameter(
            f"where phones reach the server is https://HOST/, not {value}", context, option
        )
    return value


class Failed(click.ClickException):
    """Refused by the rules, or by the state of a night: one line, status 1."""

    exit_code = 1


class Unusable(click.ClickException):
    """Input or an installation that cannot be used: one line, status 2."""

    exit_code = 2
