"""What scoring a replay prints, as plain data: one home for the command line and the web."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ledger.game import notation, scoring
from ledger.game.errors import Finding, Refusal
from ledger.game.findings import findings
from ledger.game.night import Adjustment, Night, totals
from ledger.game.notation import Disagreement, Paid, ScriptRefused, Unreadable, by_tag, tag
from ledger.game.payments import Payment, post
from ledger.game.round import Round

Data = dict[str, Any]


class Outcome(IntEnum):
    """How scoring a text ended; the number is the exit status of the command."""

    SCORED = 0
    REFUSED = 1
    """A move is refused, or `=` lines disagree."""
    UNREADABLE = 2


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences that a report needs, in the language of whoever reads it. Names are by player number."""

    refusal: Callable[[Refusal, dict[int, str]], str]
    finding: Callable[[Finding, dict[int, str]], str]
    disagreement: Callable[[list[str], list[str]], str]
    unreadable: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Report:
    """`data` is what is printed; `night` is there if the text told one, agreed or not."""

    outcome: Outcome
    data: Data
    night: Night | None = None


def score(text: str, words: Words, *, strict: bool = False) -> Report:
    """Read, replay and score a text. Whatever the text, the answer is a report."""
    try:
        script = notation.read(text)
    except Unreadable as error:
        message = words.unreadable(error.expected)
        return Report(Outcome.UNREADABLE, _error(error.line, code="notation", message=message))
    try:
        night = notation.replay(script, strict=strict)
    except ScriptRefused as error:
        return Report(Outcome.REFUSED, _refused(error, words, _names(script.names)))
    for disagreement in notation.disagreements(script, night):
        return Report(Outcome.REFUSED, _disagrees(disagreement, words), night)
    return Report(Outcome.SCORED, night_data(night, words, strict=strict), night)


def night_data(night: Night, words: Words, *, strict: bool = False) -> Data:
    """A night as `tienlen score --json` prints it; `strict` finds more (see `findings`)."""
    names, rounds = _names(night.names), night.rounds
    return {
        "ruleset": night.ruleset.id,
        "players": list(night.names),
        "rounds": [
            {
                "number": number,
                **round_data(round, words, names, findings(round, before, strict=strict)),
            }
            for number, (round, before) in enumerate(_after_each(rounds), start=1)
        ],
        "adjustments": [adjustment_data(adjustment) for adjustment in night.adjustments],
        "net": by_tag(totals(night)),
    }


def _after_each(rounds: Iterable[Round]) -> Iterator[tuple[Round, Round | None]]:
    """Each round, with the one that it comes after by the rules."""
    previous = None
    for round in rounds:
        yield round, previous
        previous = round if round.void is None else previous


def round_data(round: Round, words: Words, names: dict[int, str], found: Iterable[Finding]) -> Data:
    """A round as `tienlen score --json` prints it, its number left out, with what was found in it.

    One that was entered as its result says so, and one that does not count says why.
    """
    paid = scoring.payments(round)
    net = post(paid, dict.fromkeys(round.header.seats, 0))
    deck = round.ruleset.deck
    return {
        "status": scoring.status(round),
        "places": [] if round.claims else [tag(player) for player in round.places],
        "knocked_out": [tag(player) for player in round.seats_in(round.knocked)],
        "payments": [payment_data(payment) for payment in paid],
        "net": {tag(player): points for player, points in net.items()},
        "hands": {
            tag(player): {"source": hand.source, "cards": list(deck.write(hand.cards))}
            for player, hand in scoring.hands(round).items()
        },
        "findings": [
            {
                "code": finding.code,
                "clause": finding.clause,
                "move": finding.move,
                "message": words.finding(finding, names),
            }
            for finding in found
        ],
        **({"recorded": "result"} if round.result is not None else {}),
        **({"void": round.void} if round.void is not None else {}),
    }


def payment_data(payment: Payment) -> Data:
    """A payment as it is printed everywhere: players as tags, the cause as a move's number."""
    return {
        "payer": tag(payment.payer),
        "payee": tag(payment.payee),
        "points": payment.points,
        "reason": payment.reason,
        "clause": payment.clause,
        "move": payment.move,
    }


def adjustment_data(adjustment: Adjustment) -> Data:
    """A payment by hand as it is printed everywhere: players as tags."""
    return {
        "payer": tag(adjustment.payer),
        "payee": tag(adjustment.payee),
        "points": adjustment.points,
        "reason": adjustment.reason,
    }


def _names(names: list[str] | tuple[str, ...]) -> dict[int, str]:
    return dict(enumerate(names))


def _error(line: int, **facts: object) -> Data:
    return {"error": {"line": line, **facts}}


def _refused(error: ScriptRefused, words: Words, names: dict[int, str]) -> Data:
    return _error(
        error.line,
        round=error.round,
        move=error.move,
        code=error.refusal.code,
        clause=error.refusal.clause,
        message=words.refusal(error.refusal, names),
        offered=list(error.refusal.offered),
        top=list(error.refusal.top),
    )


def _disagrees(disagreement: Disagreement, words: Words) -> Data:
    missing = [_paid(paid) for paid in disagreement.missing]
    unexpected = [_paid(paid) for paid in disagreement.unexpected]
    return _error(
        disagreement.line,
        round=disagreement.round,
        code="payments-disagree",
        message=words.disagreement(
            *([" ".join(map(str, one.values())) for one in some] for some in (missing, unexpected))
        ),
        missing=missing,
        unexpected=unexpected,
    )


def _paid(paid: Paid) -> Data:
    payer, payee, points, reason = paid
    return {"payer": tag(payer), "payee": tag(payee), "points": points, "reason": reason}
