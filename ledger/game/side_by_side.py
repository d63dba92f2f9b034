"""The report of a night under two rulesets: players are tags, cards are texts, rulings have sentences."""

from collections.abc import Callable
from dataclasses import dataclass

from ledger.game import notation, scoring
from ledger.game.comparison import Comparison, Difference, Ruling, compare
from ledger.game.errors import Verdict
from ledger.game.moves import NOBODY, Claim, Play
from ledger.game.notation import by_tag, tag
from ledger.game.payments import post
from ledger.game.report import NoScore, Outcome, PaymentReport, Report, Words, payment_columns, score
from ledger.game.round import Round
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import own_rules


@dataclass(frozen=True, slots=True)
class RulingReport:
    """A ruleset's ruling on a move, and what follows from it."""

    verdict: str
    code: str | None
    clause: str | None
    turn: str | None
    to: str | None
    """lead or answer; None once the round is over."""
    over: bool
    knocked_out: list[str]
    message: str


@dataclass(frozen=True, slots=True)
class DifferenceReport:
    """A move as it was recorded, 0 for a round's beginning, and the rulings of the two rulesets."""

    round: int
    move: int
    player: str | None
    kind: str | None
    cards: list[str]
    line: str | None
    """The move in the replay notation."""
    here: RulingReport
    there: RulingReport


@dataclass(frozen=True, slots=True)
class SideReport:
    """A round under one of the two rulesets."""

    status: str
    payments: list[PaymentReport]
    """A payment's `move` is the number as recorded."""
    net: dict[str, int]


@dataclass(frozen=True, slots=True)
class OwnRules:
    """A ruleset, and the rules applied to it: names and values, as in `rule` lines."""

    ruleset: str
    rules: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ComparedRoundReport:
    """A round under both rulesets."""

    number: int
    here: SideReport
    there: SideReport | None
    """None once the comparison has stopped."""
    first: DifferenceReport | None
    left_out: int
    """The number of plays after the round has ended by the other rules."""
    recorded: str | None = None
    """`result`: entered as its result, and not move by move."""
    own: OwnRules | None = None
    """The other rules of its own that the table had agreed on before it, which the comparison replaces, too."""


@dataclass(frozen=True, slots=True)
class ComparedNet:
    """Each player's points won under each ruleset, in the rounds compared and by adjustments."""

    here: dict[str, int]
    there: dict[str, int]


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """A night under its own ruleset and another."""

    ruleset: str
    rules: list[tuple[str, str]]
    """The rules applied to it: names and values, as in `rule` lines."""
    under: str
    under_rules: list[tuple[str, str]]
    """The rules applied to the other one."""
    players: list[str]
    rounds: list[ComparedRoundReport]
    first: DifferenceReport | None
    stopped: DifferenceReport | None
    """The move that is impossible by the other rules, if there is one."""
    net: ComparedNet


Say = Callable[[Ruling, dict[int, str]], str]
"""The sentence for a ruling; names are by player number."""


def score_under(
    text: str, ruleset: Ruleset, words: Words, say: Say, *, strict: bool = False
) -> Report[ComparisonReport | NoScore]:
    """Score a text and compare it with itself under another ruleset; a text that cannot be scored gets the answer
    of `score`."""
    report = score(text, words, strict=strict)
    if isinstance(report.answer, NoScore):
        return Report(report.outcome, report.answer, report.night)
    assert report.night is not None, "a text that has a score tells a night"
    return Report(Outcome.SCORED, report_comparison(compare(report.night, ruleset), say), report.night)


def report_comparison(comparison: Comparison, say: Say) -> ComparisonReport:
    """A comparison as `tienlen score --under ID` prints it; rulings as `say` words them."""
    here, there = comparison.totals()

    def difference(found: Difference | None) -> DifferenceReport | None:
        return _difference(comparison, found, say) if found else None

    return ComparisonReport(
        ruleset=comparison.night.ruleset.id,
        rules=list(own_rules(comparison.night.ruleset)),
        under=comparison.ruleset.id,
        under_rules=list(own_rules(comparison.ruleset)),
        players=list(comparison.night.names),
        rounds=[
            ComparedRoundReport(
                number=compared.number,
                here=_side(compared.here),
                there=_side(compared.there, compared.numbers) if compared.there else None,
                first=difference(compared.first),
                left_out=compared.left_out,
                recorded="result" if compared.here.result is not None else None,
                own=_own_rules(compared.here.ruleset, comparison.night.ruleset),
            )
            for compared in comparison.rounds
        ],
        first=difference(comparison.first),
        stopped=difference(comparison.stopped),
        net=ComparedNet(by_tag(here), by_tag(there)),
    )


def _own_rules(ruleset: Ruleset, opened: Ruleset) -> OwnRules | None:
    """The rules of a round that are not those that its night was opened with."""
    return None if ruleset == opened else OwnRules(ruleset.id, own_rules(ruleset))


def _side(round: Round, numbers: tuple[int, ...] = ()) -> SideReport:
    paid = scoring.payments(round)
    if numbers:
        paid = [one._replace(move=numbers[one.move - 1]) for one in paid]
    net = post(paid, dict.fromkeys(round.header.seats, 0))
    return SideReport(
        status=scoring.status(round),
        payments=[PaymentReport(**payment_columns(one)) for one in paid],
        net={tag(player): points for player, points in net.items()},
    )


def _difference(comparison: Comparison, found: Difference, say: Say) -> DifferenceReport:
    recorded = comparison.rounds[found.round - 1].here
    move = recorded.moves[found.move - 1] if found.move else None
    names = dict(enumerate(comparison.night.names))
    return DifferenceReport(
        round=found.round,
        move=found.move,
        player=tag(move.player) if move else None,
        kind=move.kind if move else None,
        cards=list(recorded.ruleset.deck.write(move.cards)) if isinstance(move, Play | Claim) else [],
        line=notation.move_line(move, recorded.ruleset.deck).partition("\n")[0] if move else None,
        here=_ruling(found.here, say(found.here, names)),
        there=_ruling(found.there, say(found.there, names)),
    )


def _ruling(ruling: Ruling, message: str) -> RulingReport:
    refusal = ruling.refusal
    return RulingReport(
        verdict=refusal.verdict if refusal else Verdict.LEGAL,
        code=refusal.code if refusal else None,
        clause=refusal.clause if refusal else None,
        turn=None if ruling.turn == NOBODY else tag(ruling.turn),
        to=None if ruling.over else "lead" if ruling.leads else "answer",
        over=ruling.over,
        knocked_out=list(map(tag, ruling.knocked_out)),
        message=message,
    )
