"""The geometry of charts; a template draws them. Every chart has a table beside it that says the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ledger.game.statistics import Person

WIDTH, HEIGHT = 320, 180
_TOP, _BOTTOM, _LEFT, _RIGHT = 10, 160, 28, 250
_LABEL_HEIGHT = 14
_BARS_FROM, _BAR_HEIGHT, _KEYS = 84, 28, 5
_STEPS = (1, 2, 5, 10, 20, 25, 50)
DASHES = ("", "7 4", "2 4", "10 3 2 3", "4 2", "12 4")
"""One pattern a player; where there are more players than patterns, none comes twice in one colour."""
COLOURS = 6
_SIGNS = {"correct": "*", "void": "×"}


@dataclass(frozen=True, slots=True)
class Line:
    """One player's totals."""

    name: str
    points: str
    """The corners, as SVG writes them."""
    dash: str
    colour: int
    label_y: float


@dataclass(frozen=True, slots=True)
class Chart:
    lines: tuple[Line, ...]
    rules: tuple[tuple[int, float], ...]
    """Horizontal rules: the total, and where it is."""
    marks: tuple[tuple[str, float], ...]
    """Below: the round, marked where a correction or a void of it was posted, and where it is."""


def line_chart(names: Mapping[str, str], totals: Sequence[Mapping[str, Any]]) -> Chart | None:
    """Everybody's totals over the night, from 0 before its first round; None while there is nothing to draw.

    Each of `totals` holds a `round` (0 for what was paid by hand), what it was `posted_by`, and a `total`
    by player.
    """
    if not totals:
        return None
    runs: dict[str, list[int]] = {
        player: [0, *(line["total"][player] for line in totals)] for player in names
    }
    low, high = min(map(min, runs.values())), max(map(max, runs.values()))
    step = _step(high - low)
    low, high = low // step * step, max(-(-high // step) * step, low // step * step + step)

    def x(place: int) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * place / len(totals), 1)

    def y(total: int) -> float:
        return round(_BOTTOM - (_BOTTOM - _TOP) * (total - low) / (high - low), 1)

    labels = _spread([y(run[-1]) for run in runs.values()])
    lines = tuple(
        Line(
            name=names[player],
            points=" ".join(f"{x(place)},{y(total)}" for place, total in enumerate(run)),
            dash=DASHES[(number + number // COLOURS) % len(DASHES)],
            colour=number % COLOURS + 1,
            label_y=labels[number],
        )
        for number, (player, run) in enumerate(runs.items())
    )
    marks = tuple((mark(totals[place - 1]), x(place)) for place in _marked(totals))
    return Chart(lines, tuple((total, y(total)) for total in range(low, high + 1, step)), marks)


def _marked(totals: Sequence[Mapping[str, Any]]) -> list[int]:
    """Which lines, from 1, there is room to mark: every correction and void, and of the others some."""
    told = {place for place, line in enumerate(totals, start=1) if line["posted_by"]["kind"] in _SIGNS}
    every = -(-len(totals) // 8)
    others = (place for place in range(every, len(totals) + 1, every) if not {place - 1, place + 1} & told)
    return sorted(told.union(others if every > 1 else range(1, len(totals) + 1)))


def mark(line: Mapping[str, Any]) -> str:
    """A line of the totals in a sign or two: its round, `3*` a correction of it, `3×` its voiding, `±` by hand."""
    if not line["round"]:
        return "±"
    return f"{line['round']}{_SIGNS.get(line['posted_by']['kind'], '')}"


class Part(NamedTuple):
    """A piece of a bar: how often, and where."""

    times: int
    x: float
    width: float
    colour: int

    @property
    def middle(self) -> float:
        """Where its number stands."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class Bar:
    """One person's rounds."""

    name: str
    y: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    bars: tuple[Bar, ...]
    height: int
    key: tuple[tuple[int, int, int, int], ...]
    """What the colours say: a place, from 1, or 0 for knocked out; its x and y, and its colour."""


def place_bars(people: Mapping[str, Person]) -> Bars | None:
    """How often everybody came 1st, 2nd and so on, or was knocked out; None while nobody has come in."""
    most = max((sum(person.places) + person.knocked_out for person in people.values()), default=0)
    if not most:
        return None
    places = list(range(1, max(len(person.places) for person in people.values()) + 1))
    if any(person.knocked_out for person in people.values()):
        places.append(0)
    colours = {place: (place - 1) % COLOURS + 1 for place in places}
    bars = []
    for row, (name, person) in enumerate(people.items()):
        parts, x = list[Part](), float(_BARS_FROM)
        for place in places:
            if times := _times(person, place):
                width = round((WIDTH - _BARS_FROM) * times / most, 1)
                parts.append(Part(times, round(x, 1), width, colours[place]))
                x += width
        bars.append(Bar(name, row * _BAR_HEIGHT, tuple(parts)))
    below = len(bars) * _BAR_HEIGHT + 6
    key = tuple(
        (place, number % _KEYS * WIDTH // _KEYS, below + number // _KEYS * _LABEL_HEIGHT, colours[place])
        for number, place in enumerate(places)
    )
    return Bars(tuple(bars), key[-1][2] + _LABEL_HEIGHT, key)


def _times(person: Person, place: int) -> int:
    """How often somebody came in at a place, from 1; 0: was knocked out."""
    if not place:
        return person.knocked_out
    return person.places[place - 1] if place <= len(person.places) else 0


def _step(span: int) -> int:
    """A round number that divides a span into at most five."""
    scale = 1
    while True:
        for step in _STEPS:
            if span <= step * scale * 5:
                return step * scale
        scale *= 100


def _spread(wanted: Sequence[float]) -> list[float]:
    """Places for labels near where they are wanted, none over another."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed = [0.0] * len(wanted)
    floor = float(_TOP)
    for number in order:
        floor = placed[number] = max(wanted[number], floor)
        floor += _LABEL_HEIGHT
    ceiling = float(HEIGHT - 4)
    for number in reversed(order):
        ceiling = placed[number] = min(placed[number], ceiling)
        ceiling -= _LABEL_HEIGHT
    return placed
