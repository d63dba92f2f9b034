"""Random rounds of any ruleset, whose players show or declare their remaining cards, or keep them hidden, and may
pay for each other; and an independent generator of combinations."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from random import Random

from ledger.game.cards import Cards, Deck, Rank, Suit, bits
from ledger.game.corpus import TEMPERAMENTS, Chooser, played
from ledger.game.deals import Dealt
from ledger.game.hands import lowest_card_paid
from ledger.game.moves import Cover, CoverReason, Declare, Move, Show
from ledger.game.patterns import Pattern
from ledger.game.round import Header
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.southern import CLASSIC

_BLACK, _RED = (Suit.SPADES, Suit.CLUBS), (Suit.DIAMONDS, Suit.HEARTS)


def play_round(
    chance: Random,
    ruleset: Ruleset,
    header: Header,
    choose: Chooser,
    *,
    bombs: bool = False,
    claims: bool = False,
    covers: bool = False,
) -> Iterator[Dealt]:
    """Every position of a random round, from the deal until its last shown or declared hand; with `covers`, until
    players also pay for others, before or after that."""
    choosers = dict.fromkeys(header.seats, choose)
    for dealt in played(chance, ruleset, header, choosers, bombs=bombs, claims=claims):
        yield dealt
    if dealt.round.over and not dealt.round.claims:
        covering = list(covers_among(chance, header.seats)) if covers else []
        for player in header.seats:
            if covering and chance.random() < 0.5:
                dealt = dealt.after(covering.pop())
                yield dealt
            if dealt.left(player) and (shown := truthful(chance, dealt, player)):
                dealt = dealt.after(shown)
                yield dealt
        for cover in covering:
            dealt = dealt.after(cover)
            yield dealt


def whole_round(chance: Random, ruleset: Ruleset) -> list[Dealt]:
    """Every position of a round played to its end; the lowest card opens, or the first seat leads."""
    players = chance.choice(ruleset.deal.players)
    leads = not ruleset.opening.every_round and chance.random() < 0.5
    header = Header(tuple(range(players)), 0 if leads else None)
    choose = chance.choice(TEMPERAMENTS)
    return list(play_round(chance, ruleset, header, choose, bombs=chance.random() < 0.5))


def covers_among(chance: Random, seats: Sequence[int]) -> Iterator[Cover]:
    """One player pays for some or all of the others, or two do, each for others."""
    players = chance.sample(seats, len(seats))
    payers, covered = players[:2], players[2 : chance.randint(3, max(3, len(seats)))]
    if len(seats) < 4 or chance.random() < 0.5:
        payers, covered = players[:1], players[1 : chance.randint(2, len(seats))]
    for place, payer in enumerate(payers):
        if of_one := tuple(covered[place :: len(payers)]):
            yield Cover(payer, of_one, chance.choice([*CoverReason]))


def layable(
    held: Cards, ruleset: Ruleset = CLASSIC, shapes: Sequence[Pattern] | None = None
) -> Iterator[Cards]:
    """Combinations of some cards; of most sequences, only one for each choice of top cards."""
    deck, found = ruleset.deck, set[Cards]()
    for shape in compiled(ruleset).index.shapes if shapes is None else shapes:
        if shape.size <= held.bit_count():
            for stock in _stocks(held, deck, shape):
                for picked in _blocks(stock, ruleset, shape):
                    cards = as_read(deck, picked)
                    if cards not in found:
                        found.add(cards)
                        yield cards


def as_read(deck: Deck, cards: Cards) -> Cards:
    """Normalize cards as reading their names does: of twins always the first."""
    return deck.gather(deck.cards(cards))[0] if deck.has_twins else cards


def _stocks(held: Cards, deck: Deck, shape: Pattern) -> Iterator[Cards]:
    """The cards, and those of each suit or colour where a block may need one."""
    yield held
    if shape.length > 1 and shape.width == 1:
        yield from (held & deck.suits((suit,)) for suit in Suit)
    if shape.length > 1 and shape.width == 2:
        yield from (held & deck.suits(suits) for suits in (_BLACK, _RED))


def _blocks(held: Cards, ruleset: Ruleset, shape: Pattern) -> Iterator[Cards]:
    deck = ruleset.deck
    ranks = [list(bits(held & deck.rank(rank))) for rank in Rank]
    if shape.length == 1:
        for rank in ranks:
            yield from map(sum, combinations(rank, shape.width))
    elif shape.loose:
        fours = [sum(rank[: shape.width]) for rank in ranks if len(rank) >= shape.width]
        yield from map(sum, combinations(fours, shape.length))
    else:
        highest = ruleset.combinations.highest(shape)
        for low in range(highest - shape.length + 2):
            span = ranks[low : low + shape.length]
            if all(len(rank) >= shape.width for rank in span):
                yield from _block(span, shape)


def _block(span: list[list[Cards]], shape: Pattern) -> Iterator[Cards]:
    """Short pair sequences in all choices of cards; other blocks only one for each choice of top cards."""
    choices = [[sum(some) for some in combinations(rank, shape.width)] for rank in span]
    if shape.width == 2 and shape.length <= 4 and max(map(len, choices)) <= 6:
        yield from map(sum, product(*choices))
    else:
        body = sum(choice[0] for choice in choices[:-1])
        yield from (body | top for top in choices[-1])


def truthful(chance: Random, dealt: Dealt, player: int) -> Move | None:
    """A true Show or Declare of a player's remaining cards; None by chance, or if they are shown already."""
    held = dealt.left(player)
    if player in dealt.round.shown or chance.random() < 0.2:
        return None
    if chance.random() < 0.5:
        return Show(player, held)
    alone = (held,) if held & lowest_card_paid(dealt.round, player) else ()
    return Declare(player, alone or declaration(dealt.round.ruleset, held))


def declaration(ruleset: Ruleset, held: Cards) -> tuple[Cards, ...]:
    """The most valuable special sets among some cards: all singles, and disjoint blocks."""
    value, singles = compiled(ruleset).hand_values.total, compiled(ruleset).hand_values.singles
    best: tuple[Cards, ...] = tuple(bits(held & singles))
    shapes = {special.shape for special in ruleset.payments.special_sets if special.shape.size > 1}
    for block in layable(held, replace_tops(ruleset), sorted(shapes)):
        if compiled(ruleset).hand_values.is_special_set(block) and not block & singles:
            sets = (block, *declaration(ruleset, held & ~block))
            if sum(map(value, sets)) > sum(map(value, best)):
                best = sets
    return best


def replace_tops(ruleset: Ruleset) -> Ruleset:
    """The ruleset without 2s in sequences, as special sets require."""
    rules = replace(ruleset.combinations, top_of_sequences=Rank.ACE, top_of_pair_sequences=Rank.ACE)
    return replace(ruleset, combinations=rules)
