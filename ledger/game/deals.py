"""Rounds whose hands are known: reading a deal from text, and all legal moves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ledger.game.cards import Cards, Rank, bits, shown
from ledger.game.fold import apply, begin
from ledger.game.legal_cards import legal_plays
from ledger.game.moves import NOBODY, Move, Pass, Play
from ledger.game.notation import Unreadable, tag
from ledger.game.notation.script import PLAYERS, read_move, words_of
from ledger.game.round import Header, Round
from ledger.game.rulesets.model import Ruleset


@dataclass(frozen=True)
class Dealt:
    """A round with all its hands, which no player at a table knows."""

    __repr__ = shown
    round: Round
    hands: Mapping[int, Cards]
    """Player -> the cards dealt or drawn."""
    pile: tuple[Cards, ...] = ()
    """The cards left to draw, the next one first."""

    def left(self, player: int) -> Cards:
        """The cards that the player still holds; if one of two twins is left, the first of them."""
        hand, played = self.hands[player], self.round.played[player]
        deck = self.round.ruleset.deck
        if not deck.has_twins:
            return hand & ~played
        left = 0
        for place in range(0, 104, 2):
            count = (hand >> place & 0b11).bit_count() - (played >> place & 0b11).bit_count()
            left |= (1 << count) - 1 << place
        return left

    def after(self, move: Move) -> "Dealt":
        """The state after one more move; a pass may draw a card. Raises Refused if the rules refuse the move."""
        round = apply(self.round, move)
        if round.drawn == self.round.drawn:
            return Dealt(round, self.hands, self.pile)
        grown = {move.player: self.hands[move.player] | self.pile[0]}
        return Dealt(round, {**self.hands, **grown}, self.pile[1:])

    def moves(self) -> list[Move]:
        """All legal moves: plays, in turn or not, in playing order, then a pass of the player to act. None once the
        round is over; claims and contracts are left out."""
        round = self.round
        held = {player: self.left(player) for player in round.seats_in(round.active)}
        lowest = min((hand & -hand for hand in held.values()), default=0)
        moves: list[Move] = []
        for player, hand in held.items():
            moves += legal_plays(round, player, hand, lowest)
        if not round.over and (acts := self._may_pass(held, lowest)) != NOBODY:
            moves.append(Pass(acts))
        return moves

    def _may_pass(self, held: Mapping[int, Cards], lowest: Cards) -> int:
        """The player to act, if a pass is allowed: on a pile, or of the lead with only 2s; else NOBODY."""
        round = self.round
        acts = round.turn
        if acts == NOBODY:
            acts = next(player for player, hand in held.items() if hand & lowest)
        twos = round.ruleset.deck.rank(Rank.TWO)
        passes_lead = round.ruleset.passing.twos_pass_lead and not held[acts] & ~twos
        return acts if passes_lead or not round.leading else NOBODY


def read_deal(text: str, ruleset: Ruleset) -> Dealt:
    """Read a deal: a line of cards for each player, `p1 3s 4c 5d`, and optionally `lead p1` at the end; else the
    lowest card dealt opens. Hands are equal, of any size; cards are drawn lowest first.

    Raises Unreadable.
    """
    deck = ruleset.deck
    hands: list[Cards] = []
    leader: int | None = None
    dealt, number = 0, 0
    for number, raw in enumerate(text.splitlines(), start=1):
        words = (words_of(raw) or "").split()
        if not words:
            continue
        if leader is None and words in (["lead", tag(player)] for player in range(len(hands))):
            leader = PLAYERS[words[1]]
            continue
        line = read_move(deck, raw)
        if leader is not None or not isinstance(line, Play) or line != Play(len(hands), line.cards):
            raise Unreadable(number, "the hand of the next player, or at the end who leads (p2 3s 4c 5d)")
        cards = deck.unseen_twins(line.cards, dealt) if deck.has_twins else line.cards
        if cards & dealt:
            raise Unreadable(number, "cards that nobody else was dealt")
        if hands and cards.bit_count() != hands[0].bit_count():
            raise Unreadable(number, f"{hands[0].bit_count()} cards, as many as in the first hand")
        dealt |= cards
        hands.append(cards)
    if len(hands) not in ruleset.deal.players:
        playing = ", ".join(map(str, ruleset.deal.players))
        raise Unreadable(number, f"as many hands as may play ({playing})")
    deal = replace(ruleset.deal, hand=hands[0].bit_count(), equal=False)
    header = Header(tuple(range(len(hands))), leader)
    rest = deck.all & ~dealt
    return Dealt(begin(replace(ruleset, deal=deal), header), dict(enumerate(hands)), tuple(bits(rest)))
