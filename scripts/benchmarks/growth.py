"""Whether a move late in a night, or in a database of many nights, costs more than the first; and whether pages
cost more for each row."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter

from benchmarks import migration, records
from benchmarks.filling import fill, inserting_into_postgresql, inserting_into_sqlite
from benchmarks.measuring import KEY, Effort, Figure, Goal, Row, as_in_service, milliseconds
from benchmarks.nights import Night, keeper_token, some_rounds
from ledger.game.round import Round
from ledger.recorder import AuditShare, Installation, Recorder, audit_in_processes, require_key
from ledger.store import Store, migrate
from ledger.web import Settings, create_app
from tests import postgresql

_WITHIN = Goal(1.1)
_ROUNDS_A_COPY, _ROUNDS_OF_A_NIGHT = 10, 20


def rows(effort: Effort) -> Iterator[Row]:
    """Moves late in a night, then in growing databases."""
    with TemporaryDirectory(prefix="tienlen-bench-") as folder:
        yield from _in_a_night(effort, Path(folder) / "nights.db")
        yield from _in_a_database(effort, Path(folder))
        yield from _on_postgresql(effort)


def _in_a_night(effort: Effort, file: Path) -> Iterator[Row]:
    installation = _installation(file)
    with closing((recorder := installation.open()).store):
        late = {number: Night(recorder, some_rounds(number - 1)) for number in effort.late_rounds}
        as_in_service()
        rounds = _compared()
        for number, night in late.items():
            yield _row(
                f"growth-{number}",
                (f"round {number}", "round 1"),
                "a recorded move",
                f"The same moves of one recorded round, in turns: as round {number} of a night, and as the first "
                "of a fresh one in the same database. Judged, chained, synced, and the board made anew.",
                [_compare((night, Night(recorder)), next(rounds)) for _ in range(effort.nights)],
            )
    yield from _of_pages(effort, installation, late)


def _in_a_database(effort: Effort, folder: Path) -> Iterator[Row]:
    fewest, *more = effort.many_rounds
    shortest = min(records.rounds_of_four(), key=lambda round: len(round.moves))
    recorders = {count: _installation(folder / f"{count}.db").open() for count in effort.many_rounds}
    for count, recorder in recorders.items():
        original = Night(recorder, [shortest] * min(count, _ROUNDS_A_COPY)).id
        fill(recorder, original, count // _ROUNDS_A_COPY - 1, inserting_into_sqlite(folder / f"{count}.db"))
    as_in_service()
    rounds = _compared()
    try:
        for count in more:
            yield _row(
                f"growth-database-{count}",
                (f"{count:,} rounds", f"{fewest:,} rounds"),
                "a recorded move in a database",
                "The same moves in turns, each in a fresh night beside nights of so many rounds in all. Those are "
                "copies of a night of the shortest recorded round, three entries each.",
                [
                    _compare((Night(recorders[count]), Night(recorders[fewest])), next(rounds))
                    for _ in range(effort.nights)
                ],
            )
    finally:
        for recorder in recorders.values():
            recorder.store.close()


def _on_postgresql(effort: Effort) -> Iterator[Row]:
    """The same on PostgreSQL, of whole nights; and the audit of a backup of all of them."""
    name = f"growth-postgresql-{effort.many_entries}"
    title = f"a recorded move in a PostgreSQL database, {effort.many_entries:,} entries against none"
    if not postgresql.programs():
        yield Row(name, title, (), same_work="", missing="PostgreSQL's programs are not installed")
        return
    with ExitStack() as stack:
        cluster = stack.enter_context(postgresql.running_cluster(folder := Path(gettempdir())))
        full, empty = (_on(stack, cluster) for _ in range(2))
        original = Night(full.recorder, some_rounds(_ROUNDS_OF_A_NIGHT)).id
        with full.recorder.store.reading() as reader:
            entries = reader.head(original).seq
        copies = effort.many_entries // entries - 1
        fill(full.recorder, original, copies, inserting_into_postgresql(cluster, full.database))
        as_in_service()
        rounds = _compared()
        yield _row(
            name,
            (f"{effort.many_entries:,} entries", "none"),
            "a recorded move in a PostgreSQL database",
            "The same moves in turns, each in a fresh night: beside copies of a night of "
            f"{_ROUNDS_OF_A_NIGHT} rounds, and in an empty database of the same server.",
            [
                _compare((Night(full.recorder), Night(empty.recorder)), next(rounds))
                for _ in range(effort.nights)
            ],
        )
        yield migration.row(cluster, full.recorder, original, copies)
        yield _restored(
            effort, stack.enter_context(postgresql.running_cluster(folder, follows=cluster)), full.database
        )


def _restored(effort: Effort, copy: postgresql.Cluster, database: str) -> Row:
    """The audit of a server's own backup (pg_basebackup), started again; it must find nothing."""
    copy.promote()
    installation = Installation(copy.url(database), KEY)
    started = perf_counter()
    assert list(audit_in_processes(installation, AuditShare(), os.cpu_count() or 1)) == []
    whole = perf_counter() - started
    started = perf_counter()
    assert list(audit_in_processes(installation, AuditShare(3, 16), 1)) == []
    return Row(
        name="audit-postgresql",
        title=f"`tienlen audit` of a restored backup of {effort.many_entries:,} entries on PostgreSQL",
        values=[whole],
        unit="s",
        same_work="`pg_basebackup`, its server started, and all nights audited by a process a core; nothing may be "
        "found.",
        measured={"--part 3/16, by one process": Figure(perf_counter() - started, "s")},
    )


