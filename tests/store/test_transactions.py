"""One writer, many readers that do not wait for each other; transactions are atomic even if a process is killed."""

import fcntl
import gc
import json
import multiprocessing
import os
import re
import resource
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import pytest

from ledger.store import Head, Reader, Store, StoredEvent, Writer, errors, files, migrate
from ledger.store.systems import locks, sqlite, sqlite_connections
from ledger.store.systems.sqlite_connections import driver_of
from tests.factories import NightFactory
from tests.processes import end_with_parent, is_waited_for, wait_for
from tests.store.making import MadeNight, audited, new_event, new_night, paid, run_in_thread
from tests.store.systems import TABLES, OtherProgram, SqliteProgram, System

process = multiprocessing.get_context("spawn").Process


def append_one(store: Store, night: str) -> StoredEvent:
    with store.writing(night) as writer:
        last, head = writer.last(night), writer.head(night)
        assert last
        event = new_event(night, head.seq + 1, head.hash, net=json.loads(last.body)["net"])
        writer.append(event)
        return event.row


def append_some(writer: Writer, night: str, number: int) -> None:
    """Append several events in one transaction."""
    head = writer.head(night)
    for _ in range(number):
        event = new_event(night, head.seq + 1, head.hash)
        writer.append(event)
        head = Head(event.row.seq, event.row.hash)


def append_many(url: str, night: str, number: int) -> None:
    with closing(Store.open(url)) as store:
        for _ in range(number):
            append_one(store, night)


def append_to_both(url: str, nights: Sequence[str], number: int) -> None:
    with closing(Store.open(url)) as store:
        for _ in range(number):
            with store.writing(*nights) as writer:
                for night in nights:
                    append_some(writer, night, 1)


def hang_while_writing(url: str, night: str, written: str) -> None:
    end_with_parent()
    store = Store.open(url)
    with store.writing(night) as writer:
        append_some(writer, night, 200)
        Path(written).touch()
        signal.pause()


def append_until_the_disk_is_full(url: str, night: str, result: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = Store.open(url)
    append_one(store, night)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
    kept, failure = 0, "none"
    try:
        while kept < 10_000:
            append_one(store, night)
            kept += 1
    except errors.StoreUnavailable as error:
        failure = type(error).__name__
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    recovered = append_one(store, night)
    Path(result).write_text(f"{failure} {kept} {recovered.seq}")
    store.close()


def started(target: Callable[..., None], *arguments: object) -> BaseProcess:
    worker = process(target=target, args=arguments)
    worker.start()
    return worker


def ended(worker: BaseProcess) -> int | None:
    """The status with which a process ends."""
    worker.join()
    return worker.exitcode


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sqlite_connections.SETTINGS, "busy_timeout", 50)


@pytest.fixture
def tool(impatient: None, url: str) -> Iterator[Store]:
    """A store as for the command line, which does not wait long for other programs."""
    with closing(Store.open(url, web=False)) as store:
        yield store


def test_two_nights_are_written_together_or_not_at_all(store: Store, night: MadeNight) -> None:
    other: MadeNight = NightFactory.create(by=store)

    def heads() -> list[int]:
        with store.reading() as reader:
            return [reader.head(one.id).seq for one in (night, other)]

    def write(last: str) -> None:
        with store.writing(night.id, other.id) as writer:
            append_some(writer, night.id, 1)
            append_some(writer, last, 1)

    before = heads()
    with pytest.raises(LookupError):
        write("no night")
    assert heads() == before
    write(other.id)
    assert heads() == [seq + 1 for seq in before]


@pytest.mark.postgresql
def test_two_processes_that_write_the_same_two_nights_wait_in_line(
    store: Store, night: MadeNight, url: str
) -> None:
    nights = (night.id, NightFactory.create(by=store).id)
    with store.reading() as reader:
        before = [reader.head(one).seq for one in nights]
    workers = [started(append_to_both, url, some, 30) for some in (nights, nights[::-1])]
    assert [ended(worker) for worker in workers] == [0, 0]
    with store.reading() as reader:
        assert [reader.head(one).seq for one in nights] == [seq + 60 for seq in before]


