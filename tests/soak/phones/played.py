"""The play of a table: every entry that is needed to record it, in order. Each player is dealt one suit where
possible, so that sequences end a round soon."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from ledger.game.cards import Cards
from ledger.game.corpus import greedy
from ledger.game.deals import Dealt
from ledger.game.fold import begin
from ledger.game.hands import missing_hands
from ledger.game.moves import Move, Play, Show
from ledger.game.notation import tag
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from tests.soak.phones.standing import Data, EntryKey, entry_key

TABLES = {"southern-classic": 4, "core-double": 5}
"""Ruleset -> number of players. With two packs a card may be played twice, so the rules cannot notice that it was
recorded twice."""
_ROUNDS = 5  # the number of different rounds per table; evenings differ mostly in their weather


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened, as the entry to record. `slip` is a wrong entry that a keeper may record instead."""

    kind: str
    content: Data
    slip: Data | None = None
    number: int = 0

    @property
    def key(self) -> EntryKey:
        return (self.kind,) if self.kind in ("round", "settle") else entry_key(self.kind, self.content)


def evening(chance: Random, table: str, length: int) -> list[Happening]:
    """The first happenings of a night: rounds, the last of which may be cut off, with adjustments in between."""
    happened: list[Happening] = []
    while len(happened) < length:
        for happening in round_of(table, chance.randrange(_ROUNDS)):
            if chance.random() < 0.1:
                payer, payee = chance.sample(["p1", "p2", "p3", "p4"], 2)
                debt = {"points": chance.randint(1, 5), "reason": f"nước {len(happened)}"}
                happened.append(Happening("adjust", {"payer": payer, "payee": payee, **debt}))
            happened.append(happening)
    return [replace(happening, number=number) for number, happening in enumerate(happened[:length])]


@lru_cache
def round_of(table: str, seed: int) -> tuple[Happening, ...]:
    """A whole round until it is settled. Every pass is an entry, so none is implied."""
    chance, ruleset = Random(seed), PRESETS[table]
    dealt = Dealt(begin(ruleset, Header(tuple(range(TABLES[table])))), _hands(chance, ruleset, TABLES[table]))
    happenings = [Happening("round", {"opening": True, "stood": True})]
    while not dealt.round.over:
        moves = dealt.moves()
        move = _chosen(chance, moves)
        # Another legal play of the same player, if there is one.
        others = [other for other in moves if isinstance(other, Play) and other.player == move.player]
        slip = _content(ruleset, chance.choice(others)) if others else None
        happenings.append(_happening(ruleset, move, None if slip == _content(ruleset, move) else slip))
        dealt = dealt.after(move)
    shown = [_happening(ruleset, Show(player, dealt.left(player))) for player in missing_hands(dealt.round)]
    return (*happenings, *shown, Happening("settle", {}))


def _hands(chance: Random, ruleset: Ruleset, players: int) -> dict[int, Cards]:
    deck, count = ruleset.deck, ruleset.deal.hand_of(players)
    pack = list(deck.cards(deck.all))
    chance.shuffle(pack)
    hands = {}
    for player in range(players):
        pack.sort(key=lambda card: card.suit != player)
        hands[player], pack = deck.gather(pack[:count])[0], pack[count:]
    return hands


def _chosen(chance: Random, moves: Sequence[Move]) -> Move:
    plays = [move for move in moves if isinstance(move, Play)]
    if not plays or chance.random() < 0.1:
        return moves[-1]
    return greedy(chance, moves) if chance.random() < 0.6 else chance.choice(plays)


def _happening(ruleset: Ruleset, move: Move, slip: Data | None = None) -> Happening:
    return Happening(type(move).__name__.lower(), _content(ruleset, move), slip)


def _content(ruleset: Ruleset, move: Move) -> Data:
    cards = {"cards": list(ruleset.deck.write(move.cards))} if isinstance(move, Play | Show) else {}
    return {"seat": tag(move.player), **cards}
