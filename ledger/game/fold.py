"""One round as a fold of moves: `apply` adds one, `replay` adds many.

A round is a value: both return a new one. Only `fold_in_place` changes a round, for callers that made it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, assert_never

from ledger.game.combinations import Combination
from ledger.game.errors import Clause, Code, Finding, Refusal, Refused, Verdict
from ledger.game.judge import goes_forward, judge, with_unseen_twins
from ledger.game.moves import NOBODY, Bid, Claim, Cover, Declare, MayStand, Move, Pass, Play, Result, Show
from ledger.game.patterns import SuitLock, Ties
from ledger.game.round import UNSEEN_BOMB, Header, PilePlay, Round
from ledger.game.rulesets.model import Ruleset

MOST_ENTRIES: Final = 1_000
"""The most entries of a round, including those undone, struck or corrected. Eight players who play the 104 cards of
two packs one by one, with all others passing each time, make 832, and three more each for a contract and a hand."""


def begin(
    ruleset: Ruleset,
    header: Header,
    moves: Iterable[Move] = (),
    *,
    infer: bool = False,
    finding: Finding | None = None,
) -> Round:
    """Begin a round from its header, with the finding about the header, if any, and fold in moves like `replay`."""
    round = Round(ruleset, header)
    if finding is not None:
        round.findings.append(finding)
    return fold_in_place(round, moves, infer=infer)


def apply(round: Round, move: Move) -> Round:
    """The round with one more move; the old one is unchanged.

    Raises Refused if the move is impossible, or irregular and not marked as having stood.

    >>> from ledger.game.rulesets import PRESETS
    >>> before = begin(PRESETS["southern-classic"], Header(seats=(0, 1), leader=0))
    >>> apply(before, Play(0, 1 << 4))
    <Round of southern-classic | p1 12, p2 13 | 4s | p2 to act>
    >>> before
    <Round of southern-classic | p1 13, p2 13 | nothing laid | p1 leads>
    """
    return fold_in_place(round.copy(), (move,))


def replay(round: Round, moves: Iterable[Move], *, infer: bool = False) -> Round:
    """The round with more moves; Refused at the first that the rules refuse.

    With `infer`, a play is preceded by the passes that it implies.
    """
    return fold_in_place(round.copy(), moves, infer=infer)


def positions(round: Round) -> Iterator[Round]:
    """The position after each move of a round: the same `Round` each time, with one move more."""
    position = begin(round.ruleset, round.header)
    for move in round.moves:
        yield fold_in_place(position, (move,))


def voided(round: Round, reason: str) -> Round:
    """The round as void, however far it has been played; it takes no further moves."""
    round = round.copy()
    round.void = reason
    _finish(round)
    return round


def fold_in_place(round: Round, moves: Iterable[Move], *, infer: bool = False) -> Round:
    """Fold moves into this round itself. Call it only on a round that no other code refers to.

    Raises Refused as `replay` does; the round then holds the moves before the refused one.
    """
    if round.ruleset.deck.has_twins:
        moves = (with_unseen_twins(round, move) for move in moves)
    passes: tuple[Pass, ...] = ()
    for index, move in enumerate(moves):
        before = round
        if infer and isinstance(move, Play) and (move.player != round.turn or _top_player_is_out(round)):
            passes = implied_passes(round, move)
            before = _passed(round, passes)
        refusal = judge(before, move)
        if refusal is not None and (not move.stood or refusal.verdict is Verdict.IMPOSSIBLE):
            raise Refused(refusal, index=index, number=len(before.moves) + 1)
        if len(before.moves) >= MOST_ENTRIES:
            entry = too_many_entries(round, move.player)
            raise Refused(entry, index=index, number=len(before.moves) + 1)
        if before is not round:
            for skipped in passes:
                _record(round, skipped)
        _record(round, move, refusal)
    return round


def too_many_entries(round: Round, player: int) -> Refusal:
    """The refusal of an entry beyond `MOST_ENTRIES`."""
    return round.ruleset.refusal(Code.TOO_MANY_ENTRIES, Clause.END, player=player, count=MOST_ENTRIES)


def implied_passes(round: Round, move: Play) -> tuple[Pass, ...]:
    """The passes that a play implies: those of the players it skips. A play that does not beat the last cards of a
    player who is out leads the next pile, if its player may lead it: all others have passed, its player too.

    Empty for a play that is legal as it is, or that stood. Also empty if passes cannot bring the player's turn
    about; the play is then judged as it is.
    """
    if move.stood or round.turn == NOBODY or judge(round, move) is None:
        return ()
    turns = [passes for player, passes in turns_by_passing(round) if player == move.player]
    legal = (passes for passes in turns if judge(_passed(round, passes), move) is None)
    return next(legal, turns[0] if turns else ())


def others_who_may(round: Round, move: Play) -> list[tuple[int, tuple[Pass, ...]]]:
    """The players by whom the cards of a refused play would be legal, each with the passes that this would imply:
    those who skip the fewest first, then in playing order.

    >>> from ledger.game.rulesets import PRESETS
    >>> header = Header(seats=(0, 1, 2), leader=0)
    >>> round = begin(PRESETS["southern-classic"], header, [Play(0, 1 << 4), Pass(1)])
    >>> others_who_may(round, Play(2, 1 << 0))
    [(0, (Pass(player=2, stood=False),))]
    """
    found = []
    for player in round.header.seats:
        play = replace(move, player=player)
        passes = implied_passes(round, play)
        try:
            replay(round, (*passes, play))
        except Refused:
            continue
        found.append((player, passes))
    return sorted(found, key=lambda one: len(one[1]))


def _top_player_is_out(round: Round) -> bool:
    """Whether the player to act answers a player who is out: after all have passed, another leads."""
    return not (round.leading or round.active >> round.top_player & 1)


def passes_before(round: Round, player: int) -> tuple[Pass, ...]:
    """The passes that bring a player's turn about; empty if it has come, or passes cannot bring it about."""
    return next((passes for seat, passes in turns_by_passing(round) if seat == player), ())


