"""Recording slips, planted into rounds: when does the table notice them, and which change money?

A round is dealt and played by one of three strategies. One play is recorded wrongly: with a card of another suit or
of the next rank, or not at all. The table plays on, and its other moves are recorded unchanged.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from random import Random

from ledger.game.cards import Card, Cards, Rank, bits, taken_for, union
from ledger.game.deals import Dealt
from ledger.game.errors import Code, Refusal
from ledger.game.fold import apply, begin
from ledger.game.hands import holders, missing_hands
from ledger.game.judge import judge
from ledger.game.moves import Declare, Move, Play, Show
from ledger.game.payments import post
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.scoring import payments
from tests.game.generator import whole_round
from tests.soak.running import Progress, Tally, row


class Slip(StrEnum):
    SUIT = "another suit"
    RANK = "one rank off"
    FORGOTTEN = "forgotten"


class Noticed(StrEnum):
    """How the table noticed a slip, or what follows if it did not."""

    AT_ONCE = "refused at once"
    CONTRADICTED = "a card played twice, and one tap mends it"
    NOT_MENDED = "a card played twice, and one tap does not"
    LATER = "a later move refused"
    ENDING = "the round ends in one of them only"
    SHOWN = "a hand that cannot be shown"
    COMPARED = "a hand that is not the one held"
    HARMLESS = "not at all, and nothing changes"
    MONEY = "not at all, and money changes"


Found = Counter[tuple[Slip, Noticed]]


def slips(chance: Random, dealt: Dealt, most: int) -> Iterator[tuple[Slip, Noticed]]:
    """Plant slips into one round, one at a time; yields each with how it was noticed."""
    moves = [move for move in dealt.round.moves if not isinstance(move, Show | Declare)]
    places = [place for place, move in enumerate(moves) if isinstance(move, Play)]
    for _ in range(min(most, len(places))):
        place, slip = chance.choice(places), chance.choice(list(Slip))
        wrong = _wrong(chance, dealt, moves[place], slip)
        if wrong is not None:
            yield slip, noticed(dealt, moves, place, wrong)


def _wrong(chance: Random, dealt: Dealt, play: Move, slip: Slip) -> list[Move] | None:
    """The moves recorded instead of a play; None if this slip is impossible there."""
    assert isinstance(play, Play)
    if slip is Slip.FORGOTTEN:
        return []
    deck, card = dealt.round.ruleset.deck, chance.choice(list(bits(play.cards)))
    (right,) = deck.cards(card)
    if slip is Slip.SUIT:
        others = [one for one in deck.cards(deck.rank(right.rank)) if one.suit != right.suit]
    else:
        ranks = [rank for rank in Rank if abs(rank - right.rank) == 1]
        others = [Card(rank, right.suit, right.back) for rank in ranks]
    cards = [deck.bit(one) for one in others if not deck.bit(one) & play.cards]
    wrong: list[Move] = [Play(play.player, play.cards & ~card | one) for one in cards]
    return [chance.choice(wrong)] if wrong else None


def noticed(dealt: Dealt, moves: Sequence[Move], place: int, wrong: list[Move]) -> Noticed:
    """How a slip is noticed when `wrong` is recorded instead of the move at `place`."""
    record = begin(dealt.round.ruleset, dealt.round.header)
    for number, move in enumerate((*moves[:place], *wrong, *moves[place + 1 :])):
        if refusal := judge(record, move):
            if number == place and wrong:
                return Noticed.AT_ONCE
            if refusal.code is Code.CARD_ALREADY_PLAYED:
                return _mended(record, moves[place], refusal)
            return Noticed.LATER
        record = apply(record, move)
    if record.over != dealt.round.over:
        return Noticed.ENDING
    truth = dealt
    for player in missing_hands(truth.round):
        truth = truth.after(Show(player, truth.left(player)))
    while waiting := missing_hands(record):
        show = Show(waiting[0], truth.left(waiting[0]))
        if judge(record, show) is not None:
            return Noticed.SHOWN
        record = apply(record, show)
    held = [(player, truth.left(player)) for player in holders(truth.round)]
    compared = any(
        not record.cards_left[player] or judge(record, Show(player, hand)) for player, hand in held
    )
    if compared or lies_aside(truth) & ~record.unseen:
        return Noticed.COMPARED
    same = post(payments(record)) == post(payments(truth.round))
    return Noticed.HARMLESS if same else Noticed.MONEY


def _mended(record: Round, meant: Move, refusal: Refusal) -> Noticed:
    """Whether the cards offered instead of the one played twice include the card that was meant."""
    assert isinstance(meant, Play)
    assert refusal.card is not None
    deck = record.ruleset.deck
    # The page offers cards that can still be tapped; either of two twins will do.
    offered = {str(card) for card in taken_for(Card.read(refusal.card))} & set(deck.write(record.unseen))
    return Noticed.CONTRADICTED if offered & set(deck.write(meant.cards)) else Noticed.NOT_MENDED


def lies_aside(dealt: Dealt) -> Cards:
    """The one hand that was not dealt, which the table can look at after the round; 0 if there are several."""
    deck = dealt.round.ruleset.deck
    aside = deck.all & ~union(dealt.hands.values())
    return 0 if deck.has_twins or aside.bit_count() > dealt.round.hand_size else aside


def trial(seed: int, count: int, each: int = 8) -> Found:
    """Counts of slips and how they were noticed, in at least `count` trials over all rulesets."""
    chance, found, say = Random(seed), Found(), Progress(count, "slips")
    presets = list(PRESETS.values())
    while found.total() < count:
        say(found.total())
        *_, dealt = whole_round(chance, presets[chance.randrange(len(presets))])
        if dealt.round.over and not dealt.round.claims:
            found.update(slips(chance, dealt, each))
    return found


def soak(*, slips: int = 10_000, seed: int = 1) -> Tally:
    """Plant slips, and count who notices."""
    found = trial(seed, slips)
    row("how noticed, in %", *Slip)
    of = {slip: sum(found[slip, how] for how in Noticed) for slip in Slip}
    for how in Noticed:
        row(how, *(f"{100 * found[slip, how] / of[slip]:.1f}" for slip in Slip))
    unnoticed = sum(found[slip, how] for slip in Slip for how in (Noticed.HARMLESS, Noticed.MONEY))
    return Tally({"slips": found.total(), "noticed": found.total() - unnoticed})
