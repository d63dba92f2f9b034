"""Findings: what the rules notice in a round, apart from refusals; they never change a payment."""

from collections.abc import Iterator

from ledger.game.cards import Cards, Rank
from ledger.game.customs import debts
from ledger.game.errors import Clause, Finding, Notice
from ledger.game.hands import Source, hand_of
from ledger.game.moves import Claim, Declare, Pass, Play, Show
from ledger.game.patterns import FOUR_OF_A_KIND, SuitLock, Target
from ledger.game.round import Round


def findings(round: Round, previous: Round | None = None, *, strict: bool = False) -> list[Finding]:
    """The findings of a round, by move: irregular moves that stood, a wrong opening, an unclaimed instant win, or
    one claimed by a player who owes cards after the round before, `previous`.

    `strict` adds locks where there was nothing to lock. A round that does not count has no findings.
    """
    if round.void is not None:
        return []
    found = [*round.findings, *_opened_too_high(round), *_unclaimed(round), *_owing(round, previous)]
    if strict:
        found += _nothing_to_lock(round)
    return sorted(found, key=lambda finding: finding.move)


def _opened_too_high(round: Round) -> Iterator[Finding]:
    """Clause OPEN: a card lower than the opening's lowest proves that the wrong player opened.

    Cards of a player who has drawn prove nothing, and no card does if the opening needed no lead.
    """
    if not round.opening_move or not round.opening or round.ruleset.deals_all(len(round.header.seats)):
        return
    write = round.ruleset.deck.write
    opened = round.moves[round.opening_move - 1]
    assert isinstance(opened, Play)
    combination = round.compiled.index.read(opened.cards)
    if combination is not None and combination.shape in round.ruleset.opening.intruders:
        return
    lowest = opened.cards & -opened.cards
    drew: set[int] = set()
    for number, move in enumerate(round.moves, start=1):
        if isinstance(move, Pass) and round.ruleset.deal.draw_pile:
            drew.add(move.player)
        if not isinstance(move, Play | Claim | Show) or move.player in drew:
            continue
        if number > round.opening_move and move.cards & (lowest - 1):
            lower = move.cards & -move.cards
            yield Finding(
                Notice.OPENING_NOT_LOWEST,
                round.ruleset.clause(Clause.OPEN),
                number,
                move.player,
                (*write(lower), *write(lowest)),
            )
            return


def _unclaimed(round: Round) -> Iterator[Finding]:
    """Clause MISSED: a hand that is now fully known, and would have won at once."""
    if round.claims:
        return
    for player in round.header.seats:
        hand = hand_of(round, player) if round.over and round.cards_left[player] else None
        known = hand is not None and hand.source is not Source.DECLARED
        dealt = round.played[player] | (hand.cards if hand and known else 0)
        drew = round.played[player].bit_count() + round.cards_left[player] > round.hand_size
        if (
            dealt.bit_count() == round.hand_size
            and not drew
            and round.compiled.instant_win(dealt, opening=round.opening)
        ):
            yield Finding(
                Notice.UNCLAIMED_INSTANT_WIN,
                round.ruleset.clause(Clause.MISSED),
                _known_since(round, player, dealt),
                player,
                round.ruleset.deck.write(dealt),
            )


def _owing(round: Round, previous: Round | None) -> Iterator[Finding]:
    """Clause CUSTOM: four 2s claimed by a player who owes cards; whether the debt was paid is not recorded."""
    if previous is None or not round.ruleset.debts.returned:
        return
    debtors = {owes.debtor for owes in debts(previous)}
    for player, move in round.claims:
        win = round.compiled.instant_win(round.shown[player], opening=round.opening)
        if player in debtors and win is not None and win.block == Target(FOUR_OF_A_KIND, Rank.TWO):
            twos = round.shown[player] & round.ruleset.deck.rank(Rank.TWO)
            clause = round.ruleset.clause(Clause.CUSTOM)
            yield Finding(Notice.CLAIMED_WHILE_OWING, clause, move, player, round.ruleset.deck.write(twos))


def _nothing_to_lock(round: Round) -> Iterator[Finding]:
    """Clause SUIT-LOCK: a lock on a play that is no sequence of one suit, or where players have no choice."""
    optional = round.ruleset.combinations.suit_lock is SuitLock.OPTIONAL
    for number, move in enumerate(round.moves, start=1):
        if not isinstance(move, Play) or move.locks is None:
            continue
        combination = round.compiled.index.read(move.cards)
        if not optional or combination is None or not combination.suited:
            clause = round.ruleset.clause(Clause.SUIT_LOCK)
            cards = round.ruleset.deck.write(move.cards)
            yield Finding(Notice.NOTHING_TO_LOCK, clause, number, move.player, cards)


def _known_since(round: Round, player: int, dealt: Cards) -> int:
    """The number of the move by which a hand became fully known: by its last card, or that of the others."""
    known: Cards = 0
    for number, move in enumerate(round.moves, start=1):
        if move.player == player and isinstance(move, Play | Show | Declare):
            known |= move.cards
            if not dealt & ~known:
                return number
    shown = [number for number, move in enumerate(round.moves, start=1) if isinstance(move, Show)]
    return max([*shown, round.ending_move])