def turns_by_passing(round: Round) -> Iterator[tuple[int, tuple[Pass, ...]]]:
    """The players whose turn passes would bring about, the next one first, each with the passes of the seats
    before.

    The player to act may come again at the end, to lead after all others have passed.
    """
    if round.over or round.turn == NOBODY:
        return
    after = round.copy()
    passes: tuple[Pass, ...] = ()
    yield after.turn, passes
    while not after.leading:
        skipped = Pass(after.turn)
        _record(after, skipped)
        passes = (*passes, skipped)
        yield after.turn, passes


def _passed(round: Round, passes: Sequence[Pass]) -> Round:
    """The round after passes of the players to act; itself if there are none."""
    after = round.copy() if passes else round
    for skipped in passes:
        _record(after, skipped)
    return after


def _record(round: Round, move: Move, irregular: Refusal | None = None) -> None:
    """Record and carry out a legal move, or an irregular one that stood, with its refusal."""
    if irregular is None:
        # Its `stood` mark is dropped, because the rules allow it.
        round.moves.append(replace(move, stood=False) if move.stood and isinstance(move, MayStand) else move)
    else:
        round.moves.append(move)
        number, player = len(round.moves), irregular.player
        round.findings.append(
            Finding(irregular.code, irregular.clause, number, player, irregular.offered, irregular)
        )
    match move:
        case Pass():
            _pass(round, move.player)
        case Play():
            _lay(round, move, round.compiled.index.read(move.cards))
        case Show():
            _show(round, move)
        case Claim():
            _claim(round, move)
        case Declare():
            round.declared[move.player] = move.sets
        case Cover(covered=covered):
            round.covers |= dict.fromkeys(covered, len(round.moves))
        case Bid():
            round.bids[move.player] = move.contract
        case Result():
            _conclude(round, move)
        case _:
            assert_never(move)


def _pass(round: Round, player: int) -> None:
    """A player passes on the pile, and the turn goes on."""
    if round.to_draw:  # clause DRAW
        round.drawn += 1
        round.cards_left[player] += 1
    if round.leading:
        # The lead moves to the next seat; there is no pile to be locked out of.
        round.turn = round.next_in(round.active, player)
        return
    round.free &= ~(1 << player)
    _move_on(round, player)


def _lay(round: Round, move: Play, combination: Combination | None) -> None:
    """Play cards on top of the pile, or on a new one if the player was to lead it."""
    player, forward = move.player, move.forward and goes_forward(round, move)
    if round.leading and not forward and (player == round.turn or not round.opening_move):
        if round.bombed:
            # The play that leads the next pile is already in `moves`.
            _close(round, round.pile[:-1])
        round.free = round.active
        round.pile_from = len(round.moves) - 1
        round.suit_locked = False
    else:
        passing, is_bomb = round.ruleset.passing, combination is not None and combination.bomb
        round.bombed |= is_bomb
        if not passing.locks or (is_bomb and passing.bomb_reopens):
            round.free = round.active
    cards = move.cards
    left = round.cards_left[player] = round.cards_left[player] - cards.bit_count()
    round.played[player] |= cards
    round.seen |= cards
    round.last_laid = len(round.moves)
    if not round.opening_move:
        round.opening_move = len(round.moves)
        round.must_open = False
    if combination is None or not _ties_below_top(round, combination):
        round.top_player = player
    if combination is not None and combination.suited:
        round.suit_locked = _locks_suit(round, move)
    round.top = combination
    round.leading = False
    if not left and _goes_out(round, player):
        return
    if forward or (not left and round.ruleset.ending.last_play_stands):
        round.free &= 1 << player
    _move_on(round, player)


