"""Random nights under any ruleset, by players of three temperaments who know their own hands.

The same seed gives the same night under every version of Python: only `random()` is called, and nothing depends on
the order of a set.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeAlias, TypeVar

from ledger.game.cards import Cards, Deck
from ledger.game.deals import Dealt
from ledger.game.fold import begin, voided
from ledger.game.hands import missing_hands
from ledger.game.judge import judge
from ledger.game.moves import Bid, Claim, Move, Play, Show
from ledger.game.night import Night, due_header, last_counting, seats_after
from ledger.game.round import Header, Round
from ledger.game.rulesets.model import Ruleset
from ledger.game.terms import Terms

NAMES: Final = ("An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hoa", "Khoa", "Lan", "Minh", "Nga")
"""As many names as a night may have players."""

_Value = TypeVar("_Value")


class Chance(Protocol):
    """A source of chance such as `random.Random`; only this method of it gives the same numbers everywhere."""

    def random(self) -> float:
        """A number from 0 (included) to 1 (excluded)."""


Chooser: TypeAlias = Callable[[Chance, Sequence[Move]], Move]
"""Chooses among the legal moves; a pass, where allowed, comes last."""


def pick(chance: Chance, values: Sequence[_Value]) -> _Value:
    """One of the values, each equally likely."""
    return values[int(chance.random() * len(values))]


def greedy(chance: Chance, moves: Sequence[Move]) -> Move:
    """Plays as many cards as possible, the lowest first, and passes only if it must."""
    plays = [move for move in moves if isinstance(move, Play)]
    return max(plays, key=lambda play: (play.cards.bit_count(), -play.cards)) if plays else moves[-1]


def patient(chance: Chance, moves: Sequence[Move]) -> Move:
    """Passes more often than not, so that players are locked out, bombs come late, and hands are left."""
    if chance.random() < 0.6:
        return moves[-1]
    return greedy(chance, moves) if chance.random() < 0.5 else at_random(chance, moves)


at_random: Chooser = pick
"""Any legal move, each equally likely."""

TEMPERAMENTS: Final[tuple[Chooser, ...]] = (greedy, patient, at_random)


def deal(
    chance: Chance, players: Sequence[int], hand: int, deck: Deck, *, bombs: bool = False
) -> tuple[dict[int, Cards], tuple[Cards, ...]]:
    """Deal `hand` cards to each player; returns the hands, and the cards that are left over.

    With `bombs`, cards of near ranks tend to be in the same hand, as after a careless shuffle.
    """
    pack = list(range(deck.all.bit_count()))
    order = {card: chance.random() for card in pack}
    if bombs:
        order = {card: card / deck.rank_bits + 4 * (chance.random() + order[card]) for card in pack}
    pack.sort(key=order.__getitem__)
    start = int(chance.random() * len(pack))
    pack = pack[start:] + pack[:start]
    hands = dict[int, Cards]()
    for seat, player in enumerate(players):
        hands[player] = sum(1 << card for card in pack[seat * hand : (seat + 1) * hand])
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
    """Every position of a round, from the deal until it is over. Contracts are taken now and then; instant wins are
    claimed with `claims`.

    A round may never end where players may not go out with a 2 and need not lead one; it is then abandoned.
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
    """The next move: of the player to act, or now and then of one who needs no turn."""
    moves: dict[int, list[Move]] = {}
    for move in dealt.moves():
        moves.setdefault(move.player, []).append(move)
    acts = dealt.round.turn if dealt.round.turn in moves else next(iter(moves))
    others = [player for player in moves if player != acts]
    player = pick(chance, others) if others and chance.random() < 0.5 else acts
    return choosers[player](chance, moves[player])


def made_up(chance: Chance, ruleset: Ruleset, rounds: int) -> Night:
    """A night of `rounds` rounds, each settled or void; each player has one temperament. Half of the rounds are
    dealt with `bombs`, and in half instant wins are not claimed."""
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
