"""The geometry of drawings: charts, each with a table of the same numbers; and tables whose cells have bars."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Generic, NamedTuple, TypeVar
from unicodedata import combining

from ledger.game.statistics import Heading, Person

WIDTH, HEIGHT = 320, 180
_TOP, _BOTTOM, _LEFT, _RIGHT = 10, 160, 28, 240
_LABEL_HEIGHT = 14
_LETTERS = 10
"""The most letters of a name that fit a label."""
_STEPS = (1, 2, 5, 10, 20, 25, 50)
DASHES = ("", "7 4", "2 4", "10 3 2 3", "4 2", "12 4")
"""SVG dash patterns, one for each player; with more players than patterns, no colour has the same pattern twice."""
COLOURS = 6


class Step(NamedTuple):
    """The players' totals after a posting, and the mark of the posting below the chart."""

    mark: str
    always_marked: bool
    """Whether the mark is shown even if others are left out for lack of room."""
    total: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Line:
    """One player's running total."""

    name: str
    points: str
    """The corners in the syntax of SVG: `28,160 240,10`."""
    dash: str
    colour: int
    label_y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Running totals as lines, in the coordinates of an SVG."""

    lines: tuple[Line, ...]
    rules: tuple[tuple[int, float], ...]
    """Horizontal rules: each total with its y."""
    marks: tuple[tuple[str, float], ...]
    """The marks below the chart, each with its x: a round's number, with a sign for its correction or void."""
    left: int
    """The x of the first mark: totals are written to its left."""
    right: int = _RIGHT