def _ties_below_top(round: Round, combination: Combination) -> bool:
    """Whether a play on the pile ties with the top, and the top stands."""
    top = round.top
    return (
        top is not None
        and combination.top == top.top
        and combination.own_class == top.own_class
        and round.pile_from != len(round.moves) - 1
        and round.ruleset.combinations.ties is Ties.EARLIER_STANDS
    )


def _locks_suit(round: Round, move: Play) -> bool:
    """Whether only sequences of one suit may answer a sequence of one suit (clause SUIT-LOCK)."""
    lock = round.ruleset.combinations.suit_lock
    if lock is SuitLock.NONE:
        return False
    if lock is SuitLock.OPTIONAL:
        return round.suit_locked if move.locks is None else move.locks
    return True


def _move_on(round: Round, player: int) -> None:
    """Move the turn on from a player; if no player may answer the top any more, its player is to lead."""
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
    """Take a player without cards out of the round. Returns whether that ends it (clauses OUT, KNOCK, END)."""
    ending = round.ruleset.ending
    round.played_out |= 1 << player
    if round.active >> player & 1:
        round.active &= ~(1 << player)
        round.places.append(player)
        if ending.knock_out and len(round.places) == 1:
            for seat in round.seats_in(round.active):
                if not round.played[seat]:
                    round.knocked_out |= 1 << seat
            round.active &= ~round.knocked_out
        round.free &= round.active
    if ending.at_first_out or round.active.bit_count() <= 1:
        if not ending.at_first_out:
            round.places.extend(round.seats_in(round.active))
        _end(round)
        return True
    return False


def _finish(round: Round) -> None:
    """Nobody acts any more."""
    round.over, round.turn, round.leading = True, NOBODY, False


def _end(round: Round) -> None:
    if round.bombed:
        _close(round, round.pile)
    _finish(round)
    round.ending_move = len(round.moves)


def _close(round: Round, pile: Iterable[PilePlay]) -> None:
    """Keep a pile in which a bomb lies on another play, to be paid for (clause CHOP)."""
    round.chops.append(tuple(pile))
    round.bombed = False


def _show(round: Round, move: Show) -> None:
    """Record the last cards of a player."""
    player = move.player
    round.shown[player] = move.cards
    round.seen |= move.cards
    round.declared.pop(player, None)
    round.cards_left[player] = move.cards.bit_count()
    round.uncounted &= ~(1 << player)


def _claim(round: Round, move: Claim) -> None:
    """An instant win ends the round; only further claims may follow."""
    round.claims.append((move.player, len(round.moves)))
    round.shown[move.player] = move.cards
    round.seen |= move.cards
    _finish(round)
    round.ending_move = round.ending_move or len(round.moves)


def _conclude(round: Round, result: Result) -> None:
    """End a round by its result: players who are not out hold unseen cards."""
    number, ending = len(round.moves), round.ruleset.ending
    if round.bombed:
        _close(round, round.pile)
    if ending.at_first_out:
        round.places = [*result.places[:1]]
    else:
        round.places = [*result.places, *(() if ending.knock_out else result.never_played)]
    for player in round.places[:-1] or round.places:
        round.cards_left[player] = 0
        round.active &= ~(1 << player)
    if ending.knock_out:
        round.knocked_out = sum(1 << player for player in result.never_played)
        round.active &= ~round.knocked_out
    round.free = round.active
    for player in round.header.seats:
        if round.cards_left[player] and (round.ruleset.deal.draw_pile or player not in result.never_played):
            # Where the players who have played nothing are named, the others have played one card at least.
            unsaid = round.ruleset.never_played_matters and not round.played[player]
            round.cards_left[player] = max(round.cards_left[player] + round.to_draw - unsaid, 1)
            round.uncounted |= 1 << player
    for bomb in result.bombs:
        beaten = PilePlay(bomb.beaten, bomb.captured, None, number, last=False)
        round.chops.append((beaten, PilePlay(bomb.player, 0, UNSEEN_BOMB, number, last=False)))
    round.seen |= result.cards
    round.result = result
    _end(round)
