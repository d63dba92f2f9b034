"""The moves of a round: plays, passes, claims, contracts, results, and hands at the end."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar, TypedDict

from marshmallow import ValidationError, post_load, validates_schema
from marshmallow.fields import List, Nested
from marshmallow.validate import Length

from ledger.game.cards import Card, Cards, Deck, Rank
from ledger.game.errors import Refused
from ledger.game.fold import implied_passes, others_who_may, replay
from ledger.game.moves import Bid, Bombed, Claim, Declare, Move, Pass, Play, Result, Show
from ledger.game.night import no_round
from ledger.game.notation import tag
from ledger.game.round import Round
from ledger.recorder import fields
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, EventSchema, requested
from ledger.recorder.fields import MISSING, Request, one_of_both
from ledger.recorder.parts import BombPart, Content, move_part, player
from ledger.recorder.problems import Problem, ProblemCode, refused, unreadable
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState


def split_into_sets(texts: Iterable[str]) -> list[list[str]]:
    """Sort cards into special sets: each 2 alone, four of a rank together, the rest by unbroken runs of ranks.
    The rules decide whether a set is worth anything.
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


class Instead(TypedDict):
    """A player by whom a refused play would be legal, and the players who pass before it."""

    seat: str
    passes: list[str]


MOST_LIKELY = 2
"""The most readings that a refusal offers."""
SETS = f"a list of 0 to {fields.MOST_CARDS} sets of cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEvent(Event):
    """The base of events that record a move of a round."""

    is_entry = True
    in_replays = True

    seat: str = "p1"

    @abstractmethod
    def move(self, deck: Deck) -> Move:
        """The move. Raises Problem if its cards are invalid."""

    def passes(self, round: Round, move: Move) -> tuple[Pass, ...]:
        """The passes that come before it."""
        return ()

    def draft(self, state: NightState) -> Draft:
        log, round = self._round(state)
        deck = round.ruleset.deck
        move = self.move(deck)
        passes = self.passes(round, move)
        try:
            after = replay(round, (*passes, move))
        except Refused as error:
            raise refused(error.refusal, **self.instead(round, move)) from None
        implied = self.passes_are_implied()
        parts = [move_part(skipped, deck, implied=implied) for skipped in passes]
        return Draft(log.number, [*parts, move_part(self._recorded(move, after), deck)])

    def passes_are_implied(self) -> bool:
        """Whether the passes before it are inferred, not entered."""
        return True

    def instead(self, round: Round, move: Move) -> dict[str, list[Instead]]:
        """What was probably meant by a refused move, as a fact of its problem; empty if nothing is likely."""
        return {}

    def _recorded(self, move: Move, after: Round) -> Move:
        """The move as recorded: without its `stood` mark if the rules allow it."""
        return after.moves[-1]

    def _round(self, state: NightState) -> tuple[RoundLog, Round]:
        """The newest round and its log. Raises Refused if it is void or there is none, Problem if it is settled."""
        log = state.current
        if log is None or log.round is None or log.round.void is not None:
            raise Refused(no_round(state.terms.ruleset, player(self.seat)))
        if log.settled:
            raise Problem(ProblemCode.ROUND_SETTLED, round=log.number)
        return log, log.round


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(MoveEvent):
    """A player plays cards on the pile."""

    kind = "play"

    stood: bool = requested(fields.stood_field(), False)
    seat: str = requested(fields.Player(required=True))
    cards: list[str] = requested(fields.cards(required=True))
    passed: list[str] | None = requested(
        fields.players(
            0,
            metadata={
                "description": "Who passed before it, said outright. Nobody: then no pass is inferred."
            },
        ),
        None,
    )
    """None: those skipped, as the rules infer."""
    forward: bool = requested(
        fields.Truth(metadata={"description": "It goes on beating the player's own pile."}), False
    )
    locks: bool | None = requested(
        fields.Truth(metadata={"description": "Said to lock the pile to one suit, or to unlock it."}), None
    )

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

    def instead(self, round: Round, move: Move) -> dict[str, list[Instead]]:
        if self.passed is not None or self.stood:
            return {}
        assert isinstance(move, Play)
        likely = others_who_may(round, move)[:MOST_LIKELY]
        found: list[Instead] = [
            {"seat": tag(player), "passes": [tag(skipped.player) for skipped in passes]}
            for player, passes in likely
        ]
        return {"instead": found} if found else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(MoveEvent):
    """A player passes, and others before; one undo takes all these passes back."""

    kind = "pass"

    stood: bool = requested(fields.stood_field(), False)
    seat: str = requested(fields.Player(required=True))
    passed: list[str] | None = requested(
        fields.players(0, metadata={"description": "Who passed before: one undo takes all of them back."}),
        None,
    )

    def move(self, deck: Deck) -> Pass:
        return Pass(player(self.seat), self.stood)

    def passes(self, round: Round, move: Move) -> tuple[Pass, ...]:
        return tuple(Pass(player(seat)) for seat in self.passed or ())

    def passes_are_implied(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantWinClaimed(MoveEvent):
    """A player claims an instant win by showing the whole hand."""

    kind = "claim"

    stood: bool = requested(fields.stood_field(), False)
    seat: str = requested(fields.Player(required=True))
    cards: list[str] = requested(fields.cards(required=True))

    def move(self, deck: Deck) -> Claim:
        cards, twice = read_cards(deck, "cards", self.cards)
        return Claim(player(self.seat), cards, self.stood, twice)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractTaken(MoveEvent):
    """A player takes a contract, before the first play."""

    kind = "contract"

    seat: str = requested(fields.Player(required=True))
    contract: str = requested(fields.Word(required=True))

    def move(self, deck: Deck) -> Bid:
        return Bid(player(self.seat), self.contract)


class BombResultSchema(Request):
    """A bomb in a result: the cards that it captured, and from whom."""

    seat = fields.Player(required=True)
    beat = fields.Player(required=True, metadata={"description": "Whose play it beat, and who pays."})
    captured = fields.cards(required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(MoveEvent):
    """The result of a round that was not recorded move by move."""

    kind = "result"

    places: list[str] = requested(
        fields.players(1, required=True, metadata={"description": "The finishing order."})
    )
    knocked_out: list[str] | None = requested(
        fields.players(0, metadata={"description": "Who had played nothing."}), None
    )
    bombs: list[BombPart] | None = requested(
        List(
            Nested(BombResultSchema),
            validate=Length(max=fields.MOST_CARDS, error=SETS),
            error_messages={"invalid": SETS},
        ),
        None,
    )

    def move(self, deck: Deck) -> Result:
        bombs = []
        for bomb in self.bombs or ():
            captured, twice = read_cards(deck, "bombs", bomb["captured"])
            bombs.append(Bombed(player(bomb["seat"]), player(bomb["beat"]), captured, twice))
        knocked = tuple(map(player, self.knocked_out or ()))
        return Result(tuple(map(player, self.places)), knocked, tuple(bombs))


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAtTheEnd(MoveEvent):
    """The base of moves after a round has ended, such as hands shown or declared; for any unsettled round."""

    seat: str = requested(fields.Player(required=True))
    round: int | None = requested(
        fields.round_number(metadata={"description": "Left out: the last round."}), None
    )

    def _recorded(self, move: Move, after: Round) -> Move:
        return move  # as entered

    def _round(self, state: NightState) -> tuple[RoundLog, Round]:
        return unsettled_round(state, self.round, self.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown(MoveAtTheEnd):
    """A player shows all the cards left in hand."""

    kind = "show"

    cards: list[str] = requested(fields.cards(required=True))

    def move(self, deck: Deck) -> Show:
        return Show(player(self.seat), *read_cards(deck, "cards", self.cards))


class SetsOrCards(EventSchema):
    """Takes special sets, or one list of cards to make them of; an empty list for none."""

    cards = fields.cards(0, metadata={"description": "Instead of `sets`, which are then made of them."})
    openapi: ClassVar = one_of_both("sets", "cards")

    @validates_schema
    def one_way_to_declare(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if "sets" not in data and "cards" not in data:
            raise ValidationError(MISSING, "sets")
        if "sets" in data and "cards" in data:
            raise ValidationError("either `sets` or `cards`", "cards")

    @post_load
    def cards_to_sets(self, data: Content, **kwargs: Any) -> Content:
        if "sets" in data:
            return data
        rest = {name: value for name, value in data.items() if name != "cards"}
        return {"sets": split_into_sets(data["cards"]), **rest}


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsDeclared(MoveAtTheEnd):
    """A player declares the special sets left in hand, or that there are none."""

    kind = "declare"
    base = SetsOrCards

    sets: list[list[str]] = requested(
        List(
            fields.cards(),
            validate=Length(max=fields.MOST_CARDS, error=SETS),
            error_messages={"invalid": SETS},
            metadata={"example": [["2h"], ["9s", "9c", "9d", "9h"]]},
        )
    )

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
    """An unsettled round by its number, or the newest, and its log. Raises Refused if there is no such round,
    Problem if it is settled or void."""
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
    """Read the cards of a request, and those it names too often. Raises Problem about `field` if one is invalid."""
    try:
        return deck.read(tuple(texts))
    except ValueError:
        raise unreadable(field, "cards such as 3s or Qh") from None
