"""Transcripts of the command line, `tests/cases/commands/*.txt`: commands, and what they print.

An unindented line is the title of a transcript. Its steps are indented; they begin in an empty folder.

    file NAME: LINE / LINE       writes a file
    env NAME=VALUE               sets a variable of the environment, for all further steps
    sql FILE: STATEMENT          changes a database, as another program can
    tamper FILE: STATEMENT       the same, while the database has no triggers
    % COMMAND                    runs a command of the shell, which must succeed
    $ COMMAND                    runs `tienlen COMMAND`: it succeeds, and prints nothing on standard error
    $ COMMAND => 2: TEXT         it ends with status 2; all it prints is a line with the text, on standard error
    $ COMMAND => 2 usage: TEXT   it does not understand its arguments: an error with the text comes after its usage
    $ COMMAND => 1 ...: TEXT     it prints the text on standard error, and perhaps more; the status ? is any
    $ ONE == OTHER               two commands print the same
    $ ONE | OTHER                one command after the other; each does what is said here and in the steps below
    out: LINE / LINE             all that the last commands printed; `*` stands for anything within a line
    out has: TEXT                a part of it; also `out has no`, `err has`, `err has no`
    unchanged                    the last commands have changed no file

A command may end with `< FILE` or `> FILE`. `{night}` is the id of the night that was imported or made last,
`{backup}` the last backup, `{here}` the folder. At the beginning of a file, `{name} = TEXT` gives a text a name.
"""

import re
import shlex
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.case_files import CASES
from tests.cli.commands import RECORDS, Ran, says_one_line, tamper, tienlen

FOLDER = CASES / "commands"
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
HERE = "sqlite:///ledger.db"
_COMMAND = re.compile(
    r"(?P<commands>.+?)(?: => (?P<status>[\d?])(?P<how> usage| \.\.\.)?(?:: (?P<text>.+))?)?"
)


def transcripts(name: str) -> list[ParameterSet]:
    """The transcripts of a file, each the steps of one, as parameters of a test."""
    named: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            known, _, text = line.partition(" = ")
            named[known] = _replaced(text, named)
        elif line.startswith("  "):
            found[next(reversed(found))].append(_replaced(line.strip(), named))
        elif line and not line.startswith("#"):
            assert line not in found, f"two transcripts have the title {line}"
            found[line] = []
    return [pytest.param(steps, id=title) for title, steps in found.items()]


def _replaced(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def play(steps: list[str], folder: Path) -> None:
    """Play a transcript in an empty folder, which becomes the current one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        player = _Player(folder, patched)
        for step in steps:
            player.play(step)


class _Player:
    def __init__(self, folder: Path, patched: pytest.MonkeyPatch) -> None:
        self._folder, self._patched = folder, patched
        self._before: dict[Path, bytes] = {}
        self._ran: list[Ran] = []
        self._values = {"{here}": str(folder), "{records}": str(RECORDS)}

    def play(self, step: str) -> None:
        step = _replaced(step, self._values)
        what, _, rest = step.partition(" ")
        name, _, text = rest.partition(": ")
        match what:
            case "file":
                Path(name).write_text(_lines(text), encoding="utf-8")
            case "env":
                self._patched.setenv(*rest.split("=", 1))
            case "sql":
                with closing(sqlite3.connect(name, isolation_level=None)) as connection:
                    connection.execute(text)
            case "tamper":
                tamper(Path(name), text)
            case "%":
                subprocess.run(["bash", "-o", "pipefail", "-ec", rest], check=True)
            case "$":
                self._before = self._files()
                self._run(rest)
            case "unchanged":
                assert self._files() == self._before, "files were changed"
            case _:
                self._read(step)

    def _run(self, line: str) -> None:
        parts = _COMMAND.fullmatch(line)
        assert parts, line
        self._ran = []
        for alternative in parts["commands"].split(" | "):
            ran, *others = (self._one(command) for command in alternative.split(" == "))
            self._ran.append(ran)
            assert all(other == ran for other in others), f"{line}: {ran} {others}"
            as_described = {
                " usage": not ran.out and ran.err.startswith("Usage:"),
                " ...": True,
                None: says_one_line(ran) if parts["status"] else not ran.err,
            }[parts["how"]]
            assert as_described, f"{line}: {ran}"
            assert str(int(ran.status)) == (parts["status"] or "0") or parts["status"] == "?", (
                f"{line}: {ran}"
            )
            assert re.search(_pattern(parts["text"] or ""), ran.err), f"{line}: {ran}"

    def _one(self, command: str) -> Ran:
        said, _, output = command.partition(" > ")
        said, _, input = said.partition(" < ")
        words = shlex.split(said)
        ran = tienlen(*words, input=Path(input).read_bytes() if input else b"")
        if output:
            Path(output).write_text(ran.out, encoding="utf-8")
        if {"import", "demo"} & set(words) and (night := re.search(UUID, ran.out)):
            self._values["{night}"] = night[0]
        if "backup" in words and ran.out:
            self._values["{backup}"] = ran.out.splitlines()[0]
        return ran

    def _read(self, step: str) -> None:
        """Compare what the last commands printed with a step about it."""
        parts = re.fullmatch(r"(out|err)( has| has no)?: (.+)", step)
        assert parts, f"no such step: {step}"
        stream, how, text = parts.groups()
        for ran in self._ran:
            printed = getattr(ran, stream)
            if how:
                assert bool(re.search(_pattern(text), printed)) == (how == " has"), f"{step}: {ran}"
            else:
                assert re.fullmatch(_pattern(_lines(text)), printed), f"{step}: {ran}"

    def _files(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self._folder.rglob("*") if path.is_file()}


def _lines(text: str) -> str:
    """The lines of a text, of which each ends."""
    return "" if text == "nothing" else text.replace(" / ", "\n") + "\n"


def _pattern(text: str) -> str:
    return re.escape(text).replace(r"\*", ".*")
