"""The bars of statistics: places, and points by what they were won with."""

from itertools import pairwise

import pytest

from ledger.game.statistics import Heading, Person, Tally
from ledger.web.charts import BAR, WIDTH, Bars, Part, place_bars, point_bars


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


def test_no_two_bars_overlap() -> None:
    people = {name: person(1, places=3) for name in ("An", "Bình", "Chi", "Dũng")}
    for bars in (place_bars(people), point_bars(people)):
        assert bars is not None
        tops = [bar.y for bar in bars.bars]
        assert all(lower - upper >= BAR for upper, lower in pairwise(tops))


def test_bars_are_as_long_as_often_and_stay_in_their_frame() -> None:
    assert place_bars({"An": person()}) is None
    bars = place_bars({"An": person(2, 0, 1), "Bình": person(1, knocked_out=3)})
    assert bars is not None
    an, binh = (bar.parts for bar in bars.bars)
    assert [part.number for part in an] == [2, 1]
    assert [part.number for part in binh] == [1, 3]
    assert an[0].width == 2 * an[1].width == 2 * binh[0].width
    assert look(an[0]) == look(binh[0]) != look(an[1])
    assert binh[1].x + binh[1].width <= WIDTH
    assert [key.what for key in bars.key] == [1, 2, 3, 0]


def look(part: Part) -> tuple[int, int]:
    return part.colour, part.pattern


def test_what_the_colours_say_stays_in_the_frame_however_many_places_there_are() -> None:
    bars = place_bars({"An": person(1, 1, 1, 1, 1, 1, 1, 1)})
    assert bars is not None
    assert len({(key.x, key.y) for key in bars.key}) == 8
    assert len({(key.colour, key.pattern) for key in bars.key}) == 8
    assert all(key.x < WIDTH and bars.bottom < key.y < bars.height for key in bars.key)


def test_points_lie_to_the_right_of_zero_where_they_were_won_and_to_the_left_where_they_were_lost() -> None:
    bars = point_bars(
        {
            "An": person(places=6, bombs=-4, instant_wins=3),
            "Bình": person(places=-6, bombs=4, instant_wins=-3),
        }
    )
    assert bars is not None
    assert bars.zero is not None
    an, binh = bars.bars
    assert (an.total, binh.total) == (5, -5)
    lost, *won = an.parts
    assert (lost.number, [part.number for part in won]) == (-4, [6, 3])
    assert [part.number for part in binh.parts] == [-3, -6, 4]
    assert lost.x + lost.width == pytest.approx(bars.zero, abs=0.2)
    assert won[0].x == bars.zero
    assert won[1].x == pytest.approx(won[0].x + won[0].width, abs=0.2)
    assert binh.parts[1].x + binh.parts[1].width == pytest.approx(bars.zero, abs=0.2)
    assert won[0].width == binh.parts[1].width == pytest.approx(2 * won[1].width, abs=0.2)
    assert [key.what for key in bars.key] == [Heading.PLACES, Heading.BOMBS, Heading.INSTANT_WINS]


def test_a_heading_looks_the_same_whatever_else_there_is() -> None:
    few = point_bars({"An": person(bombs=1), "Bình": person(bombs=-1)})
    many = point_bars({"An": person(places=2, bombs=1), "Bình": person(places=-2, bombs=-1)})
    assert few is not None
    assert many is not None
    assert look(few.bars[0].parts[0]) == look(many.bars[0].parts[1])


def test_where_nobody_won_or_lost_anything_no_points_are_drawn() -> None:
    assert point_bars({}) is None
    assert point_bars({"An": person(1), "Bình": person(0, 1)}) is None


@pytest.mark.parametrize("most", [1, 40, 10**12])
def test_points_and_their_totals_stay_in_the_frame(most: int) -> None:
    people = {"An": person(places=most, bombs=-1), "Bình": person(places=-most, bombs=1)}
    bars = point_bars(people)
    assert isinstance(bars, Bars)
    parts = [part for bar in bars.bars for part in bar.parts]
    assert all(part.x >= 0 and part.x + part.width < WIDTH - 8 * len(str(most)) for part in parts)
    assert all(part.has_room for part in parts if abs(part.number) == 40)
    assert not any(part.has_room for part in parts if part.width < 10)
    assert bars.bottom == bars.bars[-1].y + BAR < bars.key[0].y < bars.height
