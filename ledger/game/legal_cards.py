"""Legal plays: of an unknown hand, whose cards the page highlights and combines, and of a known one. Independent of
the judge: tests compare the two."""

from collections.abc import Iterable, Iterator, Sequence

from ledger.game.cards import Cards, Rank, bits, union
from ledger.game.combinations import Combination
from ledger.game.moves import Play
from ledger.game.patterns import SINGLE, BlockSet, Kind, Pattern, SuitRule, Ties, find_blocks
from ledger.game.round import NOBODY, Round


def legal_cards(round: Round, player: int) -> Cards:
    """Every card that this player might play now, alone or with others, by public knowledge.

    Players skipped on the way to this player's turn are taken to pass. Public are the cards seen so far, how many
    cards the player holds, the pile, and the rules; never a hand.
    """
    if round.over or not round.active >> player & 1:
        return 0
    shapes = _answering(round, player)
    if (
        shapes is None
        and not (round.must_open and round.deals_all)
        and not round.ruleset.passing.twos_pass_lead
    ):
        return round.unseen
    deck = round.ruleset.deck
    found: Cards = 0
    for blocks in _ways(round, player, shapes, round.unseen, _lowest(round)):
        found |= blocks.cards(deck)
    if round.top is not None and shapes and SINGLE in shapes:
        found |= round.rules.index.trumps_over(round.top) & round.unseen
    return found


def legal_combinations(round: Round, player: int) -> Iterator[BlockSet]:
    """A superset of the combinations of several cards that this player might play now.

    Empty with two packs, and without loose blocks: there would be too many to choose from.
    """
    if round.over or not round.active >> player & 1 or round.ruleset.deck.packs > 1:
        return
    for way in _ways(round, player, _answering(round, player), round.unseen, _lowest(round)):
        if way.shape != SINGLE and not way.shape.loose and (way.starts or way.edge is not None):
            yield way


def legal_choices(
    round: Round, player: int, width: int, ranks: Sequence[Rank]
) -> Iterator[list[list[Cards]]]:
    """The plays with `width` cards of each of these ranks, upwards, that this player might make now, by public
    knowledge: for each rank the choices of its cards, of which any makes a play with any of the others.

    Where suits must agree there are several such lists, and a play may be in more than one.
    """
    if round.over or not round.active >> player & 1:
        return
    deck, index, top, shapes = round.ruleset.deck, round.rules.index, round.top, _answering(round, player)
    for way in _ways(round, player, shapes, round.unseen, _lowest(round)):
        size = (way.shape.width, way.shape.length)
        if size != (width, len(ranks)) or not (choices := way.choices(ranks, deck)):
            continue
        if way.shape.loose and shapes is not None and top is not None:
            others = union(some[0] for some in choices[:-1])
            reads = ((some, index.read(others | some)) for some in choices[-1])
            choices[-1] = [some for some, read in reads if read is not None and read.beats(top)]
        yield choices
    if shapes and SINGLE in shapes and top is not None and (width, len(ranks)) == (1, 1):
        yield [list(bits(index.trumps_over(top) & round.unseen & deck.rank(ranks[0])))]


def higher_singles(round: Round) -> Cards:
    """Every unseen card that is higher than the top of a pile of singles; `legal_cards` says who may play it."""
    top = round.top
    if round.leading or top is None or top.shape != SINGLE or round.rules.index.is_trump(top):
        return 0
    return round.unseen & -1 << _lowest_better(round, top)


def legal_plays(round: Round, player: int, hand: Cards, lowest: Cards) -> list[Play]:
    """Every play that this player may make now from this hand, each once; of twins, the first ones.

    `lowest` is the lowest card dealt: without a leader, its holder opens with it. Plays leave `locks` unset.
    """
    if round.over or not round.active >> player & 1:
        return []
    acts = player == round.turn or (round.turn == NOBODY and bool(hand & lowest))
    shapes = _answering(round, player) if acts else _without_turn(round, player)
    found = [Play(player, cards) for cards in _sets(round, player, shapes, hand, lowest)]
    if acts and round.leading and player == round.top_player and round.ruleset.passing.forward:
        forward = _sets(round, player, round.rules.index.shapes, hand, lowest)
        found += [Play(player, cards, forward=True) for cards in forward]
    return found


