"""What is known of the cards that players still hold when a round has ended (clauses REST, SHOW).

Here only the places of a round were recorded:

>>> from ledger.game.fold import apply, begin
>>> from ledger.game.moves import Result
>>> from ledger.game.round import Header
>>> from ledger.game.rulesets import PRESETS
>>> round = begin(PRESETS["southern-classic"], Header((0, 1, 2, 3)), [Result((0, 1, 2, 3))])
>>> missing_hands(round), showable(round, 3), round.ruleset.deck.write(costly_cards(round, 3))[-4:]
([3], range(1, 13), ('2s', '2c', '2d', '2h'))
>>> holders(round), deduced_player(round), waits_for_count(round, 3), pays_per_card(round, 3), last_twos(round)
([3], None, False, True, 0)
>>> may_be_declared(round, 3, 1 << 48), judge_show(round, Show(3, 0b11)), pays_full_hand(round, 3)
(True, None, False)
>>> hand_of(apply(round, Declare(3, (1 << 48,))), 3)
Hand(source=<Source.DECLARED: 'declared'>, cards=<2s of one pack>)
"""

from enum import StrEnum
from typing import Any, NamedTuple

from ledger.game.cards import Cards, Rank, bits, shown, union
from ledger.game.errors import Clause, Code, Detail, Refusal
from ledger.game.moves import Cover, Declare, Show
from ledger.game.round import Round
from ledger.game.special_sets import Appraiser


class Source(StrEnum):
    """How a hand came to be known."""

    SHOWN = "shown"
    DECLARED = "declared"
    DEDUCED = "deduced"


class Hand(NamedTuple):
    """A hand left at the end. `cards`: all of it, or only the special sets in it if it was declared."""

    source: Source
    cards: Cards

    def __repr__(self) -> str:
        return shown(self)


def holders(round: Round) -> list[int]:
    """The players who still hold cards, in playing order."""
    return [player for player in round.header.seats if round.cards_left[player]]


def hand_of(round: Round, player: int) -> Hand | None:
    """What is known of a player's last cards, or None."""
    if player in round.shown:
        return Hand(Source.SHOWN, round.shown[player])
    if deduced_player(round) == player:
        return Hand(Source.DEDUCED, round.unseen)
    if player in round.declared:
        return Hand(Source.DECLARED, union(round.declared[player]))
    return None


def deduced_player(round: Round) -> int | None:
    """The only player whose cards are not shown, if those are exactly the rest of the deck; else None."""
    only = None
    for player in round.header.seats:
        if round.cards_left[player] and player not in round.shown:
            if only is not None:
                return None
            only = player
    return only if round.unseen_are_held else None


def costly_cards(round: Round, player: int) -> Cards:
    """The cards that could cost this player something: not seen, and not declared by another."""
    unseen, ruleset = round.unseen & ~declared_elsewhere(round, player), round.ruleset
    values = hand_values_beside_cards(round, player)
    sets = values.could_hold(unseen, round.cards_left[player]) if ruleset.payments.for_hands else 0
    return sets | unseen & (lowest_card_paid(round, player) | twos_that_double(round))


def pays_full_hand(round: Round, player: int) -> bool:
    """Whether a player pays for a full hand, where tables do: knocked out, nothing played, or as many cards left as
    count for one (clause FULL)."""
    rules = round.ruleset.payments
    return bool(rules.full_hand) and (
        bool(round.knocked_out >> player & 1)
        or bool(rules.full_from and round.cards_left[player] >= rules.full_from)
        or round.untouched(player)
    )


def pays_per_card(round: Round, payer: int) -> bool:
    """Whether the cards left are counted; a player who has played nothing may pay a fixed sum instead."""
    return not (round.ruleset.payments.unplayed and round.untouched(payer))


