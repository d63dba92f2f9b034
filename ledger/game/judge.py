"""Judges whether a move in a round is legal, irregular or impossible.

Each judge checks in the order of `Code`, so that the first code that applies is the one reported.
"""

from dataclasses import replace
from typing import Any, TypeVar, assert_never

from ledger.game.cards import Cards, Deck, Rank
from ledger.game.combinations import Combination
from ledger.game.covers import judge_cover
from ledger.game.errors import Clause, Code, Detail, Refusal, Verdict
from ledger.game.hands import declared_elsewhere, judge_declare, judge_show
from ledger.game.moves import NOBODY, Bid, Bombed, Claim, Cover, Declare, Move, Pass, Play, Result, Show
from ledger.game.patterns import Kind
from ledger.game.round import Round
from ledger.game.rulesets.serialization import write_field

M = TypeVar("M", bound=Move)


def judge(round: Round, move: Move) -> Refusal | None:
    """The refusal of a move, or None if it is legal. `stood` makes no difference here."""
    if round.void is not None:
        return _cannot(round, move, Code.ROUND_OVER, Clause.END, detail=Detail.VOID)
    if round.ruleset.deck.has_twins:
        move = with_unseen_twins(round, move)
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
        case Cover():
            return judge_cover(round, move)
        case Bid():
            return _judge_bid(round, move)
        case Result():
            return _judge_result(round, move)
        case _:
            assert_never(move)


def _judge_play(round: Round, move: Play) -> Refusal | None:
    if round.over or not round.active >> move.player & 1:
        return _not_now(round, move) or _not_these(round, move) or _not_in(round, move)
    if refusal := _not_these(round, move):
        return refusal
    combination = round.compiled.index.read(move.cards)
    if combination is None:
        return _irregular(round, move, Code.NOT_A_COMBINATION, Clause.COMBO)
    intrudes = not (round.opening_move or move.forward)
    if intrudes and combination.is_one_of(round.ruleset.opening.intruders):
        return _judge_last_card(round, move)
    late = False
    if move.player != round.turn:
        late = _needs_no_turn(round, move, combination) or _intrudes_on_lead(round, move, combination)
        if round.locked(move.player) and not late:
            detail = Detail.LEADING if round.leading else None
            return _irregular(round, move, Code.LOCKED_OUT, Clause.PASS, detail=detail)
        if not late and round.turn != NOBODY:
            return _irregular(round, move, Code.NOT_YOUR_TURN, Clause.PASS)
    forward = move.forward and goes_forward(round, move)
    if move.forward and not (forward and round.ruleset.passing.forward):
        return _irregular(round, move, Code.NOT_YOUR_TURN, Clause.FORWARD, detail=Detail.FORWARD)
    if round.leading and not late and not forward:
        refusal = _judge_opening(round, move, combination)
    else:
        refusal = _judge_against_top(round, move, combination)
    return refusal or _judge_last_card(round, move)


def goes_forward(round: Round, move: Play) -> bool:
    """Whether a play continues the pile that its player has won, before leading the next (clause FORWARD)."""
    return move.forward and round.leading and move.player == round.turn == round.top_player


def with_unseen_twins(round: Round, move: M) -> M:
    """The move with seen cards replaced by their unseen twins, since twins cannot be told apart."""
    if isinstance(move, Pass | Cover | Bid):
        return move
    known = round.seen
    if isinstance(move, Claim):
        known &= ~round.played[move.player]
    elif isinstance(move, Show | Declare):
        known |= declared_elsewhere(round, move.player)
    deck, cards = round.ruleset.deck, move.cards
    if isinstance(move, Result):
        return replace(move, bombs=_bombs_with_unseen_twins(deck, move.bombs))
    twins = deck.unseen_twins(cards, known)
    if twins == cards:
        return move
    if isinstance(move, Declare):
        return replace(move, sets=tuple(deck.unseen_twins(one, cards & ~twins) for one in move.sets))
    return replace(move, cards=twins)


def _bombs_with_unseen_twins(deck: Deck, bombs: tuple[Bombed, ...]) -> tuple[Bombed, ...]:
    named_bombs: list[Bombed] = []
    captured_before: Cards = 0
    for bomb in bombs:
        named_bombs.append(replace(bomb, captured=deck.unseen_twins(bomb.captured, captured_before)))
        captured_before |= named_bombs[-1].captured
    return tuple(named_bombs)


