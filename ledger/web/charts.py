"""The geometry of charts, which templates draw as SVG. Every chart comes with a table of the same numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import combining

from ledger.game.statistics import Heading, Person

WIDTH, HEIGHT = 320, 180
_TOP, _BOTTOM, _LEFT, _RIGHT = 10, 160, 28, 240
_LABEL_HEIGHT = 14
_BARS_FROM, _ROW, BAR = 84, 28, 22
_DIGIT, _COLUMNS = 8.5, 3
_LETTERS = 10
"""The most letters of a name that fit a label."""
_STEPS = (1, 2, 5, 10, 20, 25, 50)
DASHES = ("", "7 4", "2 4", "10 3 2 3", "4 2", "12 4")
"""SVG dash patterns, one for each player; with more players than patterns, no colour has the same pattern twice."""
COLOURS = 6
PATTERNS = (
    "",
    "M-1 1 1-1M0 6 6 0M5 7 7 5",
    "M1 1h.01M4 4h.01",
    "M3 0v6",
    "M-1 5 1 7M0 0 6 6M5-1 7 1",
    "M0 3h6",
)
"""The patterns drawn over the colours of bars, as paths in a square of 6 by 6."""


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
    left: int = _LEFT
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
    x = [round(_LEFT + (_RIGHT - _LEFT) * place / len(steps), 1) for place in range(len(steps) + 1)]
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
    return Chart(lines, tuple((total, y[total]) for total in levels), marks)


def sparkline(totals: Sequence[int]) -> str:
    """A running total, from 0 on, as the corners of a small line in 320 by 40; empty without totals."""
    run = [0, *totals]
    low, high = min(run), max(run)
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


class Part(NamedTuple):
    """A segment of a bar: its number, position, colour and pattern."""

    number: int
    x: float
    width: float
    colour: int
    pattern: int

    @property
    def middle(self) -> float:
        """The x of its number."""
        return round(self.x + self.width / 2, 1)

    @property
    def has_room(self) -> bool:
        """Whether its number, with a sign, fits into it."""
        return self.width >= _DIGIT * len(f"{self.number:+}")


@dataclass(frozen=True, slots=True)
class Bar:
    """One person's bar, of rounds or of points."""

    name: str
    y: int
    parts: tuple[Part, ...]
    total: int = 0


class Key(NamedTuple):
    """An entry of the legend. `what` a segment means is a place, from 1, or 0 for knocked out, or a heading."""

    what: int | Heading
    x: int
    y: int
    colour: int
    pattern: int


@dataclass(frozen=True, slots=True)
class Bars:
    """Places or points by player as stacked bars, in the coordinates of an SVG."""

    bars: tuple[Bar, ...]
    height: int
    key: tuple[Key, ...]
    zero: float | None = None
    """The x of 0, if numbers have signs: gains are to its right, losses to its left."""

    @property
    def patterns(self) -> Sequence[str]:
        """The patterns that the SVG must define: all but the empty one."""
        return PATTERNS[1:]

    @property
    def bottom(self) -> int:
        """The y of the end of the last bar."""
        return self.bars[-1].y + BAR


def place_bars(people: Mapping[str, Person]) -> Bars | None:
    """How often each player came 1st, 2nd and so on, or was knocked out; None before the first result."""
    most = max((sum(person.places) + person.knocked_out for person in people.values()), default=0)
    if not most:
        return None
    places = list(range(1, max(len(person.places) for person in people.values()) + 1))
    if any(person.knocked_out for person in people.values()):
        places.append(0)
    scale = (WIDTH - _BARS_FROM) / most
    bars = []
    for row, (name, person) in enumerate(people.items()):
        times = enumerate(_times(person, place) for place in places)
        bars.append(Bar(_short(name), row * _ROW, tuple(_parts(times, _BARS_FROM, scale))))
    return _with_key(bars, list(enumerate(places)))


def point_bars(people: Mapping[str, Person]) -> Bars | None:
    """Each player's points by heading, stacked outwards from 0, and their sum; None if all are 0."""
    brought = {name: list(enumerate(points for _, points in one.points)) for name, one in people.items()}
    low = max(map(_lost, brought.values()), default=0)
    high = max(map(_won, brought.values()), default=0)
    if not low + high:
        return None
    totals = max(len(f"{person.total:+}") for person in people.values()) * _DIGIT + 6
    scale = (WIDTH - _BARS_FROM - totals) / (low + high)
    zero = round(_BARS_FROM + low * scale, 1)
    bars = []
    for row, (name, points) in enumerate(brought.items()):
        lost = [one for one in reversed(points) if one[1] < 0]
        won = [one for one in points if one[1] > 0]
        parts = (*_parts(lost, zero - _lost(points) * scale, scale), *_parts(won, zero, scale))
        bars.append(Bar(_short(name), row * _ROW, parts, people[name].total))
    shown = {kind for points in brought.values() for kind, number in points if number}
    # A heading has the same colour in every night: those not shown are counted too.
    return _with_key(bars, [one for one in enumerate(Heading) if one[0] in shown], zero=zero)


def _won(points: Iterable[tuple[int, int]]) -> int:
    return sum(number for _, number in points if number > 0)


def _lost(points: Iterable[tuple[int, int]]) -> int:
    return -sum(number for _, number in points if number < 0)


def _parts(numbers: Iterable[tuple[int, int]], x: float, scale: float) -> Iterator[Part]:
    """The segments of a bar from `x` on, from pairs of a kind, from 0, and a number; a number of 0 has none."""
    for kind, number in numbers:
        if number:
            width = abs(number) * scale
            yield Part(number, round(x, 1), round(width, 1), *_look(kind))
            x += width


def _look(kind: int) -> tuple[int, int]:
    """The colour, from 1, and the pattern, from 0, of a kind. With more kinds than colours, no pair comes twice."""
    return kind % COLOURS + 1, (kind + kind // COLOURS) % len(PATTERNS)


def _with_key(
    bars: Sequence[Bar], kinds: Sequence[tuple[int, int | Heading]], *, zero: float | None = None
) -> Bars:
    key = []
    for place, (kind, what) in enumerate(kinds):
        row, column = divmod(place, _COLUMNS)
        y = len(bars) * _ROW + 6 + row * _LABEL_HEIGHT
        key.append(Key(what, column * WIDTH // _COLUMNS, y, *_look(kind)))
    return Bars(tuple(bars), key[-1].y + _LABEL_HEIGHT, tuple(key), zero)


def _times(person: Person, place: int) -> int:
    """How often a person came in at a place, from 1; for 0, how often knocked out."""
    if not place:
        return person.knocked_out
    return person.places[place - 1] if place <= len(person.places) else 0


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