def hand_values_beside_cards(round: Round, payer: int) -> Appraiser:
    """What special sets cost on top of their cards, which are counted: their value, or where that replaces the
    cards, only what it is more."""
    rules = round.ruleset.payments
    instead = (pays_per_card(round, payer) or rules.unplayed_replaces) and not rules.sets_beside_cards
    return round.compiled.excess_values if instead else round.compiled.hand_values


def twos_that_double(round: Round) -> Cards:
    """The 2s, if each that is left in a hand doubles its price; else none."""
    rules = round.ruleset.payments
    return round.ruleset.deck.rank(Rank.TWO) if rules.card and rules.doubled_by_twos else 0


def may_be_declared(round: Round, player: int, cards: Cards) -> bool:
    """Whether a player may declare these cards as one thing that costs something: points, or a 2 owed."""
    return (
        round.compiled.hand_values.is_special_set(cards)
        or bool(cards & lowest_card_paid(round, player))
        or cards in bits(twos_that_double(round))
        or (round.ruleset.debts.loser and cards in bits(round.ruleset.deck.rank(Rank.TWO)))
    )


def lowest_card_paid(round: Round, player: int) -> Cards:
    """The lowest card, if it costs this player something to be left with it alone (clause LAST-CARD); else none."""
    alone = round.ruleset.payments.lowest_left and round.cards_left[player] == 1
    return round.ruleset.deck.lowest if alone else 0


def missing_hands(round: Round) -> list[int]:
    """The players whose hands payments still wait for, in playing order; empty while the round runs."""
    if not round.counts or round.claims or last_twos(round):
        return []
    return [
        player
        for player in holders(round)
        if waits_for_count(round, player) or (hand_of(round, player) is None and costly_cards(round, player))
    ]


def last_twos(round: Round) -> Cards:
    """The 2s that the winner went out with, if nothing else is paid for then (clause END); else none."""
    if not round.ruleset.payments.last_twos:
        return 0
    _, cards = round.last_play(round.places[0])
    return cards & round.ruleset.deck.rank(Rank.TWO)


def waits_for_count(round: Round, player: int) -> bool:
    """Whether the number of cards that the player is left with is unknown, and matters."""
    return bool(round.uncounted >> player & 1) and round.ruleset.counts_cards


def showable(round: Round, player: int) -> range:
    """The numbers of cards that the player may show; only 0 once they have been shown."""
    held = 0 if player in round.shown else round.cards_left[player]
    return range(1 if round.uncounted >> player & 1 else held, held + 1)


def judge_show(round: Round, move: Show) -> Refusal | None:
    """Judge whether these can be the cards that the player still holds (clauses SEEN, SHOW)."""
    if refusal := refuse_unless_ended(round, move):
        return refusal
    counts = showable(round, move.player)
    if move.cards.bit_count() not in counts:
        known = len(counts) == 1
        clause, detail = (Clause.SEEN, None) if known else (Clause.SHOW, Detail.AT_MOST)
        detail = detail if counts[-1] else Detail.OUT
        return _impossible(round, move, Code.SHOWN_COUNT, clause, count=counts[-1], detail=detail)
    if again := move.cards & round.seen:
        return _contradiction(round, move, Code.SHOWN_ALREADY_PLAYED, Clause.SEEN, again)
    if not round.declared:
        return None
    if again := move.cards & declared_elsewhere(round, move.player):
        return _contradiction(round, move, Code.DECLARATION_CONTRADICTED, Clause.SHOW, again)
    return _refuse_contradicted_declaration(round, move)


