"""Virtual time, and a network that fails in it. A seed decides everything; no real clock is used."""

import tomllib
from collections.abc import Callable, Collection
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

MINUTE, HOUR, DAY = 60, 3600, 86_400
WEATHER: Final[dict[str, float]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


class Time:
    """A virtual clock in seconds since the evening began, with its schedule, and the weather, without some faults.
    Each kind of chance has its own random stream, so that leaving one out disturbs the others as little as
    possible."""

    def __init__(self, seed: int, without: Collection[str] = ()) -> None:
        self._seed, self._without = seed, without
        self.now = 0.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._chances: dict[str, Random] = {}

    def chance(self, what: str) -> Random:
        if what not in self._chances:
            self._chances[what] = Random(f"{self._seed} {what}")
        return self._chances[what]

    def happens(self, what: str) -> bool:
        return self.chance(what).random() < WEATHER[what] and what not in self._without

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        heappush(self._due, (self.now + seconds, next(self._order), act))

    def pass_by(self, until: Callable[[], bool], limit: float = float("inf")) -> bool:
        """Run the schedule until `until` holds; returns whether it did before `limit` and the schedule's end."""
        while not until():
            if not self._due or self._due[0][0] > limit:
                return False
            self.now, _, act = heappop(self._due)
            act()
        return True

    def send(self, serve: Callable[[], Any], answered: Callable[[Any], None], *, reached: bool) -> None:
        """Send a message over the network, which delays, loses or doubles it: serve a request as often as it
        arrives, and pass each answer to `answered`. `serve` returns None if the server is killed."""
        for _ in range(2 if self.happens("twice") else 1):
            if reached and not self.happens("lost"):
                self.after(self._way(), lambda: self._serve(serve, answered))

    def _serve(self, serve: Callable[[], Any], answered: Callable[[Any], None]) -> None:
        answer = serve()
        if answer is not None and not self.happens("unanswered"):
            self.after(self._way(), lambda: answered(answer))

    def _way(self) -> float:
        chance = self.chance("way")
        if self.happens("late"):
            return chance.choice([MINUTE, HOUR, DAY]) * chance.uniform(0.2, 2)
        return chance.uniform(0.02, 2)
