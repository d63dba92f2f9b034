"""One round as a fold of moves: `apply` adds one, `replay` adds many.

A round is a value. What changes while moves are folded in is a round that nobody else has seen yet; `go_on` is for
whoever keeps one so.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, assert_never

from ledger.game.combinations import Combination, SuitLock, Ties
from ledger.game.errors import Clause, Code, Finding, Refusal, Refused, Verdict
from ledger.game.moves import Bid, Claim, Declare, MayStand, Move, Pass, Play, Result, Show
from ledger.game.rulesets.types import Ruleset
from ledger.game.state import NOBODY, UNSEEN_BOMB, Header, Laid, Round
from ledger.game.verdicts import goes_forward, judge, told_apart

MOST_ENTRIES: Final = 1_000
"""So many entries a round may have, those counted that were undone, struck or corrected. Where eight lay the 104
cards of two packs one by one, and all others pass on each, it has 832, and three more of each player for a contract
and a hand."""


def begin(
    ruleset: Ruleset,
    header: Header,
    moves: Iterable[Move] = (),
    *,
    infer: bool = False,
    finding: Finding | None = None,
) -> Round:
    """A round from its header on, with what was found wrong with that, and some moves as `replay` takes them."""
    round = Round(ruleset, header)
    if finding is not None:
        round.findings.append(finding)
    return go_on(round, moves, infer=infer)


def apply(round: Round, move: Move) -> Round:
    """The round with one more move; the old one stays as it was.

    Raises Refused if the move is impossible, or irregular and not marked as having stood.
    """
    return go_on(round.copy(), (move,))


def replay(round: Round, moves: Iterable[Move], *, infer: bool = False) -> Round:
    """The round with some more moves; Refused at the first that the rules refuse.

    With `infer`, a play is preceded by the passes that it implies.
    """
    return go_on(round.copy(), moves, infer=infer)


def voided(round: Round, reason: str) -> Round:
    """The round as one that does not count, however far it has come; nothing is recorded of it any more."""
    round = round.copy()
    round.void = reason
    round.over, round.turn, round.leading = True, NOBODY, False
    return round


def go_on(round: Round, moves: Iterable[Move], *, infer: bool = False) -> Round:
    """The same round, some moves later: for whoever made it and has shown it to nobody.

    Raises Refused as `replay` does; then the round is good for nothing.
    """
    if round.twins:
        moves = (told_apart(round, move) for move in moves)
    for index, move in enumerate(moves):
        if isinstance(move, Pass):
            refusal = _pass(round, move)
        elif isinstance(move, Play):
            if infer and move.player != round.turn:
                for skipped in implied_passes(round, move):
                    _pass(round, skipped)
            refusal = _play(round, move)
        else:
            refusal = _claim_or_end(round, move)
        if refusal is not None:
            raise Refused(refusal, index=index, number=len(round.moves) + 1)
        if len(round.moves) > MOST_ENTRIES:
            raise Refused(too_many_entries(round, move.player), index=index, number=len(round.moves))
    return round


def too_many_entries(round: Round, player: int) -> Refusal:
    """The refusal of one more entry of a round that has as many as a round may have."""
    return Refusal(
        code=Code.TOO_MANY_ENTRIES,
        verdict=Verdict.IMPOSSIBLE,
        clause=round.ruleset.clause(Clause.END),
        player=player,
        count=MOST_ENTRIES,
    )


def implied_passes(round: Round, move: Play) -> tuple[Pass, ...]:
    """The passes that a play implies: those of the players it skips.

    A play that would be legal as it stands implies none, nor does one that stood. If passes cannot bring the
    player's turn about, there are none either, and the play is judged where it stands.
    """
    if move.stood or round.turn in (NOBODY, move.player) or judge(round, move) is None:
        return ()
    return next((passes for player, passes in turns_by_passing(round) if player == move.player), ())


def turns_by_passing(round: Round) -> Iterator[tuple[int, tuple[Pass, ...]]]:
    """Whose turn passes would bring about, the next one first, and the passes, one by each seat before.

    Whoever is to act may come again at the end, as the one who leads after everybody has passed.
    """
    if round.over or round.turn == NOBODY:
        return
    after = round.copy()
    passes: tuple[Pass, ...] = ()
    yield after.turn, passes
    while not after.leading:
        skipped = Pass(after.turn)
        _pass(after, skipped)
        passes = (*passes, skipped)
        yield after.turn, passes


def _pass(round: Round, move: Pass) -> Refusal | None:
    player = move.player
    # The usual pass is recognised at a glance; whatever is not goes before the judge.
    if player != round.turn or round.leading or move.stood:
        refusal = _judged(round, move)
        if refusal is not None:
            return refusal
        if round.leading:
            # It stood: the lead goes on to the next seat, and nobody is locked out of a pile that is not there.
            round.turn = round.next_in(round.active, player)
            if round.draws:
                _draw(round, player)
            return None
    else:
        round.moves.append(move)
    round.free &= ~(1 << player)
    if round.draws:
        _draw(round, player)
    _move_on(round, player)
    return None


def _draw(round: Round, player: int) -> None:
    """Whoever passes draws a card, while there are any (clause DRAW)."""
    if round.to_draw:
        round.drawn += 1
        round.left[player] += 1


def _play(round: Round, move: Play) -> Refusal | None:
    player, cards = move.player, move.cards
    combination = round.book.read(cards)
    top = round.top
    # As with passes: a play in turn, of unseen cards, that leads or beats the top needs no judge.
    if (
        player != round.turn
        or combination is None
        or cards & round.seen
        or round.left[player] < combination.size
        or move.twice
        or move.stood
        or move.forward
        or (round.particular and _is_questionable(round, player, combination))
        or (round.must_open if round.leading else top is None or not combination.beats(top))
    ):
        refusal = _judged(round, move)
        if refusal is not None:
            return refusal
    else:
        round.moves.append(move)
    _lay(round, move, combination)
    return None


def _is_questionable(round: Round, player: int, combination: Combination) -> bool:
    """Whether a particular table may have something against a play in turn that leads, or beats the top."""
    ruleset = round.ruleset
    return (
        not round.opened_by
        or (round.suit_locked and combination.breaks_lock)
        or (ruleset.opening.bombs_answer and round.leading and combination.bomb)
        or (ruleset.ending.no_last_two and round.left[player] == combination.size)
    )


def _lay(round: Round, move: Play, combination: Combination | None) -> None:
    """Cards leave a hand and lie on top of the pile, or of a new one if the player was to lead it."""
    player, particular, forward = move.player, round.particular, move.forward and goes_forward(round, move)
    if round.leading and not forward and (player == round.turn or not round.opened_by):
        if round.bombed:
            # The play that leads the next pile is recorded by now.
            _close(round, round.pile[:-1])
        round.free = round.active
        round.pile_from = len(round.moves) - 1
        round.suit_locked = False
    else:
        if combination is not None and combination.bomb:
            round.bombed = True
        if not round.locks:
            round.free = round.active
    cards = move.cards
    left = round.left[player] = round.left[player] - cards.bit_count()
    round.played[player] |= cards
    round.seen |= cards
    round.last_laid = len(round.moves)
    if not round.opened_by:
        round.opened_by = len(round.moves)
        round.must_open = False
    if particular and combination is not None:
        if not _leaves_standing(round, combination):
            round.top_player = player
        round.suit_locked = _locks_suit(round, move, combination)
    else:
        round.top_player = player
    round.top = combination
    round.leading = False
    if not left and _goes_out(round, player):
        return
    if forward or (particular and not left and round.ruleset.ending.last_play_stands):
        round.free &= 1 << player
    _move_on(round, player)


def _leaves_standing(round: Round, combination: Combination | None) -> bool:
    """Whether a play on the pile ties with the top, which stands."""
    ties, top = round.ruleset.combinations.ties, round.top
    if (
        ties is not Ties.EARLIER_STANDS
        or combination is None
        or top is None
        or round.pile_from == len(round.moves) - 1
    ):
        return False
    return (combination.kin, combination.top) == (top.kin, top.top)


def _locks_suit(round: Round, move: Play, combination: Combination) -> bool:
    """Whether only sequences of one suit may answer a play (clause SUIT-LOCK)."""
    lock = round.ruleset.combinations.suit_lock
    if not combination.suited or lock is SuitLock.NONE:
        return round.suit_locked
    if lock is SuitLock.OPTIONAL:
        return round.suit_locked if move.locks is None else move.locks
    return True


def _move_on(round: Round, player: int) -> None:
    """The turn passes on from a seat; if nobody may answer the top any more, its player is to lead."""
    waiting = round.free & ~(1 << round.top_player)
    if waiting:
        following = round.following
        player = following[player]
        while not waiting >> player & 1:
            player = following[player]
        round.turn = player
    else:
        winner = round.top_player
        round.leading = True
        round.turn = winner if round.active >> winner & 1 else round.next_in(round.active, winner)


def _goes_out(round: Round, player: int) -> bool:
    """A player holds no cards any more. Answers whether that ends the round (clauses OUT, KNOCK, END)."""
    ending = round.ruleset.ending
    if round.active >> player & 1:
        round.active &= ~(1 << player)
        round.places.append(player)
        if ending.knock_out and len(round.places) == 1:
            for seat in round.seats_in(round.active):
                if not round.played[seat]:
                    round.knocked |= 1 << seat
            round.active &= ~round.knocked
        round.free &= round.active
    if ending.at_first_out or round.active.bit_count() <= 1:
        if not ending.at_first_out:
            round.places.extend(round.seats_in(round.active))
        _end(round)
        return True
    return False


def _end(round: Round) -> None:
    if round.bombed:
        _close(round, round.pile)
    round.over, round.turn, round.leading = True, NOBODY, False
    round.ended_by = len(round.moves)


def _close(round: Round, pile: Iterable[Laid]) -> None:
    """Keep a pile in which a bomb lies on something: it is paid for (clause CHOP)."""
    round.chops.append(tuple(pile))
    round.bombed = False


def _claim_or_end(round: Round, move: Claim | Show | Declare | Bid | Result) -> Refusal | None:
    refusal = _judged(round, move)
    if refusal is not None:
        return refusal
    player = move.player
    match move:
        case Show():
            round.shown[player] = move.cards
            round.seen |= move.cards
            round.declared.pop(player, None)
            round.left[player] = move.cards.bit_count()
            round.uncounted &= ~(1 << player)
        case Claim():
            round.claims.append((player, len(round.moves)))
            round.shown[player] = move.cards
            round.seen |= move.cards
            round.over, round.turn, round.leading = True, NOBODY, False
            round.ended_by = round.ended_by or len(round.moves)
        case Declare():
            round.declared[player] = move.sets
        case Bid():
            round.bids[player] = move.contract
        case Result():
            _conclude(round, move)
        case _:
            assert_never(move)
    return None


def _conclude(round: Round, result: Result) -> None:
    """A round comes to its end all at once: whoever is not out holds cards that nobody has seen."""
    number, ending = len(round.moves), round.ruleset.ending
    if ending.at_first_out:
        round.places.extend(result.places[:1])
    else:
        round.places.extend(result.places if ending.knock_out else (*result.places, *result.knocked))
    for player in round.places[:-1] or round.places:
        round.left[player] = 0
        round.active &= ~(1 << player)
    if ending.knock_out:
        round.knocked = sum(1 << player for player in result.knocked)
        round.active &= ~round.knocked
    round.free = round.active
    for player in round.header.seats:
        if round.left[player] and (round.draws or player not in result.knocked):
            round.left[player] = _at_most(round)
            round.uncounted |= 1 << player
    for bomb in result.bombs:
        beaten = Laid(bomb.beaten, bomb.captured, None, number, last=False)
        round.chops.append((beaten, Laid(bomb.player, 0, UNSEEN_BOMB, number, last=False)))
    round.seen |= result.cards
    round.result = result
    _end(round)


def _at_most(round: Round) -> int:
    """How many cards somebody may be left with whose round was not recorded: one was played at least, where
    it would have been said of a player who has played none."""
    return max(round.hand + round.to_draw - round.ruleset.minds_untouched, 1)


def _judged(round: Round, move: Move) -> Refusal | None:
    """Record a move that is legal, or irregular and stood; else answer why not. A legal move loses its mark."""
    refusal = judge(round, move)
    if refusal is None:
        round.moves.append(_unmarked(move))
        return None
    if refusal.verdict is Verdict.IMPOSSIBLE or not isinstance(move, MayStand) or not move.stood:
        return refusal
    round.moves.append(move)
    round.findings.append(
        Finding(refusal.code, refusal.clause, len(round.moves), refusal.player, refusal.offered, refusal)
    )
    return None


def _unmarked(move: Move) -> Move:
    """The move without a mark that it stood."""
    return replace(move, stood=False) if isinstance(move, MayStand) and move.stood else move
