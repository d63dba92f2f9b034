"""Every bomb, special set and instant win that a table can agree on: examples and near misses.

All code that interprets rows must agree with each other and with the independent `Reading`.
"""

from collections.abc import Iterator
from dataclasses import fields

import pytest

from ledger.game.cards import Cards, union
from ledger.game.errors import Code
from ledger.game.fold import begin
from ledger.game.judge import judge
from ledger.game.legal_cards import legal_cards, legal_combinations
from ledger.game.moves import Claim, Play
from ledger.game.patterns import SINGLE, Pattern, SpecialSet, SuitLock, SuitRule
from ledger.game.round import Header
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.serialization import read_field
from ledger.game.special_sets import Appraiser
from tests.case_files import of_each
from tests.game.composing import choices, composed
from tests.game.rulesets.agreed import paying_tables, playing_tables, winning_tables
from tests.game.rulesets.positions import positions, read
from tests.game.rulesets.reading import KNOWN, PilePlay, Reading, hands, is_special, samples, worth


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: row.__name__)
def test_a_row_says_nothing_that_is_not_read_anew(row: type) -> None:
    assert KNOWN[row].split() == [field.name for field in fields(row)]


# What cards are and beat


@of_each(playing_tables)
def test_cards_are_what_the_rows_say(ruleset: Ruleset) -> None:
    reading = read(ruleset)
    for cards in samples(ruleset):
        theirs, ours = compiled(ruleset).index.read(cards), reading.read(cards)
        assert (theirs and (theirs.shape, theirs.bomb)) == (ours and (ours.shape, ours.bomb)), written(
            ruleset, cards
        )


@of_each(playing_tables)
def test_what_is_laid_is_judged_as_the_rows_say(ruleset: Ruleset) -> None:
    reading = read(ruleset)
    for top, round, offers in positions(ruleset):
        for cards in offers:
            refusal = judge(round, Play(1, cards))
            assert (refusal and refusal.code) == expected(top, reading, cards), written(
                ruleset, top.cards if top else 0, cards
            )


@of_each(playing_tables)
def test_what_is_kept_bright_is_what_the_judge_lets_pass(ruleset: Ruleset) -> None:
    """With only one block or near miss unseen, the playable sets are just the legal plays of its cards."""
    reading, write = read(ruleset), ruleset.deck.write
    for top, round, offers in positions(ruleset):
        for cards in offers:
            narrowed = round.copy()
            narrowed.seen |= ruleset.deck.all & ~cards
            legal = [
                pile_play
                for pile_play in reading.plays(cards)
                if expected(top, reading, pile_play.cards) is None
            ]
            bright = legal_cards(narrowed, 1)
            assert write(bright) == write(union(pile_play.cards for pile_play in legal)), written(
                ruleset, top.cards if top else 0, cards
            )
            if ruleset.deck.packs == 1:
                made = {
                    write(play)
                    for block in legal_combinations(narrowed, 1)
                    for play in composed(choices(ruleset.deck, block))
                }
                several = [
                    pile_play
                    for pile_play in legal
                    if pile_play.shape != SINGLE and not pile_play.shape.loose
                ]
                assert made == {write(pile_play.cards) for pile_play in several}, written(ruleset, cards)


def expected(top: PilePlay | None, reading: Reading, cards: Cards) -> Code | None:
    """The refusal of the next player's play by the rows (None if it is legal), unless it is the last."""
    ruleset, pile_play = reading.ruleset, reading.read(cards)
    if pile_play is None:
        return Code.NOT_A_COMBINATION
    if top is None:
        return Code.OPENING_FORM if pile_play.bomb and ruleset.opening.bombs_answer else None
    if not reading.beats(pile_play, top):
        return Code.DOES_NOT_BEAT
    locks = ruleset.combinations.suit_lock is not SuitLock.NONE
    return Code.SUIT_LOCKED if locks and top.locks and pile_play.breaks_lock else None


def written(ruleset: Ruleset, *some: Cards) -> str:
    return " / ".join(" ".join(ruleset.deck.write(cards)) for cards in some)


# Refusals


