"""Outlines of rounds: one line each, with how it was recorded, its net, its corrections and whether it counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ledger.game.payments import post
from ledger.recorder.logged import Logged
from ledger.recorder.parts import MOVES
from ledger.recorder.revisions import follow_undos, standing, taken_back
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


class Outline(NamedTuple):
    """A round in short, from its events alone; small enough to be cached. 0 stands for events of no round."""

    line: RoundLine | None
    """None if its beginning does not stand."""
    moves: str
    """The addresses of the moves that stand, in order, separated by spaces; the addresses of all versions of a move
    are joined by `=`."""


def outline(log: RoundLog) -> Outline:
    """The outline of a round."""
    events, stood = log.events, [chain for chain in log.chains if chain.standing is not None]
    entries = standing(stood)
    by_kind = {entry.kind: entry for entry in entries}
    void = by_kind.get("void")
    posted = [payment for event in events for payment in event.payments]
    line = RoundLine(
        number=log.number,
        result="result" in by_kind,
        void=void.data["reason"] if void else None,
        settled=log.settled,
        corrections=_corrections(events),
        net=post(one for one in posted if one.round == log.number) if log.settled else None,
    )
    moves = " ".join(
        "=".join(version.address for version in chain.versions)
        for chain, entry in zip(stood, entries, strict=True)
        if entry.kind in MOVES
    )
    return Outline(line if "round" in by_kind else None, moves)


def round_lines(players: Iterable[str], rounds: Iterable[Outline]) -> list[RoundLine]:
    """The lines of the rounds whose beginning stands, each with the net of every player of the night."""
    nothing = dict.fromkeys(players, 0)
    lines = [one.line for one in rounds if one.line]
    return [line if line.net is None else replace(line, net=nothing | line.net) for line in lines]


def move_numbers(rounds: Iterable[Outline]) -> dict[str, int]:
    """Address -> the current number of its move in the round, for the addresses of all versions."""
    return {
        address: number
        for round in rounds
        for number, addresses in enumerate(round.moves.split(), start=1)
        for address in addresses.split("=")
    }


def _corrections(events: Sequence[Logged]) -> list[CorrectionLine]:
    taken = taken_back(events)
    return [
        CorrectionLine(event.seq, event.at, event.content["reason"])
        for event in events
        if event.kind == "correct" and follow_undos(event.seq, taken)[1]
    ]
