"""Timing, and the rows of the result.

Contenders take turns, so that disturbances of the machine affect all alike. A ratio is computed within each turn;
the result is the median of the ratios.
"""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final, NamedTuple, Self

KEY: Final = bytes(32)
"""The key of the links of measured installations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """The amount of work of a run."""

    turns: int
    """Turns of the engines."""
    fresh_nights: int
    """Nights, new to the process, replayed in each turn."""
    audited: int
    """Rounds that are audited."""
    starts: int
    """Fresh starts of the servers."""
    moves: int
    """Moves that one client records after each start."""
    postgresql: bool
    """Whether PostgreSQL is measured too: creating its server takes seconds."""
    clients: int
    """Clients that record at once, each its own night."""
    moves_at_once: int
    """Moves that each of them records in one turn."""
    reads: int
    """Requests of each page."""
    added: int
    """Entries added to a page that is requested after each."""
    watchers: int
    """Phones that watch while a keeper records."""
    watched_moves: int
    """Moves that the keeper records in each turn."""
    pause: float
    """Seconds between two of a keeper's moves."""
    tables: int
    """Tables that record while the database is audited."""
    paced_moves: int
    """Moves that each of them records in each turn."""
    clubs: tuple[int, ...]
    """Sizes of clubs: tables that record at once, served by one core."""
    table_pause: float
    """Seconds between two moves of such a table."""
    late_rounds: tuple[int, ...]
    """The rounds of a night that are compared with the first."""
    many_rounds: tuple[int, ...]
    """Rounds in the databases that are compared, the emptiest first."""
    many_entries: int
    """Entries in the full database on PostgreSQL."""
    nights: int
    """Fresh nights recorded in each of them."""
    counted_tables: int
    """Tables whose use of processors, log and network is counted."""
    counted_moves: int
    """Moves that each of them records."""
    counted_pause: float
    """Seconds between two of them."""
    heard_seconds: float
    """Seconds during which they only hear of moves elsewhere."""
    nights_at_once: tuple[int, ...]
    """Nights that commit at once to one server."""
    standby_milliseconds: tuple[float, ...]
    """How much later a standby confirms their commits."""
    commit_seconds: int
    """Seconds that they record."""

    @classmethod
    def full(cls) -> Self:
        return cls(
            turns=40,
            fresh_nights=12,
            audited=2_000,
            starts=3,
            moves=200,
            postgresql=True,
            clients=16,
            moves_at_once=40,
            reads=100,
            added=20,
            watchers=100,
            watched_moves=15,
            pause=1.0,
            tables=40,
            paced_moves=30,
            clubs=(10, 20, 40, 60),
            table_pause=4.0,
            late_rounds=(100, 490),
            many_rounds=(10, 1_000, 100_000),
            many_entries=2_000_000,
            nights=8,
            counted_tables=10,
            counted_moves=60,
            counted_pause=1.0,
            heard_seconds=10.0,
            nights_at_once=(1, 4, 16, 64),
            standby_milliseconds=(0, 1, 5),
            commit_seconds=5,
        )

    @classmethod
    def quick(cls) -> Self:
        return cls(
            turns=2,
            fresh_nights=2,
            audited=3,
            starts=1,
            moves=12,
            postgresql=False,
            clients=2,
            moves_at_once=4,
            reads=3,
            added=2,
            watchers=3,
            watched_moves=3,
            pause=0.05,
            tables=2,
            paced_moves=3,
            clubs=(2,),
            table_pause=0.2,
            late_rounds=(3, 5),
            many_rounds=(1, 5, 20),
            many_entries=3_000,
            nights=1,
            counted_tables=1,
            counted_moves=5,
            counted_pause=0.1,
            heard_seconds=1.0,
            nights_at_once=(2,),
            standby_milliseconds=(1,),
            commit_seconds=1,
        )


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound of a value: a maximum, or with `least` a minimum."""

    bound: float
    unit: str = "×"
    least: bool = False

    def holds(self, value: float) -> bool:
        return value >= self.bound if self.least else value <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.least else '≤'} {self.bound:,} {self.unit}"


class Figure(NamedTuple):
    """A value that a ratio was computed from, or an additional one."""

    value: float
    unit: str = "µs"

    def __str__(self) -> str:
        return f"{self.value:,.{2 if self.value < 100 else 0}f} {self.unit}"


def milliseconds(seconds: float) -> Figure:
    return Figure(seconds * 1e3, "ms")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `values` are the repeats, each a ratio or an amount in `unit`; if empty, `missing`
    says why it could not be measured."""

    name: str
    """Its name in JSON."""
    title: str
    values: Sequence[float]
    same_work: str
    measured: Mapping[str, Figure] = field(default_factory=dict)
    goal: Goal | None = None
    unit: str = "×"
    missing: str = ""

    @property
    def value(self) -> float | None:
        return median(self.values) if self.values else None

    @property
    def holds(self) -> bool | None:
        """Whether the goal is met; None without a goal or a value."""
        return self.goal.holds(self.value) if self.goal and self.value is not None else None

    @property
    def result(self) -> str:
        return "–" if self.value is None else f"{self.value:,.2f} {self.unit}"

    @property
    def range(self) -> str:
        return "–".join(f"{one:,.2f}" for one in self._quartiles())

    def data(self) -> dict[str, Any]:
        """The row for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "value": None if self.value is None else round(self.value, 3),
            "unit": self.unit,
            "quartiles": [round(one, 3) for one in self._quartiles()],
            "goal": str(self.goal) if self.goal else None,
            "holds": self.holds,
            "missing": self.missing or None,
            "same_work": self.same_work,
            "measured": {
                name: {"value": round(figure.value, 3), "unit": figure.unit}
                for name, figure in self.measured.items()
            },
        }

    def _quartiles(self) -> tuple[float, ...]:
        if len(self.values) < 2:
            return (*self.values, *self.values)
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return low, high


@dataclass(frozen=True, slots=True)
class Pass:
    """A contender's work in one turn; `units` is its number of moves, plies or actions."""

    run: Callable[[], object]
    units: int


def take_turns(passes: Mapping[str, Iterator[Pass]], turns: int) -> dict[str, list[float]]:
    """Contender -> µs a unit of each turn's pass. The first turn warms up and is not counted."""
    as_in_service()
    times: dict[str, list[float]] = {name: [] for name in passes}
    for turn in range(turns + 1):
        for name, contender in passes.items():
            one = next(contender)
            started = perf_counter()
            one.run()
            if turn:
                times[name].append((perf_counter() - started) / one.units * 1e6)
    return times


def as_in_service() -> None:
    """Set the garbage collector as in a server: on, with loaded objects frozen."""
    gc.collect()
    gc.freeze()


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """The ratios of two series, turn by turn."""
    return [one / other for one, other in zip(above, below, strict=True)]


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that `percent` of the values do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]
