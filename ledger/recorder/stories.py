"""The night as a story: who won each round, what was paid most in it, how long it took; and what is looked for."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ledger.game.notation import tag
from ledger.game.statistics import HEADINGS, Heading
from ledger.game.stories import Search, Story, story
from ledger.recorder.bodies import read_night
from ledger.recorder.outlines import outlines
from ledger.recorder.parts import MOVES, player
from ledger.recorder.problems import unreadable
from ledger.recorder.replays import round_logs
from ledger.recorder.round_views import payments_data
from ledger.recorder.rounds import RoundLog
from ledger.recorder.state import read_events
from ledger.store import NightRow, Reader

Data = dict[str, Any]

_OF_THE_PLAY = (MOVES | {"round"}) - {"show", "declare"}
"""What is recorded while a round is played; hands may be told long after it."""


def stories(reader: Reader, row: NightRow, heading: str | None, players: Mapping[str, str | None]) -> Data:
    """The rounds that are looked for: the outline of each with its story. And under which headings anything was
    paid in any round.

    `payments` of a round are those that are looked for, if any are; these and the `biggest` have their `place`
    among all of it, from 1. `minutes`: how long the play took, by the server's clock; None where nobody followed
    it. `players` are those that a Search names; Problem if one of them is not of this night.
    """
    names = reader.names(row.id)
    search = Search(
        heading=Heading(heading) if heading else None,
        **{field: _known(names, field, asked) for field, asked in players.items()},
    )
    told: dict[int, tuple[RoundLog, Story]] = {
        log.number: (log, story(log.round))
        for log in round_logs(read_night(row).ruleset, read_events(reader.events(row.id)))
        if log.round is not None
    }
    paid = {HEADINGS[payment.reason] for _, one in told.values() for payment in one.payments}
    found = {number: log.events for number, (log, one) in told.items() if search.finds(one)}
    return {
        "headings": [heading for heading in Heading if heading in paid],
        "rounds": [
            outline | _told(*told[outline["number"]], search)
            for outline in outlines(names, reader.payments(row.id), found)
        ],
    }


def _known(names: Mapping[str, str], field: str, asked: str | None) -> int | None:
    """A player of the night by number; None if nobody was named."""
    if asked is None:
        return None
    if asked not in names:
        raise unreadable(field, "a player of this night")
    return player(asked)


def _told(log: RoundLog, told: Story, search: Search) -> Data:
    # What a running round would pay so far is none of its story.
    paid = payments_data(log, told.payments) if told.payments else []
    paid = [payment | {"place": place} for place, payment in enumerate(paid, start=1)]
    return {
        "winners": list(map(tag, told.winners)),
        "instant_win": told.instant_win,
        "minutes": _minutes(log),
        "biggest": None if told.biggest is None else paid[told.biggest],
        "payments": [paid[place] for place in search.payments(told)],
    }


def _minutes(log: RoundLog) -> int | None:
    """From a round's beginning to its last play: when each was first recorded, since a correction takes no time."""
    if log.round is None or not log.round.counts or log.round.result is not None:
        return None
    first = (slot.versions[0] for slot in log.slots if slot.standing is not None)
    times = [
        datetime.fromisoformat(entry.event.at)
        for entry in first
        if entry.kind in _OF_THE_PLAY and entry.event.kind != "correct"
    ]
    return (max(times) - min(times)) // timedelta(minutes=1)
