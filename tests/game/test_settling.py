"""Settling up: the fewest transfers possible, and the payments behind each."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.game.settlement import Transfer, fewest_transfers, statement
from tests.case_files import told

PLAYERS = [f"p{number}" for number in range(1, 13)]


def balances_of(*points: int) -> dict[str, int]:
    return dict(zip(PLAYERS, points, strict=False))


def cleared(balances: dict[str, int], transfers: Sequence[Transfer[str]]) -> dict[str, int]:
    """The balances after the transfers."""
    left = dict(balances)
    for payer, payee, points in transfers:
        left[payer] += points
        left[payee] -= points
    return left


def partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    """Every partition of some numbers into groups."""
    if not items:
        yield []
        return
    first, *rest = items
    for count in range(len(rest) + 1):
        for mates in combinations(range(len(rest)), count):
            group = [first, *(rest[place] for place in mates)]
            others = [number for place, number in enumerate(rest) if place not in mates]
            yield from ([group, *parted] for parted in partitions(others))


def fewest_by_trying(points: Sequence[int]) -> int:
    """The least number of transfers, over all partitions into groups that sum to zero: each group takes one
    transfer fewer than it has people."""
    owing = [number for number in points if number]
    return min(
        sum(len(group) - 1 for group in parted) for parted in partitions(owing) if not any(map(sum, parted))
    )


@st.composite
def nights(draw: st.DrawFn, most: int = 12) -> dict[str, int]:
    """Balances of a night: small numbers, so that groups that add up to zero are common."""
    points = draw(st.lists(st.integers(-6, 6), min_size=1, max_size=most - 1))
    return balances_of(*points, -sum(points))


@pytest.mark.parametrize(("points", "transfers"), told("settling.txt", "transfers"))
def test_balances_are_cleared_by_the_transfers_that_were_counted_by_hand(points: str, transfers: str) -> None:
    found = fewest_transfers(balances_of(*map(int, points.split())))
    assert ", ".join(f"{payer} {payee} {count}" for payer, payee, count in found) == transfers


def test_balances_that_do_not_add_up_to_zero_cannot_be_cleared() -> None:
    with pytest.raises(ValueError, match="do not add up"):
        fewest_transfers(balances_of(3, -2))


def test_twelve_players_in_six_pairs_take_six_transfers() -> None:
    points = [number for each in (31, 17, 12, 9, 5, 2) for number in (each, -each)]
    Random(7).shuffle(points)
    transfers = fewest_transfers(balances_of(*points))
    assert [transfer.points for transfer in transfers] == [31, 17, 12, 9, 5, 2]


def test_twelve_players_who_have_nothing_in_common_take_eleven() -> None:
    """Powers of two: no group but all twelve together adds up to zero."""
    points = [2**place for place in range(11)]
    assert len(fewest_transfers(balances_of(*points, -sum(points)))) == 11


@given(nights(most=7))
def test_no_way_to_part_the_players_takes_fewer(balances: dict[str, int]) -> None:
    assert len(fewest_transfers(balances)) == fewest_by_trying(list(balances.values()))


@given(nights())
def test_a_few_transfers_bring_every_balance_to_zero(balances: dict[str, int]) -> None:
    transfers = fewest_transfers(balances)
    assert not any(cleared(balances, transfers).values())
    assert len(transfers) <= max(0, sum(map(bool, balances.values())) - 1)
    for payer, payee, points in transfers:
        assert balances[payer] < 0 < balances[payee]
        assert type(points) is int
        assert 0 < points <= min(-balances[payer], balances[payee])


@given(nights(), st.integers(1, 10**12))
def test_transfers_come_greatest_first_whatever_a_point_is_worth(
    balances: dict[str, int], factor: int
) -> None:
    transfers = fewest_transfers(balances)
    assert fewest_transfers(dict(balances)) == transfers
    order = list(balances)
    places = [(-points, order.index(payer), order.index(payee)) for payer, payee, points in transfers]
    assert places == sorted(places)
    dearer = fewest_transfers({player: points * factor for player, points in balances.items()})
    assert dearer == [(payer, payee, points * factor) for payer, payee, points in transfers]


@given(nights(most=11))
def test_whoever_comes_out_even_has_nothing_to_do_with_it(balances: dict[str, int]) -> None:
    assert fewest_transfers({"onlooker": 0} | balances) == fewest_transfers(balances)


# Payments behind a transfer

LAN, BA, TU = "Lan", "Ba", "Tú"
PAID = [Transfer(*paid) for paid in ((LAN, BA, 9), (LAN, TU, 3), (BA, LAN, 2), (BA, TU, 1), (LAN, BA, 4))]
"""Lan: with Ba −9 +2 −4 = −11, with Tú −3; Ba: with Lan +11, with Tú −1; Tú: with Lan +3, with Ba +1."""


def test_a_statement_is_what_its_player_had_with_each_other_player() -> None:
    transfers = fewest_transfers({LAN: -14, BA: 10, TU: 4})
    assert transfers == [(LAN, BA, 10), (LAN, TU, 4)]
    lan, ba, tu = (statement(player, PAID, transfers, [LAN, BA, TU]) for player in (LAN, BA, TU))
    assert lan == (LAN, -14, ((BA, (0, 2, 4), -11), (TU, (1,), -3)), tuple(transfers))
    assert ba == (BA, 10, ((LAN, (0, 2, 4), 11), (TU, (3,), -1)), ((LAN, BA, 10),))
    assert tu == (TU, 4, ((LAN, (1,), 3), (BA, (3,), 1)), ((LAN, TU, 4),))


@st.composite
def payments(draw: st.DrawFn) -> list[Transfer[str]]:
    pairs = st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=2, unique=True)
    some = draw(st.lists(st.tuples(pairs, st.integers(1, 13)), max_size=40))
    return [Transfer(payer, payee, points) for (payer, payee), points in some]


def balances_after(some: Sequence[Transfer[str]]) -> dict[str, int]:
    return {
        player: sum(paid.points * ((paid.payee == player) - (paid.payer == player)) for paid in some)
        for player in PLAYERS
    }


@given(payments())
def test_a_statement_adds_up_to_the_balance_and_its_transfers(some: list[Transfer[str]]) -> None:
    balances = balances_after(some)
    transfers = fewest_transfers(balances)
    for player in PLAYERS:
        account = statement(player, some, transfers, PLAYERS)
        assert account.balance == balances[player] == sum(dealing.net for dealing in account.dealings)
        sign = -1 if account.balance < 0 else 1
        assert account.balance == sign * sum(each.points for each in account.transfers)
        assert all(player == (each.payee if sign > 0 else each.payer) for each in account.transfers)


@given(payments())
def test_every_payment_of_a_player_stands_once_in_the_statement(some: list[Transfer[str]]) -> None:
    transfers = fewest_transfers(balances_after(some))
    for player in PLAYERS:
        dealings = statement(player, some, transfers, PLAYERS).dealings
        listed = sorted(index for dealing in dealings for index in dealing.indexes)
        assert listed == [place for place, paid in enumerate(some) if player in paid[:2]]
        for other, places, net in dealings:
            assert all({some[place].payer, some[place].payee} == {player, other} for place in places)
            received = sum(some[place].points for place in places if some[place].payee == player)
            paid = sum(some[place].points for place in places if some[place].payer == player)
            assert net == received - paid