def _sets(
    round: Round, player: int, shapes: Sequence[Pattern] | None, hand: Cards, lowest: Cards
) -> Iterable[Cards]:
    """The cards of every play from a hand in these shapes (None: of every lead), each once."""
    deck, index, top = round.ruleset.deck, round.rules.index, round.top
    found: dict[Cards, None] = {}
    for way in _ways(round, player, shapes, hand, lowest if round.must_open else 0):
        for cards in way.each(deck):
            read = index.read(cards) if way.shape.loose and shapes is not None else None
            if read is None or top is None or read.beats(top):
                found[deck.gather(deck.cards(cards))[0] if deck.has_twins else cards] = None
    if shapes and SINGLE in shapes and top is not None:
        found |= dict.fromkeys(bits(index.trumps_over(top) & hand))
    return found


def _lowest(round: Round) -> Cards:
    """The card that an opening play must hold, by public knowledge; 0: none."""
    return 1 if round.must_open and round.deals_all else 0


def _ways(
    round: Round, player: int, shapes: Sequence[Pattern] | None, stock: Cards, lowest: Cards
) -> Iterator[BlockSet]:
    """The blocks that may be played from these cards in these shapes; `shapes` is None for the player to lead."""
    if shapes is None:
        yield from _leads(round, player, stock, lowest)
    elif round.top is not None:
        yield from _answers(round, player, round.top, shapes, stock)
    yield from _intrusions(round, player, stock)


def _answering(round: Round, player: int) -> Sequence[Pattern] | None:
    """The shapes in which this player may answer the top; None for the player to lead."""
    if _may_lead(round, player):
        return None
    if round.locked(player) or round.leading or not round.free >> player & 1:
        return _without_turn(round, player)
    return round.rules.index.shapes


def _without_turn(round: Round, player: int) -> Sequence[Pattern]:
    """The shapes in which this player may beat the top out of turn."""
    top, opening = round.top, round.ruleset.opening
    if top is None or round.went_forward:
        return ()
    late = round.late if round.passed(player) else ()
    barred = round.leading or round.locked(player) or player == round.top_player
    spared = barred or round.rules.index.is_target(top, opening.intruders_spare)
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


def _leads(round: Round, player: int, stock: Cards, lowest: Cards) -> Iterator[BlockSet]:
    """The blocks that may begin a pile; an opening play must hold the lowest card, if there is one."""
    rank = (lowest.bit_length() - 1) // round.ruleset.deck.rank_bits
    held = round.cards_left[player]
    for shape in round.rules.index.shapes:
        if shape.suits or shape.size > held or not _may_begin(round, shape):
            continue
        # A player left with only 2s may go out with them, unless the lead can be passed on.
        kept = shape.length > 1 or round.ruleset.passing.twos_pass_lead
        barred = _forbidden_last_twos(round) if shape.size == held and kept else 0
        for blocks in _blocks(round, shape, stock & ~barred):
            if not lowest:
                yield blocks
            elif blocks.stock & lowest and blocks.starts >> rank & 1:
                starts = blocks.starts if shape.loose else 0
                yield blocks._replace(starts=starts, edge=rank, needed=lowest)


def _may_begin(round: Round, shape: Pattern) -> bool:
    """Whether the player to lead may begin a pile with this shape; intruders are separate (`_intrusions`)."""
    kind, opening = Kind.of(shape), round.ruleset.opening
    if opening.bombs_answer and round.rules.index.is_bomb(shape):
        return False
    if round.opening_move:
        return True
    return (
        shape not in opening.intruders
        and kind not in opening.forbidden
        and not (round.must_open and opening.kinds and kind not in opening.kinds)
    )


