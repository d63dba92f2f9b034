"""The line chart: everything inside its frame, every line distinct, no overlapping labels."""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from ledger.recorder.views.ledger import PostedBy, RunningTotal
from ledger.web.charts import HEIGHT, WIDTH, Chart, Step, line_chart
from ledger.web.pages.ledger.ledger import chart_step
from tests.factories import friends


def posted(round: int, total: Mapping[str, int], kind: str = "settle") -> Step:
    """One step of the running totals."""
    return chart_step(RunningTotal(round, {}, dict(total), PostedBy(round, kind, "", None, round)))


def chart_of(*totals: tuple[int, ...]) -> Chart:
    names = dict(zip((f"p{number}" for number in range(1, 13)), friends(len(totals[0])), strict=False))
    lines = [
        posted(number, dict(zip(names, line, strict=True))) for number, line in enumerate(totals, start=1)
    ]
    chart = line_chart(names, lines)
    assert chart is not None
    return chart


def corners(chart: Chart) -> list[tuple[float, float]]:
    return [
        (float(x), float(y))
        for line in chart.lines
        for x, y in (pair.split(",") for pair in line.points.split())
    ]


def test_there_is_no_chart_before_the_first_payment() -> None:
    assert line_chart({"p1": "An"}, []) is None


@pytest.mark.parametrize(
    "totals",
    [
        [(0, 0)],
        [(1, -1)],
        [(8, 0, -4, -4), (7, 7, -7, -7)],
        [(10**12, -(10**12))],
        [tuple(range(-6, 0)) + tuple(range(1, 7))] * 40,
    ],
    ids=["nothing", "little", "usual", "huge", "twelve players"],
)
def test_everything_lies_within_the_frame(totals: list[tuple[int, ...]]) -> None:
    chart = chart_of(*totals)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in corners(chart))
    assert all(0 <= y <= HEIGHT for _, y in chart.rules)
    assert 2 <= len(chart.rules) <= 8
    assert len(chart.marks) <= 8
    assert any(total == 0 for total, _ in chart.rules)


def test_twelve_players_are_told_apart() -> None:
    chart = chart_of(tuple(range(-6, 0)) + tuple(range(1, 7)))
    assert len({(line.dash, line.colour) for line in chart.lines}) == 12


def test_labels_do_not_cover_each_other() -> None:
    places = sorted(line.label_y for line in chart_of((0,) * 12).lines)
    assert all(below - above >= 14 for above, below in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= HEIGHT


def test_lines_begin_at_zero() -> None:
    chart = chart_of((3, -3))
    zero = next(y for total, y in chart.rules if total == 0)
    assert {line.points.split()[0].split(",")[1] for line in chart.lines} == {str(zero)}


def test_a_correction_is_marked_however_long_the_night_was() -> None:
    lines = [posted(number, {"p1": number, "p2": -number}) for number in range(1, 33)]
    lines[18] = posted(3, lines[18].total, "correct")
    lines[26] = posted(5, lines[26].total, "void")
    chart = line_chart({"p1": "An", "p2": "Bình"}, lines)
    assert chart is not None
    assert [mark for mark, _ in chart.marks] == ["4", "8", "12", "16", "3*", "24", "5×", "32"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bà ngoại", "Bà ngoại"),
        ("Nguyễn Thị Chi", "Thị Chi"),
        ("Anh Tuấn Tú", "Tuấn Tú"),
        ("1 3456789012", "3456789012"),
        ("12345678901", "123456789…"),
        ("12345678a\u0331\u03313456789", "12345678…"),
    ],
)
def test_of_a_long_name_whole_words_stay_or_its_beginning(name: str, shown: str) -> None:
    chart = line_chart({"p1": name}, [posted(1, {"p1": 0})])
    assert chart is not None
    assert [line.name for line in chart.lines] == [shown]


def test_small_totals_have_a_level_each_and_no_more() -> None:
    assert [total for total, _ in chart_of((1, -1)).rules] == [-1, 0, 1]


@pytest.mark.parametrize("most", [1, 40, 1500, 10**7])
def test_the_totals_at_the_rules_have_room_to_the_left(most: int) -> None:
    chart = chart_of((most, -most))
    assert all(chart.left - 4 >= 6 * len(str(total)) for total, _ in chart.rules)
