"""A night under two rulesets: what each would have paid, and the first move on which their rulings differ.

The recorded plays are taken as given. A move that is irregular by the other rules counts as having stood; one that
is impossible ends the comparison. Passes that only one ruleset asks for are no difference.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from ledger.game.cards import Cards
from ledger.game.errors import Code, Refusal, Refused, Verdict
from ledger.game.fold import apply, begin, passes_before, positions, replay
from ledger.game.hands import Source, hand_of, holders, lowest_card_paid, showable
from ledger.game.moves import NOBODY, Claim, Cover, Declare, MayStand, Move, Pass, Play, Result, Show
from ledger.game.night import Night, header_finding, judge_header, totals
from ledger.game.round import Round
from ledger.game.rulesets.model import Ruleset
from ledger.game.translation import declared_under, in_deck, require_complete_result, under


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruleset's ruling on a move: whether it is allowed, and what follows."""

    refusal: Refusal | None = None
    """Why it would not have been allowed; None for a legal move."""
    turn: int = NOBODY
    """The player to act next; NOBODY: the holder of the lowest card, or no player."""
    leads: bool = False
    over: bool = False
    knocked_out: tuple[int, ...] = ()

    @classmethod
    def after(cls, round: Round, refusal: Refusal | None) -> "Ruling":
        """The ruling on the last move of a round."""
        knocked_out = tuple(round.seats_in(round.knocked_out))
        return cls(refusal, round.turn, round.leading, round.over, knocked_out)

    def agrees(self, other: "Ruling") -> bool:
        """Whether the other is the same, comparing refusals by their codes only."""
        codes = [ruling.refusal and ruling.refusal.code for ruling in (self, other)]
        return codes[0] == codes[1] and replace(self, refusal=None) == replace(other, refusal=None)


@dataclass(frozen=True, slots=True)
class Difference:
    """A move on which two rulesets differ, by its number in the round as it was recorded; 0 is the header."""

    round: int
    move: int
    here: Ruling
    there: Ruling


@dataclass(frozen=True, slots=True)
class ComparedRound:
    """A round as recorded, and under the other rules; the latter is None once the comparison has stopped."""

    number: int
    here: Round
    there: Round | None
    first: Difference | None = None
    numbers: tuple[int, ...] = ()
    """The recorded number of each move in `there`."""
    left_out: int = 0
    """The number of plays after the round has ended by the other rules."""


@dataclass(frozen=True)
class Comparison:
    """A night under its own ruleset and another. `stopped` is the move that is impossible by the other one."""

    night: Night
    ruleset: Ruleset
    rounds: tuple[ComparedRound, ...]
    stopped: Difference | None = None

    @cached_property
    def first(self) -> Difference | None:
        """The first move on which the two rulings differ."""
        return next((round.first for round in self.rounds if round.first), self.stopped)

    def totals(self) -> tuple[list[int], list[int]]:
        """Each player's points won under each ruleset, in the rounds compared and by adjustments."""
        here = [each.here for each in self.rounds if each.there is not None]
        there = [each.there for each in self.rounds if each.there is not None]
        return self._totals(here), self._totals(there)

    def _totals(self, rounds: Iterable[Round]) -> list[int]:
        return totals(replace(self.night, entries=(*rounds, *self.night.adjustments)))


def compare(night: Night, ruleset: Ruleset) -> Comparison:
    """Compare a night with itself under another ruleset."""
    rounds: list[ComparedRound] = []
    stopped: Difference | None = None
    previous: Round | None = None
    for number, recorded in enumerate(night.rounds, start=1):
        if stopped is not None:
            rounds.append(ComparedRound(number, recorded, None))
            continue
        if recorded.void is not None:
            rounds.append(ComparedRound(number, recorded, recorded))
            continue
        under = _Under(recorded, ruleset, number, len(night.names), previous)
        stopped = under.play_all()
        rounds.append(under.compared(stopped))
        previous = under.round if under.round.over else None
    return Comparison(night, ruleset, tuple(rounds), stopped)


