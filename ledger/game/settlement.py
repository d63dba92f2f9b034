"""Balances -> the fewest transfers that clear them, and the payments behind each."""

from collections import defaultdict
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
    """The payments between a player and another: their indexes in the list, and their net."""

    other: Player
    indexes: tuple[int, ...]
    net: int
    """Received less paid."""


class Statement(NamedTuple, Generic[Player]):
    """How a player's balance adds up, and how it is cleared.

    The nets of `dealings` add up to the balance; so do `transfers`, all that the player pays (a balance below zero)
    or receives.
    """

    player: Player
    balance: int
    dealings: tuple[Dealing[Player], ...]
    transfers: tuple[Transfer[Player], ...]


def fewest_transfers(balances: Mapping[Player, int]) -> list[Transfer[Player]]:
    """The fewest transfers that bring every balance to zero; the greatest first.

    Players whose balances add up to zero can settle among themselves with one transfer fewer than they are: the
    more such groups, the fewer transfers. The search for groups is exhaustive, and its time doubles with every
    player: a night has twelve at the most. Within a group, the player who owes most pays the one who is owed most.
    Equal points keep the order of the players, so that the same balances always give the same transfers. ValueError
    for balances that do not add up to zero.
    """
    if sum(balances.values()):
        raise ValueError("balances that do not add up to zero cannot be cleared")
    order = list(balances)
    open_players = [player for player in order if balances[player]]
    found = [
        transfer
        for group in _most_groups([balances[player] for player in open_players])
        for transfer in _within({open_players[index]: balances[open_players[index]] for index in group})
    ]
    return sorted(found, key=lambda each: (-each.points, order.index(each.payer), order.index(each.payee)))


def statement(
    player: Player,
    payments: Sequence[Postable[Player]],
    transfers: Sequence[Transfer[Player]],
    players: Sequence[Player],
) -> Statement[Player]:
    """How one player's balance adds up.

    A transfer cannot be traced to single payments: points have no path through the hands of third players. Instead,
    the statements of its payer and its payee explain it: the payments with each other player, their nets (`An: with
    Bình −11, with Chi −9, with Dũng +2`), the balance as their sum (−18), and the transfers that clear it. To check
    a transfer, add up the nets, then look at the payments with the one player that seems wrong.

    Every payment is in its payer's statement once, as points paid, and in its payee's once, as points received.
    """
    dealings = [_dealing(player, other, payments) for other in players]
    return Statement(
        player,
        sum(dealing.net for dealing in dealings),
        tuple(dealing for dealing in dealings if dealing.indexes),
        tuple(transfer for transfer in transfers if player in transfer[:2]),
    )


def _most_groups(balances: Sequence[int]) -> Iterator[list[int]]:
    """The indexes of balances, none of them zero, in groups that each add up to zero, as many as possible.

    Sets of players are numbers with one bit per index. In `most`, each set that adds up to zero has the number of
    groups that it falls into at most: its first player's group, which falls into no smaller ones, and those of the
    rest.
    """
    sums = [0]
    for balance in balances:
        sums += [before + balance for before in sums]
    most, smallest = dict[int, int](), defaultdict[int, list[int]](list)
    for some in [some for some, together in enumerate(sums) if some and not together]:
        of_first = smallest[some & -some]
        rest = [most[some ^ group] for group in of_first if group & some == group]
        most[some] = 1 + max(rest, default=0)
        if not rest:
            of_first.append(some)
    # Players leave one by one, so that as many groups as possible stay. Whenever those who stay add up to zero,
    # those who left since the last time are a group.
    some, group = (1 << len(balances)) - 1, list[int]()
    while some:
        within = [zero for zero in most if zero & some == zero]
        best = max([most[zero] for zero in within if zero != some], default=0)
        last = next(index for index in _members(some) if _groups_without(most, within, index) == best)
        group.append(last)
        some ^= 1 << last
        if not sums[some]:
            yield group
            group = []


def _groups_without(most: Mapping[int, int], within: Sequence[int], index: int) -> int:
    """How many groups stay at most when a player leaves."""
    return max([most[zero] for zero in within if not zero >> index & 1], default=0)


def _members(some: int) -> list[int]:
    return [index for index in range(some.bit_length()) if some >> index & 1]


def _within(group: Mapping[Player, int]) -> Iterator[Transfer[Player]]:
    """The transfers within a group that adds up to zero and has no smaller such group: each clears one player, the
    last one two."""
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
    pair = {player, other}
    indexes = tuple(index for index, each in enumerate(payments) if {each.payer, each.payee} == pair)
    net = post(payments[index] for index in indexes).get(player, 0)
    return Dealing(other, indexes, net)
