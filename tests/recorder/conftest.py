"""A recorder over a new database for each test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.recorder import Recorder
from tests.databases import copy_database
from tests.factories import NightFactory
from tests.recorder.examples import EXAMPLES, EXAMPLES_IN
from tests.recorder.tables import Table, open_table, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def recorder(path: Path, empty_database: Path) -> Iterator[Recorder]:
    """A recorder like the web's: its connections have the authorizer."""
    with opened(path, empty_database) as recorder:
        yield recorder


@pytest.fixture
def table(recorder: Recorder) -> Table:
    """A new night of four players."""
    table: Table = NightFactory.create(by=recorder)
    return table


@pytest.fixture(scope="session")
def nights_before(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> dict[str, tuple[Path, Table]]:
    """Kind -> a database with the night before the example of this kind, and its table there. Each night is told
    once, and its database copied before the lines that are examples."""
    folder, kept = tmp_path_factory.mktemp("examples"), {}
    for ruleset, story in EXAMPLES_IN.items():
        lines = [line for line in map(str.strip, story.splitlines()) if line]
        told = folder / f"{ruleset}.db"
        with opened(told, empty_database) as recorder:
            table = open_table(recorder, ruleset=ruleset)
            for number, line in enumerate(lines):
                for kind, example in EXAMPLES.items():
                    if (example.ruleset, example.before) == (ruleset, "\n".join(lines[:number])):
                        path = copy_database(told, folder / f"{kind}.db")
                        kept[kind] = path, replace(table, recorded=list(table.recorded))
                table.tell(line)
    return kept


@pytest.fixture
def before_example(
    tmp_path: Path, nights_before: dict[str, tuple[Path, Table]]
) -> Iterator[Callable[[str], Table]]:
    """A function that opens the night before the example of a kind of entry."""
    with ExitStack() as stack:

        def open_before(kind: str) -> Table:
            path, table = nights_before[kind]
            recorder = stack.enter_context(opened(tmp_path / f"before {kind}.db", path))
            return replace(table, recorder=recorder, recorded=list(table.recorded))

        yield open_before
