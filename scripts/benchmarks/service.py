"""A recorded move over HTTP compared with a minimal durable request: one client, and many at once; on SQLite, and
on PostgreSQL with its files on the same disk."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, count, cycle, islice
from pathlib import Path
from secrets import token_hex
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter
from typing import Protocol
from uuid import uuid4

from benchmarks import records
from benchmarks.bare import WITHOUT_FLASK
from benchmarks.measuring import Effort, Figure, Goal, Row, milliseconds, percentile
from benchmarks.records import Content
from benchmarks.servers import Answer, Connection, Server, bare_server, expect, ledger_server
from ledger.game.round import Round
from tests import postgresql

SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"

_API = "/api/v1/nights"
_ROUNDS_A_NIGHT = 4
_addresses = count(1)
_FROM_ONE_ADDRESS = 500
"""Entries sent from one address before another is used, to stay below the rate limit, which no table reaches."""

_ONE = (
    "`tienlen serve`: POST a play or a pass, judged, chained, synced, answered with the whole board. The same "
    "waitress with a bare WSGI route: one raw insert of the same body, as durable; beside it the same through Flask"
)
_DURABLY = {
    SQLITE: "(sqlite3: BEGIN IMMEDIATE, PERSIST, FULL)",
    POSTGRESQL: "(psycopg: autocommit, synchronous_commit)",
}

_ON_POSTGRESQL = (
    "durable-move-postgresql",
    "durable-moves-at-once-postgresql",
)


class Sender(Protocol):
    """A client that records a night."""

    def begin(self) -> None:
        """Begin a new night."""

    def send(self, content: Content) -> float:
        """Seconds until it was stored. A refusal ends the measurement."""


class Keeper:
    """Records in a ledger through the API."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def begin(self) -> None:
        night = str(uuid4())
        self._come_to(night, after=night)
        terms = {"ruleset": records.RULESET.id, "players": records.NAMES}
        _, opened = self._post(_API, {"id": night, "secret": token_hex(16), **terms})
        self.watching: str = opened["tokens"]["watch"]
        self.token: str = opened["tokens"]["keeper"]
        self._headers |= {"Authorization": f"Bearer {self.token}"}

    def take_over(self, night: str, token: str) -> None:
        """Continue a night in which no round is running."""
        self._come_to(night)
        self._headers |= {"Authorization": f"Bearer {token}"}
        self._chain = records.Chain(expect(200, self.board()).data["after"])

    def _come_to(self, night: str, after: str = "") -> None:
        self.night, self._chain = night, records.Chain(after)
        self._entries = chain.from_iterable(map(records.entries, cycle(records.rounds_of_four())))
        self._headers: dict[str, str] = {}
        self._sent = 0

    def send(self, content: Content) -> float:
        return self._post(f"{_API}/{self.night}/events", self._chain.event(content))[0]

    def moves(self) -> Iterator[float]:
        """Record and settle round after round; yields the seconds of each move."""
        while True:
            yield self.record_next()

    def record_next(self, *, settled: bool = False) -> float:
        """Record up to the next move, or with `settled` up to a round's settling; returns its seconds."""
        for content in self._entries:
            seconds = self.send(content)
            if content == records.SETTLE if settled else content["kind"] not in ("round", "settle"):
                return seconds
        raise AssertionError("rounds come again and again")

    def board(self, tag: str = "") -> Answer:
        """Request the board, with an ETag for `If-None-Match`."""
        return self._connection.get(f"{_API}/{self.night}", self._headers | {"If-None-Match": tag})

    def page(self, place: str) -> Answer:
        """Request a page of the night as its keeper."""
        return self._connection.get(f"/n/{self.night}{place}", self._headers)

    def _post(self, path: str, data: Content) -> tuple[float, Content]:
        self._come_from_an_address_of_its_own()
        answer = expect(201, self._connection.post(path, data, self._headers))
        return answer.seconds, answer.data

    def _come_from_an_address_of_its_own(self) -> None:
        if self._sent % _FROM_ONE_ADDRESS == 0:
            number = next(_addresses)
            self._headers["X-Forwarded-For"] = f"10.0.{number >> 8 & 255}.{number & 255}"
        self._sent += 1