@dataclass
class _Under:
    """One recorded round under other rules, move by move."""

    recorded: Round
    ruleset: Ruleset
    number: int
    players: int
    previous: Round | None
    """The round before, under the other rules, if it ended by them."""
    first: Difference | None = None
    numbers: list[int] = field(default_factory=list)
    later: dict[int, Cards] = field(default_factory=dict)
    """Player -> cards played after the round has ended by the other rules, and so still held then."""
    left_out: int = 0

    def __post_init__(self) -> None:
        self.round = begin(self.ruleset, self.recorded.header)

    def compared(self, stopped: Difference | None) -> ComparedRound:
        there = None if stopped else self.round
        return ComparedRound(
            self.number, self.recorded, there, self.first, tuple(self.numbers), self.left_out
        )

    def play_all(self) -> Difference | None:
        """Fold in every move; returns the one that is impossible by the other rules, if there is one."""
        if (impossible := self._begin()) is not None:
            return impossible
        stood = {finding.move: finding.facts for finding in self.recorded.findings}
        for number, position in enumerate(positions(self.recorded), start=1):
            move = position.moves[-1]
            if isinstance(move, Show | Declare | Cover):
                continue
            here = Ruling.after(position, stood.get(number))
            if self.round.over and not (self.round.claims and isinstance(move, Claim)):
                if isinstance(move, Play):
                    self.left_out += 1
                    self.later[move.player] = self.later.get(move.player, 0) | self._cards(move.cards)
                continue
            refusal = self._take(move, number)
            there = Ruling.after(self.round, refusal)
            difference = Difference(self.number, number, here, there)
            if self.first is None and not here.agrees(there):
                self.first = difference
            if (
                refusal
                and refusal.verdict is Verdict.IMPOSSIBLE
                and refusal.code is not Code.NO_SUCH_CONTRACT
            ):
                return difference
        self._show_hands()
        self._cover()
        return None

    def _begin(self) -> Difference | None:
        header = self.recorded.header
        stood = next((finding.facts for finding in self.recorded.findings if not finding.move), None)
        refusal = judge_header(self.ruleset, self.players, header, self.previous)
        if refusal is not None and refusal.verdict is not Verdict.IMPOSSIBLE:
            self.round = begin(self.ruleset, header, finding=header_finding(header, refusal))
        here = Ruling.after(begin(self.recorded.ruleset, header), stood)
        there = Ruling.after(self.round, refusal)
        if here.agrees(there):
            return None
        self.first = Difference(self.number, 0, here, there)
        return self.first if refusal and refusal.verdict is Verdict.IMPOSSIBLE else None

    def _take(self, move: Move, number: int) -> Refusal | None:
        """Fold in a move, as having stood if need be; returns its refusal. An impossible move is left out.

        Passes that make it legal are inserted, because its own rules may not ask for them. A pass of a player who
        has passed on the pile already is dropped.
        """
        stood = isinstance(move, MayStand) and move.stood
        move = under(move, self.recorded.ruleset, self.ruleset)
        if isinstance(move, Pass) and self.round.locked(move.player) and not stood:
            return None
        refusal: Refusal | None = None
        try:
            if isinstance(move, Result):
                require_complete_result(self.recorded.ruleset, self.ruleset)
            self.round = self._after(move, infer=not stood)
        except Refused as refused:
            refusal = refused.refusal
            if refusal.verdict is Verdict.IRREGULAR and isinstance(move, MayStand):
                self.round = apply(self.round, replace(move, stood=True))
        self.numbers += [number] * (len(self.round.moves) - len(self.numbers))
        return refusal

    def _after(self, move: Move, *, infer: bool) -> Round:
        try:
            return apply(self.round, move)
        except Refused:
            if not (infer and isinstance(move, Play)):
                raise
            passes = passes_before(self.round, move.player)
            if not passes:
                raise
            with suppress(Refused):
                return replay(self.round, (*passes, move))
            raise

    def _cards(self, cards: Cards) -> Cards:
        """The same cards in the other rules' deck."""
        there = self.ruleset.deck
        cards, _ = in_deck(cards, self.recorded.ruleset.deck, there)
        return there.unseen_twins(cards, self.round.seen) if there.has_twins else cards

    def _show_hands(self) -> None:
        """Show or declare what the record knows of the hands left by the other rules."""
        if not self.round.over or self.round.claims:
            return
        for player in holders(self.round):
            if hand_of(self.round, player) is None and (declared := self._hand(player)) is not None:
                # A declaration that the other rules refuse leaves the hand unknown under them.
                with suppress(Refused):
                    self.round = apply(self.round, declared)
                    self.numbers.append(len(self.recorded.moves))

    def _cover(self) -> None:
        """Repeat who pays for whom, unless the round has not ended by the other rules, or was won at once."""
        for number, move in enumerate(self.recorded.moves, start=1):
            if isinstance(move, Cover):
                with suppress(Refused):
                    self.round = apply(self.round, move)
                    self.numbers.append(number)

    def _hand(self, player: int) -> Show | Declare | None:
        known = self.later.get(player, 0)
        hand = hand_of(self.recorded, player) if self.recorded.cards_left[player] else None
        if hand is not None and hand.source is Source.DECLARED:
            declaration = Declare(player, self.recorded.declared[player])
            unsaid = lowest_card_paid(self.round, player) & ~lowest_card_paid(self.recorded, player)
            return None if known or unsaid else declared_under(declaration, self.recorded.ruleset, self.round)
        if hand is not None:
            known |= self._cards(hand.cards)
        return Show(player, known) if known.bit_count() in showable(self.round, player) else None
