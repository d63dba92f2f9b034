"""The state of a round: who is to act, what lies on the pile, who is out, which cards have been seen.

Everything here is derived from the header and the moves. Players are numbers from 0.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Final, NamedTuple, TypeAlias, assert_never

from ledger.game.cards import Cards, shown
from ledger.game.combinations import Combination
from ledger.game.errors import Finding
from ledger.game.moves import NOBODY, Claim, Move, Pass, Play, Result, Show
from ledger.game.patterns import Pattern
from ledger.game.rulesets.compiled import CompiledRules, compiled
from ledger.game.rulesets.model import Ruleset, Several

Players: TypeAlias = Annotated[int, "players"]
"""A set of players: one bit per player. `Round.seats_in` lists them; the `repr` of a round says who they are."""


MOST_TIMES: Final = 10
"""The greatest factor of a round's payments."""


class Header(NamedTuple):
    """How a round begins: who sits in, in playing order, and who leads (None: the lowest card opens)."""

    seats: tuple[int, ...]
    leader: int | None = None
    stood: bool = False
    """Another leader was due, but the table let it stand."""
    times: int = 1
    """The factor of all its payments, 1 to `MOST_TIMES`: the table agreed that this round counts so many times."""


class PilePlay(NamedTuple):
    """One play of a pile."""

    player: int
    cards: Cards
    combination: Combination | None
    """None if the cards form no combination and the play stood."""
    move: int
    last: bool
    """Whether the player went out with it."""

    @property
    def bomb(self) -> bool:
        """Whether it was a bomb."""
        return self.combination is not None and self.combination.bomb

    def __repr__(self) -> str:
        return shown(self)


UNSEEN_BOMB = Combination(0, Pattern(0, 0), (), Pattern(0, 0), bomb=True)
"""The bomb of a pile that was not recorded: the cards that it captured are known, its own are not."""


