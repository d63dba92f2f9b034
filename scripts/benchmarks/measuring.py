"""How things are timed here, and what one measurement says.

Contenders run in turn, again and again, so that a disturbance of the machine meets all of them alike; a ratio is
taken within each turn, and the median of the ratios is the result.
"""

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    records: int | None
    """How many of the recorded nights; None for all."""
    rounds: int
    """How many rounds are made up for each preset."""
    turns: int
    """How often the contenders of the rules take turns."""
    starts: int
    """How often the servers are started anew."""
    moves: int
    """How many moves are recorded over HTTP after each start: fewer than one address may write in a minute."""
    late_round: int
    """Which round is compared with the first."""
    nights: int
    """How many fresh nights it is compared with."""

    @classmethod
    def full(cls) -> Self:
        return cls(records=None, rounds=8, turns=40, starts=4, moves=800, late_round=100, nights=10)

    @classmethod
    def quick(cls) -> Self:
        return cls(records=3, rounds=1, turns=2, starts=1, moves=40, late_round=5, nights=1)


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound: at most so much, or at least."""

    bound: float
    unit: str = "×"
    least: bool = False

    def holds(self, value: float) -> bool:
        return value >= self.bound if self.least else value <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.least else '≤'} {self.bound:,} {self.unit}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `values` are the repeats, each a ratio or a time in `unit`."""

    name: str
    """For programs."""
    title: str
    values: Sequence[float]
    same_work: str
    measured: Mapping[str, float]
    """Whose median time, in µs."""
    goal: Goal | None = None
    unit: str = "×"

    @property
    def value(self) -> float:
        return median(self.values)

    @property
    def holds(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        return self.goal.holds(self.value) if self.goal else None

    @property
    def result(self) -> str:
        return f"{self.value:,.2f} {self.unit}"

    @property
    def range(self) -> str:
        low, high = self._quartiles()
        return f"{low:,.2f}–{high:,.2f}"

    def data(self) -> dict[str, Any]:
        """The row as JSON has it."""
        low, high = self._quartiles()
        return {
            "name": self.name,
            "title": self.title,
            "value": round(self.value, 3),
            "unit": self.unit,
            "quartiles": [round(low, 3), round(high, 3)],
            "goal": str(self.goal) if self.goal else None,
            "holds": self.holds,
            "same_work": self.same_work,
            "microseconds": {name: round(value, 3) for name, value in self.measured.items()},
        }

    def _quartiles(self) -> tuple[float, float]:
        if len(self.values) < 2:
            return self.value, self.value
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return low, high


@dataclass(frozen=True, slots=True)
class Pass:
    """One contender: does its work once; `units` is how many moves, plies or calls that is."""

    run: Callable[[], object]
    units: int


def take_turns(passes: Mapping[str, Pass], turns: int) -> dict[str, list[float]]:
    """Contender -> µs a unit, one value a turn. The first turn warms up and is not counted."""
    as_in_service()
    times: dict[str, list[float]] = {name: [] for name in passes}
    for turn in range(turns + 1):
        for name, one in passes.items():
            started = perf_counter()
            one.run()
            if turn:
                times[name].append((perf_counter() - started) / one.units * 1e6)
    return times


def as_in_service() -> None:
    """The garbage collector works as it does in a server: on, with what was loaded before set aside."""
    gc.collect()
    gc.freeze()


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """How many times the one took as long as the other, turn by turn."""
    return [one / other for one, other in zip(above, below, strict=True)]
