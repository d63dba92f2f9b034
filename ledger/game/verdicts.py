"""Legal, irregular or impossible: what the rules say of a move in a round.

Each judge asks its questions in the order of `Code`, so that the first that applies is the one reported.
"""

from typing import assert_never

from ledger.game.cards import Cards
from ledger.game.combinations import Combination
from ledger.game.errors import Clause, Code, Refusal, Verdict
from ledger.game.hands import judge_declare, judge_show
from ledger.game.moves import Claim, Declare, Move, Pass, Play, Show
from ledger.game.state import NOBODY, Round

_IMPOSSIBLE, _IRREGULAR = Verdict.IMPOSSIBLE, Verdict.IRREGULAR


def judge(round: Round, move: Move) -> Refusal | None:
    """What speaks against a move, or None if it is legal. A mark that it stood changes nothing here."""
    match move:
        case Play():
            return _judge_play(round, move)
        case Pass():
            return _judge_pass(round, move)
        case Claim():
            return _judge_claim(round, move)
        case Show():
            return judge_show(round, move)
        case Declare():
            return judge_declare(round, move)
        case _:
            assert_never(move)


def _judge_play(round: Round, move: Play) -> Refusal | None:
    refusal = _not_now(round, move) or _not_these(round, move) or _not_in(round, move)
    if refusal:
        return refusal
    combination = round.book.read(move.cards)
    if combination is None:
        return _refuse(round, move, Code.NOT_A_COMBINATION, _IRREGULAR, Clause.COMBO)
    late = round.locked(move.player) and combination.shape in round.ruleset.passing.late
    if round.locked(move.player) and not late:
        return _refuse(round, move, Code.LOCKED_OUT, _IRREGULAR, Clause.PASS)
    if not late and round.turn not in (NOBODY, move.player):
        return _refuse(round, move, Code.NOT_YOUR_TURN, _IRREGULAR, Clause.PASS)
    if round.leading and not late:
        return _judge_opening(round, move)
    return _judge_against_top(round, move, combination)


def _judge_opening(round: Round, move: Play) -> Refusal | None:
    """Clause OPEN. Where not every card was dealt, any play may hold the lowest card dealt."""
    lowest = 1
    if round.must_open and round.deals_all and not move.cards & lowest:
        return _refuse(round, move, Code.MUST_OPEN_LOWEST, _IRREGULAR, Clause.OPEN, card=lowest)
    return None


def _judge_against_top(round: Round, move: Play, combination: Combination) -> Refusal | None:
    top = round.top
    if top is not None and combination.beats(top):
        return None
    bombs = combination.bomb or (top is not None and top.bomb)
    return _refuse(round, move, Code.DOES_NOT_BEAT, _IRREGULAR, Clause.BOMB if bombs else Clause.COMPARE)


def _judge_pass(round: Round, move: Pass) -> Refusal | None:
    refusal = _not_now(round, move) or _not_in(round, move)
    if refusal:
        return refusal
    if round.locked(move.player):
        return _refuse(round, move, Code.LOCKED_OUT, _IRREGULAR, Clause.PASS)
    if round.turn not in (NOBODY, move.player):
        return _refuse(round, move, Code.NOT_YOUR_TURN, _IRREGULAR, Clause.PASS)
    if round.leading:
        return _refuse(round, move, Code.PASS_ON_EMPTY_PILE, _IRREGULAR, Clause.PASS)
    return None


def _judge_claim(round: Round, move: Claim) -> Refusal | None:
    refusal = _not_now(round, move) or _not_these(round, move)
    if refusal:
        return refusal
    hand = round.ruleset.deal.hand
    if move.cards.bit_count() != hand:
        return _refuse(round, move, Code.CLAIM_COUNT, _IMPOSSIBLE, Clause.INSTANT, count=hand)
    if round.opened_by is not None:
        return _refuse(round, move, Code.CLAIM_TOO_LATE, _IRREGULAR, Clause.INSTANT)
    if round.ruleset.instant_win(move.cards, opening=round.opening) is None:
        return _refuse(round, move, Code.NOT_AN_INSTANT_WIN, _IRREGULAR, Clause.INSTANT)
    return None


def _not_now(round: Round, move: Play | Pass | Claim) -> Refusal | None:
    """Not seated, or the round is over. After a claim only further claims are taken."""
    if not round.seated >> move.player & 1:
        return _refuse(round, move, Code.NOT_SEATED, _IMPOSSIBLE, Clause.DEAL)
    if round.over and not (round.claims and isinstance(move, Claim)):
        return _refuse(round, move, Code.ROUND_OVER, _IMPOSSIBLE, Clause.END)
    return None


def _not_these(round: Round, move: Play | Claim) -> Refusal | None:
    """Cards that cannot be this player's: twice in the move, seen before, or more than were dealt."""
    if move.twice:
        return _refuse(round, move, Code.CARD_TWICE, _IMPOSSIBLE, Clause.SEEN, card=move.twice)
    own = round.played[move.player]
    claim = isinstance(move, Claim)
    if seen := move.cards & round.seen & ~(own if claim else 0):
        return _refuse(round, move, Code.CARD_ALREADY_PLAYED, _IMPOSSIBLE, Clause.SEEN, card=seen)
    hand = round.ruleset.deal.hand
    dealt = (move.cards | own | round.shown.get(move.player, 0)).bit_count()
    if dealt > hand and not (claim and move.cards.bit_count() != hand):
        return _refuse(
            round, move, Code.TOO_MANY_CARDS, _IMPOSSIBLE, Clause.SEEN, count=round.left[move.player]
        )
    return None


def _not_in(round: Round, move: Play | Pass) -> Refusal | None:
    """Out, or knocked out."""
    if not round.left[move.player]:
        return _refuse(round, move, Code.NOT_IN_ROUND, _IMPOSSIBLE, Clause.OUT)
    if round.knocked >> move.player & 1:
        return _refuse(round, move, Code.NOT_IN_ROUND, _IRREGULAR, Clause.KNOCK)
    return None


def _refuse(
    round: Round,
    move: Play | Pass | Claim,
    code: Code,
    verdict: Verdict,
    clause: Clause,
    *,
    card: Cards = 0,
    count: int | None = None,
) -> Refusal:
    write = round.ruleset.deck.write
    card &= -card
    number, holder = round.seen_in(card) if card & round.seen else (None, None)
    return Refusal(
        code=code,
        verdict=verdict,
        clause=round.ruleset.clause(clause),
        player=move.player,
        offered=() if isinstance(move, Pass) else write(move.cards),
        top=write(round.pile[-1].cards) if round.pile and not round.over else (),
        card=write(card)[0] if card else None,
        move=number,
        holder=holder,
        expected=() if round.turn == NOBODY else (round.turn,),
        count=count,
    )