@of_each(playing_tables)
def test_a_refusal_says_truly_whether_anything_beats_the_top(ruleset: Ruleset) -> None:
    for top, round, offers in positions(ruleset):
        refused = [judge(round, Play(1, cards)) for cards in offers[:3]]
        facts = {
            (refusal.beatable, refusal.bombable, read_field(Pattern, refusal.on).suits)
            for refusal in refused
            if refusal is not None and refusal.code in (Code.DOES_NOT_BEAT, Code.SUIT_LOCKED)
        }
        if top is not None and facts:
            suits = top.stricter.suits if top.stricter else SuitRule.ANY
            assert facts == {(*beaters(ruleset, top), suits)}, written(ruleset, top.cards)


def beaters(ruleset: Ruleset, top: PilePlay) -> tuple[bool, bool]:
    """Whether a higher play or a plain one can beat the top, and whether a bomb can.

    Hands are unknown: only for the top's own shape and rank must there be cards left.
    """
    reading, everything = read(ruleset), ruleset.deck.all
    others = {*(row.shape for row in ruleset.bombs), *(SINGLE for _ in ruleset.trumps)} - {top.shape}
    ranks = set(range(top.shape.length - 1, 13))
    found = [
        *reading.some_of(top.shape, ranks - {int(top.rank)}, everything),
        *reading.some_of(top.shape, [int(top.rank)], everything & ~top.cards),
        *reading.some_of(top.shape, ranks, ruleset.deck.suits(top.suits) & ~top.cards),
    ]
    for shape in others:
        found += reading.some_of(shape, range(shape.length - 1, 13), everything)
    beat = [pile_play for pile_play in found if reading.beats(pile_play, top)]
    bombs = [
        pile_play
        for pile_play in beat
        if pile_play.bomb and not (pile_play.shape == top.shape and reading.is_higher(pile_play, top))
    ]
    return len(bombs) < len(beat), bool(bombs)


# Values of cards


@of_each(paying_tables)
def test_cards_are_worth_what_the_rows_say_and_only_bombs_are_worth_more_than_their_cards(
    ruleset: Ruleset,
) -> None:
    reading = read(ruleset)
    for values, sets, whole in lists(ruleset):
        brute = worth(ruleset, sets, whole=whole)
        for place, cards in enumerate(samples(ruleset, sets=sets)):
            special = any(is_special(ruleset, one, cards) for one in sets)
            assert values.is_special_set(cards) == special, written(ruleset, cards)
            if not place % _OFTEN:
                assert values.total(cards) == brute(cards), written(ruleset, cards)
            if special and cards.bit_count() > 1:
                pile_play = reading.read(cards)
                assert pile_play is not None, written(ruleset, cards)
                assert pile_play.bomb, written(ruleset, cards)


_OFTEN = 10
"""One in this many is compared with every choice of sets."""


def lists(ruleset: Ruleset) -> Iterator[tuple[Appraiser, tuple[SpecialSet, ...], bool]]:
    """The values of cards in a hand, and when a bomb beats them."""
    paid = ruleset.payments
    yield compiled(ruleset).hand_values, paid.special_sets, False
    if paid.captured or paid.captured_whole:
        yield compiled(ruleset).capture_values, paid.captured or paid.special_sets, paid.captured_whole


@of_each(playing_tables)
def test_the_bombs_of_a_pile_are_those_that_the_rows_say(ruleset: Ruleset) -> None:
    reading = read(ruleset)
    shapes = {row.shape for row in ruleset.bombs if not row.plain and not row.shape.loose}
    for cards in samples(ruleset):
        held = [pile_play for pile_play in reading.plays(cards, shapes) if pile_play.bomb]
        whole = any(pile_play.cards == cards for pile_play in held)
        counted = compiled(ruleset).bombs_of_pile(cards)
        assert (counted > 1) if whole else (held or counted < 2), written(ruleset, cards)


# Instant wins


@of_each(winning_tables)
def test_a_hand_wins_at_once_where_the_rows_say_so(ruleset: Ruleset) -> None:
    reading, seats = read(ruleset), tuple(range(min(ruleset.deal.players)))
    for opening in {True, not any(win.opening_only for win in ruleset.instant_wins.hands)}:
        round = begin(ruleset, Header(seats, leader=None if opening else 0))
        for hand in hands(ruleset):
            if hand.bit_count() != round.hand_size:
                continue
            name = reading.instant_win(hand, opening=opening)
            win = compiled(ruleset).instant_win(hand, opening=opening)
            assert (win and win.name) == name, written(ruleset, hand)
            refusal = judge(round, Claim(1, hand))
            assert (refusal and refusal.code) == (None if name else Code.NOT_AN_INSTANT_WIN)
