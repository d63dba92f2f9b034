"""The report of a scored replay, for the command line and the web. Players are tags, cards are texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import IntEnum
from typing import Any, Generic, TypeVar

from ledger.game import notation, scoring
from ledger.game.errors import Finding, Refusal
from ledger.game.findings import findings
from ledger.game.night import Adjustment, NewTerms, Night, last_counting, sheet_totals, totals
from ledger.game.notation import Disagreement, Paid, ScriptRefused, Tag, Unreadable, by_tag, tag
from ledger.game.payments import Payment, post
from ledger.game.round import Round
from ledger.game.rulesets.idle import Idle, idle_in
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import own_rules
from ledger.game.terms import WRITTEN

Answer_co = TypeVar("Answer_co", covariant=True)
_Answer = TypeVar("_Answer")


class Outcome(IntEnum):
    """How scoring a text ended; the number is the exit status of the command."""

    SCORED = 0
    REFUSED = 1
    """A move is refused, or `=` lines disagree."""
    UNREADABLE = 2


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences that a report needs, in the reader's language. Names are by player number."""

    refusal: Callable[[Refusal, dict[int, str]], str]
    finding: Callable[[Finding, dict[int, str]], str]
    disagreement: Callable[[list[str], list[str]], str]
    unreadable: Callable[[str], str]
    idle: Callable[[Idle], str]


@dataclass(frozen=True, slots=True)
class PaymentReport:
    """A payment by the rules."""

    payer: Tag
    payee: Tag
    points: int
    reason: str
    clause: str
    move: int
    """The number of the move that caused it."""
    owed_by: Tag | None = field(default=None, kw_only=True)
    """The player who would have paid it, if another pays instead (clause COVER)."""


@dataclass(frozen=True, slots=True)
class PaidReport:
    """A payment as a replay states it: an adjustment, or a `=` line."""

    payer: str
    payee: str
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class HandReport:
    """What a player still held, and how that is known."""

    source: str
    cards: list[str]


@dataclass(frozen=True, slots=True)
class FindingReport:
    """A finding, with its sentence."""

    code: str
    clause: str
    move: int
    message: str


@dataclass(frozen=True, slots=True)
class UnderReport:
    """The terms that the table agreed on right before a round, those that stayed the same included."""

    ruleset: str
    rules: list[tuple[str, str]]
    """The rules applied to it: names and values, as in `rule` lines."""
    stake: str | None = None
    """The worth of a point, as in a `stake` line."""
    all_rounds: bool | None = None
    """Whether it is also that of the rounds so far; left out: it is not."""
    without_effect: list[str] | None = None
    """The rules that have no effect, each in a sentence that says what it needs."""


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A round, scored."""

    number: int
    status: str
    places: list[str]
    knocked_out: list[str]
    payments: list[PaymentReport]
    net: dict[str, int]
    hands: dict[str, HandReport]
    findings: list[FindingReport]
    recorded: str | None = None
    """`result`: entered as its result, and not move by move."""
    void: str | None = None
    """Why it does not count."""
    times: int | None = None
    """The factor of its payments; left out: 1."""
    under: UnderReport | None = None
    """The new terms that it is the first to be played under."""


@dataclass(frozen=True, slots=True)
class NightReport:
    """A night, scored."""

    ruleset: str
    players: list[str]
    rounds: list[RoundReport]
    adjustments: list[PaidReport]
    net: dict[str, int]
    sheet: dict[str, int]
    """The scores of places on a separate sheet; empty where the rules keep none."""
    next_under: UnderReport | None = None
    """The new terms of the next round."""
    without_effect: list[str] | None = None
    """The rules of the table that have no effect, each in a sentence that says what it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreError:
    """Why a text has no score."""

    line: int
    """The number of the line; 0: none."""
    round: int | None = None
    move: int | None = None
    code: str
    clause: str | None = None
    message: str
    offered: list[str] | None = None
    """The cards of a refused play."""
    top: list[str] | None = None
    """The cards that lay on the table."""
    missing: list[PaidReport] | None = None
    """Payments that `=` lines state and the rules do not make."""
    unexpected: list[PaidReport] | None = None
    """Payments that the rules make and `=` lines do not state."""


@dataclass(frozen=True, slots=True)
class NoScore:
    """The answer for a text that has no score."""

    error: ScoreError


@dataclass(frozen=True, slots=True)
class Report(Generic[Answer_co]):
    """`answer` is what is printed; `night` is set if the text could be replayed, even if its `=` lines disagree."""

    outcome: Outcome
    answer: Answer_co
    night: Night | None = None


@dataclass(frozen=True, slots=True)
class AsReplay:
    """The replay made from another text, and for each of its lines the number of the line that it was made from."""

    text: str
    lines: tuple[int, ...]

    def scored(self, score: Callable[[str], Report[_Answer | NoScore]]) -> Report[_Answer | NoScore]:
        """The report of `score` on the replay; an error has the line number in the other text."""
        report = score(self.text)
        if not isinstance(report.answer, NoScore):
            return report
        error = report.answer.error
        here = self.lines[error.line - 1]
        return Report(report.outcome, NoScore(replace(error, line=here)), report.night)


