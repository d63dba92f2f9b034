"""Debts are carried over once, whatever is recorded meanwhile, on each database system; and carried back at a cost
that grows with what was carried."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, islice, permutations
from pathlib import Path
from threading import Barrier, local
from typing import Any

import pytest

from ledger.recorder import Problem, ProblemCode, Recorder
from ledger.recorder.operations.carrying import carry, carry_back
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


def balance(night: Table) -> int:
    """What p1 is still owed in a night."""
    return account(night).outstanding["p1"]