def test_two_processes_that_write_at_once_lose_nothing(night: MadeNight, url: str) -> None:
    workers = [started(append_many, url, night.id, 30) for _ in range(2)]
    for _ in range(30):
        night.append()
    assert [ended(worker) for worker in workers] == [0, 0]
    assert night.head().seq == 4 + 90
    assert audited(night.store) == []


def test_of_several_first_starts_one_migrates(system: System) -> None:
    owner, web = system.empty()
    workers = [started(migrate, owner) for _ in range(3)]
    assert [ended(worker) for worker in workers] == [0, 0, 0]
    with closing(Store.open(web)) as store:
        assert store.differences() == ()


def test_a_writer_that_is_killed_on_the_way_leaves_nothing(
    night: MadeNight, url: str, tmp_path: Path
) -> None:
    before = night.head()
    written = tmp_path / "written"
    worker = started(hang_while_writing, url, night.id, str(written))
    wait_for(written.exists, "another process to write")
    worker.kill()
    assert ended(worker) == -signal.SIGKILL
    assert night.head() == before
    assert night.append().seq == before.seq + 1
    assert audited(night.store) == []


def test_a_writer_that_raises_leaves_nothing(night: MadeNight, other: OtherProgram) -> None:
    before = other.contents()

    def append_and_fail(writer: Writer) -> NoReturn:
        head = writer.head(night.id)
        writer.append(new_event(night.id, head.seq + 1, head.hash, payments=[paid("p1", "p2", 1)]))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), night.store.writing(night.id) as writer:
        append_and_fail(writer)
    assert other.contents() == before


def test_what_the_end_of_a_transaction_refuses_leaves_nothing_and_the_connection_is_usable(
    night: MadeNight, other: OtherProgram
) -> None:
    before = other.contents()
    with (
        pytest.raises(errors.StoreRefused, match=r"(?i)foreign key"),
        night.store.writing(night.id) as writer,
    ):
        writer.connection.exec_driver_sql(f"INSERT INTO correction VALUES ('{night.id}', 5, 0, 2, 0)")
    assert other.contents() == before
    assert night.append().seq == 5


def test_threads_that_write_and_read_at_once_lose_nothing(night: MadeNight) -> None:
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            with night.store.reading() as reader:
                assert reader.last(night.id)

    with ThreadPoolExecutor(16) as threads:
        readers = [threads.submit(read) for _ in range(8)]
        writers = [threads.submit(lambda: [night.append() for _ in range(10)]) for _ in range(8)]
        try:
            for writer in writers:
                writer.result(60)  # continuous readers do not starve them
        finally:
            stop.set()
        for reader in readers:
            reader.result(60)
    assert night.head().seq == 4 + 80


@pytest.mark.sqlite
def test_a_transaction_inside_another_is_a_mistake(night: MadeNight) -> None:
    with pytest.raises(AssertionError, match="inside another"), night.store.writing(night.id):
        night.append()
    assert night.append().seq == 5


