"""The moves of a round: plays, passes, claims, contracts, results, and hands at the end."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

from marshmallow import ValidationError, post_load, validates_schema
from marshmallow.fields import List, Nested
from marshmallow.validate import Length

from ledger.game.cards import Card, Cards, Deck, Rank
from ledger.game.errors import Refused
from ledger.game.fold import implied_passes, replay
from ledger.game.moves import Bid, Bombed, Claim, Declare, Move, Pass, Play, Result, Show
from ledger.game.night import no_round
from ledger.game.round import Round
from ledger.recorder import fields
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, EventSchema
from ledger.recorder.fields import MISSING, Request, one_of_both
from ledger.recorder.parts import BombPart, Content, gathered, move_part, player
from ledger.recorder.problems import Problem, ProblemCode, unreadable
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState


def heaps(texts: Iterable[str]) -> list[list[str]]:
    """Special sets as they are laid down: every 2 by itself, four of a rank together, and the rest by unbroken
    runs of ranks. Whether a heap is worth anything is for the rules to say.
    """
    cards = sorted(map(Card.read, texts))
    found = [[card] for card in cards if card.rank is Rank.TWO]
    ranks = {
        rank: list(some) for rank, some in groupby(cards, key=lambda card: card.rank) if rank is not Rank.TWO
    }
    found += [some for some in ranks.values() if len(some) == 4]
    runs: list[list[Card]] = []
    for rank, some in ranks.items():
        if len(some) == 4:
            continue
        if runs and runs[-1][-1].rank == rank - 1:
            runs[-1].extend(some)
        else:
            runs.append(some)
    return [list(map(str, heap)) for heap in found + runs]


SETS = f"a list of 0 to {fields.MOST_CARDS} sets of cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEvent(Event):
    """A move of a round."""

    is_entry = True

    seat: str = "p1"

    @abstractmethod
    def move(self, deck: Deck) -> Move:
        """The move; a Problem where its cards are none."""

    def passes(self, round: Round, move: Move) -> tuple[Pass, ...]:
        """Who passed before it."""
        return ()

    def draft(self, state: NightState) -> Draft:
        log, round = self._round(state)
        deck = round.ruleset.deck
        move = self.move(deck)
        passes = self.passes(round, move)
        after = replay(round, (*passes, move))
        implied = self.passes_are_implied()
        parts = [move_part(skipped, deck, implied=implied) for skipped in passes]
        return Draft(log.number, [*parts, move_part(self._recorded(move, after), deck)])

    def passes_are_implied(self) -> bool:
        """Whether the passes before it are inferred, and not said."""
        return True

    def _recorded(self, move: Move, after: Round) -> Move:
        """The move as it is recorded: one that the rules allow loses its mark."""
        return after.moves[-1]

    def _round(self, state: NightState) -> tuple[RoundLog, Round]:
        """The newest round; a round that was settled takes nothing more, whatever the rules say."""
        log = state.current
        if log is None or log.round is None or log.round.void is not None:
            raise Refused(no_round(state.terms.ruleset, player(self.seat)))
        if log.settled:
            raise Problem(ProblemCode.ROUND_SETTLED, round=log.number)
        return log, log.round


class PlaySchema(EventSchema):
    """Cards laid on the pile. The players skipped in between pass."""

    stood = fields.stood()
    kind = fields.Kind("play")
    seat = fields.Player(required=True)
    cards = fields.cards(required=True)
    passed = fields.players(
        0, metadata={"description": "Who passed before it, said outright. Nobody: then no pass is inferred."}
    )
    forward = fields.Truth(metadata={"description": "It goes on beating the player's own pile."})
    locks = fields.Truth(metadata={"description": "Said to lock the pile to one suit, or to unlock it."})


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(MoveEvent):
    """A player lays cards on the pile."""

    kind = "play"
    schema = PlaySchema()

    cards: list[str]
    passed: list[str] | None = None
    """Who passed before it; None: whoever was skipped, as the rules infer it."""
    forward: bool = False
    locks: bool | None = None
    stood: bool = False

    def move(self, deck: Deck) -> Play:
        cards, twice = read_cards(deck, "cards", self.cards)
        return Play(player(self.seat), cards, self.stood, twice, forward=self.forward, locks=self.locks)

    def passes(self, round: Round, move: Move) -> tuple[Pass, ...]:
        if self.passed is not None:
            return tuple(Pass(player(seat)) for seat in self.passed)
        assert isinstance(move, Play)
        return implied_passes(round, move)

    def passes_are_implied(self) -> bool:
        return self.passed is None


class PassSchema(EventSchema):
    """A player passes, and others before."""

    stood = fields.stood()
    kind = fields.Kind("pass")
    seat = fields.Player(required=True)
    passed = fields.players(
        0, metadata={"description": "Who passed before: one undo takes all of them back."}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(MoveEvent):
    """A player passes, and others before: entries that are undone as one."""

    kind = "pass"
    schema = PassSchema()

    passed: list[str] | None = None
    stood: bool = False

    def move(self, deck: Deck) -> Pass:
        return Pass(player(self.seat), self.stood)

    def passes(self, round: Round, move: Move) -> tuple[Pass, ...]:
        return tuple(Pass(player(seat)) for seat in self.passed or ())

    def passes_are_implied(self) -> bool:
        return False


class ClaimSchema(EventSchema):
    """An instant win, with all the cards that the player was dealt."""

    stood = fields.stood()
    kind = fields.Kind("claim")
    seat = fields.Player(required=True)
    cards = fields.cards(required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantWinClaimed(MoveEvent):
    """A player shows all the cards of a hand that wins at once."""

    kind = "claim"
    schema = ClaimSchema()

    cards: list[str]
    stood: bool = False

    def move(self, deck: Deck) -> Claim:
        cards, twice = read_cards(deck, "cards", self.cards)
        return Claim(player(self.seat), cards, self.stood, twice)


class ContractSchema(EventSchema):
    """A bet on one's own first place, taken before the play."""

    kind = fields.Kind("contract")
    seat = fields.Player(required=True)
    contract = fields.Word(required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractTaken(MoveEvent):
    """A player bets on coming first, before the play."""

    kind = "contract"
    schema = ContractSchema()

    contract: str

    def move(self, deck: Deck) -> Bid:
        return Bid(player(self.seat), self.contract)


class BombResultSchema(Request):
    """What a bomb took, and from whom."""

    seat = fields.Player(required=True)
    beat = fields.Player(required=True, metadata={"description": "Whose play it beat, and who pays."})
    captured = fields.cards(required=True)


class ResultSchema(EventSchema):
    """How a round came out that nobody recorded move by move."""

    kind = fields.Kind("result")
    places = fields.players(1, required=True, metadata={"description": "The finishing order."})
    knocked_out = fields.players(0, metadata={"description": "Who had played nothing."})
    bombs = List(
        Nested(BombResultSchema),
        validate=Length(max=fields.MOST_CARDS, error=SETS),
        error_messages={"invalid": SETS},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(MoveEvent):
    """How a round came out that nobody recorded move by move."""

    kind = "result"
    schema = ResultSchema()

    places: list[str]
    knocked_out: list[str] | None = None
    bombs: list[BombPart] | None = None

    def move(self, deck: Deck) -> Result:
        bombs = []
        for bomb in self.bombs or ():
            captured, twice = read_cards(deck, "bombs", bomb["captured"])
            bombs.append(Bombed(player(bomb["seat"]), player(bomb["beat"]), captured, twice))
        knocked = tuple(map(player, self.knocked_out or ()))
        return Result(tuple(map(player, self.places)), knocked, tuple(bombs))


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEvent(MoveEvent):
    """What a player still holds when a round has ended; of any round that is not settled."""

    round: int | None = None
    """None: the newest."""

    def _recorded(self, move: Move, after: Round) -> Move:
        return move  # the words of what was shown are kept

    def _round(self, state: NightState) -> tuple[RoundLog, Round]:
        return unsettled_round(state, self.round, self.seat)


class HandSchema(EventSchema):
    """What a player still holds when a round has ended."""

    seat = fields.Player(required=True)
    round = fields.round_number(metadata={"description": "Left out: the last round."})


class ShowSchema(HandSchema):
    """The cards that a player still holds when the round has ended."""

    kind = fields.Kind("show")
    cards = fields.cards(required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown(HandEvent):
    """A player shows the cards that are left."""

    kind = "show"
    schema = ShowSchema()

    cards: list[str]

    def move(self, deck: Deck) -> Show:
        return Show(player(self.seat), *read_cards(deck, "cards", self.cards))


class DeclareSchema(HandSchema):
    """The special sets that a player still holds, or their cards in one list; none at all: an empty list."""

    kind = fields.Kind("declare")
    sets = List(
        fields.cards(),
        validate=Length(max=fields.MOST_CARDS, error=SETS),
        error_messages={"invalid": SETS},
        metadata={"example": [["2h"], ["9s", "9c", "9d", "9h"]]},
    )
    cards = fields.cards(0, metadata={"description": "Instead of `sets`, which are then made of them."})
    openapi: ClassVar = one_of_both("sets", "cards")

    @validates_schema
    def one_way_to_declare(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if "sets" not in data and "cards" not in data:
            raise ValidationError(MISSING, "sets")
        if "sets" in data and "cards" in data:
            raise ValidationError("either `sets` or `cards`", "cards")

    @post_load
    def laid_in_heaps(self, data: Content, **kwargs: Any) -> Content:
        if "sets" in data:
            return data
        rest = {name: value for name, value in data.items() if name != "cards"}
        return {"sets": heaps(data["cards"]), **rest}


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsDeclared(HandEvent):
    """A player declares the special sets that are left, or that there are none."""

    kind = "declare"
    schema = DeclareSchema()

    sets: list[list[str]]

    def move(self, deck: Deck) -> Declare:
        together = again = 0
        sets = []
        for texts in self.sets:
            cards, twice = read_cards(deck, "sets", texts)
            again |= twice | together & cards
            together |= cards
            sets.append(cards)
        return Declare(player(self.seat), tuple(sets), again)


def unsettled_round(state: NightState, number: int | None, seat: str = "p1") -> tuple[RoundLog, Round]:
    """A round that its payments still wait for, by its number, or the newest. Raises Refused where there is none of
    this number, Problem where it is settled or void."""
    current = state.current
    number = number or (current.number if current else 0)
    log = state.logs.get(number)
    if current is None or number > current.number or (log is not None and log.round is None):
        raise Refused(no_round(state.terms.ruleset, player(seat)))
    if log is None or log.round is None or log.settled:
        raise Problem(ProblemCode.ROUND_SETTLED, round=number)
    if log.round.void is not None:
        raise Problem(ProblemCode.ROUND_VOID, round=number)
    return log, log.round


def read_cards(deck: Deck, field: str, texts: list[str]) -> tuple[Cards, Cards]:
    """Cards of a request, and those that it names too often; a Problem about the field if they are none."""
    try:
        return gathered(deck, *texts)
    except ValueError:
        raise unreadable(field, "cards such as 3s or Qh") from None
