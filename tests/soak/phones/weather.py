"""Virtual time, and a network that fails in it. A seed decides everything; no real clock is used."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

MINUTE, HOUR, DAY = 60, 3600, 86_400


@dataclass(frozen=True, slots=True)
class Weather:
    """How likely each fault is; 0 leaves one out without changing the others."""

    lost: float = 0.1
    """A request that does not arrive."""
    unanswered: float = 0.15
    """An answer that does not arrive."""
    twice: float = 0.1
    """A request that arrives twice."""
    late: float = 0.06
    """A request or answer that takes minutes, hours or days."""
    offline: float = 0.03
    """A phone that loses its network for a while."""
    killed: float = 0.03
    """A request at which the server is killed, before or after its commit."""
    wrong_clocks: float = 0.5
    """A clock that is days off: a phone's, or the server's after a start."""
    slips: float = 0.05
    """An entry that a keeper records wrongly, or undoes although it was right."""
    overlooked: float = 0.5
    """A look at which a keeper misses a wrong entry."""
    second_thoughts: float = 0.05
    """A look at which a keeper corrects an entry of a settled round to the same content."""
    batches: float = 0.5
    """A conflict after which a person keeps the waiting entries that still fit."""
    revoked: float = 0.01
    """A look at which a keeper revokes a link."""
    doubts: float = 0.2
    """A settled round that a player disputes."""

    def without(self, *names: str) -> "Weather":
        return replace(self, **dict.fromkeys(names, 0.0))


WHATS = tuple(field.name for field in fields(Weather))


class Time:
    """A virtual clock in seconds since the evening began, with its schedule. Each kind of chance has its own random
    stream, so that leaving one out disturbs the others as little as possible."""

    def __init__(self, seed: int, weather: Weather) -> None:
        self.seed, self.weather = seed, weather
        self.now = 0.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._chances: dict[str, Random] = {}

    def chance(self, what: str) -> Random:
        if what not in self._chances:
            self._chances[what] = Random(f"{self.seed} {what}")
        return self._chances[what]

    def happens(self, what: str) -> bool:
        likely: float = getattr(self.weather, what)
        return self.chance(what).random() < likely

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        heappush(self._due, (self.now + seconds, next(self._order), act))

    def pass_by(self, until: Callable[[], bool], limit: float) -> bool:
        """Run the schedule until `until` holds. Returns whether it did before `limit`."""
        while not until():
            if not self._due or self._due[0][0] > limit:
                return False
            self._next()
        return True

    def pass_all(self) -> None:
        """Run the schedule to its end."""
        while self._due:
            self._next()

    def _next(self) -> None:
        self.now, _, act = heappop(self._due)
        act()


@dataclass(slots=True)
class Network:
    """The network between phones and server: messages are delayed, lost or doubled."""

    time: Time

    def send(self, serve: Callable[[], Any], answered: Callable[[Any], None], *, reached: bool) -> None:
        """Serve a request as often as it arrives, and pass each answer to `answered`. `serve` returns None if the
        server is killed."""
        for _ in range(2 if self.time.happens("twice") else 1):
            if reached and not self.time.happens("lost"):
                self.time.after(self._way(), lambda: self._serve(serve, answered))

    def _serve(self, serve: Callable[[], Any], answered: Callable[[Any], None]) -> None:
        answer = serve()
        if answer is not None and not self.time.happens("unanswered"):
            self.time.after(self._way(), lambda: answered(answer))

    def _way(self) -> float:
        chance = self.time.chance("way")
        if self.time.happens("late"):
            return chance.choice([MINUTE, HOUR, DAY]) * chance.uniform(0.2, 2)
        return chance.uniform(0.02, 2)
