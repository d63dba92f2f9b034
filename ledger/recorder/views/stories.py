"""The stories of rounds: winner, biggest payment and duration of each; and a search among them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from ledger.game.notation import tag
from ledger.game.statistics import HEADINGS, Heading
from ledger.game.stories import Search, Story, story
from ledger.recorder.parts import MOVES, MOVES_AT_THE_END, player
from ledger.recorder.problems import unreadable
from ledger.recorder.round_log import RoundLog
from ledger.recorder.rounds import Rounds
from ledger.recorder.views.outline import RoundLine, round_line, with_everyone
from ledger.recorder.views.round import RoundPayment, view_payments

_OF_THE_PLAY = (MOVES | {"round"}) - MOVES_AT_THE_END
"""Kinds of entries recorded during play; hands may be entered long after it."""


class RoundSummary(NamedTuple):
    """A round in short with its story; small enough to be cached."""

    story: Story
    line: RoundLine
    payments: tuple[RoundPayment, ...]
    """Each with its `place`, from 1."""
    minutes: int | None
    """How long the play took, by the server's clock; None unless it was recorded move by move and counts."""

    @property
    def winners(self) -> list[str]:
        """The players who came in first or won instantly."""
        return list(map(tag, self.story.winners))

    @property
    def biggest(self) -> RoundPayment | None:
        """The payment of the most points."""
        return None if self.story.biggest is None else self.payments[self.story.biggest]


@dataclass(frozen=True, slots=True)
class RoundStory:
    """A round that a search has found."""

    line: RoundLine
    summary: RoundSummary
    payments: list[RoundPayment]
    """The payments that match the search; none if it is for rounds."""


@dataclass(frozen=True, slots=True)
class Stories:
    """The result of a search: all rounds, if it has no criteria."""

    headings: list[Heading]
    """The headings of all payments of the night, for further searches."""
    rounds: list[RoundStory]


def view_stories(rounds: Rounds, heading: str | None, players: Mapping[str, str | None]) -> Stories:
    """Search the rounds of a night: `players` are fields of `Search` with a tag each. Problem if a player is not of
    this night."""
    names = rounds.reader.names(rounds.night)
    search = Search(
        heading=Heading(heading) if heading else None,
        **{field: _player(names, field, asked) for field, asked in players.items()},
    )
    of_rounds = rounds.derived(_summary, range(1, rounds.newest + 1))
    summaries = [one for one in of_rounds.values() if one is not None]
    paid = {HEADINGS[payment.reason] for one in summaries for payment in one.story.payments}
    found = [one for one in summaries if search.finds(one.story)]
    lines = with_everyone(names, [one.line for one in found])
    return Stories(
        headings=[heading for heading in Heading if heading in paid],
        rounds=[
            RoundStory(line, one, [one.payments[place] for place in search.payments(one.story)])
            for line, one in zip(lines, found, strict=True)
        ],
    )


def _summary(log: RoundLog) -> RoundSummary | None:
    """None if the beginning of the round was undone."""
    line = round_line(log)
    if log.round is None or line is None:
        return None
    one = story(log.round)
    # A running round has no payments in its story.
    paid = view_payments(log, one.payments) if one.payments else []
    payments = tuple(replace(payment, place=place) for place, payment in enumerate(paid, start=1))
    return RoundSummary(one, line, payments, _minutes(log))


def _player(names: Mapping[str, str], field: str, asked: str | None) -> int | None:
    """The number of a player of the night; None for none."""
    if asked is None:
        return None
    if asked not in names:
        raise unreadable(field, "a player of this night")
    return player(asked)


def _minutes(log: RoundLog) -> int | None:
    """Minutes from a round's beginning to its last move, by the first versions: corrections may come much later."""
    if log.round is None or not log.round.counts or log.round.result is not None:
        return None
    times = [
        datetime.fromisoformat(entry.event.at)
        for chain in log.chains
        if chain.standing is not None
        and (entry := chain.versions[0]).kind in _OF_THE_PLAY
        and entry.event.kind != "correct"
    ]
    return (max(times) - min(times)) // timedelta(minutes=1)
