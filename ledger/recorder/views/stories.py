"""The night as a story: who won each round, what was paid most in it, how long it took; and what is looked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from ledger.game.notation import tag
from ledger.game.statistics import HEADINGS, Heading
from ledger.game.stories import Search, Story, story
from ledger.recorder.parts import MOVES, MOVES_AT_THE_END, player
from ledger.recorder.problems import unreadable
from ledger.recorder.replays import round_logs
from ledger.recorder.round_cache import RoundCache
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import last_before, read_events
from ledger.recorder.terms import read_night
from ledger.recorder.views.outline import Outline, RoundLine, outline, round_lines
from ledger.recorder.views.round import RoundPayment, view_payments
from ledger.store import Night, Reader

_OF_THE_PLAY = (MOVES | {"round"}) - MOVES_AT_THE_END
"""What is recorded while a round is played; hands may be told long after it."""


class RoundSummary(NamedTuple):
    """What is told of a round, small enough to be remembered."""

    story: Story
    outline: Outline
    payments: tuple[RoundPayment, ...]
    """With the `place` of each among all of them, from 1."""
    minutes: int | None
    """How long the play took, by the server's clock; None where nobody followed it."""

    @property
    def winners(self) -> list[str]:
        """Who came in first, or won instantly."""
        return list(map(tag, self.story.winners))

    @property
    def biggest(self) -> RoundPayment | None:
        """The payment of the most points."""
        return None if self.story.biggest is None else self.payments[self.story.biggest]


@dataclass(frozen=True, slots=True)
class RoundStory:
    """A round as a story."""

    line: RoundLine
    summary: RoundSummary
    payments: list[RoundPayment]
    """Those that are looked for, if any are."""


@dataclass(frozen=True, slots=True)
class Stories:
    """The rounds that are looked for."""

    headings: list[Heading]
    """Under which anything was paid in any round."""
    rounds: list[RoundStory]


def view_stories(
    reader: Reader,
    row: Night,
    known: RoundCache[RoundSummary | None],
    heading: str | None,
    players: Mapping[str, str | None],
) -> Stories:
    """The rounds that are looked for: by a heading, and by the `players` that a Search names. Problem if one of
    them is not of this night."""
    names = reader.names(row.id)
    search = Search(
        heading=Heading(heading) if heading else None,
        **{field: _player(names, field, asked) for field, asked in players.items()},
    )
    wanted = range(1, reader.last_round(row.id) + 1)
    rounds = known.load(
        reader, row.id, reader.head(row.id), wanted, lambda missing: _tell(reader, row, missing)
    )
    summaries = [one for one in rounds.values() if one is not None]
    paid = {HEADINGS[payment.reason] for one in summaries for payment in one.story.payments}
    found = [one for one in summaries if search.finds(one.story)]
    lines = round_lines(names, reader.payments(row.id), [one.outline for one in found])
    return Stories(
        headings=[heading for heading in Heading if heading in paid],
        rounds=[
            RoundStory(line, one, [one.payments[place] for place in search.payments(one.story)])
            for line, one in zip(lines, found, strict=True)
        ],
    )


def _tell(reader: Reader, row: Night, rounds: Sequence[int]) -> dict[int, RoundSummary | None]:
    """What is told of the last rounds of a night; None where the beginning of one was undone."""
    opening = read_night(row)
    events = [event for number in rounds for event in read_events(reader.events_of_round(row.id, number))]
    logs = round_logs(opening.terms.ruleset, events, last_before(reader, opening, rounds[0]))
    return dict.fromkeys(rounds) | {log.number: _summary(log) for log in logs}


def _summary(log: RoundLog) -> RoundSummary | None:
    if log.round is None:
        return None
    one = story(log.round)
    # What a running round would pay so far is none of its story.
    paid = view_payments(log, one.payments) if one.payments else []
    payments = tuple(replace(payment, place=place) for place, payment in enumerate(paid, start=1))
    return RoundSummary(one, outline(log.number, log.events, log.chains), payments, _minutes(log))


def _player(names: Mapping[str, str], field: str, asked: str | None) -> int | None:
    """A player of the night by number; None if nobody was named."""
    if asked is None:
        return None
    if asked not in names:
        raise unreadable(field, "a player of this night")
    return player(asked)


def _minutes(log: RoundLog) -> int | None:
    """From a round's beginning to its last play: when each was first recorded, since a correction takes no time."""
    if log.round is None or not log.round.counts or log.round.result is not None:
        return None
    first = (chain.versions[0] for chain in log.chains if chain.standing is not None)
    times = [
        datetime.fromisoformat(entry.event.at)
        for entry in first
        if entry.kind in _OF_THE_PLAY and entry.event.kind != "correct"
    ]
    return (max(times) - min(times)) // timedelta(minutes=1)
