"""Why bombs, 2s and other special sets on the piles of a round earned nothing."""

from collections.abc import Iterator, Sequence

from ledger.game.cards import Cards, Rank
from ledger.game.explaining.values import About, Unpaid, WhyNot, unpaid
from ledger.game.fold import positions
from ledger.game.moves import Play
from ledger.game.payments import Chop, chops_in
from ledger.game.round import PilePlay, Round
from ledger.game.rulesets.needs import bombs_earn
from ledger.game.rulesets.paying import Chain


def pile_by_pile(round: Round) -> Iterator[Unpaid]:
    """Every bomb that was not paid for, and everything of value that was beaten without payment."""
    for pile in _piles(round):
        running = not round.over and pile[0].move == round.pile[0].move
        chops = list(chops_in(pile, round.ruleset))
        for index, play in enumerate(pile):
            # The bomb of a result has no known cards: the cards that it took explain why it was not paid for.
            if play.bomb and play.cards and (why := _why_no_bonus(round, chops, play, led=not index)):
                beaten = pile[index - 1] if index else None
                yield unpaid(
                    round,
                    why,
                    About.BOMB,
                    player=play.player,
                    other=beaten.player if beaten else None,
                    cards=play.cards,
                    move=play.move,
                )
            if play is not pile[-1]:
                yield from _beaten(round, chops, play, pile[index + 1], running=running)


def pieces(round: Round, cards: Cards, *, captured: bool) -> Iterator[Cards]:
    """The special sets among some cards; then the remaining 2s, because players ask about them."""
    values = round.compiled.capture_values if captured else round.compiled.hand_values
    for worth in values.breakdown(cards):
        yield worth.cards
        cards &= ~worth.cards
    if twos := cards & round.ruleset.deck.rank(Rank.TWO):
        yield twos


def _piles(round: Round) -> Iterator[Sequence[PilePlay]]:
    """Every pile of a round, including those without a bomb, and those known from a result only."""
    pile: list[PilePlay] = []
    for after in positions(round):
        if isinstance(after.moves[-1], Play):
            if pile and len(after.pile) == 1:
                yield pile
            pile = after.pile
    if pile:
        yield pile
    yield from (pile for pile in round.chops if _is_from_result(round, pile[0]))


def _is_from_result(round: Round, play: PilePlay) -> bool:
    """Whether a play is known only from the result of its round."""
    return round.result is not None and play.move == round.ending_move


def _why_no_bonus(round: Round, chops: Sequence[Chop], bomb: PilePlay, *, led: bool) -> WhyNot | None:
    """Why a bomb is not paid for; None if it is."""
    if led:
        return WhyNot.LED
    if round.claims:
        return WhyNot.INSTANT_WIN
    paid = [chop for chop in chops if chop.bomb.move == bomb.move]
    reasons = [_why_unpaid(round, chop) for chop in paid] or [WhyNot.NOT_LAST]
    return None if None in reasons else reasons[0]


def _why_unpaid(round: Round, chop: Chop) -> WhyNot | None:
    """Why a bomb that the table's chain includes is not paid for; None if it is."""
    if not chop.times:
        return WhyNot.NOT_BOMBABLE
    if not sum(step.points for step in chop.steps(round.compiled.capture_values)):
        return WhyNot.WORTHLESS if bombs_earn(round.ruleset) else WhyNot.NOT_PAID_HERE
    if chop.is_free(round.ruleset.payments):
        return WhyNot.BEATEN_WENT_OUT
    return WhyNot.OWN_PLAY if chop.beaten.player == chop.bomb.player else None


def _beaten(
    round: Round, chops: Sequence[Chop], play: PilePlay, above: PilePlay, *, running: bool
) -> Iterator[Unpaid]:
    """The special sets and 2s of a beaten play that were not paid for.

    Cards that the bomb of a result took are included whatever they are: they were entered only for that.
    """
    asked = list(pieces(round, play.cards, captured=True))
    for cards in asked or ([play.cards] if _is_from_result(round, play) else []):
        if why := _why_not_taken(round, chops, play, cards, above, running=running):
            yield unpaid(
                round,
                why,
                About.PLAYED,
                player=play.player,
                other=above.player,
                cards=cards,
                move=play.move,
                by=above.cards,
            )


def _why_not_taken(
    round: Round, chops: Sequence[Chop], play: PilePlay, cards: Cards, above: PilePlay, *, running: bool
) -> WhyNot | None:
    """Why some cards of a beaten play were not paid for; None if they were."""
    if round.claims:
        return WhyNot.INSTANT_WIN
    taken_by = [
        chop
        for chop in chops
        if any(taken.move == play.move and not cards & ~taken.cards for taken in chop.taken)
    ]
    if taken_by:
        unpaid_for = [_why_unpaid(round, chop) for chop in taken_by]
        if None not in unpaid_for:
            return unpaid_for[-1]
        worth = taken_by[0].each or round.compiled.capture_values.total(cards)
        return None if worth else WhyNot.WORTHLESS
    if not bombs_earn(round.ruleset):
        return WhyNot.NOT_PAID_HERE
    if not above.bomb:
        return WhyNot.PILE_OPEN if running and not chops else WhyNot.NO_BOMB
    chain = round.ruleset.payments.chain
    if chain.doubles:
        return WhyNot.ONLY_FIRST_DOUBLES
    return WhyNot.ONLY_FIRST if chain is Chain.FIRST and chops else WhyNot.NOT_LAST
