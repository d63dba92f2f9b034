"""Rounds on one line each: how it was recorded, its net, its corrections and whether it counts."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ledger.game.payments import post
from ledger.recorder.revisions import follow_undos, taken_back
from ledger.recorder.round_log import RoundLog


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """A correction that stands, of a round."""

    seq: int
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of a night on one line."""

    number: int
    result: bool
    """Whether it was entered as a result, not move by move."""
    void: str | None
    """Why it is void; None if it counts."""
    settled: bool
    corrections: list[CorrectionLine]
    net: dict[str, int] | None
    """Player -> points won in it, corrections included; None until it is settled."""


def round_line(log: RoundLog) -> RoundLine | None:
    """A round on one line, with the net of its own players; None if its beginning does not stand."""
    if log.round is None:
        return None
    taken = taken_back(log.events)
    posted = (payment for event in log.events for payment in event.payments if payment.round == log.number)
    return RoundLine(
        number=log.number,
        result=log.round.result is not None,
        void=log.round.void,
        settled=log.settled,
        corrections=[
            CorrectionLine(event.seq, event.at, event.content["reason"])
            for event in log.events
            if event.kind == "correct" and follow_undos(event.seq, taken)[1]
        ],
        net=post(posted) if log.settled else None,
    )


def with_everyone(players: Iterable[str], lines: Iterable[RoundLine]) -> list[RoundLine]:
    """The lines with the net of every player of the night."""
    nothing = dict.fromkeys(players, 0)
    return [line if line.net is None else replace(line, net=nothing | line.net) for line in lines]
