"""A night as a fold of rounds: who leads next, adjustments by hand, totals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from ledger.game.customs import Note
from ledger.game.errors import Clause, Code, Detail, Finding, Refusal, Refused, Verdict
from ledger.game.fold import begin
from ledger.game.moves import Move
from ledger.game.payments import post
from ledger.game.round import Header, Round
from ledger.game.rulesets.model import Ruleset
from ledger.game.scoring import payments
from ledger.game.sheet import sheet_of
from ledger.game.terms import Stake, Terms


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points paid by hand, with a reason; part of the night, but of no round."""

    payer: int
    payee: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A new player is at the table from here on."""

    player: int


@dataclass(frozen=True, slots=True)
class NewTerms:
    """What the table agrees on during the night: the terms of the rounds that begin from here on."""

    terms: Terms
    """All terms that hold from here on, those that stay the same included."""
    all_rounds: bool = False
    """Whether the worth of a point is also that of the rounds so far, which had none."""


Entry: TypeAlias = Round | Adjustment | Note | Joined | NewTerms


@dataclass(frozen=True, slots=True)
class Night:
    """One session at the table. Rounds count from 1 in the order of the entries.

    `terms` are those of its opening; a round keeps the rules that it was begun under. `names` lists all players who
    were ever there. Those who joined have an entry each, in the same order.
    """

    terms: Terms
    names: tuple[str, ...]
    entries: tuple[Entry, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        return self.terms.ruleset

    @property
    def agreed_before(self) -> dict[int, NewTerms]:
        """Number of a round -> the terms agreed on right before it, also before the next one."""
        found: dict[int, NewTerms] = {}
        number = 1
        for entry in self.entries:
            if isinstance(entry, NewTerms):
                earlier = found.get(number)
                same = earlier is not None and earlier.all_rounds and earlier.terms.stake == entry.terms.stake
                found[number] = replace(entry, all_rounds=entry.all_rounds or same)
            number += isinstance(entry, Round)
        return found

    @property
    def rounds(self) -> list[Round]:
        return [entry for entry in self.entries if isinstance(entry, Round)]

    @property
    def adjustments(self) -> list[Adjustment]:
        return [entry for entry in self.entries if isinstance(entry, Adjustment)]

    @property
    def notes(self) -> list[Note]:
        """The notes, recorded outside of play."""
        return [entry for entry in self.entries if isinstance(entry, Note)]


MOST_ROUNDS: Final = 500
"""The most rounds of a night: forty hours, at five minutes each."""


def last_counting(rounds: Sequence[Round]) -> Round | None:
    """The last round that was not voided, on which the next one depends (clause LEAD); None if there is none."""
    return next((round for round in reversed(rounds) if round.void is None), None)


def seats_after(round: Round) -> tuple[int, ...]:
    """The seats of the next round, in playing order, if not given: the same, or reversed where the ruleset's
    direction alternates. A voided round is repeated with its own seats."""
    seats = round.header.seats
    return seats if round.void is not None else round.ruleset.deal.seats_after(seats)


def due_header(ruleset: Ruleset, seats: tuple[int, ...], previous: Round | None) -> Header:
    """The header of the next round by the rules."""
    return Header(seats, _due_leader(ruleset, seats, previous))


def _due_leader(ruleset: Ruleset, seats: tuple[int, ...], previous: Round | None) -> int | None:
    """The leader by the rules, the winner of the last round; None: the lowest card opens (clauses LEAD, OPEN)."""
    opening = ruleset.opening
    if (
        previous is None
        or opening.every_round
        or (opening.after_instant_win and previous.claims)
        or (opening.after_player_change and not set(seats) <= set(previous.header.seats))
    ):
        return None
    return previous.winner if previous.winner in seats else None


def judge_header(ruleset: Ruleset, players: int, header: Header, previous: Round | None) -> Refusal | None:
    """The refusal of a round with this header after the `previous` one, or None.

    The first round of a record may begin either way: a record can start in the middle of a night.
    """
    seats, leader, refuse = header.seats, header.leader, ruleset.refusal
    if previous is not None and not previous.over:
        return refuse(Code.ROUND_RUNNING, Clause.DEAL, player=leader)
    stranger = next((player for player in seats if player >= players), None)
    if stranger is not None:
        return refuse(Code.NOT_SEATED, Clause.DEAL, player=stranger, count=players, detail=Detail.NIGHT)
    if leader is not None and leader not in seats:
        return refuse(Code.NOT_SEATED, Clause.DEAL, player=leader)
    if len(set(seats)) != len(seats) or len(seats) not in ruleset.deal.players:
        counts = ruleset.deal.players
        return refuse(Code.WRONG_SEAT_COUNT, Clause.DEAL, player=leader, count=max(counts), counts=counts)
    if previous is None:
        return None
    due = _due_leader(ruleset, seats, previous)
    if leader == due:
        return None
    code, verdict = Code.WRONG_LEADER, Verdict.IRREGULAR
    if due is None:
        return refuse(code, Clause.OPEN, verdict, player=leader, detail=Detail.LOWEST)
    return refuse(code, Clause.LEAD, verdict, player=leader, expected=(due,))


def begin_round(
    ruleset: Ruleset,
    players: int,
    header: Header,
    previous: Round | None,
    moves: Iterable[Move] = (),
    *,
    infer: bool = False,
) -> Round:
    """Begin a round after the previous one and fold in moves; Refused if the header or a move is.

    `players` is the number of players in the night. An irregular header that stood leaves a finding at move 0.
    """
    refusal = judge_header(ruleset, players, header, previous)
    if refusal is None:
        return begin(ruleset, header._replace(stood=False) if header.stood else header, moves, infer=infer)
    if refusal.verdict is Verdict.IMPOSSIBLE or not header.stood:
        raise Refused(refusal, index=None)
    return begin(ruleset, header, moves, infer=infer, finding=header_finding(header, refusal))


def judge_terms(before: Terms, new: NewTerms, players: int, last: Round | None) -> Refusal | None:
    """The refusal of new terms in a night of so many players, or None: rules change between rounds, and so does the
    worth of a point; but the first worth may be agreed on at any time. `last` is the last round, if any."""
    ruleset = new.terms.ruleset
    running = last is not None and not last.over and last.void is None
    if running and (ruleset != before.ruleset or before.stake is not None):
        return before.ruleset.refusal(Code.ROUND_RUNNING, Clause.DEAL)
    counts = ruleset.deal.players
    if players < min(counts):
        return ruleset.refusal(Code.WRONG_SEAT_COUNT, Clause.DEAL, count=max(counts), counts=counts)
    return None


def require_round(ruleset: Ruleset, number: int) -> None:
    """Raise Refused if a round of this number is beyond `MOST_ROUNDS`."""
    if number > MOST_ROUNDS:
        refusal = ruleset.refusal(Code.TOO_MANY_ROUNDS, Clause.DEAL, count=MOST_ROUNDS)
        raise Refused(refusal, index=None)


def header_finding(header: Header, refusal: Refusal) -> Finding:
    """The finding about a header that stood."""
    return Finding(refusal.code, refusal.clause, 0, header.leader, facts=refusal)


def no_round(ruleset: Ruleset, player: int) -> Refusal:
    """The refusal of a move where no round has begun."""
    return ruleset.refusal(Code.NO_ROUND, Clause.DEAL, player=player)


def totals(night: Night) -> list[int]:
    """Each player's points won, or lost (below zero), in everything listed so far, provisional or not."""
    balances = post(night.adjustments, dict.fromkeys(range(len(night.names)), 0))
    for round in night.rounds:
        balances = post(payments(round), balances)
    return [*balances.values()]


def worths(night: Night) -> list[Stake | None]:
    """What a point is worth in each round; None where it is worth nothing."""
    found: list[Stake | None] = []
    stake = night.terms.stake
    for entry in night.entries:
        if isinstance(entry, NewTerms):
            stake = entry.terms.stake
            found = [worth or stake for worth in found] if entry.all_rounds else found
        elif isinstance(entry, Round):
            found.append(stake)
    return found


def sheet_totals(night: Night) -> list[int]:
    """Each player's score on the separate sheet; empty if the rules of no round keep one."""
    rulesets = [night.ruleset, *(round.ruleset for round in night.rounds)]
    if not any(ruleset.payments.keeps_sheet for ruleset in rulesets):
        return []
    scored = [0] * len(night.names)
    for round in night.rounds:
        for player, points in sheet_of(round).items():
            scored[player] += points
    return scored