def as_data(report: object) -> Any:
    """A report as JSON data. An attribute that is None by default is left out where it is None."""
    if is_dataclass(report):
        values = ((one, getattr(report, one.name)) for one in fields(report))
        return {
            one.name: as_data(value) for one, value in values if value is not None or one.default is not None
        }
    if isinstance(report, dict):
        return {name: as_data(value) for name, value in report.items()}
    return [as_data(value) for value in report] if isinstance(report, list | tuple) else report


def score(text: str, words: Words, *, strict: bool = False) -> Report[NightReport | NoScore]:
    """Read, replay and score a text. Errors of the text are reported too, not raised."""
    try:
        script = notation.read(text)
    except Unreadable as error:
        return unreadable(error.line, error.expected, words)
    try:
        night = notation.replay(script, strict=strict)
    except ScriptRefused as error:
        return Report(Outcome.REFUSED, _refused(error, words, dict(enumerate(script.names))))
    for disagreement in notation.disagreements(script, night):
        return Report(Outcome.REFUSED, _disagrees(disagreement, words), night)
    return Report(Outcome.SCORED, report_night(night, words, strict=strict), night)


def unreadable(line: int, expected: str, words: Words) -> Report[NoScore]:
    """The report of a text that is no replay, with what was expected in a line."""
    error = ScoreError(line=line, code="notation", message=words.unreadable(expected))
    return Report(Outcome.UNREADABLE, NoScore(error))


def report_night(night: Night, words: Words, *, strict: bool = False) -> NightReport:
    """A night, scored; `strict` finds more (see `findings`)."""
    names, rounds = dict(enumerate(night.names)), night.rounds
    under = {number: report_under(new, words) for number, new in night.agreed_before.items()}
    return NightReport(
        ruleset=night.ruleset.id,
        players=list(night.names),
        rounds=[
            _round(rounds, number, under.get(number), words, names, strict=strict)
            for number in range(1, len(rounds) + 1)
        ],
        adjustments=[*map(report_paid, night.adjustments)],
        net=by_tag(totals(night)),
        sheet=by_tag(sheet_totals(night)),
        next_under=under.get(len(rounds) + 1),
        without_effect=_without_effect(night.ruleset, words),
    )


def report_under(new: NewTerms, words: Words) -> UnderReport:
    """New terms, as the report of the first round under them has them."""
    ruleset, stake = new.terms.ruleset, new.terms.stake
    return UnderReport(
        ruleset=ruleset.id,
        rules=own_rules(ruleset),
        stake=WRITTEN["stake"].write(stake) if stake else None,
        all_rounds=new.all_rounds or None,
        without_effect=_without_effect(ruleset, words),
    )


def _without_effect(ruleset: Ruleset, words: Words) -> list[str] | None:
    return [*map(words.idle, idle_in(ruleset))] or None


def _round(
    rounds: Sequence[Round],
    number: int,
    under: UnderReport | None,
    words: Words,
    names: dict[int, str],
    *,
    strict: bool,
) -> RoundReport:
    round, before = rounds[number - 1], last_counting(rounds[: number - 1])
    found = findings(round, before, strict=strict)
    paid = scoring.payments(round)
    net = post(paid, dict.fromkeys(round.header.seats, 0))
    return RoundReport(
        number=number,
        status=scoring.status(round),
        places=[] if round.claims else [tag(player) for player in round.places],
        knocked_out=[tag(player) for player in round.seats_in(round.knocked_out)],
        payments=[PaymentReport(**payment_columns(payment)) for payment in paid],
        net={tag(player): points for player, points in net.items()},
        hands={
            tag(player): HandReport(hand.source, list(round.ruleset.deck.write(hand.cards)))
            for player, hand in scoring.hands(round).items()
        },
        findings=[FindingReport(one.code, one.clause, one.move, words.finding(one, names)) for one in found],
        recorded="result" if round.result is not None else None,
        void=round.void,
        times=round.header.times if round.header.times > 1 else None,
        under=under,
    )


def payment_columns(payment: Payment) -> dict[str, Any]:
    """The fields of a PaymentReport for a payment."""
    return {
        "payer": tag(payment.payer),
        "payee": tag(payment.payee),
        "points": payment.points,
        "reason": payment.reason,
        "clause": payment.clause,
        "move": payment.move,
        "owed_by": tag(payment.covering.owed_by) if payment.covering else None,
    }


def report_paid(paid: Adjustment | Paid | Payment) -> PaidReport:
    """An adjustment, a `=` line or a payment as it is printed everywhere."""
    return PaidReport(tag(paid.payer), tag(paid.payee), paid.points, paid.reason)


def _refused(error: ScriptRefused, words: Words, names: dict[int, str]) -> NoScore:
    refusal = error.refusal
    return NoScore(
        ScoreError(
            line=error.line,
            round=error.round,
            move=error.move,
            code=refusal.code,
            clause=refusal.clause,
            message=words.refusal(refusal, names),
            offered=list(refusal.offered),
            top=list(refusal.top),
        )
    )


def _disagrees(disagreement: Disagreement, words: Words) -> NoScore:
    both = disagreement.missing, disagreement.unexpected
    missing, unexpected = ([*map(report_paid, some)] for some in both)
    lines = (
        [f"{one.payer} {one.payee} {one.points} {one.reason}" for one in some]
        for some in (missing, unexpected)
    )
    return NoScore(
        ScoreError(
            line=disagreement.line,
            round=disagreement.round,
            code="payments-disagree",
            message=words.disagreement(*lines),
            missing=missing,
            unexpected=unexpected,
        )
    )