@dataclass(slots=True, eq=False, repr=False)
class Round:
    """One round as far as it has been recorded. A value: `fold.apply` returns a new one.

    Only `ledger.game.fold` changes a round, and only before it hands it out.

    >>> from ledger.game.fold import begin
    >>> from ledger.game.rulesets import PRESETS
    >>> begin(PRESETS["southern-classic"], Header((0, 1, 2)), [Result(places=(0, 1), never_played=(2,))])
    <Round of southern-classic | p1 0, p2 12 at most, p3 13 knocked out | nothing laid | over>
    """

    ruleset: Ruleset
    header: Header
    compiled: CompiledRules = field(init=False)
    hand_size: int = field(init=False)
    """The number of cards that each player was dealt."""
    following: tuple[int, ...] = field(init=False)
    """Player -> the next in playing order."""
    seated: Players = field(init=False)
    """The players who sit in it."""
    moves: list[Move] = field(default_factory=list)
    """All moves so far, those that stood too; they count from 1."""
    findings: list[Finding] = field(default_factory=list)
    """The irregular moves, and header, that stood."""

    turn: int = field(init=False)
    """The player to act; NOBODY while it is not known who opens, and once the round is over."""
    leading: bool = True
    """Whether the player to act leads a new pile. Until then the old pile stays open to late bombs."""
    must_open: bool = field(init=False)
    """Whether the opening play is still to come."""
    active: Players = field(init=False)
    """The players who are neither out nor knocked out."""
    free: Players = field(init=False)
    """The active players who have not passed on this pile."""
    pile_from: int = 0
    """The number of moves before the current pile."""
    last_laid: int = 0
    """The number of the last play; 0 before the first."""
    bombed: bool = False
    """Whether the pile has a bomb on another play, to be paid for when the pile closes."""
    top: Combination | None = None
    """The last play of the pile; None before the first, and for cards that form no combination and stood."""
    suit_locked: bool = False
    """Whether only sequences of one suit may answer the top (clause SUIT-LOCK)."""
    top_player: int = NOBODY
    """The player who has the pile so far."""

    drawn: int = 0
    """The number of undealt cards that players have drawn when passing."""
    cards_left: list[int] = field(init=False)
    """Player -> number of cards still held; for the uncounted, the most possible."""
    uncounted: Players = 0
    """Players whose number of cards is unknown until shown, because only the result was recorded."""
    played: list[Cards] = field(init=False)
    """Player -> the cards played."""
    seen: Cards = 0
    """The cards that were played or shown, or captured by a bomb of the result."""
    shown: dict[int, Cards] = field(default_factory=dict)
    """Hands that were shown at the end, or by a claim."""
    declared: dict[int, tuple[Cards, ...]] = field(default_factory=dict)
    """Player -> the special sets that were declared instead."""
    covers: dict[int, int] = field(default_factory=dict)
    """Player -> the number of the move by which another player pays what this one owes (clause COVER)."""
    claims: list[tuple[int, int]] = field(default_factory=list)
    """Claimed instant wins: player and number of the move."""

    bids: dict[int, str] = field(default_factory=dict)
    """Player -> contract taken before play."""

    result: Result | None = None
    """The outcome of the round, if not all moves were recorded."""
    places: list[int] = field(default_factory=list)
    """Players in finishing order."""
    played_out: Players = 0
    """The players who are out by the recorded plays."""
    knocked_out: Players = 0
    """The players who were knocked out."""
    chops: list[tuple[PilePlay, ...]] = field(default_factory=list)
    """Closed piles in which a bomb beat another play."""
    opening_move: int = 0
    """The number of the first play; 0 until then."""
    void: str | None = None
    """Why the round does not count; None: it does."""
    over: bool = False
    ending_move: int = 0
    """The number of the move that ended the round; 0 while it runs."""

    def __post_init__(self) -> None:
        seats, leader = self.header.seats, self.header.leader
        self.compiled = compiled(self.ruleset)
        self.hand_size = self.ruleset.deal.hand_of(len(seats))
        self.following, self.seated, left = seating(seats, self.hand_size)
        self.cards_left, self.played = [*left], [0] * len(left)
        self.turn, self.must_open = NOBODY if leader is None else leader, leader is None
        self.active = self.free = self.seated

    def __repr__(self) -> str:
        """The table: how many cards each player holds, and who has passed; the pile; and who is to act."""
        write, passed = self.ruleset.deck.write, 0 if self.leading else self.active & ~self.free
        words = {" at most": self.uncounted, " passed": passed, " knocked out": self.knocked_out}
        left = ", ".join(
            f"p{player + 1} {self.cards_left[player]}"
            + "".join(word for word, players in words.items() if players >> player & 1)
            for player in self.header.seats
        )
        pile = " < ".join(" ".join(write(play.cards)) for play in self.pile) or "nothing laid"
        if self.over:
            acting = "over"
        elif self.turn == NOBODY:
            acting = "the lowest card opens"
        else:
            acting = f"p{self.turn + 1} {'leads' if self.leading else 'to act'}"
        return f"<Round of {self.ruleset.id} | {left} | {pile} | {acting}>"

    def copy(self) -> "Round":
        """A copy of this round that shares nothing mutable with it."""
        twin = object.__new__(Round)
        for name in Round.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if type(value) in (list, dict) else value)
        return twin

    @property
    def pile(self) -> list[PilePlay]:
        """The plays of the current pile, first to last; until the next pile is led, those of the last one."""
        pile = []
        out = set(self.seats_in(self.played_out))
        for number in range(len(self.moves), self.pile_from, -1):
            move = self.moves[number - 1]
            if isinstance(move, Play):
                read = self.compiled.index.read(move.cards)
                pile.append(PilePlay(move.player, move.cards, read, number, move.player in out))
                out.discard(move.player)
        return pile[::-1]

    @property
    def top_cards(self) -> Cards:
        """The cards of the last play of the pile; none before the first."""
        last = self.moves[self.last_laid - 1] if self.last_laid else None
        return last.cards if isinstance(last, Play) else 0

    @property
    def went_forward(self) -> bool:
        """Whether the last move is a play with which the winner of the pile goes forward (clause FORWARD)."""
        last = self.moves[-1] if self.moves else None
        return self.leading and isinstance(last, Play) and last.forward

    @property
    def winning_claims(self) -> list[tuple[int, int]]:
        """The claimed instant wins that are paid (clause INSTANT)."""
        match self.ruleset.instant_wins.several:
            case Several.EVERY:
                return self.claims
            case Several.STRONGEST:
                return sorted(self.claims, key=self._claim_order)[:1]
            case Several.FIRST_IN_TURN:
                return sorted(self.claims, key=self._wait)[:1]
            case several:
                assert_never(several)

    def _claim_order(self, claim: tuple[int, int]) -> tuple[int, int]:
        """The sort key of claims, strongest first: the hand's place in the list, then its highest winning cards."""
        ruleset, hand = self.ruleset, self.shown[claim[0]]
        win, hands = self.compiled.instant_win(hand, opening=self.opening), ruleset.instant_wins.hands
        if win is None:
            return len(hands), -hand
        return hands.index(win), -self.compiled.winning_cards(win, hand)

    def _wait(self, claim: tuple[int, int]) -> int:
        """The number of seats from the player who was to lead to a claimant; the same for all if unknown."""
        lowest = (player for player, hand in self.shown.items() if hand & 1 and not self.undealt)
        leader = next(lowest, None) if self.opening else self.header.leader
        seats = self.header.seats
        return 0 if leader is None else (seats.index(claim[0]) - seats.index(leader)) % len(seats)

    @property
    def opening(self) -> bool:
        """Whether the lowest card opens this round."""
        return self.header.leader is None

    @property
    def counts(self) -> bool:
        """Whether it has ended, and was not voided."""
        return self.over and self.void is None

    @property
    def winner(self) -> int | None:
        """The player who came in first, or the first whose instant win is paid; None unless the round counts."""
        if not self.counts:
            return None
        return self.winning_claims[0][0] if self.claims else self.places[0]

    @property
    def unseen(self) -> Cards:
        return self.ruleset.deck.all & ~self.seen

    @property
    def undealt(self) -> int:
        """The number of cards that were neither dealt nor drawn in this round."""
        return self.ruleset.deck.all.bit_count() - self.hand_size * len(self.header.seats) - self.drawn

    @property
    def unseen_are_held(self) -> bool:
        """Whether the unseen cards are exactly those that players still hold."""
        return self.result is None and not self.undealt

    def untouched(self, player: int) -> bool:
        """Whether this player has played nothing."""
        return not self.played[player] if self.result is None else player in self.result.never_played

    def last_play(self, player: int) -> tuple[int, Cards]:
        """The number and the cards of a player's last play; the end of the round, and no cards, if only a result
        says that the player went out."""
        by_plays = self.result is None or self.played_out >> player & 1
        for number in range(len(self.moves) if by_plays else 0, 0, -1):
            move = self.moves[number - 1]
            if isinstance(move, Play) and move.player == player:
                return number, move.cards
        return self.ending_move, 0

    @property
    def to_draw(self) -> int:
        """The number of cards left to draw for players who pass."""
        return self.undealt if self.ruleset.deal.draw_pile else 0

    def seats_in(self, players: Players) -> list[int]:
        """The players of a set, in playing order."""
        return [player for player in self.header.seats if players >> player & 1]

    def next_in(self, players: Players, player: int) -> int:
        """The first player of a set, which is not empty, after this one in playing order."""
        player = self.following[player]
        while not players >> player & 1:
            player = self.following[player]
        return player

    @property
    def locked_out(self) -> Players:
        """The players who have passed on this pile and are locked out of it; the player to lead never is."""
        if not self.ruleset.passing.locks:
            return 0
        return self.active & ~self.free & ~(1 << self.turn if self.leading and self.turn != NOBODY else 0)

    def locked(self, player: int) -> bool:
        """Whether this player is locked out of this pile."""
        return bool(self.locked_out >> player & 1)

    def passed(self, player: int) -> bool:
        """Whether this player has passed on this pile, locked out or not, and so may make late plays. The player to
        lead has not."""
        if self.ruleset.passing.locks:
            return self.locked(player)
        passes = (move.player for move in self.moves[self.pile_from :] if isinstance(move, Pass))
        return player in passes and not (self.leading and player == self.turn)

    @property
    def late(self) -> tuple[Pattern, ...]:
        """The patterns that a player who has passed may still play on this top, if they beat it (clause LATE)."""
        passing, top = self.ruleset.passing, self.top
        if top is None or not passing.late_on:
            return passing.late
        spared = set()
        for row in passing.late_on:
            targets = (*row.on, *row.chopped) if row.chopped and self.chopped else row.on
            if not self.compiled.index.is_target(top, targets):
                spared.add(row.shape)
        return tuple(shape for shape in passing.late if shape not in spared)

    @property
    def chopped(self) -> bool:
        """Whether a bomb of the pile has beaten another shape than its own."""
        read = [play.combination for play in self.pile]
        return any(
            above is not None and above.bomb and (below is None or below.shape != above.shape)
            for below, above in pairwise(read)
        )

    @property
    def led_by_bomb(self) -> bool:
        """Whether a bomb leads the pile, and only its own shape may answer it (clause BOMB)."""
        if not self.ruleset.opening.led_bombs_alike or not self.pile:
            return False
        first = self.pile[0].combination
        return first is not None and first.bomb

    def must_be_alike(self, shape: Pattern) -> bool:
        """Whether a shape may not answer the top, because a bomb of another shape leads the pile."""
        return self.led_by_bomb and self.top is not None and shape != self.top.shape

    def seen_in(self, card: Cards) -> tuple[int, int]:
        """The number of the move that showed a card, and whose card it was; LookupError if it is unseen."""
        for number, move in enumerate(self.moves, start=1):
            if isinstance(move, Play | Claim | Show) and move.cards & card:
                return number, move.player
            if isinstance(move, Result) and move.cards & card:
                return number, next(bomb.beaten for bomb in move.bombs if bomb.captured & card)
        raise LookupError(card)


@lru_cache(maxsize=1024)
def seating(seats: tuple[int, ...], hand: int) -> tuple[tuple[int, ...], Players, tuple[int, ...]]:
    """Player -> the next in playing order (NOBODY for players who do not sit in); the set of seated players; and
    player -> the number of cards dealt."""
    order = dict(zip(seats, seats[1:] + seats[:1], strict=True))
    players = range(max(seats) + 1)
    following = tuple(order.get(player, NOBODY) for player in players)
    dealt = tuple(hand * (player in order) for player in players)
    return following, sum(1 << player for player in seats), dealt
