"""Random seasons agree with a model of what people owe each other, and planted defects are found."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ledger.recorder import GroupLink, Link, group_snapshot, members
from ledger.recorder.events import correcting
from ledger.recorder.operations import carrying
from ledger.recorder.recording import Plan
from ledger.recorder.round_log import RoundLog
from ledger.recorder.views import nights, owed, worth
from ledger.store import NewPayment, Reader, Store
from tests.recorder.tables import opened
from tests.soak.seasons import trial
from tests.soaking import PLANTED, further

pytestmark = pytest.mark.slow


@pytest.fixture
def store(path: Path, empty_database: Path) -> Iterator[Store]:
    with opened(path, empty_database) as recorder:
        yield recorder.store


@pytest.mark.parametrize("seed", further(range(8)))
def test_everybody_is_owed_what_a_model_of_money_says(store: Store, seed: int) -> None:
    assert trial(store, seed, 5).counts["transfers"]


# Defects that it must find

Plant = Callable[[pytest.MonkeyPatch], None]


def a_debt_that_is_carried_by_half(patch: pytest.MonkeyPatch) -> None:
    whole = carrying._carrying

    def half(group: GroupLink, night: Link, *rest: Any) -> Plan:
        plan = whole(group, night, *rest)
        return Plan({night: plan.asked[night]}, plan.group)

    patch.setattr(carrying, "_carrying", half)


def people_who_are_not_joined(patch: pytest.MonkeyPatch) -> None:
    joins = members.members
    patch.setattr(group_snapshot, "members", lambda people, joined: joins(people, ()))


def a_payment_that_counts_twice(patch: pytest.MonkeyPatch) -> None:
    paid = owed.read_paid

    def twice(reader: Reader, some: Iterable[str]) -> dict[str, list[owed.Paid]]:
        return {night: [*all, *all[-1:]] for night, all in paid(reader, some).items()}

    patch.setattr(nights, "read_paid", twice)


def a_difference_that_is_dropped(patch: pytest.MonkeyPatch) -> None:
    differences = owed._differences

    def without_the_last(reader: Reader, paid: Mapping[str, owed.Account]) -> Any:
        return {night: found[:-1] for night, found in differences(reader, paid).items()}

    patch.setattr(owed, "_differences", without_the_last)


def a_difference_that_is_still_named_once_it_is_paid(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(owed, "_after", lambda paid, found, outstanding: found)


def a_correction_that_posts_no_difference(patch: pytest.MonkeyPatch) -> None:
    difference = correcting._difference

    def reversed_only(log: RoundLog) -> list[NewPayment]:
        return [payment for payment in difference(log) if payment.reverses is not None]

    patch.setattr(correcting, "_difference", reversed_only)


def money_by_the_last_worth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(worth.Worths, "of", lambda worths, round, seq: worths.now)


@pytest.mark.parametrize(
    "plant",
    further(
        [
            a_difference_that_is_dropped,
            a_payment_that_counts_twice,
            a_debt_that_is_carried_by_half,
            people_who_are_not_joined,
            a_difference_that_is_still_named_once_it_is_paid,
            a_correction_that_posts_no_difference,
            money_by_the_last_worth,
        ],
        PLANTED,
        plain=2,
    ),
    ids=lambda plant: plant.__name__,
)
def test_the_model_finds(store: Store, monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        [trial(store, seed, 5) for seed in range(20)]