def judge_declare(round: Round, move: Declare) -> Refusal | None:
    """Judge whether these can be the special sets that the player still holds (clause SHOW)."""
    if refusal := refuse_unless_ended(round, move):
        return refusal
    values = round.compiled.hand_values
    contradicted = Code.DECLARATION_CONTRADICTED
    if not all(may_be_declared(round, move.player, cards) for cards in move.sets):
        return _impossible(round, move, contradicted, Clause.SPECIAL, detail=Detail.NOT_SPECIAL)
    if move.cards.bit_count() > (count := round.cards_left[move.player]):
        return _impossible(round, move, contradicted, Clause.SHOW, count=count, detail=Detail.TOO_MANY)
    known = hand_of(round, move.player)
    if known and known.source is not Source.DECLARED:
        if not move.cards & ~known.cards and values.total(known.cards) == values.total(move.cards):
            return None
        return _impossible(round, move, contradicted, Clause.REST, detail=Detail.REST)
    if again := move.cards & (round.seen | declared_elsewhere(round, move.player)):
        return _contradiction(round, move, contradicted, Clause.SHOW, again)
    return _refuse_held_by_nobody(round, move)


def refuse_unless_ended(round: Round, move: Show | Declare | Cover) -> Refusal | None:
    """Refuse a player who is not seated, a round that has not been played to its end, and a card named twice."""
    if not round.seated >> move.player & 1:
        return _impossible(round, move, Code.NOT_SEATED, Clause.DEAL)
    if round.claims:
        return _impossible(round, move, Code.ROUND_OVER, Clause.INSTANT, detail=Detail.INSTANT_WIN)
    if not round.over:
        return _impossible(round, move, Code.ROUND_NOT_OVER, Clause.END)
    if move.twice:
        return _contradiction(round, move, Code.CARD_TWICE, Clause.SEEN, move.twice)
    return None


def declared_elsewhere(round: Round, player: int) -> Cards:
    """The cards of special sets that other players have declared."""
    return union([cards for other, sets in round.declared.items() if other != player for cards in sets])


def _refuse_held_by_nobody(round: Round, move: Show | Declare) -> Refusal | None:
    """Refuse a hand after which no player could hold some valuable card, if there is nothing more in it."""
    others = [other for other in holders(round) if other != move.player]
    if not round.unseen_are_held or any(hand_of(round, other) is None for other in others):
        return None
    claimed = move.cards | declared_elsewhere(round, move.player)
    if not (unclaimed := round.unseen & round.compiled.hand_values.singles & ~claimed):
        return None
    code, detail = Code.DECLARATION_CONTRADICTED, Detail.NOBODY
    return _contradiction(round, move, code, Clause.SHOW, unclaimed, detail)


def _refuse_contradicted_declaration(round: Round, move: Show) -> Refusal | None:
    """Refuse a showing that would leave other players with valuable cards that they did not declare."""
    rest = [player for player in holders(round) if player not in (*round.shown, move.player)]
    if len(rest) != 1:
        return _refuse_held_by_nobody(round, move)
    if not round.unseen_are_held or rest[0] not in round.declared:
        return None
    values = round.compiled.hand_values
    declared = union(round.declared[rest[0]])
    left = round.unseen & ~move.cards
    if values.total(left) == values.total(declared):
        return None
    code, cards = Code.DECLARATION_CONTRADICTED, declared or left & values.singles
    return _contradiction(round, move, code, Clause.REST, cards, Detail.REST)


def _impossible(
    round: Round, move: Show | Declare | Cover, code: Code, clause: Clause, /, **facts: Any
) -> Refusal:
    offered = round.ruleset.deck.write(move.cards)
    return round.ruleset.refusal(code, clause, player=move.player, offered=offered, **facts)


def _contradiction(
    round: Round,
    move: Show | Declare | Cover,
    code: Code,
    clause: Clause,
    cards: Cards,
    detail: Detail | None = None,
) -> Refusal:
    """A refusal caused by a card, with the earlier move that showed or declared it, if there is one."""
    card = cards & -cards
    number, holder = round.seen_in(card) if card & round.seen else (None, None)
    if number is None:
        for earlier, entry in enumerate(round.moves, start=1):
            if isinstance(entry, Declare) and entry.player != move.player and entry.cards & card:
                number, holder = earlier, entry.player
    text = round.ruleset.deck.write(card)[0] if card else None
    return _impossible(round, move, code, clause, card=text, move=number, holder=holder, detail=detail)
