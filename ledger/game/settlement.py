"""Balances -> the fewest transfers that clear them, and the payments that stand behind each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from ledger.game.payments import Postable, post

Player = TypeVar("Player")


class Transfer(NamedTuple, Generic[Player]):
    """`points`, a positive whole number, handed from one player to another."""

    payer: Player
    payee: Player
    points: int


class Dealing(NamedTuple, Generic[Player]):
    """What one player had with another: the places of their payments in the list, and what they came to."""

    other: Player
    places: tuple[int, ...]
    net: int
    """Received less paid."""


class Statement(NamedTuple, Generic[Player]):
    """How a player came to a balance, and what becomes of it.

    The nets of `dealings` add up to the balance; so do `transfers`, all that the player hands over (a balance
    below zero) or is handed.
    """

    player: Player
    balance: int
    dealings: tuple[Dealing[Player], ...]
    transfers: tuple[Transfer[Player], ...]


def fewest_transfers(balances: Mapping[Player, int]) -> list[Transfer[Player]]:
    """The transfers that bring every balance to zero, as few as there can be; the greatest first.

    Players whose balances add up to zero can settle among themselves, one transfer fewer than they are: the more
    such groups, the fewer transfers. Which groups is tried out, in time that doubles with every player: a night
    has twelve at the most. Within a group whoever owes most pays whoever is owed most. Equal points are in the
    order in which the players are listed, so that the same balances always give the same transfers.
    ValueError for balances that do not add up to zero.
    """
    if sum(balances.values()):
        raise ValueError("balances that do not add up to zero cannot be cleared")
    order = list(balances)
    open_players = [player for player in order if balances[player]]
    found = [
        transfer
        for group in _most_groups([balances[player] for player in open_players])
        for transfer in _within({open_players[place]: balances[open_players[place]] for place in group})
    ]
    return sorted(found, key=lambda each: (-each.points, order.index(each.payer), order.index(each.payee)))


def statement(
    player: Player,
    payments: Sequence[Postable[Player]],
    transfers: Sequence[Transfer[Player]],
    players: Sequence[Player],
) -> Statement[Player]:
    """How one player came to a balance.

    A point cannot be followed through the hands of third players: any such path would be our invention. What can
    be followed is a balance. So a transfer opens into the statements of its payer and its payee: the payments with
    each other player, what they came to (`An: with Bình −11, with Chi −9, with Dũng +2`), the balance as their sum
    (−18), and the transfers that clear it. Whoever doubts a transfer adds up five numbers, then looks at the
    payments with the one player that seems wrong.

    Every payment stands once in its payer's statement, as points paid, and once in its payee's, as received.
    """
    dealings = [_dealing(player, other, payments) for other in players]
    return Statement(
        player,
        sum(dealing.net for dealing in dealings),
        tuple(dealing for dealing in dealings if dealing.places),
        tuple(transfer for transfer in transfers if player in transfer[:2]),
    )


def _most_groups(balances: Sequence[int]) -> Iterator[list[int]]:
    """The places of balances that are none zero, as groups that each add up to zero, as many as there can be.

    `most[some]` is how many groups can be closed when the players of the set `some` (a bit for each place) are
    lined up in the best order, a group being closed wherever the sum so far is zero.
    """
    everyone = (1 << len(balances)) - 1
    sums, most = [0] * (everyone + 1), [0] * (everyone + 1)
    for some in range(1, everyone + 1):
        lowest = (some & -some).bit_length() - 1
        sums[some] = sums[some & some - 1] + balances[lowest]
        most[some] = max([most[some ^ 1 << place] for place in _places(some)]) + (not sums[some])
    some, group = everyone, list[int]()
    while some:
        best = most[some] - (not sums[some])
        last = next(place for place in _places(some) if most[some ^ 1 << place] == best)
        group.append(last)
        some ^= 1 << last
        if not sums[some]:
            yield group
            group = []


def _places(some: int) -> list[int]:
    return [place for place in range(some.bit_length()) if some >> place & 1]


def _within(group: Mapping[Player, int]) -> Iterator[Transfer[Player]]:
    """The transfers among a group that adds up to zero and holds no smaller one that does: each clears somebody,
    the last one two."""
    order = list(group)
    rest = dict(group)
    while any(rest.values()):
        payer = min(order, key=lambda player: rest[player])
        payee = max(order, key=lambda player: rest[player])
        points = min(-rest[payer], rest[payee])
        rest[payer] += points
        rest[payee] -= points
        yield Transfer(payer, payee, points)


def _dealing(player: Player, other: Player, payments: Sequence[Postable[Player]]) -> Dealing[Player]:
    paid = (player, other)
    places = tuple(
        place
        for place, each in enumerate(payments)
        if paid in ((each.payer, each.payee), (each.payee, each.payer))
    )
    net = post(payments[place] for place in places).get(player, 0)
    return Dealing(other, places, net)
