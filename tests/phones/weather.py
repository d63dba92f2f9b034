"""Virtual time, and what it does to whatever is sent: a seed decides, and nothing waits for a real clock."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

MINUTE, HOUR, DAY = 60, 3600, 86_400


@dataclass(frozen=True, slots=True)
class Weather:
    """How often things go wrong, each a probability; 0 leaves it out, and the rest as it was."""

    lost: float = 0.1
    """A request that does not arrive."""
    unanswered: float = 0.15
    """An answer that does not."""
    twice: float = 0.1
    """A request that arrives twice."""
    late: float = 0.06
    """A request, or an answer, that is under way for minutes, hours or days."""
    offline: float = 0.03
    """A phone that looks at the table, and goes without network for a while."""
    killed: float = 0.03
    """A request at which the server is killed, before what it records is kept or after."""
    wrong_clocks: float = 0.5
    """A phone's clock, and the server's after each start, that is days off."""
    slips: float = 0.05
    """An entry that a keeper records otherwise than it was, or takes back though it was right."""
    overlooked: float = 0.5
    """A wrong entry that a keeper does not see at a look."""
    second_thoughts: float = 0.05
    """A keeper's look at which an entry of a settled round is recorded once more, in the same words."""
    batches: float = 0.5
    """A conflict at which a person goes on with what waits, where it still fits."""
    revoked: float = 0.01
    """A keeper's look at which a link is renewed."""
    doubts: float = 0.2
    """A settled round that a player disputes."""

    def without(self, *names: str) -> "Weather":
        return replace(self, **dict.fromkeys(names, 0.0))


WHATS = tuple(field.name for field in fields(Weather))


class Time:
    """Seconds since the evening began, and what happens when; chances are a stream of their own for each thing, so
    that leaving one out changes the others as little as can be."""

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
        """Let things happen until something holds; whether it did before a time."""
        while not until():
            if not self._due or self._due[0][0] > limit:
                return False
            self._next()
        return True

    def pass_all(self) -> None:
        """Let everything happen that is still under way."""
        while self._due:
            self._next()

    def _next(self) -> None:
        self.now, _, act = heappop(self._due)
        act()


@dataclass(slots=True)
class Network:
    """Between phones and server: each way takes its time, or never ends."""

    time: Time

    def send(self, serve: Callable[[], Any], answered: Callable[[Any], None], *, reached: bool) -> None:
        """Let a request be served, as often as it arrives, and its answers come back; `serve` answers None where
        the server died over it."""
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
