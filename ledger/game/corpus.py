"""Nights made up by chance, under any ruleset: players of three temperaments, who know their own hands.

The same seed makes the same night under every version of Python: of chance nothing is asked but fractions, and
nothing is taken in the order of a set.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeAlias, TypeVar

from ledger.game.cards import Cards, Deck
from ledger.game.deals import Dealt
from ledger.game.fold import begin, voided
from ledger.game.hands import missing_hands
from ledger.game.judge import judge
from ledger.game.moves import Bid, Claim, Move, Play, Show
from ledger.game.night import Night, Terms, due_header, last_counting, seats_after
from ledger.game.round import Header, Round
from ledger.game.rulesets.model import Ruleset

NAMES: Final = ("An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hoa", "Khoa", "Lan", "Minh", "Nga")
"""As many as a night may have players."""

_Value = TypeVar("_Value")


class Chance(Protocol):
    """What decides: `random.Random`, of which this alone gives the same everywhere."""

    def random(self) -> float:
        """A fraction from 0 up to, and without, 1."""


Chooser: TypeAlias = Callable[[Chance, Sequence[Move]], Move]
"""What a player does of what may be done; passing, where it is allowed, comes last."""


def pick(chance: Chance, values: Sequence[_Value]) -> _Value:
    """Any of some values, each as likely."""
    return values[int(chance.random() * len(values))]


def greedy(chance: Chance, moves: Sequence[Move]) -> Move:
    """Sheds as many cards as may be, the lowest first, and never passes unless it must."""
    plays = [move for move in moves if isinstance(move, Play)]
    return max(plays, key=lambda play: (play.cards.bit_count(), -play.cards)) if plays else moves[-1]


def patient(chance: Chance, moves: Sequence[Move]) -> Move:
    """Hoards: passes more often than not, so that players are locked, bombs come late, and hands are left."""
    if chance.random() < 0.6:
        return moves[-1]
    return greedy(chance, moves) if chance.random() < 0.5 else at_random(chance, moves)


def at_random(chance: Chance, moves: Sequence[Move]) -> Move:
    """Does anything, a pass as likely as any one play."""
    return pick(chance, moves)


TEMPERAMENTS: Final[tuple[Chooser, ...]] = (greedy, patient, at_random)


def deal(
    chance: Chance, players: Sequence[int], hand: int, deck: Deck, *, bombs: bool = False
) -> tuple[dict[int, Cards], tuple[Cards, ...]]:
    """Hands of so many cards for each player, and the cards that are left over.

    With `bombs` cards of near ranks come to the same hand, as after a round of sequences and a careless shuffle.
    """
    pack = list(range(deck.all.bit_count()))
    order = {card: chance.random() for card in pack}
    if bombs:
        order = {card: card / deck.rank_bits + 4 * (chance.random() + order[card]) for card in pack}
    pack.sort(key=order.__getitem__)
    start = int(chance.random() * len(pack))
    pack = pack[start:] + pack[:start]
    hands = {
        player: sum(1 << card for card in pack[seat * hand : (seat + 1) * hand])
        for seat, player in enumerate(players)
    }
    return hands, tuple(1 << card for card in pack[len(players) * hand :])


def played(
    chance: Chance,
    ruleset: Ruleset,
    header: Header,
    choosers: Mapping[int, Chooser],
    *,
    bombs: bool,
    claims: bool,
) -> Iterator[Dealt]:
    """A round move by move, from the deal until it is over; every position once. Contracts are taken now and then;
    instant wins are claimed with `claims`.

    Where nobody may go out with a 2 and nobody need lead one, a round may come to no end: it is left.
    """
    hand = ruleset.deal.hand_of(len(header.seats))
    dealt = Dealt(begin(ruleset, header), *deal(chance, header.seats, hand, ruleset.deck, bombs=bombs))
    yield dealt
    offered = [Bid(player, offer.name) for player in header.seats for offer in ruleset.contracts]
    bids: list[Move] = [bid for bid in offered if chance.random() < 0.3]
    bids += [Claim(player, dealt.left(player)) for player in header.seats if claims]
    for move in bids:
        if judge(dealt.round, move) is None:
            dealt = dealt.after(move)
            yield dealt
    while not dealt.round.over and len(dealt.round.moves) - dealt.round.last_laid < 4 * len(header.seats):
        dealt = dealt.after(_chosen(chance, dealt, choosers))
        yield dealt


def _chosen(chance: Chance, dealt: Dealt, choosers: Mapping[int, Chooser]) -> Move:
    """What is done next: by whoever is to act, or now and then by somebody who needs no turn."""
    moves: dict[int, list[Move]] = {}
    for move in dealt.moves():
        moves.setdefault(move.player, []).append(move)
    acts = dealt.round.turn if dealt.round.turn in moves else next(iter(moves))
    others = [player for player in moves if player != acts]
    player = pick(chance, others) if others and chance.random() < 0.5 else acts
    return choosers[player](chance, moves[player])


def made_up(chance: Chance, ruleset: Ruleset, rounds: int) -> Night:
    """A night of so many rounds, each settled or void, of players of one temperament each. Half of the rounds are
    dealt bombs, and half of the instant wins are missed."""
    seats = tuple(range(pick(chance, ruleset.deal.players)))
    choosers = {player: pick(chance, TEMPERAMENTS) for player in seats}
    names, made = NAMES[: len(seats)], list[Round]()
    while len(made) < rounds:
        header = due_header(ruleset, seats, last_counting(made))
        bombs, claims = chance.random() < 0.5, chance.random() < 0.5
        *_, dealt = played(chance, ruleset, header, choosers, bombs=bombs, claims=claims)
        while waited_for := missing_hands(dealt.round):
            dealt = dealt.after(Show(waited_for[0], dealt.left(waited_for[0])))
        made.append(dealt.round if dealt.round.over else voided(dealt.round, "nobody goes on"))
        seats = seats_after(made[-1])
    return Night(Terms(ruleset), names, entries=tuple(made))