@pytest.mark.sqlite
def test_a_store_is_not_carried_over_a_fork(night: MadeNight, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(AssertionError, match="after the fork"):
        night.append()


def test_a_database_that_another_program_holds_is_busy(tool: Store, path: Path) -> None:
    night = MadeNight(tool)
    other = SqliteProgram(path)
    other.run("BEGIN EXCLUSIVE")
    with pytest.raises(errors.StoreBusy):
        night.append()
    assert night.head().seq == 0
    other.run("ROLLBACK")
    other.close()
    assert night.append().seq == 1


def test_a_place_is_given_to_whoever_waits_and_not_to_who_gave_up() -> None:
    line, entered = locks.FairSemaphore(1), threading.Event()

    def enter() -> None:
        with line.acquired(threading.TIMEOUT_MAX, "busy"):
            entered.set()

    with line.acquired(0, "busy"):
        with pytest.raises(errors.StoreBusy, match="busy"), line.acquired(0.01, "busy"):
            pass
        waiting = threading.Thread(target=enter)
        waiting.start()
        assert not entered.wait(0.05)
    waiting.join()
    assert entered.is_set()
    with line.acquired(0, "busy"):
        pass


@pytest.mark.parametrize(
    ("name", "error"),
    [
        *((name, errors.StoreBusy) for name in ("BUSY", "BUSY_SNAPSHOT", "LOCKED", "PROTOCOL")),
        *((name, errors.StoreReadOnly) for name in ("READONLY", "READONLY_DBMOVED", "PERM")),
        *(
            (name, errors.StoreFailing)
            for name in ("IOERR", "IOERR_READ", "IOERR_SHMMAP", "CANTOPEN", "NOMEM")
        ),
        *((name, errors.StoreDamaged) for name in ("CORRUPT", "CORRUPT_INDEX", "NOTADB", "FORMAT")),
        *((name, errors.StoreRefused) for name in ("CONSTRAINT_CHECK", "AUTH", "TOOBIG", "ERROR")),
        ("FULL", errors.StoreFull),
    ],
)
def test_every_failure_has_its_meaning(name: str, error: type[errors.StoreError]) -> None:
    failure = sqlite3.OperationalError("it failed")
    failure.sqlite_errorname = f"SQLITE_{name}"
    found = sqlite_connections.store_error(failure)
    assert type(found) is error
    assert ("network share" in str(found)) is (name == "IOERR_SHMMAP")


def test_a_disk_without_room_is_told_before_anything_is_recorded(
    night: MadeNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> BinaryIO:
        return Path("/dev/full").open("wb", buffering=0)

    night.store.check()
    monkeypatch.setattr(files, "TemporaryFile", full)
    with pytest.raises(errors.StoreFull):
        night.store.check()


@pytest.mark.sqlite
def test_whoever_watches_is_told_of_what_any_process_writes(night: MadeNight, url: str) -> None:
    with closing(Store.open(url)) as elsewhere, elsewhere.watching() as changed:
        assert changed()
        assert not changed()
        night.append()
        assert changed()
        assert not changed()


def test_a_process_that_hangs_with_the_lock_costs_the_others_one_thread(
    night: MadeNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "_PATIENCE", 0.05)
    with ThreadPoolExecutor() as threads, sqlite.lock_path(path).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        first = threads.submit(night.append)
        wait_for(lambda: is_waited_for(sqlite.lock_path(path)), "the first to wait for the lock")
        for _ in range(2):
            with pytest.raises(errors.StoreBusy, match="too long"):
                night.append()
            assert night.head().seq == 4
        assert not first.done()
    assert (first.result().seq, night.append().seq) == (5, 6)


@pytest.mark.sqlite
def test_a_full_database_says_so_keeps_nothing_of_it_and_recovers(tool: Store) -> None:
    night = MadeNight(tool)

    def fill(writer: Writer) -> None:
        writer.connection.exec_driver_sql("PRAGMA max_page_count = 1")
        append_some(writer, night.id, 1000)

    with pytest.raises(errors.StoreFull), tool.writing(night.id) as writer:
        fill(writer)
    with tool.writing(night.id) as writer:
        writer.connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert night.append().seq == 1


@pytest.mark.sqlite
def test_a_file_that_cannot_grow_says_so_keeps_nothing_of_it_and_recovers(
    night: MadeNight, url: str, tmp_path: Path
) -> None:
    result = tmp_path / "result"
    worker = started(append_until_the_disk_is_full, url, night.id, str(result))
    assert ended(worker) == 0
    failure, kept, recovered = result.read_text().split()
    assert failure in ("StoreFull", "StoreFailing", "StoreUncertain")
    assert int(kept) > 0
    assert int(recovered) == 4 + 1 + int(kept) + 1
    assert audited(night.store) == []


@pytest.mark.sqlite
def test_a_database_that_cannot_be_written_says_so_and_can_be_read(
    tool: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    night, connect = MadeNight(tool), sqlite3.connect

    def of_a_disk_that_is_read_only(file: str, **how: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(file.replace("mode=rw", "mode=ro"), **how)
        return connection

    tool.close()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(sqlite3, "connect", of_a_disk_that_is_read_only)
        with pytest.raises(errors.StoreReadOnly) as kept, tool.writing(night.id) as writer:
            writer.create_night(*new_night())
        assert night.head().seq == 0
        with pytest.raises(errors.StoreReadOnly):
            tool.check()
    tool.check()  # that finds it writable before anything is written
    # On another connection: the failed one holds no lock any more, although its cursor is still open.
    with tool.writing(night.id) as writer:
        writer.create_night(*new_night())
    del kept  # it held the cursor until here


@pytest.mark.sqlite
def test_what_nobody_closes_is_closed_when_the_store_is_gone(night: MadeNight, url: str) -> None:
    store = Store.open(url)
    with store.writing(night.id) as writer:
        connection = driver_of(writer.connection)
        assert writer.night(night.id)
    assert connection.execute("SELECT 1").fetchall() == [(1,)]
    del store, writer
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_a_database_that_has_gone_is_unavailable(tool: Store, path: Path) -> None:
    tool.close()
    path.unlink()
    with pytest.raises(errors.StoreUnavailable), tool.reading() as reader:
        reader.nights()
    assert not path.exists()


def test_a_lock_file_that_cannot_be_made_is_unavailable(tool: Store, path: Path) -> None:
    sqlite.lock_path(path).unlink(missing_ok=True)
    sqlite.lock_path(path).mkdir()
    with pytest.raises(errors.StoreUnavailable), tool.writing("any"):
        pass


def test_the_check_passes_only_while_the_store_can_be_read_written_and_conforms(
    night: MadeNight, other: OtherProgram
) -> None:
    night.store.check()
    other.run("DROP INDEX event_by_round")
    with pytest.raises(errors.StoreNotConforming, match="event_by_round is missing"):
        night.store.check()


def test_the_check_waits_for_nobody_who_reads_and_keeps_nobody_from_it(night: MadeNight) -> None:
    with night.store.reading() as reader:
        run_in_thread(night.store.check)
        assert reader.head(night.id).seq == 4


_NOW = {"night_pk", "event_pk", "person_pk", "event_by_kind"}
_KINDS = {"event_by_kind", "event_pk"}
QUERIES: dict[str, tuple[Callable[[Any, str], Any], *tuple[set[str], ...]]] = {
    "head": (lambda reader, id: reader.head(id), _NOW),
    "names": (lambda reader, id: reader.names(id), _NOW),
    "night head": (lambda reader, id: reader.night_head(id), _NOW),
    "night": (lambda reader, id: reader.night(id), {"night_pk"}),
    "last": (lambda reader, id: reader.last(id), {"event_pk"}),
    "last but": (lambda reader, id: reader.last(id, but=["dispute", "void"]), {"event_pk"}),
    "after": (lambda reader, id: reader.events(id, after=2, limit=1), {"event_pk"}),
    "last round": (lambda reader, id: reader.last_round(id), {"event_by_round"}),
    "by id": (lambda reader, id: reader.event_by_id(id, "play-1"), {"event_id_is_new", "event_pk"}),
    "of rounds": (lambda reader, id: reader.events_of_rounds(id, [1, 2]), {"event_by_round", "event_pk"}),
    "of kinds": (lambda reader, id: reader.events_of_kinds(id, ["settle"]), _KINDS),
    "touched since": (lambda reader, id: reader.touched_since(id, reader.head(id)), _NOW | {"payment_pk"}),
}
"""Each query, and the indexes it uses: in SQLite 3.40, and in 3.53 if they differ."""


def _index(step: str) -> str:
    """The index that a step of a query plan searches, by its name in the migrations."""
    found = re.fullmatch(r"SEARCH (\w+) USING (?:PRIMARY KEY|(?:COVERING )?INDEX (\w+)) \(.*\)", step)
    assert found, step
    table, index = found.groups()
    own = {None: f"{table}_pk", f"sqlite_autoindex_{table}_1": f"{table}_pk"}
    return {**own, "sqlite_autoindex_event_2": "event_id_is_new"}.get(index, index)


@pytest.mark.sqlite
@pytest.mark.parametrize("query", QUERIES)
def test_what_is_read_is_found_by_an_index_however_long_the_night_and_full_the_database(
    tool: Store, query: str
) -> None:
    night, (ask, *used) = MadeNight(tool).play_a_little(), QUERIES[query]
    with tool.writing(night.id) as writer:
        statements: list[str] = []
        raw = driver_of(writer.connection)
        raw.set_trace_callback(statements.append)
        ask(writer, night.id)
        raw.set_trace_callback(None)
        plan = [step for sql in statements for *_, step in raw.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert not [step for step in plan if re.match(f"SCAN ({'|'.join(TABLES)})", step)], plan
    assert {_index(step) for step in plan if step.startswith("SEARCH")} in used, plan
    if query != "touched since":
        assert not [step for step in plan if "TEMP B-TREE" in step], plan


def test_the_last_event_that_is_of_none_of_some_kinds(tool: Store) -> None:
    night, kinds = MadeNight(tool), ["dispute", "join"]
    with tool.reading() as reader:
        assert reader.last(night.id, but=kinds) is None
    played = night.append()
    *_, newest = [night.append(kind=kind) for kind in kinds]
    with tool.reading() as reader:
        assert reader.last(night.id, but=kinds) == played
        assert reader.last(night.id) == newest


def answers(reader: Reader, night: MadeNight) -> dict[str, Any]:
    """A reader's answers to every query about a night."""
    return {
        **{name: ask(reader, night.id) for name, (ask, *_) in QUERIES.items()},
        "balances": reader.balances(night.id),
        "night head": reader.night_head(night.id),
        "events": reader.events(night.id),
        "settlements": reader.events_of_kinds(night.id, ["settle"]),
    }


def test_a_reader_sees_one_moment(night: MadeNight, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_connections, "BUSY_SECONDS", 0)

    def name(player: str, name: str) -> None:
        with suppress(errors.StoreUncertain):  # the name before it stays in SQLite's log while somebody reads
            night.name(player, name)

    with night.store.reading() as reader:
        before = answers(reader, night)
        run_in_thread(lambda: night.append(id="late", round=3))
        run_in_thread(lambda: night.append(kind="settle", round=3, payments=[paid("p1", "p2", 5, round=3)]))
        run_in_thread(lambda: night.append(kind="dispute", round=1))
        run_in_thread(lambda: name("p2", "Bính"))
        run_in_thread(lambda: name("p5", "Em"))
        run_in_thread(lambda: night.revoke("seat", "p3"))
        assert answers(reader, night) == before
        assert reader.event_by_id(night.id, "late") is None
    with night.store.reading() as reader:
        changed = {name for name, answer in answers(reader, night).items() if answer != before[name]}
    the_same = {"by id", "after", "payments of rounds", "night", "touched since", "is still"}
    assert changed == set(before) - the_same


@pytest.mark.sqlite
def test_readers_of_a_moment_keep_no_writer_waiting_and_wait_for_none(night: MadeNight) -> None:
    """However many they are, and however long their moment lasts."""
    begun, done = threading.Barrier(25), threading.Event()

    def read() -> tuple[int, int]:
        with night.store.reading() as reader:
            before = reader.head(night.id).seq
            begun.wait()
            assert done.wait()
            event = reader.last(night.id)
        assert event
        return before, event.seq

    with ThreadPoolExecutor(24) as threads:
        reading = [threads.submit(read) for _ in range(24)]
        begun.wait()
        assert night.append().seq == 5
        done.set()
    assert [read.result() for read in reading] == [(4, 4)] * 24
