"""The drawings of statistics: places, points by what they were won with, and who bombed whom."""

import re
from collections.abc import Sequence

import pytest
from flask.testing import FlaskClient

from ledger.game.statistics import Heading, Person, Tally
from ledger.web.charts import Cell, Pair, crossed, pairs, place_grid, point_grid
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.phones import Table, take


def person(*places: int, knocked_out: int = 0, **points: int) -> Person:
    """A person's statistics: how often each place was reached; `bombs=4` means 4 points from bombs."""
    return Person(
        rounds=sum(places) + knocked_out,
        places=places,
        last=0,
        knocked_out=knocked_out,
        instant_wins=0,
        bombs_made=Tally(),
        bombs_suffered=Tally(),
        twos=Tally(),
        points=tuple((heading, points.get(heading.name.lower(), 0)) for heading in Heading),
        biggest=None,
        winning=0,
        losing=0,
        sheet=0,
    )


def numbers(cells: Sequence[Cell]) -> list[int]:
    return [cell.number for cell in cells]


def test_places_have_a_column_each_and_those_knocked_out_the_last() -> None:
    assert place_grid({}) is None
    assert place_grid({"An": person()}) is None
    grid = place_grid({"An": person(2, 0, 1), "Bình": person(1, knocked_out=3), "Chi": person()})
    assert grid is not None
    assert grid.columns == [1, 2, 3, 0]
    assert {name: numbers(cells) for name, cells in grid.rows.items()} == {
        "An": [2, 0, 1, 0],
        "Bình": [1, 0, 0, 3],
        "Chi": [0, 0, 0, 0],
    }
    nobody_out = place_grid({"An": person(1, 1, 1, 1, 1, 1, 1, 1)})
    assert nobody_out is not None
    assert nobody_out.columns == [1, 2, 3, 4, 5, 6, 7, 8]


def test_points_have_a_column_for_each_heading_that_brought_any() -> None:
    assert point_grid({}) is None
    assert point_grid({"An": person(1), "Bình": person(0, 1)}) is None
    grid = point_grid({"An": person(places=6, instant_wins=-3), "Bình": person(places=-6, instant_wins=3)})
    assert grid is not None
    assert grid.columns == [Heading.PLACES, Heading.INSTANT_WINS]
    assert [numbers(cells) for cells in grid.rows.values()] == [[6, -3], [-6, 3]]


@pytest.mark.parametrize("most", [1, 7, 40, 10**18])
def test_a_bar_is_as_long_as_its_number_beside_the_greatest(most: int) -> None:
    grid = point_grid({"An": person(places=most, bombs=-1), "Bình": person(places=-most, bombs=1)})
    assert grid is not None
    for number, level in (cell for cells in grid.rows.values() for cell in cells):
        assert level == max(1, round(10 * abs(number) / most))
    levels = [pair.cell.level for pair in pairs({("An", str(number)): number for number in range(1, 41)})]
    assert levels == sorted(levels, reverse=True)
    assert set(levels) == {*range(1, 11)}


def test_pairs_are_listed_by_their_number_and_crossed_only_if_there_is_something_between_them() -> None:
    bombed = pairs({("An", "Chi"): 1, ("Chi", "An"): 4, ("An", "Em"): 2, ("Em", "An"): 0})
    assert bombed == [
        Pair("Chi", "An", Cell(4, 10)),
        Pair("An", "Em", Cell(2, 5)),
        Pair("An", "Chi", Cell(1, 3)),
    ]
    grid = crossed(["An", "Bình", "Chi", "Dũng", "Em"], bombed)
    assert grid.columns == ["An", "Chi", "Em"]
    assert [numbers(cells) for cells in grid.rows.values()] == [[0, 1, 2], [4, 0, 0], [0, 0, 0]]
    assert pairs({}) == []


def test_a_bar_shows_the_number_above_it_and_a_row_adds_up_to_the_total_beside_the_name(
    client: FlaskClient, table: Table
) -> None:
    table.tell(A_SETTLED_ROUND_OF_FOUR)
    take(client, table, "watch")
    html = client.get(f"/n/{table.night}/statistics").text.replace("\N{MINUS SIGN}", "-")
    drawn = html[html.index('class="drawn gains"') :].partition("</table>")[0]
    rows = re.findall(r"<b>(.+?)</b>.*?<tr>(.*?)</tr>", drawn, re.DOTALL)
    assert len(rows) == 4
    shown = 0
    for total, row in rows:
        cells = re.findall(r'<td class="l(\d+)( loss)?">(.+?)</td>', row)
        assert sum(int(number) for _, _, number in cells) == int(total)
        for level, loss, number in cells:
            assert (bool(int(level)), bool(loss)) == (number != "0", int(number) < 0)
            shown += number != "0"
    assert shown
