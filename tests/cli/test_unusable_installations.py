"""For an unusable installation, a command prints one line that says what to do, and changes nothing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import RECORDS, says_one_line, tienlen

NOWHERE = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"
RECORD = RECORDS / "southern-05.tln"
READING = [("nights",), ("audit",), ("backup", "backups"), ("export", NOWHERE), ("link", NOWHERE)]
MAKING = [("migrate",), ("demo",), ("serve",), ("import", RECORD)]
KEY = "5e" * 32


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    folder = tmp_path / "place"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, with its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def run(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def of_another_program(path: Path) -> None:
    run(path, "CREATE TABLE bookmark (id INTEGER, url TEXT)", "INSERT INTO bookmark VALUES (1, 'there')")


def of_another_program_in_another_journal_mode(path: Path) -> None:
    run(path, "PRAGMA journal_mode = WAL", "CREATE TABLE bookmark (id INTEGER, url TEXT)")


def of_another_program_that_is_migrated_as_ours_is(path: Path) -> None:
    of_another_program(path)
    run(
        path, "CREATE TABLE alembic_version (version_num TEXT)", "INSERT INTO alembic_version VALUES ('0001')"
    )


def of_a_newer_version(path: Path) -> None:
    elsewhere = path.with_name("elsewhere")
    elsewhere.mkdir()
    assert tienlen("--database", f"sqlite:///{elsewhere / 'ledger.db'}", "migrate").status == 0
    run(elsewhere / "ledger.db", "UPDATE alembic_version SET version_num = '9999'")
    (elsewhere / "ledger.db").rename(path)


def a_damaged_one(path: Path) -> None:
    assert tienlen("--database", f"sqlite:///{path}", "import", RECORD).status == 0
    raw = bytearray(path.read_bytes())
    raw[100:200] = bytes(100)
    path.write_bytes(raw)


def no_database(path: Path) -> None:
    path.write_text("a letter to somebody\n" * 100, encoding="utf-8")


def a_folder(path: Path) -> None:
    path.mkdir()


UNUSABLE: dict[Callable[[Path], None], str] = {
    of_another_program: "another program's database (it holds bookmark): name one of your own",
    of_another_program_in_another_journal_mode: "another program's database (it holds bookmark)",
    of_another_program_that_is_migrated_as_ours_is: "another program's database",
    of_a_newer_version: "of a newer version (schema 9999): install that version",
    a_damaged_one: "malformed",
    no_database: "not a database: name another file",
    a_folder: "is a folder: name a file in it",
}


@pytest.mark.parametrize("make", UNUSABLE, ids=lambda make: make.__name__)
def test_what_is_no_database_of_ours_is_named_and_left_as_it_was(
    place: Path, make: Callable[[Path], None]
) -> None:
    make(place / "there.db")
    before = contents(place)
    for command in (*READING, *MAKING):
        ran = tienlen("--database", f"sqlite:///{place / 'there.db'}", *command)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert UNUSABLE[make] in ran.err
        assert contents(place) == before


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("nonsense", "one is sqlite:////folder/file.db"),
        ("sqlite:///:memory:", "must be a file"),
        (
            "oracle://host/nights",
            "'oracle' are not known here: name one by sqlite:////folder/file.db",
        ),
        ("postgresql://web:web@pw@127.0.0.1/nights", "@ is written as %40"),
        ("postgresql://web@127.0.0.1:1/nights", "is it running there, and is its address right?"),
        ("sqlite:///\udcff/ledger.db", ""),
        ("sqlite://", ""),
        ("sqlite://host/ledger.db", ""),
        ("sqlite:///ledger.db?mode=ro", ""),
        ("sqlite:////proc/no/folder/ledger.db", "no folder /proc/no/folder: make it, or name another"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_with_one_that_can(place: Path, url: str, text: str) -> None:
    for command in (*READING, *MAKING):
        ran = tienlen("--database", url, *command)
        assert (ran.status, says_one_line(ran)) == (2, True)
        if command in MAKING or "folder" not in text:
            assert text in ran.err
        assert contents(place) == {}


def test_a_database_that_is_not_there_is_not_made_by_reading_it_nor_is_its_key(place: Path) -> None:
    for command in READING:
        ran = tienlen("--database", f"sqlite:///{place / 'typo.db'}", *command)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert f"no database at {place / 'typo.db'}: `tienlen serve` makes one" in ran.err
        assert contents(place) == {}


def test_an_empty_file_is_not_a_database_yet(place: Path) -> None:
    (place / "empty.db").touch()
    for command in (("nights",), ("export", NOWHERE), ("link", NOWHERE)):
        ran = tienlen("--database", f"sqlite:///{place / 'empty.db'}", *command)
        assert (ran.status, says_one_line(ran)) == (2, True), command


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TIENLEN_KEY", KEY[2:]),
        ("TIENLEN_KEY", f"{KEY[2:]}xy"),
        ("TIENLEN_PROXIES", "yes"),
        ("TIENLEN_PROXIES", "-1"),
        ("TIENLEN_HOSTS", "https://tienlen.example"),
        ("TIENLEN_HOSTS", "tienlen.example:443, other.example"),
    ],
)
def test_a_variable_that_cannot_be_read_is_told_without_saying_a_key(
    place: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    for command in MAKING:
        ran = tienlen("--database", f"sqlite:///{place / 'ledger.db'}", *command)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert name in ran.err
        assert KEY[2:] not in ran.err
        assert contents(place) == {}


def test_a_key_file_that_holds_no_key_is_named(place: Path) -> None:
    (place / "server.key").write_text("a poem")
    ran = tienlen("--database", f"sqlite:///{place / 'ledger.db'}", "serve")
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert f"{place / 'server.key'} is not a key: 64 hexadecimal digits are" in ran.err
    assert contents(place) == {"server.key": b"a poem"}
