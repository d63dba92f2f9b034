"""The pages that watchers request, compared with a minimal Flask answer; and the cost of a server: the seconds
until it answers, and the memory of its workers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import memory, records
from benchmarks.bare import WITHOUT_FLASK
from benchmarks.measuring import Effort, Figure, Goal, Row, milliseconds, percentile
from benchmarks.nights import prepare
from benchmarks.servers import Answer, Connection, Server, bare_server, expect, ledger_server
from benchmarks.service import Keeper
from ledger.recorder import Installation

_ROUNDS = 20
_FLOOR = "a bare answer"
_WITHOUT_FLASK = "one without Flask"
_BARE = (
    "Over HTTP, in turns with a Flask that has one route and nothing around it, in the same waitress, each on one "
    "kept-alive connection"
)
_PAGES = {
    "page-table": ("the keeper's page, a round running", Goal(9)),
    "page-ledger": ("the ledger's page", None),
    "page-rounds": ("the page of all rounds", None),
    "page-replay": ("the replay of one round", None),
}
_AGAIN = "page-ledger-again"

Times = dict[str, list[float]]
"""Seconds of each answer, by request."""


@dataclass(slots=True)
class _Seen:
    """The results of each start."""

    times: list[Times] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    bare_ready: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    with_share: list[float] = field(default_factory=list)


def rows(effort: Effort) -> Iterator[Row]:
    """A poll without news, the pages of a night, and the server itself."""
    seen = _Seen()
    with TemporaryDirectory(prefix="tienlen-bench-") as name:
        folder = Path(name)
        installation = Installation.find(f"sqlite:///{folder / 'ledger.db'}")
        for _ in range(effort.starts):
            night, token = prepare(installation, _ROUNDS)
            _look_on(seen, installation, folder, night, token, effort)
    yield _row("poll-304", "a poll that finds nothing new", seen.times, "304 against 200.", Goal(1.5))
    night_of = f"A night of {_ROUNDS} settled rounds and one that runs"
    for page, (what, goal) in _PAGES.items():
        since = "one more move was recorded since it was asked for last"
        yield _row(page, what, seen.times, f"{night_of}; {since}.", goal)
    yield _row(
        _AGAIN,
        "the ledger's page, for every further phone",
        seen.times,
        f"{night_of}; the page was written for another one before, and nothing was recorded since.",
    )
    yield Row(
        name="start",
        title="seconds from the command to the first healthy answer",
        values=seen.ready,
        unit="s",
        goal=Goal(1.5, unit="s"),
        same_work="`tienlen serve` on a database that is there: schema compared, store checked, two workers. "
        "Python and waitress included; a bare Flask in the same waitress beside it.",
        measured={"a bare Flask": Figure(median(seen.bare_ready), "s")},
    )
    yield _memory(seen)


def _look_on(
    seen: _Seen, installation: Installation, folder: Path, night: str, token: str, effort: Effort
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(ledger_server(installation.database_url, folder / "ledger.log"))
        bare = stack.enter_context(bare_server(str(folder / "bare.db"), folder / "bare.log"))
        seen.ready.append(server.ready)
        seen.bare_ready.append(bare.ready)
        ours, floor = server.connect(), bare.connect()
        stack.callback(ours.close)
        stack.callback(floor.close)
        keeper = Keeper(ours)
        keeper.take_over(night, token)
        seen.times.append(_ask(keeper, floor, effort.reads))
        _let_all_work(server, night, token)
        if memory.TOLD:
            for worker in memory.workers_of(server.process):
                own, with_share = memory.megabytes(worker)
                seen.own.append(own)
                seen.with_share.append(with_share)


def _ask(keeper: Keeper, floor: Connection, count: int) -> Times:
    """Time all requests in turns; the first turn warms up."""
    asked: dict[str, Callable[[], Answer]] = {
        _FLOOR: lambda: floor.get("/"),
        _WITHOUT_FLASK: lambda: floor.get(WITHOUT_FLASK),
        "page-table": lambda: keeper.page(""),
        "page-ledger": lambda: keeper.page("/ledger"),
        "page-rounds": lambda: keeper.page("/rounds"),
        "page-replay": lambda: keeper.page(f"/rounds/{_ROUNDS}"),
        _AGAIN: lambda: keeper.page("/ledger"),
    }
    times: Times = {name: [] for name in ("poll-304", *asked)}
    for turn in range(count + 1):
        keeper.record_next()
        now = {name: expect(200, ask()).seconds for name, ask in asked.items()}
        tag = keeper.board().header("ETag")
        now["poll-304"] = expect(304, keeper.board(tag)).seconds
        if turn:
            for name, seconds in now.items():
                times[name].append(seconds)
    return times


def _row(name: str, what: str, starts: list[Times], same_work: str, goal: Goal | None = None) -> Row:
    ours, floor, without = (
        [second for times in starts for second in times[one]] for one in (name, _FLOOR, _WITHOUT_FLASK)
    )
    return Row(
        name=name,
        title=f"{what}, against a bare answer",
        values=[median(times[name]) / median(times[_FLOOR]) for times in starts],
        goal=goal,
        same_work=f"{_BARE}. {same_work}",
        measured={
            "p50": milliseconds(median(ours)),
            "p99": milliseconds(percentile(ours, 99)),
            _FLOOR: milliseconds(median(floor)),
            _WITHOUT_FLASK: milliseconds(median(without)),
        },
    )


def _let_all_work(server: Server, night: str, token: str) -> None:
    """Warm up: several clients in turn, so that each worker has recorded and has rendered every page."""
    for _ in range(8):
        connection = server.connect()
        keeper = Keeper(connection)
        keeper.begin()
        keeper.send(records.header(records.rounds_of_four()[0]))
        for page in ("", "/ledger", "/rounds", f"/rounds/{_ROUNDS}", f"/rounds/{_ROUNDS}/why", "/statistics"):
            expect(200, connection.get(f"/n/{night}{page}", {"Authorization": f"Bearer {token}"}))
        connection.close()


def _memory(seen: _Seen) -> Row:
    return Row(
        name="memory",
        title="memory of a worker, its own",
        values=seen.own,
        unit="MB",
        goal=Goal(35, unit="MB"),
        same_work="Private pages of each of two workers after polls, pages and moves; what was loaded before the "
        "fork and never written since is shared. Beside it all that a worker maps, shared pages by their share.",
        measured={"with its share": Figure(median(seen.with_share), "MB")} if seen.own else {},
        missing="" if seen.own else "only Linux tells it (smaps_rollup)",
    )