class Inserter:
    """Stores the same bodies through the baseline application."""

    path = WITHOUT_FLASK

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def begin(self) -> None:
        self._chain = records.Chain(str(uuid4()))

    def send(self, content: Content) -> float:
        return expect(201, self._connection.post(self.path, self._chain.event(content))).seconds


class FlaskInserter(Inserter):
    """The same through Flask."""

    path = "/"


@dataclass(frozen=True, slots=True)
class Contender:
    """A server, and the kind of its clients."""

    server: Server
    client: type[Keeper] | type[Inserter]

    @contextmanager
    def clients(self, count: int) -> Iterator[list[Sender]]:
        with ExitStack() as stack:
            connections = [self.server.connect() for _ in range(count)]
            for connection in connections:
                stack.callback(connection.close)
            yield [self.client(connection) for connection in connections]


@dataclass(frozen=True, slots=True)
class Together:
    """The result of several clients in one turn: seconds of each entry, and in all."""

    each: Sequence[float]
    all: float

    @property
    def a_second(self) -> float:
        return len(self.each) / self.all


def rows(effort: Effort) -> Iterator[Row]:
    """The ledger on each database system and its baseline take turns."""
    alone: list[dict[str, list[float]]] = []
    together: list[dict[str, Together]] = []
    why_not = "" if effort.postgresql else "left out of a quick run"
    why_not = why_not or ("" if postgresql.programs() else "PostgreSQL's programs are not installed")
    systems = [SQLITE] if why_not else [SQLITE, POSTGRESQL]
    for _ in range(effort.starts):
        with _contenders(systems) as contenders:
            alone.append(_in_turns(contenders, effort.moves))
            at_once = (name for system in systems for name in (system, _bare(system)))
            together.append({name: _at_once(contenders[name], effort) for name in at_once})
    for system in systems:
        yield _alone(system, alone)
        yield _together(system, together, effort.clients)
    if POSTGRESQL not in systems:
        for name in _ON_POSTGRESQL:
            yield Row(name, "a recorded move on PostgreSQL", (), same_work=_ONE, missing=why_not)


def _alone(system: str, starts: Sequence[Mapping[str, Sequence[float]]]) -> Row:
    ours, theirs, with_flask = (
        [second for start in starts for second in start[name]]
        for name in (system, _bare(system), _bare_flask(system))
    )
    return Row(
        name=f"durable-move-{system.lower()}",
        title=f"a recorded move over HTTP on {system}, p50 of 1 client",
        values=[median(start[system]) / median(start[_bare(system)]) for start in starts],
        goal=Goal(4),
        same_work=f"{_ONE} {_DURABLY[system]}. In turns, over one kept-alive connection each.",
        measured={
            "a move": milliseconds(median(ours)),
            "p99": milliseconds(percentile(ours, 99)),
            "an insert": milliseconds(median(theirs)),
            "its p99": milliseconds(percentile(theirs, 99)),
            "one through Flask": milliseconds(median(with_flask)),
            "in a second": Figure(1 / median(ours), "moves"),
        },
    )


def _together(system: str, starts: Sequence[Mapping[str, Together]], clients: int) -> Row:
    ours, theirs = [start[system] for start in starts], [start[_bare(system)] for start in starts]
    times, inserts = ([second for turn in turns for second in turn.each] for turns in (ours, theirs))
    return Row(
        name=f"durable-moves-at-once-{system.lower()}",
        title=f"{clients} keepers at once on {system}, p99 against p50",
        values=[percentile(turn.each, 99) / median(turn.each) for turn in ours],
        goal=Goal(3),
        same_work="As above, each a night of its own and without a pause, beginnings and "
        "settlements included. Every answer was a 201.",
        measured={
            "p50": milliseconds(median(times)),
            "p99": milliseconds(percentile(times, 99)),
            "in a second": Figure(median(turn.a_second for turn in ours), "entries"),
            "an insert's p50": milliseconds(median(inserts)),
            "its p99": milliseconds(percentile(inserts, 99)),
            "of these in a second": Figure(median(turn.a_second for turn in theirs), "inserts"),
        },
    )


