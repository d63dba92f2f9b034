"""Judges whether a player can pay what others owe (clause COVER)."""

from ledger.game.errors import Clause, Code, Detail, Refusal
from ledger.game.hands import refuse_unless_ended
from ledger.game.moves import Cover
from ledger.game.round import Round


def judge_cover(round: Round, move: Cover) -> Refusal | None:
    """The refusal of a cover, or None: a player is covered once, by another one whom nobody covers.

    >>> from ledger.game.fold import begin
    >>> from ledger.game.moves import CoverReason, Result
    >>> from ledger.game.round import Header
    >>> from ledger.game.rulesets import PRESETS
    >>> ended = [Result(places=(0, 1, 2)), Cover(1, (2,), CoverReason.WARNED)]
    >>> round = begin(PRESETS["southern-classic"], Header(seats=(0, 1, 2)), ended)
    >>> judge_cover(round, Cover(0, (2,), CoverReason.LET_THROUGH)).code.value
    'cover-contradicted'
    """
    refuse = round.ruleset.refusal
    for player in move.covered:
        if not round.seated >> player & 1:
            return refuse(Code.NOT_SEATED, Clause.DEAL, player=player)
    if refusal := refuse_unless_ended(round, move):
        return refusal
    if move.player in move.covered:
        return refuse(Code.COVER_CONTRADICTED, Clause.COVER, player=move.player, detail=Detail.ITSELF)
    for player in (move.player, *move.covered):
        if number := round.covers.get(player):
            holder = round.moves[number - 1].player
            return refuse(Code.COVER_CONTRADICTED, Clause.COVER, player=player, move=number, holder=holder)
    for number in round.covers.values():
        if (holder := round.moves[number - 1].player) in move.covered:
            return refuse(Code.COVER_CONTRADICTED, Clause.COVER, player=holder, move=number, holder=holder)
    return None
