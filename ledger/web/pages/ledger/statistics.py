"""Statistics of the people of a night, over all nights of the same people that this visitor's links open."""

from collections.abc import Mapping
from decimal import Decimal
from operator import itemgetter

from flask import Response

from ledger.game.statistics import NightCount
from ledger.game.statistics import statistics as counted
from ledger.recorder.views.worth import in_money
from ledger.web.access import NightVisit, nights_held
from ledger.web.charts import crossed, pairs, place_grid, point_grid
from ledger.web.heavy_work import costly_page
from ledger.web.pages.shared.blueprint import night_page, pages
from ledger.web.reading import release, snapshot

_MOST_LISTED = 6
"""More pairs of who bombed whom are drawn as a matrix."""


@pages.get("/n/<night:night>/statistics")
@costly_page
def statistics(visit: NightVisit) -> Response:
    """Places, points, bombs, 2s and streaks, drawn in tables."""
    board, here = visit.board(), visit.night.counts()
    nights = _of_the_same_people(visit.link.night, here)
    money = _won(nights) if len(nights) > 1 or visit.night.state.agreements.since else {}
    release()
    found = counted(nights.values())
    most_first = sorted(found.bombed.items(), key=itemgetter(1), reverse=True)
    bombs = pairs({pair: tally.times for pair, tally in most_first})
    return night_page(
        "ledger/statistics.html",
        board,
        place_here="ledger",
        nights=len(nights),
        rounds=sum(night.counting for night in nights.values()),
        people=found.people,
        money=money,
        bombed=found.bombed,
        bombed_here=counted([here]).bombed,
        player_of={name: player for player, name in board.names.items()},
        places=place_grid(found.people),
        points=point_grid(found.people),
        bombs=bombs,
        matrix=crossed(found.people, bombs) if len(bombs) > _MOST_LISTED else None,
    )


def _of_the_same_people(night: str, here: NightCount) -> dict[str, NightCount]:
    """The numbers of this night, and of other nights held whose players have the same names; the oldest cookie
    first."""
    held, counts = list(reversed(nights_held())), {night: here}
    if others := set(held) - {night}:
        read = snapshot().nights(others)
        same = {
            other
            for other, sitting in read.sittings.items()
            if {name or player for player, name in sitting.names.items()} == set(here.names)
        }
        counts |= read.counts(same)
    return {one: counts[one] for one in held if one in counts}


def _won(nights: Mapping[str, NightCount]) -> dict[str, dict[str, Decimal]]:
    """Name -> currency -> money won in some nights; empty if in none of them points were worth different sums."""
    read = snapshot().nights(nights)
    some_changed = any(sitting.changed for sitting in read.sittings.values())
    came_to = read.results(nights) if some_changed else {}
    if all(results.unit.is_point for results in came_to.values()):
        return {}
    won: dict[str, dict[str, Decimal]] = {}
    for night, results in came_to.items():
        if stake := results.unit.stake:
            for name, count in zip(nights[night].names, results.money.values(), strict=True):
                sums = won.setdefault(name, {})
                sums[stake.currency] = sums.get(stake.currency, Decimal(0)) + in_money(stake, count)
    return won