def line_chart(names: Mapping[str, str], steps: Sequence[Step]) -> Chart | None:
    """The running totals of the named players, from 0 before the first step; None without steps or players."""
    if not steps or not names:
        return None
    runs: dict[str, list[int]] = {player: [0, *[step.total[player] for step in steps]] for player in names}
    low, high = min(map(min, runs.values())), max(map(max, runs.values()))
    step = _step(high - low)
    low, high = low // step * step, max(-(-high // step) * step, low // step * step + step)

    levels = range(low, high + 1, step)
    y = {
        total: round(_BOTTOM - (_BOTTOM - _TOP) * (total - low) / (high - low), 1)
        for total in {*levels}.union(*runs.values())
    }
    left = max(_LEFT, 4 + 7 * max(len(str(low)), len(str(high))))
    x = [round(left + (_RIGHT - left) * place / len(steps), 1) for place in range(len(steps) + 1)]
    labels = _spread([y[run[-1]] for run in runs.values()])
    lines = tuple(
        Line(
            name=_short(names[player]),
            points=" ".join([f"{place},{y[total]}" for place, total in zip(x, run, strict=True)]),
            dash=DASHES[(number + number // COLOURS) % len(DASHES)],
            colour=number % COLOURS + 1,
            label_y=labels[number],
        )
        for number, (player, run) in enumerate(runs.items())
    )
    marks = tuple((steps[place - 1].mark, x[place]) for place in _marked(steps))
    return Chart(lines, tuple((total, y[total]) for total in levels), marks, left)


def sparkline(totals: Sequence[int], scale: Collection[int] = ()) -> str:
    """A running total, from 0 on, as the corners of a small line in 320 by 40; empty without totals. The numbers
    of `scale` would fit as well."""
    run = [0, *totals]
    low, high = min(*run, *scale, 0), max(*run, *scale, 0)
    if not totals:
        return ""
    return " ".join(
        f"{round(320 * place / len(totals), 1)},{round(37 - 34 * (total - low) / ((high - low) or 1), 1)}"
        for place, total in enumerate(run)
    )


def _short(name: str) -> str:
    """A name cut to ten letters: its last words, since Vietnamese given names come last; of a single long word its
    beginning."""
    while len(name) > _LETTERS and " " in name:
        name = name.partition(" ")[2]
    if len(name) <= _LETTERS:
        return name
    kept = _LETTERS - 1
    while combining(name[kept]):
        kept -= 1
    return f"{name[:kept]}…"


def _marked(steps: Sequence[Step]) -> list[int]:
    """The numbers, from 1, of the steps to mark: those always marked, and as many others as there is room for."""
    marked = {place for place, step in enumerate(steps, start=1) if step.always_marked}
    every = -(-len(steps) // 8)
    others = (place for place in range(every, len(steps) + 1, every) if not {place - 1, place + 1} & marked)
    return sorted(marked.union(others if every > 1 else range(1, len(steps) + 1)))


class Cell(NamedTuple):
    """A number of a drawn table, and the length of its bar."""

    number: int
    level: int
    """The length in tenths of the longest bar, at least 1; 0 for the number 0."""


_Column = TypeVar("_Column")
_Person = TypeVar("_Person")


@dataclass(frozen=True, slots=True)
class Grid(Generic[_Column]):
    """Numbers of people whose cells are drawn: a row for each name, and a cell for each column."""

    columns: Sequence[_Column]
    rows: Mapping[str, Sequence[Cell]]


def place_grid(people: Mapping[str, Person]) -> Grid[int] | None:
    """How often each player came in 1st, 2nd and so on, and, in column 0, was knocked out; None before the first
    result."""
    places = list(range(1, max((len(person.places) for person in people.values()), default=0) + 1))
    if any(person.knocked_out for person in people.values()):
        places.append(0)
    rows = {}
    for name, person in people.items():
        reached = [*person.places, *[0] * len(places)]
        rows[name] = [reached[place - 1] if place else person.knocked_out for place in places]
    return _grid(places, rows)


def point_grid(people: Mapping[str, Person]) -> Grid[Heading] | None:
    """Each player's points by heading, without headings under which nobody has any; None if nobody has."""
    brought = {name: dict(person.points) for name, person in people.items()}
    headings = [heading for heading in Heading if any(points[heading] for points in brought.values())]
    return _grid(headings, {name: [points[one] for one in headings] for name, points in brought.items()})


class Pair(NamedTuple, Generic[_Person]):
    """What lies between two people, with the length of its bar."""

    one: _Person
    other: _Person
    cell: Cell


def pairs(numbers: Mapping[tuple[_Person, _Person], int], most: int = 0) -> list[Pair[_Person]]:
    """The numbers of pairs that are above 0, the greatest first. The longest bar is that of `most`, if it is
    greater."""
    found = sorted((pair for pair in numbers.items() if pair[1] > 0), key=lambda pair: -pair[1])
    levels = _levels([*(number for _, number in found), most])
    return [Pair(one, other, Cell(number, levels[number])) for (one, other), number in found]


def crossed(people: Iterable[str], pairs: Iterable[Pair[str]]) -> Grid[str]:
    """A row and a column for each of these people who is in some pair, with the number between them."""
    cells = {(one, other): cell for one, other, cell in pairs}
    concerned = set(chain.from_iterable(cells))
    names, none = [name for name in people if name in concerned], Cell(0, 0)
    return Grid(names, {one: [cells.get((one, other), none) for other in names] for one in names})


def _grid(columns: Sequence[_Column], numbers: Mapping[str, Sequence[int]]) -> Grid[_Column] | None:
    levels = _levels({*chain.from_iterable(numbers.values())})
    if not any(levels.values()):
        return None
    return Grid(columns, {name: [Cell(one, levels[one]) for one in row] for name, row in numbers.items()})


def _levels(numbers: Collection[int]) -> dict[int, int]:
    """The level of each number."""
    most = max(map(abs, numbers), default=0) or 1
    return {number: max(1, (20 * abs(number) + most) // (2 * most)) if number else 0 for number in numbers}


def _step(span: int) -> int:
    """A round number that divides a span into at most five steps."""
    scale = 1
    while True:
        for step in _STEPS:
            if span <= step * scale * 5:
                return step * scale
        scale *= 100


def _spread(wanted: Sequence[float]) -> list[float]:
    """The y of each label: as near as possible to where it is wanted, without overlap."""
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