@dataclass(frozen=True)
class _Filled:
    database: str
    recorder: Recorder


def _on(stack: ExitStack, cluster: postgresql.Cluster) -> _Filled:
    database = cluster.new_database()
    migrate(cluster.url(database, postgresql.OWNER))
    store = stack.enter_context(closing(Store.open(cluster.url(database))))
    return _Filled(database, Recorder(store, KEY))


def _payments_in(recorder: Recorder, night: str) -> int:
    with recorder.night(night) as seen:
        return len(seen.ledger().payments)


def _of_pages(effort: Effort, installation: Installation, nights: dict[int, Night]) -> Iterator[Row]:
    """The cost of a long night's pages for each payment; and that of the keeper's page, which shows none."""
    client = create_app(
        Settings(database_url=installation.database_url, key=require_key(installation.key))
    ).test_client()
    with closing((recorder := installation.open()).store):
        bearers = {
            number: {"Authorization": f"Bearer {keeper_token(recorder, night.id)}"}
            for number, night in nights.items()
        }

        def ask(path: str, number: int) -> None:
            answer = client.get(path.format(night=nights[number].id), headers=bearers[number])
            assert answer.status_code == 200

        payments = {number: _payments_in(recorder, night.id) for number, night in nights.items()}
        by_payment = "by payment: {1:,} of them against {0:,}"
        yield _of_page(
            "growth-ledger",
            "the ledger's page, a payment",
            partial(ask, "/n/{night}/ledger"),
            nights,
            payments,
            f"{by_payment}. A name was corrected since it was asked for last, so that every line of it is written "
            "again.",
        )
        yield _of_page(
            "growth-table",
            "the keeper's page between two rounds",
            partial(ask, "/n/{night}"),
            nights,
            dict.fromkeys(nights, 1),
            "as it is after a name was corrected.",
            turns=20,
        )


def _of_page(
    name: str,
    what: str,
    ask: Callable[[int], None],
    nights: dict[int, Night],
    shares: dict[int, int],
    how: str,
    *,
    turns: int = 3,
) -> Row:
    """A row for a page. `shares` are the numbers of items that times are divided by; the first turn warms up."""
    first, last = min(nights), max(nights)
    times: dict[int, list[float]] = {first: [], last: []}
    for turn in range(turns + 1):
        for number, some in times.items():
            nights[number].rename(f"An {name} {turn}")
            started = perf_counter()
            ask(number)
            if turn:
                some.append((perf_counter() - started) / shares[number])
    return Row(
        name=name,
        title=f"{what}, {last} rounds against {first}",
        values=[late / early for late, early in zip(times[last], times[first], strict=True)],
        goal=_WITHIN,
        same_work=f"The whole answer, in this process, {how.format(shares[first], shares[last])}",
        measured={
            f"all of {number}": milliseconds(median(some) * shares[number]) for number, some in times.items()
        },
    )


def _installation(file: Path) -> Installation:
    installation = Installation.find(f"sqlite:///{file}")
    installation.migrate()
    return installation


def _compared() -> Iterator[Round]:
    """Rounds long enough for a median, again and again."""
    return cycle(round for round in records.rounds_of_four() if len(round.moves) > 9)


Times = tuple[list[float], list[float]]
"""Seconds of each move in one night, and of the same moves in another."""


def _compare(pair: tuple[Night, Night], round: Round) -> Times:
    """Record the same round in two nights, and time each move."""
    times: Times = ([], [])
    for night in pair:
        night.record(records.header(round))
    for number, move in enumerate(records.moves(round)):
        # The nights alternate, since the first one's writes affect the second.
        for which in (0, 1) if number % 2 else (1, 0):
            times[which].append(pair[which].record(move))
    for night in pair:
        night.record(records.SETTLE)
    return times


def _row(name: str, places: tuple[str, str], what: str, same_work: str, pairs: Sequence[Times]) -> Row:
    late, early = places
    return Row(
        name=name,
        title=f"{what}, {late} against {early}",
        values=[median(times) / median(first) for times, first in pairs],
        goal=_WITHIN,
        same_work=same_work,
        measured={
            late: milliseconds(median(time for times, _ in pairs for time in times)),
            early: milliseconds(median(time for _, times in pairs for time in times)),
        },
    )
