"""The page of one round: the round as it stands, and everything recorded of it, by move and by pile."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ledger.game.fold import positions
from ledger.game.night import Night, last_counting, worths
from ledger.game.notation import Tag, by_tag
from ledger.game.payments import Reason
from ledger.game.round import Round
from ledger.game.terms import Stake
from ledger.recorder.events.dispute import Agreed, agreed, asked_again
from ledger.recorder.round_log import RoundLog
from ledger.recorder.views import attributes
from ledger.recorder.views.dispute import DisputeView, disputes_in
from ledger.recorder.views.entry import EntryRow, all_versions, recorded, rows_of
from ledger.recorder.views.round import (
    Position,
    RoundPayment,
    RoundView,
    Say,
    plays_of,
    position_of,
    view_round,
)


@dataclass(frozen=True, kw_only=True)
class Step(Position):
    """The position after a move."""

    move: int
    row: EntryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PileView:
    """A pile with all its entries. Number 0 has the entries on no pile, such as an instant win or a hand shown."""

    number: int
    lines: list[EntryRow]
    """Every version of each of its entries, in playing order."""
    moves: list[int]
    """The numbers of its moves."""
    plays: list[EntryRow]
    passed: list[Tag]
    """Players who passed on it and played nothing, in order, entered or inferred."""
    out: list[Tag]
    """Players who went out on it."""
    bombs: list[RoundPayment]
    """The bomb bonuses of its bombs."""
    stood: bool
    """Whether a move on it was against the rules and stands."""
    corrected: bool
    """Whether a correction replaced, struck or inserted an entry on it."""
    undone: list[EntryRow]
    """Those of its lines that were undone."""

    def concerns(self, player: Tag) -> bool:
        """Whether a player played on it, or pays or receives one of its bomb bonuses."""
        paid = {tag for payment in self.bombs for tag in (payment.payer, payment.payee)}
        return player in paid or any(row.player == player for row in self.plays)


@dataclass(frozen=True, kw_only=True)
class RoundPage(RoundView):
    """A round as it stands, and everything recorded of it."""

    steps: list[Step]
    lines: list[EntryRow]
    """Every version of every entry, in playing order."""
    piles: list[PileView]
    """The same lines, grouped by pile."""
    header: EntryRow | None
    """Its beginning as it stands, as move 0."""
    agreed: dict[str, Agreed]
    """Player -> since when they agree with it as it stands."""
    asked_again: str | None
    """When a correction last changed its payments after settling: the players affected must confirm again."""
    disputes: list[DisputeView]


def view_replayed(night: Night, number: int, say: Say) -> RoundPage:
    """View a round, by its number, of a night read from a text; its moves have no times."""
    log = RoundLog.unrecorded(number, night.rounds[number - 1], last_counting(night.rounds[: number - 1]))
    return view_round_page(log, by_tag(night.names), say, worths(night)[number - 1])


def view_round_page(
    log: RoundLog, names: Mapping[str, str], say: Say, stake: Stake | None = None
) -> RoundPage:
    """One round, in which a point is worth `stake`, with all its moves, the position after each, and what was taken
    back or corrected."""
    assert log.round is not None
    round, rows = view_round(log, names, say, stake), rows_of(log)
    steps, lines = _steps(log.round, rows), list(all_versions(log, rows))
    again = asked_again(log)
    shown = attributes(round) | {"moves": rows}
    return RoundPage(
        **shown,
        steps=steps,
        lines=lines,
        piles=_piles(steps, lines, round.payments),
        header=recorded(log.header, move=0) if log.header else None,
        agreed=agreed(log.events) or {},
        asked_again=again.at if again else None,
        disputes=disputes_in(log.events),
    )


def _steps(round: Round, rows: list[EntryRow]) -> list[Step]:
    plays = {play.move: play for play in plays_of(rows)}
    steps = []
    for row, then in zip(rows, positions(round), strict=True):
        number = len(then.moves)
        pile = [plays[at] for at in range(then.pile_from + 1, number + 1) if at in plays]
        steps.append(Step(**position_of(then, pile), move=number, row=row))
    return steps


def _piles(steps: Sequence[Step], lines: Iterable[EntryRow], paid: Iterable[RoundPayment]) -> list[PileView]:
    """Group the lines of a round by pile. An entry that does not stand goes with the move before it, or with the
    move that replaced it."""
    at = {step.row.address: step for step in steps}
    groups: list[tuple[int, list[EntryRow]]] = []
    waiting: list[EntryRow] = []
    for row in lines:
        waiting.append(row)
        step = at.get(row.address)
        if step is None:
            continue
        pile = step.pile[0].move if row.kind in ("play", "pass") and step.pile else 0
        if groups and not row.corrects:
            groups[-1][1].extend(waiting[:-1])
            waiting = [row]
        if groups and groups[-1][0] == pile:
            groups[-1][1].extend(waiting)
        else:
            groups.append((pile, waiting))
        waiting = []
    if waiting:
        groups = groups or [(0, [])]
        groups[-1][1].extend(waiting)
    bombs = [one for one in paid if one.reason == Reason.BOMB_BONUS]
    numbers = {pile: number for number, pile in enumerate((pile for pile, _ in groups if pile), start=1)}
    return [_pile(numbers.get(pile, 0), rows, at, bombs) for pile, rows in groups]


def _pile(
    number: int, lines: list[EntryRow], at: Mapping[str, Step], bombs: Iterable[RoundPayment]
) -> PileView:
    standing = [at[row.address] for row in lines if row.address in at]
    moves = [step.move for step in standing]
    plays = [step for step in standing if step.row.kind == "play"]
    played = {step.row.player for step in plays}
    passed = [step.row.player for step in standing if step.row.kind == "pass" and step.row.player]
    return PileView(
        number=number,
        lines=lines,
        moves=moves,
        plays=[step.row for step in plays],
        passed=[player for player in dict.fromkeys(passed) if player not in played],
        out=[step.row.player for step in plays if step.row.player and not step.left[step.row.player]],
        bombs=[one for one in bombs if one.move in moves],
        stood=any(row.stood for row in lines),
        corrected=any(row.reason for row in lines),
        undone=[row for row in lines if row.struck_by == "undo"],
    )
