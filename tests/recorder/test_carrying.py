"""Debts are carried over once, whatever is recorded meanwhile, on each database system; and carried back at a cost
that grows with what was carried."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from itertools import cycle, islice, permutations
from pathlib import Path
from threading import Barrier, local
from typing import Any

import pytest

from ledger.game.terms import Stake
from ledger.recorder import Problem, ProblemCode, Recorder
from ledger.recorder.operations.carrying import carry, carry_back
from ledger.recorder.views.worth import in_money
from ledger.store import Store, migrate
from tests.groups_of_nights import group_of_nights
from tests.postgresql import OWNER, Cluster
from tests.recorder.tables import KEY, Table, opened
from tests.recorder.test_groups import Friends, account


@pytest.fixture(params=["sqlite", "postgresql"])
def friends(request: pytest.FixtureRequest, path: Path, empty_database: Path) -> Iterator[Friends]:
    """A group on each database system, with a night in which Bình owes An 3 points, and two later ones like it."""
    if request.param == "sqlite":
        with opened(path, empty_database) as recorder:
            yield with_nights(recorder)
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    name = cluster.new_database()
    migrate(cluster.url(name, OWNER))
    store = Store.open(cluster.url(name))
    try:
        yield with_nights(Recorder(store, KEY))
    finally:
        store.close()
        cluster.drop(name)


def with_nights(recorder: Recorder) -> Friends:
    friends = Friends(recorder)
    for _ in range(3):
        friends.play("An Bình")
    return friends


@contextmanager
def meeting(monkeypatch: pytest.MonkeyPatch, threads: int) -> Iterator[ThreadPoolExecutor]:
    """Threads, each of which waits for all others before it appends for the first time: all have judged by then."""
    barrier, mine, writing = Barrier(threads), local(), Store.writing

    @contextmanager
    def together(store: Store, *nights: str, **how: Any) -> Iterator[Any]:
        if not hasattr(mine, "has_met"):
            mine.has_met = True
            barrier.wait()
        with writing(store, *nights, **how) as writer:
            yield writer

    with ThreadPoolExecutor(threads) as pool, monkeypatch.context() as patch:
        patch.setattr(Store, "writing", together)
        yield pool


def test_a_debt_carried_into_two_nights_at_once_is_in_one_of_them(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, *later = friends.nights
    with meeting(monkeypatch, 2) as pool:
        carried = sum(pool.map(friends.carry, later))
    balances = [balance(night) for night in friends.nights]
    assert (balances[0], sum(balances)) == (0, 9)
    assert min(balances) == 0, "a night owes the other way what was carried from it twice"
    assert carried == 2


def test_a_debt_paid_while_it_is_carried_is_not_carried(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = friends.nights
    with meeting(monkeypatch, 2) as pool:
        carrying = pool.submit(friends.carry, second)
        pool.submit(lambda: first.tell("paid p2 p1 3")).result()
        carrying.result()
    assert (balance(first), balance(second)) in [(0, 3), (-3, 6)]
    assert (balance(first) == 0) is (carrying.result() == 0)


def test_a_debt_of_a_night_that_leaves_the_group_meanwhile_is_not_carried(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = friends.nights

    def leave(friends: Friends) -> None:
        friends.groups.remove(friends.link, first.night)

    with meeting(monkeypatch, 2) as pool:
        carrying, leaving = pool.submit(friends.carry, second), pool.submit(leave, friends)
        leaving.result()
    first_again = (balance(first), balance(second))
    assert first_again == ((0, 6) if carrying.result() else (3, 3))


def test_a_debt_is_taken_back_once_by_two_phones(friends: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, _ = friends.nights
    friends.carry(second)
    (one,) = account(second).carried

    def back(_: int) -> str:
        try:
            carry_back(friends.recorder, friends.link, second.keeper, one.id)
        except Problem as problem:
            return problem.code
        return "taken back"

    with meeting(monkeypatch, 2) as pool:
        told = sorted(pool.map(back, range(2)))
    assert told in ([ProblemCode.NO_SUCH_ENTRY, "taken back"], ["taken back", "taken back"])
    assert (balance(first), balance(second)) == (3, 3)


def test_carrying_back_costs_as_much_more_as_there_are_more_transfers(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def calls_beside(transfers: int) -> int:
        group = group_of_nights(recorder, 2, 12, regulars=12, entries=transfers)
        first, second = (Table(recorder, night) for night in group.nights)
        edges = permutations([f"p{number}" for number in range(1, 13)], 2)
        asked = [
            first.request("paid", {"payer": payer, "payee": payee, "points": 1})
            for payer, payee in islice(cycle(edges), transfers)
        ]
        recorder.record_all(first.night, asked, first.keeper)
        carry(recorder, group.keeper, second.keeper)
        *_, last = account(second).carried
        return calls_of(lambda: carry_back(recorder, group.keeper, second.keeper, last.id))

    once, twice, four_times = map(calls_beside, (60, 120, 240))
    assert four_times - twice <= 2.2 * (twice - once) + 500
    assert four_times < 60_000


def calls_of(work: Callable[[], object]) -> int:
    """How many Python functions a work calls."""
    counted = Counter[str]()

    def count(frame: object, what: str, argument: object) -> None:
        counted[what] += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted["call"]


# Debts between nights whose points are worth different sums


DONG, HALF = Stake(Decimal(1000), "VND"), Stake(Decimal(500), "VND")


def test_a_debt_is_carried_as_money_and_settled_in_a_night_of_another_worth(recorder: Recorder) -> None:
    friends = Friends(recorder)
    first, later = friends.play("An Bình", DONG), friends.play("An Bình", HALF)
    assert [money(first), money(later)] == [3000, 1500]
    assert friends.carry(later) == 1
    assert [money(first), money(later)] == [0, 4500]
    (due,) = account(later).transfers
    worth = {"worth": {"amount": f"{due.worth.amount:f}", "currency": "VND"}} if due.worth else {}
    later.record("paid", payer=due.payer, payee=due.payee, points=due.points, **worth)
    assert (account(first).transfers, account(later).transfers) == ([], [])
    first.tell("void 1 chia nhầm")
    assert friends.carry(later) == 1
    assert [money(first), money(later)] == [0, -3000]


@pytest.mark.parametrize("changes", [(0,), (1,), (0, 1)])
def test_a_debt_is_carried_back_for_the_money_that_it_was(recorder: Recorder, changes: Sequence[int]) -> None:
    friends = Friends(recorder)
    nights = friends.play("An Bình", DONG), friends.play("An Bình", DONG)
    friends.carry(nights[1])
    for changed in changes:
        nights[changed].record("agree", stake={"amount": "2000", "currency": "VND"})
    assert [*map(money, nights)] == [0, 6000]
    carry_back_all(friends, nights[1])
    assert [*map(money, nights)] == [3000, 3000]
    assert all(one.taken_back for night in nights for one in account(night).carried)
    assert friends.carry(nights[1]) == 1
    assert [*map(money, nights)] == [0, 6000]


@pytest.mark.parametrize(("all_rounds", "carried"), [(True, 6000), (False, 0)])
def test_a_debt_in_points_is_carried_back_whatever_they_are_worth_since(
    recorder: Recorder, all_rounds: bool, carried: int
) -> None:
    friends = Friends(recorder)
    first, later = friends.play("An Bình"), friends.play("An Bình")
    friends.carry(later)
    later.record(
        "agree", stake={"amount": "1000", "currency": "VND"}, **({"all_rounds": True} if all_rounds else {})
    )
    assert [balance(first), money(later)] == [0, carried]
    carry_back_all(friends, later)
    assert [balance(first), money(later)] == [3, carried / 2]
    assert friends.carry(later) == 0, "points are carried into a night of money"


def test_a_worth_that_was_taken_back_is_not_carried_for(recorder: Recorder) -> None:
    friends = Friends(recorder)
    friends.play("An Bình", DONG)
    later = friends.play("An Bình")
    later.record("agree", stake={"amount": "500", "currency": "VND"})
    assert friends.debts(later)
    later.tell("undo")
    assert friends.debts(later) == []


def carry_back_all(friends: Friends, night: Table) -> None:
    for one in account(night).carried:
        carry_back(friends.recorder, friends.link, night.keeper, one.id)


def money(night: Table) -> float:
    """The money that p1 is still owed in a night."""
    found = account(night)
    assert found.unit.stake is not None
    return float(in_money(found.unit.stake, found.outstanding["p1"]))


def balance(night: Table) -> int:
    """What p1 is still owed in a night."""
    return account(night).outstanding["p1"]