def _needs_no_turn(round: Round, move: Play, combination: Combination) -> bool:
    """Clause LATE: whether a play is allowed out of turn, after a pass or at any time.

    Never on a play forward, which no player may answer (clause FORWARD).
    """
    passing, top = round.ruleset.passing, round.top
    if (round.leading and move.player == round.turn) or round.went_forward:
        return False
    if top is not None and combination.is_one_of(passing.any_time) and move.player != round.turn:
        return combination.beats(top)
    return combination.is_one_of(round.late) and round.passed(move.player)


def _intrudes_on_lead(round: Round, move: Play, combination: Combination) -> bool:
    """Clause OPEN: whether a play may beat, out of turn, the play that opened the round and still lies alone."""
    opening, top = round.ruleset.opening, round.top
    if (
        not combination.is_one_of(opening.intruders)
        or top is None
        or round.leading
        or [play.move for play in round.pile] != [round.opening_move]
        or round.locked(move.player)
        or move.player in (round.turn, round.top_player)
    ):
        return False
    return not round.compiled.index.is_target(top, opening.intruders_spare) and combination.beats(top)


def _judge_opening(round: Round, move: Play, combination: Combination) -> Refusal | None:
    """Clause OPEN. Where not every card was dealt, any play may hold the lowest card dealt."""
    opening = round.ruleset.opening
    lowest = 1
    if round.must_open and not round.undealt and not move.cards & lowest:
        return _irregular(round, move, Code.MUST_OPEN_LOWEST, Clause.OPEN, card=lowest)
    if not round.opening_move and (opening.forbidden or opening.kinds):
        kind = Kind.of(combination.shape)
        if kind in opening.forbidden or (round.must_open and opening.kinds and kind not in opening.kinds):
            return _irregular(round, move, Code.OPENING_FORM, Clause.OPEN)
    if opening.bombs_answer and combination.bomb:
        return _irregular(round, move, Code.OPENING_FORM, Clause.BOMB, detail=Detail.BOMB)
    return None


def _judge_against_top(round: Round, move: Play, combination: Combination) -> Refusal | None:
    """Refuse a play that does not beat the top, with what would; or that breaks a suit lock."""
    top = round.top
    if top is not None and combination.beats(top) and not round.must_be_alike(combination.shape):
        if round.suit_locked and combination.breaks_lock:
            advised = _advised(round, _irregular(round, move, Code.SUIT_LOCKED, Clause.SUIT_LOCK), top)
            return replace(advised, detail=Detail.BOMB) if advised.bombable else advised
        return None
    if top is not None and round.compiled.index.is_trump(top):
        clause = Clause.TRUMP
    else:
        clause = Clause.BOMB if combination.bomb or (top is not None and top.bomb) else Clause.COMPARE
    refusal = _irregular(round, move, Code.DOES_NOT_BEAT, clause)
    if top is None:
        return replace(refusal, detail=Detail.NOTHING)
    refusal = _advised(round, refusal, top)
    if combination.shape != top.shape:
        return replace(refusal, detail=Detail.NO_BOMB) if combination.bomb else refusal
    followed = clause is not Clause.COMPARE or not top.followed
    if followed or combination.top <= top.top:
        return replace(refusal, detail=Detail.LOWER)
    return replace(refusal, detail=Detail.SUITS_OR_BOMB if refusal.bombable else Detail.SUITS)


def _advised(round: Round, refusal: Refusal, top: Combination) -> Refusal:
    """The refusal, with what would beat the top by the rules."""
    index = round.compiled.index
    return replace(
        refusal,
        beatable=index.can_be_beaten(top),
        bombable=index.can_be_bombed(top) and not round.led_by_bomb,
        on=write_field(top.must_match),
    )


def _judge_last_card(round: Round, move: Play) -> Refusal | None:
    """Clause END: where the rules forbid it, no player may go out with a 2, except a leader who has to."""
    if not round.ruleset.ending.no_last_two or move.cards.bit_count() != round.cards_left[move.player]:
        return None
    twos = round.ruleset.deck.rank(Rank.TWO)
    forced = round.leading and not move.cards & ~twos and not round.ruleset.passing.twos_pass_lead
    if not move.cards & twos or forced:
        return None
    return _irregular(round, move, Code.LAST_CARD_TWO, Clause.END)


def _judge_pass(round: Round, move: Pass) -> Refusal | None:
    if round.over or not round.active >> move.player & 1:
        return _not_now(round, move) or _not_in(round, move)
    if move.player != round.turn:
        if round.locked(move.player):
            return _irregular(round, move, Code.LOCKED_OUT, Clause.PASS, detail=Detail.PASS)
        if round.turn != NOBODY:
            return _irregular(round, move, Code.NOT_YOUR_TURN, Clause.PASS)
    if round.leading and not _may_pass_lead(round, move.player):
        return _irregular(round, move, Code.PASS_ON_EMPTY_PILE, Clause.PASS)
    return None