def _bare(system: str) -> str:
    return f"a bare insert, {system}"


def _bare_flask(system: str) -> str:
    return f"{_bare(system)}, through Flask"


@contextmanager
def _contenders(systems: Sequence[str]) -> Iterator[dict[str, Contender]]:
    """Start every server with an empty database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tienlen-bench-")))
        ours = ledger_server(f"sqlite:///{folder / 'ledger.db'}", folder / "ledger.log")
        theirs = bare_server(str(folder / "bare.db"), folder / "bare.log")
        found = _on(SQLITE, stack.enter_context(ours), stack.enter_context(theirs))
        if POSTGRESQL in systems:
            cluster = stack.enter_context(postgresql.running_cluster(Path(gettempdir())))
            ledger, inserts = cluster.new_database(), cluster.new_database()
            owner = cluster.url(ledger, postgresql.OWNER)
            with cluster.connect(inserts, postgresql.OWNER) as connection:
                connection.execute("CREATE TABLE event (seq bigserial PRIMARY KEY, body text NOT NULL)")
            ours = ledger_server(cluster.url(ledger), folder / "postgresql.log", owner)
            theirs = bare_server(cluster.url(inserts, postgresql.OWNER), folder / "bare-postgresql.log")
            found |= _on(POSTGRESQL, stack.enter_context(ours), stack.enter_context(theirs))
        yield found


def _on(system: str, ledger: Server, bare: Server) -> dict[str, Contender]:
    return {
        system: Contender(ledger, Keeper),
        _bare(system): Contender(bare, Inserter),
        _bare_flask(system): Contender(bare, FlaskInserter),
    }


def _in_turns(contenders: Mapping[str, Contender], moves: int) -> dict[str, list[float]]:
    """Seconds of so many moves, each sent to all contenders in turn; the first night warms up."""
    with ExitStack() as stack:
        clients = {
            name: stack.enter_context(contender.clients(1))[0] for name, contender in contenders.items()
        }
        times: dict[str, list[float]] = {name: [] for name in clients}
        rounds = cycle(records.rounds_of_four())
        warming = True
        while len(times[SQLITE]) < moves:
            for client in clients.values():
                client.begin()
            for content, timed in _night(list(islice(rounds, 1 if warming else _ROUNDS_A_NIGHT))):
                for name, client in clients.items():
                    seconds = client.send(content)
                    if timed and not warming:
                        times[name].append(seconds)
            warming = False
        return {name: some[:moves] for name, some in times.items()}


def _at_once(contender: Contender, effort: Effort) -> Together:
    """Several clients record without a pause, each starting at another recorded round."""
    rounds = records.rounds_of_four()

    def record(client: Sender, first: int) -> list[float]:
        entries = islice(_night([*rounds[first:], *rounds[:first]]), effort.moves_at_once)
        return [client.send(content) for content, _ in entries]

    with contender.clients(effort.clients) as clients, ThreadPoolExecutor(effort.clients) as pool:
        for client in clients:
            client.begin()
        places = [number * len(rounds) // effort.clients for number in range(effort.clients)]
        started = perf_counter()
        each = list(chain.from_iterable(pool.map(record, clients, places)))
        return Together(each, perf_counter() - started)


def _night(rounds: Sequence[Round]) -> Iterator[tuple[Content, bool]]:
    """The events of a night, each with whether it is a move."""
    for round in rounds:
        yield records.header(round), False
        for move in records.moves(round):
            yield move, True
        yield records.SETTLE, False
