"""Legal plays: of an unknown hand, whose cards the page highlights and combines, and of a known one. Independent of
the judge: tests compare the two.

Here p1 has led 2♦, and p2 is to answer:

>>> from ledger.game.cards import Card
>>> from ledger.game.fold import begin
>>> from ledger.game.round import Header
>>> from ledger.game.rulesets import PRESETS
>>> southern = PRESETS["southern-classic"]
>>> deck = southern.deck
>>> round = begin(southern, Header(seats=(0, 1), leader=0), [Play(0, deck.bit(Card.read("2d")))])
>>> deck.write(higher_singles(round)), deck.write(round.unseen & ~legal_cards(round, 1))
(('2h',), ('2s', '2c'))
>>> sorted({Kind.of(block.pattern).value for block in legal_combinations(round, 1)})
['four-of-a-kind', 'pair-sequence']
>>> len([*legal_choices(round, 1, 4, [Rank.ACE])]), [*legal_choices(round, 1, 3, [Rank.ACE])]
(1, [])

Each of these takes what everyone knows; of a known hand, every play is listed:

>>> legal_plays(round, 1, 0b1111 | deck.bit(Card.read("2h")), lowest=1)
[Play(player=1, cards=<2h of one pack>), Play(player=1, cards=<3s 3c 3d 3h of one pack>)]
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter

from ledger.game.blocks import Block, find_blocks
from ledger.game.cards import Cards, Rank, Suit, bits
from ledger.game.combinations import Combination
from ledger.game.moves import NOBODY, Play
from ledger.game.patterns import SINGLE, Kind, Pattern, SuitRule, Ties
from ledger.game.round import Round


def legal_cards(round: Round, player: int) -> Cards:
    """Every card that this player might play now, alone or with others, by public knowledge.

    Players skipped on the way to this player's turn are taken to pass. Public are the cards seen so far, how many
    cards the player holds, the pile, and the rules; never a hand.
    """
    if round.over or not round.active >> player & 1:
        return 0
    shapes = _shapes_of_answers(round, player)
    if shapes is None and (not round.must_open or round.undealt) and not round.ruleset.passing.twos_pass_lead:
        return round.unseen
    found: Cards = 0
    for block in _blocks(round, player, shapes, round.unseen, _lowest(round)):
        for stock in block.stocks:
            found |= stock
    return found


def legal_combinations(round: Round, player: int) -> Iterator[Block]:
    """The combinations of several cards that this player might play now, by public knowledge: each in one block.

    Empty with two packs, and without loose blocks: there would be too many to choose from.
    """
    if round.over or not round.active >> player & 1 or round.ruleset.deck.packs > 1:
        return
    deck, widest = round.ruleset.deck, dict[Pattern, dict[int, Block]]()
    blocks = _blocks(round, player, _shapes_of_answers(round, player), round.unseen, _lowest(round))
    for pattern, alike in groupby(blocks, attrgetter("pattern")):
        if pattern == SINGLE or pattern.loose:
            continue
        of_shape = widest.setdefault(pattern.shape, {})
        for block in alike:
            wider = of_shape.setdefault(block.top, block)
            left_over = block if wider is block else block.without(deck, wider)
            if left_over is not None:
                yield left_over


def legal_choices(
    round: Round, player: int, width: int, ranks: Sequence[Rank]
) -> Iterator[list[list[Cards]]]:
    """The plays with `width` cards of each of these ranks, upwards, that this player might make now, by public
    knowledge: for each rank the choices of its cards, of which any makes a play with any of the others.

    Where suits must agree there are several such lists, and a play may be in more than one.
    """
    if round.over or not round.active >> player & 1:
        return
    deck = round.ruleset.deck
    for block in _blocks(round, player, _shapes_of_answers(round, player), round.unseen, _lowest(round)):
        if block.pattern.width == width and (found := block.of_ranks(deck, ranks)):
            yield found.choices(deck)


def higher_singles(round: Round) -> Cards:
    """Every unseen card that is higher than the top of a pile of singles; `legal_cards` says who may play it."""
    top = round.top
    if round.leading or top is None or top.shape != SINGLE or round.compiled.index.is_trump(top):
        return 0
    return round.unseen & -1 << _lowest_better(round, top)


def legal_plays(round: Round, player: int, hand: Cards, lowest: Cards) -> list[Play]:
    """Every play that this player may make now from this hand, each once; of twins, the first ones.

    `lowest` is the lowest card dealt: without a leader, its holder opens with it. Plays leave `locks` unset.
    """
    if round.over or not round.active >> player & 1:
        return []
    acts = player == round.turn or (round.turn == NOBODY and bool(hand & lowest))
    shapes = _shapes_of_answers(round, player) if acts else _shapes_out_of_turn(round, player)
    found = [Play(player, cards) for cards in _plays_of(round, player, shapes, hand, lowest)]
    if acts and round.leading and player == round.top_player and round.ruleset.passing.forward:
        forward = _plays_of(round, player, round.compiled.index.shapes, hand, lowest)
        found += [Play(player, cards, forward=True) for cards in forward]
    return found


def _plays_of(
    round: Round, player: int, shapes: Sequence[Pattern] | None, hand: Cards, lowest: Cards
) -> Iterable[Cards]:
    """The cards of every play from a hand in these shapes (None: of every lead), each once."""
    deck = round.ruleset.deck
    blocks = _blocks(round, player, shapes, hand, lowest if round.must_open else 0)
    found = (cards for block in blocks for cards in block.each(deck))
    return dict.fromkeys(deck.gather(deck.cards(cards))[0] if deck.has_twins else cards for cards in found)


def _lowest(round: Round) -> Cards:
    """The card that an opening play must hold, by public knowledge; 0: none."""
    return 1 if round.must_open and not round.undealt else 0


def _blocks(
    round: Round, player: int, shapes: Sequence[Pattern] | None, stock: Cards, lowest: Cards
) -> Iterable[Block]:
    """The blocks that may be played from these cards in these shapes; `shapes` is None for the player to lead."""
    found: Iterable[Block] = ()
    if shapes is None:
        found = _leads(round, player, stock, lowest)
    elif round.top is not None:
        found = _answers(round, player, round.top, shapes, stock)
    if round.opening_move:
        return found
    intruders = round.ruleset.opening.intruders
    return chain(found, *[_playable(round, player, shape, stock, leads=True) for shape in intruders])


def _shapes_of_answers(round: Round, player: int) -> Sequence[Pattern] | None:
    """The shapes in which this player may answer the top; None for the player to lead."""
    if _may_lead(round, player):
        return None
    if round.locked(player) or round.leading or not round.free >> player & 1:
        return _shapes_out_of_turn(round, player)
    return round.compiled.index.shapes


def _shapes_out_of_turn(round: Round, player: int) -> Sequence[Pattern]:
    """The shapes in which this player may beat the top out of turn."""
    top, opening = round.top, round.ruleset.opening
    if top is None or round.went_forward:
        return ()
    late = round.late if round.passed(player) else ()
    barred = round.leading or round.locked(player) or player == round.top_player
    spared = barred or round.compiled.index.is_target(top, opening.intruders_spare)
    led = not spared and [play.move for play in round.pile] == [round.opening_move]
    return tuple(dict.fromkeys((*late, *round.ruleset.passing.any_time, *(opening.intruders if led else ()))))


def _may_lead(round: Round, player: int) -> bool:
    """Whether this player leads next, if all others who may still play pass."""
    if round.leading:
        return round.turn in (NOBODY, player)
    winner = round.top_player
    if round.active >> winner & 1:
        return player == winner
    return not round.free >> player & 1 and round.next_in(round.active, winner) == player


def _leads(round: Round, player: int, stock: Cards, lowest: Cards) -> Iterator[Block]:
    """The blocks that may begin a pile; an opening play must hold the lowest card, if there is one."""
    deck, index = round.ruleset.deck, round.compiled.index
    for shape in index.shapes:
        if shape.suits or not _may_begin(round, shape):
            continue
        for block in _playable(round, player, shape, stock, leads=True):
            if round.ruleset.opening.bombs_answer and index.is_bomb(shape, block.top):
                continue
            if opening := block.holding(deck, lowest) if lowest else block:
                yield opening


def _may_begin(round: Round, shape: Pattern) -> bool:
    """Whether the player to lead may begin a pile with this shape; intruders are separate."""
    kind, opening = Kind.of(shape), round.ruleset.opening
    if round.opening_move:
        return True
    return (
        shape not in opening.intruders
        and kind not in opening.forbidden
        and not (round.must_open and opening.kinds and kind not in opening.kinds)
    )


def _answers(
    round: Round, player: int, top: Combination, shapes: Sequence[Pattern], stock: Cards
) -> Iterator[Block]:
    """The blocks that beat the top: as a bomb, or because they are higher."""
    if not shapes:
        return
    deck, index, bombed = round.ruleset.deck, round.compiled.index, round.led_by_bomb
    rank = top.top // deck.rank_bits
    follow = [suit for suit in Suit if top.followed >> suit & 1] if top.followed else []
    for shape, higher, chopping in index.replies(top):
        may_play = shapes is index.shapes or any(one.covers(shape) for one in shapes)
        if not may_play or (bombed and round.must_be_alike(shape.shape)):
            continue
        from_stock = stock & ~index.trumps if shape.size == 1 else stock
        if not (chopping or shape.loose):
            from_stock &= -1 << max(rank - shape.length + 1, 0) * deck.rank_bits
        for block in _playable(round, player, shape, from_stock):
            if not chopping.isdisjoint((None, block.top)) or (higher and block.top > rank and not follow):
                yield block
            elif higher and block.top >= rank and (above := _higher_of(round, top, block, follow)):
                yield above
    trumps = index.trumps_over(top) & stock
    if trumps and any(one.size == 1 for one in shapes) and not round.must_be_alike(SINGLE):
        for card in bits(trumps):
            yield from _playable(round, player, SINGLE, card)


def _higher_of(round: Round, top: Combination, block: Block, follow: Sequence[Suit]) -> Block | None:
    """The plays of a block, of the top's rank or a higher one, that are higher than the top, and of the suits to
    follow; None if none is."""
    deck = round.ruleset.deck
    found = block.keeping(deck, follow) if follow else block
    if found is None or block.top > top.top // deck.rank_bits:
        return found
    return found.holding(deck, deck.rank(block.top) & -1 << _lowest_better(round, top))


def _playable(
    round: Round, player: int, shape: Pattern, stock: Cards, *, leads: bool = False
) -> Iterable[Block]:
    """The blocks of a shape that this player may play from some cards: not of more than are left, not the last ones
    with a 2 where the rules forbid it, and of one suit on a locked pile."""
    index, ruleset, held = round.compiled.index, round.ruleset, round.cards_left[player]
    if shape not in index.played or shape.size > held:
        return ()
    played, highest, deck = index.played[shape], ruleset.combinations.highest(shape), ruleset.deck
    # A player left with only 2s may go out with them, unless the lead can be passed on.
    forced = (leads or round.leading) and shape.length == 1 and not ruleset.passing.twos_pass_lead
    if ruleset.ending.no_last_two and shape.size == held and not forced:
        stock &= ~deck.rank(Rank.TWO)
    found = find_blocks(deck, played, stock, highest)
    if not (round.suit_locked and shape.is_run) or leads:
        return found
    suited = find_blocks(deck, played.strict(SuitRule.ONE_SUIT), stock, highest)
    bombs = [block for block in found if index.is_bomb(shape, block.top)]
    return [*bombs, *(block for block in suited if not index.is_bomb(shape, block.top))]


def _lowest_better(round: Round, top: Combination) -> int:
    """The index of the lowest card that, as the highest of a combination in the same class, beats the top."""
    ties = round.ruleset.combinations.ties is not Ties.HIGHER_ONLY
    return top.top + 1 - (round.ruleset.deck.packs if ties and round.ruleset.deck.has_twins else 0)