def _may_pass_lead(round: Round, player: int) -> bool:
    """Whether the rules let a player with only 2s pass the lead on, and this player may have only 2s."""
    twos = round.unseen & round.ruleset.deck.rank(Rank.TWO)
    return round.ruleset.passing.twos_pass_lead and round.cards_left[player] <= twos.bit_count()


def _judge_claim(round: Round, move: Claim) -> Refusal | None:
    if refusal := _not_now(round, move) or _not_these(round, move):
        return refusal
    hand = round.hand_size
    if move.cards.bit_count() != hand:
        return _cannot(round, move, Code.CLAIM_COUNT, Clause.INSTANT, count=hand)
    if round.opening_move:
        return _irregular(round, move, Code.CLAIM_TOO_LATE, Clause.INSTANT)
    if round.compiled.instant_win(move.cards, opening=round.opening) is None:
        return _irregular(round, move, Code.NOT_AN_INSTANT_WIN, Clause.INSTANT)
    return None


def _judge_bid(round: Round, move: Bid) -> Refusal | None:
    if refusal := _not_now(round, move):
        return refusal
    offered = {contract.name for contract in round.ruleset.contracts}
    if move.contract not in offered or move.player in round.bids:
        return _cannot(round, move, Code.NO_SUCH_CONTRACT, Clause.CONTRACT)
    if round.opening_move:
        return _cannot(round, move, Code.CONTRACT_TOO_LATE, Clause.CONTRACT)
    return None


def _judge_result(round: Round, move: Result) -> Refusal | None:
    """Judge whether a round can have ended like this."""
    of_bombs = [player for bomb in move.bombs for player in (bomb.player, bomb.beaten)]
    for player in (*move.places, *move.never_played, *of_bombs):
        if not round.seated >> player & 1:
            return _cannot(round, move, Code.NOT_SEATED, Clause.DEAL, player=player)
    if round.over:
        return _cannot(round, move, Code.ROUND_OVER, Clause.END)
    if move.twice:
        return _cannot(round, move, Code.CARD_TWICE, Clause.SEEN, card=move.twice)
    return _judge_places(round, move) or _judge_recorded(round, move) or _judge_bombs(round, move)


def _judge_places(round: Round, move: Result) -> Refusal | None:
    """Every player is named once; those who have played nothing are named only where it matters."""
    ending, code = round.ruleset.ending, Code.RESULT_INCOMPLETE
    named = (*move.places, *move.never_played)
    missing = tuple(player for player in round.header.seats if player not in named)
    if not move.places or len(set(named)) != len(named):
        return _cannot(round, move, code, Clause.OUT, expected=(), detail=Detail.TWICE)
    if missing and not ending.at_first_out:
        return _cannot(round, move, code, Clause.OUT, expected=missing)
    several = not (ending.knock_out or ending.at_first_out) and len(move.never_played) > 1
    asked = round.ruleset.never_played_matters or round.ruleset.payments.unplayed
    if several or (move.never_played and not asked):
        expected = move.never_played
        return _cannot(round, move, code, Clause.KNOCK, expected=expected, detail=Detail.KNOCKED_OUT)
    return None


def _judge_recorded(round: Round, move: Result) -> Refusal | None:
    """A result must agree with the recorded moves: the players already out come first, in that order; the same
    players are knocked out; and none who has played is in `never_played`."""
    out = tuple(round.places)
    for stated, shown in zip(move.places, out, strict=False):
        if stated != shown:
            return _contradicted(round, move, shown)
    decided = bool(out) and round.ruleset.ending.knock_out
    for player in round.header.seats:
        stated, shown = player in move.never_played, bool(round.knocked_out >> player & 1)
        if (stated and round.played[player]) or (decided and stated != shown):
            return _contradicted(round, move, player)
    return None


def _contradicted(round: Round, move: Result, player: int) -> Refusal:
    """The refusal of a result that does not agree with what is recorded of a player."""
    code, detail = Code.RESULT_CONTRADICTED, Detail.RECORDED
    return _cannot(round, move, code, Clause.OUT, player=player, detail=detail)


