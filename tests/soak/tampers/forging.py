"""A night, and a forger with write access to its database: careless (changes single columns) or careful (computes
everything that depends on them again)."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from ledger.recorder import Recorder
from ledger.store import Head, Store, event_hash, migrate
from tests.databases import copy_database
from tests.recorder.tables import KEY, Clock, Table, asked, open_table
from tests.stories import read_story

Body = dict[str, Any]
A_NIGHT = Path(__file__).with_name("night.txt").read_text(encoding="utf-8")  # of three players
TABLES = ("event", "payment", "correction")
_PAYMENT = ("payer", "payee", "points", "reason", "clause", "round", "cause")


@dataclass(frozen=True)
class Played:
    """A night as it was honestly recorded: its database and its head after every entry."""

    night: str
    backups: tuple[Path, ...]
    heads: tuple[Head, ...]

    @property
    def last(self) -> int:
        return len(self.heads) - 1

    @property
    def database(self) -> Path:
        return self.backups[-1]


Nights = tuple[Played, Played]


def two_nights(folder: Path) -> Nights:
    """Record the same story twice: two honest nights of equal length."""
    empty = folder / "empty.db"
    migrate(f"sqlite:///{empty}")
    return _play(folder / "one", empty), _play(folder / "two", empty)


def _play(folder: Path, empty: Path) -> Played:
    """Record a night, keeping a backup after every entry."""
    folder.mkdir()
    database = folder / "ledger.db"
    shutil.copyfile(empty, database)
    with recorder_over(database) as recorder:
        table = open_table(recorder, 3)
        heads = [Head(0, bytes.fromhex(asked(recorder, table.night).log().hash))]
        for kind, content in read_story(A_NIGHT):
            copy_database(database, folder / f"{len(heads) - 1}.db")
            recorded = table.record(kind, **content)
            heads.append(Head(recorded.seq, bytes.fromhex(recorded.hash)))
    backups = [folder / f"{seq}.db" for seq in range(len(heads) - 1)]
    return Played(table.night, (*backups, database), tuple(heads))


@contextmanager
def recorder_over(database: Path) -> Iterator[Recorder]:
    with closing(Store.open(f"sqlite:///{database}", web=False)) as store:
        yield Recorder(store, KEY, Clock())


def record_on(database: Path, night: str, entries: int) -> None:
    """Honestly record `entries` more adjustments, which are allowed at any time."""
    with recorder_over(database) as recorder:
        after = Table(recorder, night).board()["after"]
        table = Table(recorder, night, after)
        for number in range(entries):
            table.tell(f"pay p1 p2 {number + 1} khác")


class Forger:
    """Another program that owns the file: it drops the triggers, and restores them when it leaves."""

    def __init__(self, database: Path, night: str) -> None:
        self.night = night
        self.connection = sqlite3.connect(database, isolation_level=None)
        self.run("PRAGMA ignore_check_constraints = 1")
        self.triggers = self.run("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        for name, _ in self.triggers:
            self.run(f"DROP TRIGGER {name}")

    def run(self, sql: str, *values: object) -> list[Any]:
        return self.connection.execute(sql, values).fetchall()

    def leave(self) -> None:
        for _, text in self.triggers:
            self.run(text)
        self.connection.close()

    close = leave

    def bodies(self) -> list[Body]:
        return [json.loads(body) for (body,) in self.run("SELECT body FROM event ORDER BY seq")]

    def flip(self, column: str, seq: int, bit: int) -> None:
        """Flip one bit of a column: `bit` modulo its length."""
        ((value,),) = self.run(f"SELECT CAST({column} AS BLOB) FROM event WHERE seq = ?", seq)
        changed = bytearray(value)
        changed[bit // 8 % len(value)] ^= 1 << bit % 8
        kind = "TEXT" if column == "body" else "BLOB"
        self.run(f"UPDATE event SET {column} = CAST(? AS {kind}) WHERE seq = ?", bytes(changed), seq)

    def write(self, seq: int, body: Body, *, hashed: bool) -> None:
        """Replace the body of an event, and its hash too if `hashed`."""
        text = _text(body)
        self.run("UPDATE event SET body = ? WHERE seq = ?", text, seq)
        if hashed:
            ((prev,),) = self.run("SELECT prev FROM event WHERE seq = ?", seq)
            self.run("UPDATE event SET hash = ? WHERE seq = ?", event_hash(prev, text), seq)

    def renumber(self, old: int, new: int) -> None:
        """Give an entry another seq, with its payments and corrections."""
        for table in TABLES:
            self.run(f"UPDATE {table} SET seq = ? WHERE seq = ?", new, old)

    def rewrite(self, bodies: list[Body], *, numbered: bool = True) -> None:
        """Replace the night's events, and all that depends on them, by these bodies, and chain them."""
        for table in TABLES:
            self.run(f"DELETE FROM {table}")
        ((head,),) = self.run("SELECT hash FROM night")
        for seq, body in enumerate(bodies, start=1):
            head = self._add(body | ({"seq": seq} if numbered else {}), head)

    def _add(self, body: Body, head: bytes) -> bytes:
        """Insert an event after this head; returns its hash."""
        seq, payments, text = body["seq"], body["payments"], _text(body)
        hash, total = event_hash(head, text), sum(each["points"] for each in payments)
        columns = (seq, body["id"], body["kind"], body["round"], len(payments), total, text, head, hash)
        self._insert("event", *columns)
        for idx, each in enumerate(payments):
            back = each["reverses"].split(".") if each["reverses"] else (None, None)
            self._insert("payment", seq, idx, *(each[name] for name in _PAYMENT), *back)
        for part, each in enumerate(body["parts"]):
            if "corrects" in each:
                self._insert("correction", seq, part, *each["corrects"].split("."))
        return hash

    def _insert(self, table: str, *values: object) -> None:
        self.run(f"INSERT INTO {table} VALUES (?{', ?' * len(values)})", self.night, *values)


def another(body: Body) -> Body:
    """A copy of an entry with a new id, and without payments and parts."""
    return body | {"id": str(uuid4()), "payments": [], "parts": []}


def _text(body: Body) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