def _forbidden_last_twos(round: Round) -> Cards:
    """The 2s, if no player may go out with one; else none."""
    return round.ruleset.deck.rank(Rank.TWO) if round.ruleset.ending.no_last_two else 0


def _intrusions(round: Round, player: int, stock: Cards) -> Iterator[BlockSet]:
    """The blocks with which any player may open the round."""
    if not round.opening_move:
        for shape in round.ruleset.opening.intruders:
            if shape in round.rules.index.played and shape.size <= round.cards_left[player]:
                yield from _blocks(round, shape, stock)


def _answers(
    round: Round, player: int, top: Combination, shapes: Sequence[Pattern], stock: Cards
) -> Iterator[BlockSet]:
    held = round.cards_left[player]
    found: list[BlockSet] = []
    for shape, higher, ranks in round.rules.index.replies(top):
        if shape.size > held or not (shape in shapes or shape.shape in shapes) or round.must_be_alike(shape):
            continue
        locked = round.suit_locked and not round.rules.index.is_bomb(shape)
        barred = _forbidden_last_twos(round) if shape.size == held else 0
        for blocks in _blocks(round, shape, stock & ~barred, locked=locked):
            chopping = blocks._replace(starts=union([blocks.ending(rank) for rank in ranks]))
            if higher:
                found.append(_higher(round, _following(round, blocks, top), top).without(chopping.starts))
            for one in found if shape.suits else ():
                chopping = chopping.without_those_of(one)
            found.append(chopping)
    yield from found


def _blocks(round: Round, shape: Pattern, stock: Cards, *, locked: bool = False) -> Iterator[BlockSet]:
    """All blocks of a pattern that may be played from some cards."""
    played, highest = round.rules.index.played[shape], round.ruleset.combinations.highest(shape)
    if locked and played.is_run:
        played = played.strict(SuitRule.ONE_SUIT)
    yield from find_blocks(round.ruleset.deck, played, stock, highest)


def _following(round: Round, blocks: BlockSet, top: Combination) -> BlockSet:
    """Those blocks that follow the suits of the top, if they must."""
    follow = round.rules.index.suits_to_follow(top)
    if follow is None:
        return blocks
    suits = tuple(tuple(suit for suit in group if suit in follow) for group in blocks.suits)
    deck, highest = round.ruleset.deck, round.ruleset.combinations.highest(blocks.shape)
    stock = blocks.stock & deck.suits(suit for group in suits for suit in group)
    found = next(find_blocks(deck, blocks.shape.shape, stock, highest), None)
    return BlockSet(blocks.shape, suits, stock, found.starts if found else 0)


def _lowest_better(round: Round, top: Combination) -> int:
    """The index of the lowest card that, as the highest of a combination in the same class, beats the top."""
    ties = round.ruleset.combinations.ties is not Ties.HIGHER_ONLY
    return top.top + 1 - (round.ruleset.deck.packs if ties and round.ruleset.deck.has_twins else 0)


def _higher(round: Round, blocks: BlockSet, top: Combination) -> BlockSet:
    """Those blocks that are higher than the top."""
    deck, starts, shape = round.ruleset.deck, blocks.starts, blocks.shape
    rank = top.top // deck.rank_bits
    higher = blocks.stock & deck.rank(rank) & -1 << _lowest_better(round, top)
    if shape.loose:
        # One higher rank is enough: the others may be any.
        return blocks if starts >> rank + (not higher) else blocks._replace(starts=0)
    level = max(rank - shape.length + 1, -1)
    above = starts >> level + 1 << level + 1
    if level >= 0 and starts >> level & 1 and higher:
        return blocks._replace(starts=above, edge=level, needed=higher)
    return blocks._replace(starts=above)