def _judge_bombs(round: Round, move: Result) -> Refusal | None:
    """A bomb takes cards from another player, at most as many as were held apart from the bomb itself, and neither
    player is in `never_played`. Of the cards seen it can only have taken the top, from its player."""
    held = sum(round.cards_left[player] for player in round.header.seats) + round.to_draw
    most_held = held - min((bomb.shape.size for bomb in round.ruleset.bombs), default=1)
    most = min(most_held, round.compiled.most_captured)
    lies = [] if round.bombed else round.pile[-1:]
    for bomb in move.bombs:
        top = sum(
            play.cards for play in lies if play.player == bomb.beaten and not play.cards & ~bomb.captured
        )
        if again := bomb.captured & round.seen & ~top:
            return _cannot(round, move, Code.CARD_ALREADY_PLAYED, Clause.SEEN, card=again)
        if not round.cards_left[bomb.player]:
            return _contradicted(round, move, bomb.player)
        if (bomb.captured & ~top).bit_count() > most:
            refusal = _cannot(round, move, Code.TOO_MANY_CARDS, Clause.CHOP, player=bomb.beaten, count=most)
            offered = round.ruleset.deck.write(bomb.captured)
            return replace(refusal, offered=offered, detail=Detail.CAPTURED)
        if bomb.player == bomb.beaten or not bomb.captured:
            return _cannot(round, move, Code.RESULT_CONTRADICTED, Clause.CHOP, player=bomb.player)
        for player in (bomb.player, bomb.beaten):
            if player in move.never_played:
                code, detail = Code.RESULT_CONTRADICTED, Detail.KNOCKED_OUT
                return _cannot(round, move, code, Clause.KNOCK, player=player, detail=detail)
    return None


def _not_now(round: Round, move: Play | Pass | Claim | Bid) -> Refusal | None:
    """Refuse a player who is not seated, or a round that is over. After a claim only further claims are taken."""
    if not round.seated >> move.player & 1:
        return _cannot(round, move, Code.NOT_SEATED, Clause.DEAL)
    if round.over and not (round.claims and isinstance(move, Claim)):
        return _cannot(round, move, Code.ROUND_OVER, Clause.END)
    return None


def _not_these(round: Round, move: Play | Claim) -> Refusal | None:
    """Refuse cards that cannot be this player's: twice in the move, seen before, or more than were dealt."""
    if move.twice:
        return _cannot(round, move, Code.CARD_TWICE, Clause.SEEN, card=move.twice)
    own = round.played[move.player]
    claim = isinstance(move, Claim)
    if again := move.cards & round.seen & ~(own if claim else 0):
        return _cannot(round, move, Code.CARD_ALREADY_PLAYED, Clause.SEEN, card=again)
    if claim:
        dealt = (move.cards | own | round.shown.get(move.player, 0)).bit_count()
        too_many = dealt > round.hand_size == move.cards.bit_count()
    else:
        too_many = move.cards.bit_count() > round.cards_left[move.player]
    if too_many:
        count = round.cards_left[move.player]
        detail = None if move.cards.bit_count() > count else Detail.DEALT
        detail = detail if count else Detail.OUT
        return _cannot(round, move, Code.TOO_MANY_CARDS, Clause.SEEN, count=count, detail=detail)
    return None


def _not_in(round: Round, move: Play | Pass) -> Refusal:
    """The refusal of a seated player who is out, or knocked out."""
    if not round.cards_left[move.player]:
        return _cannot(round, move, Code.NOT_IN_ROUND, Clause.OUT)
    return _irregular(round, move, Code.NOT_IN_ROUND, Clause.KNOCK, detail=Detail.KNOCKED_OUT)


def _irregular(round: Round, move: Move, code: Code, clause: Clause, **facts: Any) -> Refusal:
    """The refusal of a move that is against the rules, and may stand."""
    return _cannot(round, move, code, clause, Verdict.IRREGULAR, **facts)


def _cannot(
    round: Round,
    move: Move,
    code: Code,
    clause: Clause,
    verdict: Verdict = Verdict.IMPOSSIBLE,
    *,
    card: Cards = 0,
    player: int | None = None,
    expected: tuple[int, ...] | None = None,
    **facts: Any,
) -> Refusal:
    """The refusal of a move: its cards, those on the table, the players to act, and further attributes, `facts`."""
    write = round.ruleset.deck.write
    card &= -card
    if expected is None:
        expected = () if round.turn == NOBODY else (round.turn,)
    number, holder = round.seen_in(card) if card & round.seen else (None, None)
    return round.ruleset.refusal(
        code,
        clause,
        verdict,
        player=move.player if player is None else player,
        offered=() if isinstance(move, Pass | Bid) else write(move.cards),
        top=() if round.over else write(round.top_cards),
        card=write(card)[0] if card else None,
        move=number,
        holder=holder,
        expected=expected,
        **facts,
    )
