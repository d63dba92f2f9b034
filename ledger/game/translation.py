"""Translates what was recorded under one ruleset to another: its deck, its special sets, the facts it needs."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import assert_never

from ledger.game.cards import BLACK, RED, Cards, Deck, bits
from ledger.game.errors import Clause, Code, Detail, Refused
from ledger.game.hands import may_be_declared, twos_that_double
from ledger.game.moves import Bid, Bombed, Claim, Cover, Declare, Move, Pass, Play, Result, Show
from ledger.game.patterns import TWO, SpecialSet
from ledger.game.round import Round
from ledger.game.rulesets.model import Ruleset


def under(move: Move, here: Ruleset, there: Ruleset) -> Move:
    """The move with the cards of the other ruleset's deck, and without its `stood` mark."""
    match move:
        case Pass():
            return replace(move, stood=False)
        case Play() | Claim():
            cards, twice = in_deck(move.cards, here.deck, there.deck)
            return replace(move, cards=cards, twice=twice, stood=False)
        case Result():
            return _result_under(move, here, there)
        case Show() | Declare() | Cover() | Bid():
            return move
        case _:
            assert_never(move)


def in_deck(cards: Cards, here: Deck, there: Deck) -> tuple[Cards, Cards]:
    """The same cards in another deck, and those that it does not hold as often."""
    if here == there:
        return cards, 0
    named = here.cards(cards)
    return there.gather(named if there.backs else (replace(card, back=0) for card in named))


def require_complete_result(here: Ruleset, there: Ruleset) -> None:
    """Raise Refused if a result lacks what the other rules need: who had played nothing, or who had when the first
    player went out."""
    is_whole = here.never_played_matters and (_at_first_out(here) or not _at_first_out(there))
    if there.never_played_matters and not is_whole:
        raise Refused(there.refusal(Code.RESULT_INCOMPLETE, Clause.KNOCK, detail=Detail.UNKNOWN))


def _at_first_out(ruleset: Ruleset) -> bool:
    """Whether it matters who has played nothing when the first player goes out."""
    return ruleset.ending.knock_out or ruleset.ending.at_first_out


def _result_under(result: Result, here: Ruleset, there: Ruleset) -> Result:
    """The same result. If the other rules do not ask who played nothing, a single player who did came in last."""
    bombs = []
    for bomb in result.bombs:
        captured, twice = in_deck(bomb.captured, here.deck, there.deck)
        bombs.append(Bombed(bomb.player, bomb.beaten, captured, twice))
    if there.never_played_matters:
        return replace(result, bombs=tuple(bombs))
    behind = result.never_played if len(result.never_played) == 1 else ()
    return Result((*result.places, *behind), (), tuple(bombs))


def declared_under(declared: Declare, here: Ruleset, round: Round) -> Declare | None:
    """The declaration in a round's special sets by other rules; None if it does not cover all that they ask for."""
    sets_here, there = here.payments.special_sets, round.ruleset
    doubling = [SpecialSet(TWO, 0, suits) for suits in (BLACK, RED) if twos_that_double(round)]
    asked = (*there.payments.special_sets, *doubling)
    if not all(_is_covered(one, sets_here, declared.sets) for one in asked):
        return None
    is_special = partial(may_be_declared, round, declared.player)
    sets: list[Cards] = []
    for cards in (in_deck(cards, here.deck, there.deck)[0] for cards in declared.sets):
        sets += [cards] if is_special(cards) else filter(is_special, bits(cards))
    return Declare(declared.player, tuple(sets))


def _is_covered(asked: SpecialSet, declarable: Sequence[SpecialSet], declared: Sequence[Cards]) -> bool:
    """Whether a declaration of the `declarable` sets also covers another set: it is one of them, or so large that a
    part of it would have been declared, and no such part was."""
    if any((asked.target, asked.suits) == (one.target, one.suits) for one in declarable):
        return True
    return all(cards.bit_count() == 1 for cards in declared) and any(
        one.shape.size > 1 and asked.shape.holds(one.shape) and one.target.rank is None and not one.suits
        for one in declarable
    )
