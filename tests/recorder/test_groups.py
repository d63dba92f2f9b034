"""A group of people who play together: its nights, its season, its members, and debts carried over."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ledger.game.night import Stake, Terms
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import with_rules
from ledger.recorder import GroupLink, Link, Problem, ProblemCode, Recorder, Role, Seat, audit
from ledger.recorder import groups as groups_module
from ledger.recorder.exports.tables import SEASON, season_table
from ledger.recorder.members import members
from ledger.recorder.operations.carrying import carry, carry_back, debts
from ledger.recorder.views.season import Season
from ledger.store import GroupEntry, StoreRefused, make_group_token, make_token, read_group_token, read_token
from tests.recorder.tables import A_SETTLED_ROUND, KEY, SECRET, Table, opened

DONG = Stake(Decimal(1000), "VND")


class Days:
    """A clock that can be set to another day."""

    def __init__(self) -> None:
        self.day = 1

    def __call__(self) -> datetime:
        return datetime(2026, 11, self.day, 20, 15, tzinfo=UTC)


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture
def recorder(path: Path, empty_database: Path, days: Days) -> Iterator[Recorder]:
    with opened(path, empty_database) as recorder:
        yield Recorder(recorder.store, KEY, days)


def night_of(recorder: Recorder, names: Sequence[str], stake: Stake | None = None) -> Table:
    """A night with these names, in which p1 has won 3 points from p2."""
    night = str(uuid4())
    ruleset = PRESETS["southern-classic"]
    recorder.open_night(night, secret=SECRET, terms=Terms(ruleset, stake), players=names)
    return Table(recorder, night).tell(A_SETTLED_ROUND)


def group_of(table: Table, name: str = "Hội thứ sáu") -> GroupLink:
    """The keeper's link of a new group with this night."""
    group = table.recorder.groups.open(table.keeper, str(uuid4()), name)
    return GroupLink(group.id, keeps=True)


def points(season: Season) -> dict[str, int]:
    return {one.name: one.points for one in season.standings}


def problem_of(ask: Any, *args: Any) -> str:
    with pytest.raises(Problem) as caught:
        ask(*args)
    return caught.value.code


def seat(table: Table, player: str) -> Seat:
    return Seat(table.night, player)


@pytest.fixture
def first(recorder: Recorder) -> Table:
    return night_of(recorder, ["An", "Bình"])


@pytest.fixture
def group(first: Table) -> GroupLink:
    return group_of(first)


def next_night(recorder: Recorder, days: Days, group: GroupLink, names: Sequence[str], **more: Any) -> Table:
    """A night of the group on the next day."""
    days.day += 1
    table = night_of(recorder, names, **more)
    recorder.groups.add(group, table.keeper)
    return table


# Groups and their nights


def test_a_group_is_made_once_however_often_its_form_comes(recorder: Recorder, first: Table) -> None:
    form = str(uuid4())
    made = recorder.groups.open(first.keeper, form, "Hội thứ sáu")
    assert recorder.groups.open(first.keeper, form, "Hội thứ sáu") == made
    assert (made.name, made.nights, made.seq) == ("Hội thứ sáu", [first.night], 2)


@pytest.mark.parametrize("role", [Role.WATCH, Role.SEAT])
def test_only_the_keeper_of_a_night_makes_it_a_groups(first: Table, group: GroupLink, role: Role) -> None:
    groups, link = first.recorder.groups, Link(first.night, role, "p1" if role is Role.SEAT else None)
    assert problem_of(groups.open, link, str(uuid4()), "Hội") == ProblemCode.FORBIDDEN
    assert problem_of(groups.add, group, link) == ProblemCode.FORBIDDEN


@pytest.mark.parametrize("name", ["", "   ", "a" * 41, "x;y", "\u200b", "a\nb\x00"])
def test_what_is_no_name_is_none_of_a_group(first: Table, group: GroupLink, name: str) -> None:
    before = first.contents()
    assert problem_of(first.recorder.groups.open, first.keeper, str(uuid4()), name) == ProblemCode.UNREADABLE
    assert problem_of(first.recorder.groups.rename, group, name) == ProblemCode.UNREADABLE
    assert first.contents() == before


def test_whoever_only_reads_a_group_enters_nothing(first: Table, group: GroupLink) -> None:
    before, reads, groups = first.contents(), GroupLink(group.group, keeps=False), first.recorder.groups
    for ask, *args in (
        (groups.rename, "Khác"),
        (groups.add, first.keeper),
        (groups.remove, first.night),
        (groups.join, seat(first, "p1"), seat(first, "p2")),
        (groups.part, 3),
        (groups.renew, 2),
    ):
        assert problem_of(ask, reads, *args) == ProblemCode.FORBIDDEN
    assert problem_of(carry, first.recorder, reads, first.keeper) == ProblemCode.FORBIDDEN
    assert first.contents() == before


def test_what_is_so_already_is_not_entered_again(first: Table, group: GroupLink) -> None:
    groups = first.recorder.groups
    before = groups.group(group.group)
    groups.rename(group, before.name)
    groups.add(group, first.keeper)
    groups.remove(group, str(uuid4()))
    groups.part(group, 1)
    groups.join(group, seat(first, "p1"), seat(first, "p1"))
    assert groups.group(group.group) == before


def test_a_group_that_is_full_says_so(
    first: Table, group: GroupLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = night_of(first.recorder, ["An", "Chi"])
    monkeypatch.setattr(groups_module, "MOST_NIGHTS", 1)
    assert problem_of(first.recorder.groups.add, group, other.keeper) == ProblemCode.GROUP_FULL
    monkeypatch.setattr(groups_module, "MOST_ENTRIES", 2)
    assert problem_of(first.recorder.groups.rename, group, "Khác") == ProblemCode.GROUP_FULL


def test_the_database_takes_the_next_entry_of_a_group_alone(first: Table, group: GroupLink) -> None:
    for seq in (2, 4):
        row = GroupEntry(group_id=group.group, seq=seq, kind="named", body="{}", at="")
        with pytest.raises(StoreRefused), first.recorder.store.writing(group.group) as writer:
            writer.add_to_group(row)


# Its links


def test_its_links_open_it_until_they_are_renewed(first: Table, group: GroupLink) -> None:
    groups = first.recorder.groups
    then = groups.tokens(groups.group(group.group))
    assert groups.opened([then.keeps, then.reads, "x"]) == {
        then.keeps: group,
        then.reads: GroupLink(group.group, keeps=False),
    }
    renewed = groups.renew(group, 2)
    assert groups.renew(group, 2) == renewed  # the same form sent again
    assert groups.opened([then.keeps, then.reads]) == {}
    now = groups.tokens(renewed)
    assert groups.opened([now.reads]) == {now.reads: GroupLink(group.group, keeps=False, generation=1)}


def test_a_token_of_a_group_opens_no_night_and_a_nights_no_group(first: Table, group: GroupLink) -> None:
    of_group = make_group_token(KEY, GroupLink(first.night, keeps=True))
    assert read_token(KEY, of_group) is None
    assert read_group_token(KEY, make_token(KEY, first.keeper)) is None
    assert first.recorder.groups.opened([of_group]) == {}
    assert problem_of(first.recorder.groups.group, first.night) == ProblemCode.NOT_FOUND


# Its season


def test_a_season_counts_what_its_nights_brought(recorder: Recorder, days: Days, group: GroupLink) -> None:
    next_night(recorder, days, group, ["Bình", "An", "Chi"], stake=DONG)
    season = recorder.season(group.group)
    an, binh = season.standings
    assert points(season) == {"An": 0, "Bình": 0}  # Chi has sat out
    assert (an.nights, an.rounds, an.firsts, binh.firsts) == (2, 2, 1, 1)
    assert (an.money, binh.money) == ({"VND": Decimal(-3000)}, {"VND": Decimal(3000)})
    assert season.currencies == ["VND"]
    assert [(night.number, night.date, night.rounds) for night in season.nights] == [
        (1, "2026-11-01", 1),
        (2, "2026-11-02", 1),
    ]
    assert (an.twos.times, an.twos.points) == (1, 1)


def test_who_is_up_against_whom_adds_up_to_the_points(
    recorder: Recorder, days: Days, group: GroupLink
) -> None:
    next_night(recorder, days, group, ["Chi", "An"])
    next_night(recorder, days, group, ["Chi", "Bình"]).tell("pay p2 p1 5 bia")
    season = recorder.season(group.group)
    for one in season.standings:
        own = [points for (member, _), points in season.against.items() if member == one.member]
        assert sum(own) == one.points
    assert sum(points(season).values()) == 0
    assert points(season) == {"Chi": 11, "An": 0, "Bình": -11}


def test_a_sheet_beside_the_money_is_added_up_apart(recorder: Recorder, days: Days, group: GroupLink) -> None:
    assert {one.sheet for one in recorder.season(group.group).standings} == {0}
    days.day += 1
    night = str(uuid4())
    ruleset = with_rules(PRESETS["southern-classic"], [("payments.sheet", "4-2-1-0")])
    recorder.open_night(night, secret=SECRET, terms=Terms(ruleset), players=["Bình", "An"])
    recorder.groups.add(group, Table(recorder, night).tell(A_SETTLED_ROUND).keeper)
    season = recorder.season(group.group)
    assert {one.name: one.sheet for one in season.standings} == {"Bình": 4, "An": 2}
    assert points(season) == {"Bình": 0, "An": 0}


def test_a_night_of_a_season_ends_when_its_last_round_was_settled(
    recorder: Recorder, days: Days, first: Table, group: GroupLink
) -> None:
    days.day = 2
    first.tell("round lead p1 \n result p1 p2 \n p2 declares none \n settle")
    days.day = 3
    first.tell("pay p1 p2 1 bia")
    (night,) = recorder.season(group.group).nights
    assert (night.opened[:10], night.ended[:10]) == ("2026-11-01", "2026-11-02")


def test_days_bound_a_season(recorder: Recorder, days: Days, group: GroupLink) -> None:
    next_night(recorder, days, group, ["Chi", "An"])
    next_night(recorder, days, group, ["Chi", "Bình"])

    def dates(**span: str) -> list[str]:
        return [night.date[-2:] for night in recorder.season(group.group, **span).nights]

    assert dates() == ["01", "02", "03"]
    assert dates(since="2026-11-02") == ["02", "03"]
    assert dates(until="2026-11-02") == ["01", "02"]
    assert dates(since="2026-11-02", until="2026-11-02") == ["02"]
    assert dates(since="2026-11-04") == []


def test_who_came_once_of_three_nights_is_a_guest(recorder: Recorder, days: Days, group: GroupLink) -> None:
    next_night(recorder, days, group, ["An", "Chi"])
    assert not any(one.guest for one in recorder.season(group.group).standings)
    next_night(recorder, days, group, ["An", "Bình"])
    assert [one.name for one in recorder.season(group.group).standings if one.guest] == ["Chi"]


def test_a_night_that_is_taken_out_counts_no_more(recorder: Recorder, days: Days, group: GroupLink) -> None:
    second = next_night(recorder, days, group, ["Chi", "Dũng"])
    recorder.groups.remove(group, second.night)
    assert points(recorder.season(group.group)) == {"An": 3, "Bình": -3}
    recorder.groups.add(group, second.keeper)
    assert len(recorder.season(group.group).nights) == 2


def test_what_was_counted_is_counted_anew_once_a_night_goes_on(first: Table, group: GroupLink) -> None:
    assert points(first.recorder.season(group.group))["An"] == 3
    first.tell("pay p2 p1 4 bia")
    assert points(first.recorder.season(group.group))["An"] == 7
    assert points(first.restarted().recorder.season(group.group))["An"] == 7


def test_a_night_that_cannot_be_read_is_left_out(
    recorder: Recorder, days: Days, group: GroupLink, path: Path
) -> None:
    second = next_night(recorder, days, group, ["An", "Bình"])
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DROP TRIGGER night_refuses_update")
        other.execute("UPDATE night SET body = 'no' WHERE id = ?", (second.night,))
    season = recorder.season(group.group)
    assert (season.unreadable, len(season.nights)) == (1, 1)


def test_the_file_of_a_season_has_a_row_for_each_player_of_each_night(
    recorder: Recorder, days: Days, group: GroupLink
) -> None:
    next_night(recorder, days, group, ["An", "=Bình"], stake=DONG)
    head, *rows = season_table(recorder.season(group.group)).removeprefix("\ufeff").splitlines()
    assert head.split(",") == list(SEASON)
    records = [dict(zip(SEASON, row.split(","), strict=True)) for row in rows]
    assert [(row["date"], row["name"], row["points"], row["money"]) for row in records] == [
        ("2026-11-01", "An", "3", ""),
        ("2026-11-01", "Bình", "-3", ""),
        ("2026-11-02", "An", "3", "3000"),
        ("2026-11-02", "'=Bình", "-3", "-3000"),
    ]
    assert [row["twos"] for row in records] == ["0", "1", "0", "1"]


# Members


def test_names_that_look_the_same_are_one_person(recorder: Recorder, days: Days, group: GroupLink) -> None:
    next_night(recorder, days, group, ["Chi", "Аn"])  # a Cyrillic А
    assert len(recorder.season(group.group).standings) == 3


def test_two_names_of_one_person_are_joined_and_parted(first: Table, days: Days, group: GroupLink) -> None:
    recorder = first.recorder
    second = next_night(recorder, days, group, ["Ân", "Bình"])
    assert points(recorder.season(group.group)) == {"An": 3, "Ân": 3, "Bình": -6}
    recorder.groups.join(group, seat(second, "p1"), seat(first, "p1"))
    assert points(recorder.season(group.group)) == {"An": 6, "Bình": -6}
    # The first name belongs to the same person in later nights, too.
    next_night(recorder, days, group, ["Ân", "Chi"])
    assert points(recorder.season(group.group))["An"] == 9
    (seq,) = recorder.groups.group(group.group).joined
    recorder.groups.part(group, seq)
    assert points(recorder.season(group.group)) == {"An": 3, "Ân": 6, "Bình": -6, "Chi": -3}


def test_joins_in_a_circle_or_of_nights_that_are_not_here_are_no_trouble() -> None:
    people = {night: {"p1": name} for night, name in (("1", "An"), ("2", "Bo"), ("3", "Chi"))}
    one, other, third, away = (Seat(night, "p1") for night in "1239")
    joined = [(one, other), (other, third), (one, third), (third, away)]
    assert members(people, joined).of == {one: one, other: one, third: one}


def test_who_sat_at_one_table_are_two_people(first: Table, days: Days, group: GroupLink) -> None:
    recorder = first.recorder
    assert (
        problem_of(recorder.groups.join, group, seat(first, "p1"), seat(first, "p2"))
        == ProblemCode.SAT_TOGETHER
    )
    # Also by way of a third name.
    second = next_night(recorder, days, group, ["Ân", "Chi"])
    recorder.groups.join(group, seat(second, "p1"), seat(first, "p1"))
    assert (
        problem_of(recorder.groups.join, group, seat(second, "p1"), seat(first, "p2"))
        == ProblemCode.SAT_TOGETHER
    )


def test_two_who_were_joined_and_sit_down_together_stay_two(
    first: Table, days: Days, group: GroupLink
) -> None:
    recorder = first.recorder
    second = next_night(recorder, days, group, ["Ân", "Bình"])
    recorder.groups.join(group, seat(second, "p1"), seat(first, "p1"))
    next_night(recorder, days, group, ["Ân", "An"])
    found = recorder.season(group.group)
    assert points(found) == {"An": 3, "Ân": 3, "Bình": -6}
    assert [sum(night.net.values()) for night in found.nights] == [0, 0, 0]


def test_a_player_who_is_not_in_the_group_is_nobody(first: Table, group: GroupLink) -> None:
    for other in (Seat(str(uuid4()), "p1"), Seat(first.night, "p9"), Seat.read("x")):
        assert problem_of(first.recorder.groups.join, group, other, seat(first, "p1")) == (
            ProblemCode.UNREADABLE
        )


def test_a_name_that_was_erased_is_in_no_season(first: Table, days: Days, group: GroupLink) -> None:
    recorder = first.recorder
    second = next_night(recorder, days, group, ["Ân", "Bình"])
    recorder.groups.join(group, seat(second, "p1"), seat(first, "p1"))
    recorder.forget(first.night)
    recorder.forget(second.night)
    season = recorder.season(group.group)
    assert sum(points(season).values()) == 0
    assert not {"An", "Ân", "Bình"} & set(season.members.own.values())
    assert "Ân" not in str(first.contents()["group_entry"])


# Debts carried over


def owed(table: Table) -> list[tuple[str, str, int]]:
    """The transfers still outstanding in a night."""
    with table.recorder.night(table.night) as snapshot:
        return [(one.payer, one.payee, one.points) for one in snapshot.settle_up().transfers]


def test_what_is_owed_from_earlier_nights_is_carried_into_a_later_one(
    first: Table, days: Days, group: GroupLink
) -> None:
    recorder = first.recorder
    later = next_night(recorder, days, group, ["Bình", "An"])
    assert owed(first) == [("p2", "p1", 3)]
    assert owed(later) == [("p2", "p1", 3)]
    (debt,) = debts(recorder, group.group, later.night)
    assert (debt.night, debt.date, debt.payer, debt.payee, debt.points) == (
        first.night,
        "2026-11-01",
        "p1",
        "p2",
        3,
    )
    before = points(recorder.season(group.group))
    assert carry(recorder, group, later.keeper) == 1
    assert (owed(first), owed(later)) == ([], [])  # the two debts cancel out
    assert carry(recorder, group, later.keeper) == 0
    assert points(recorder.season(group.group)) == before
    assert list(audit(recorder)) == []


def test_what_was_carried_over_can_be_taken_back(first: Table, days: Days, group: GroupLink) -> None:
    recorder = first.recorder
    later = next_night(recorder, days, group, ["An", "Bình"])
    carry(recorder, group, later.keeper)
    assert (owed(first), owed(later)) == ([], [("p2", "p1", 6)])
    with recorder.night(later.night) as snapshot:
        (carried,) = snapshot.settle_up().carried
    assert (carried.payer, carried.payee, carried.owed_here, carried.date) == ("p2", "p1", True, "2026-11-01")
    carry_back(recorder, group, later.keeper, carried.id)
    assert (owed(first), owed(later)) == ([("p2", "p1", 3)], [("p2", "p1", 3)])
    assert problem_of(carry_back, recorder, group, later.keeper, carried.id) == ProblemCode.NO_SUCH_ENTRY
    for table in (first, later):
        with table.recorder.night(table.night) as snapshot:
            account = snapshot.settle_up()
        assert [bool(one.taken_back) for one in account.carried] == [True]
        assert account.handed_over == []
    carry(recorder, group, later.keeper)
    assert (owed(first), owed(later)) == ([], [("p2", "p1", 6)])
    assert list(audit(recorder)) == []


def test_of_two_entries_of_which_one_was_kept_the_other_follows(
    first: Table, days: Days, group: GroupLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = first.recorder
    later = next_night(recorder, days, group, ["An", "Bình"])
    record, kept = recorder.record, list[Any]()

    def once(*args: Any) -> Any:
        if kept:
            raise RuntimeError("the power fails")
        kept.append(args)
        return record(*args)

    monkeypatch.setattr(recorder, "record", once)
    with pytest.raises(RuntimeError):
        carry(recorder, group, later.keeper)
    monkeypatch.undo()
    assert (owed(first), owed(later)) == ([("p2", "p1", 3)], [("p2", "p1", 6)])  # twice, rather than lost
    carry(recorder, group, later.keeper)
    assert (owed(first), owed(later)) == ([], [("p2", "p1", 6)])


def test_only_what_can_be_told_here_is_carried_over(first: Table, days: Days, group: GroupLink) -> None:
    recorder = first.recorder
    dear = next_night(recorder, days, group, ["An", "Bình"], stake=DONG)
    without = next_night(recorder, days, group, ["An", "Chi"])
    assert debts(recorder, group.group, dear.night) == []  # its points have another value
    assert debts(recorder, group.group, without.night) == []  # Bình does not play in it
    assert debts(recorder, group.group, first.night) == []  # it is the first night
    again = next_night(recorder, days, group, ["Chi", "An", "Bình"])
    assert {debt.night for debt in debts(recorder, group.group, again.night)} == {first.night, without.night}
    recorder.groups.remove(group, without.night)
    assert {debt.night for debt in debts(recorder, group.group, again.night)} == {first.night}
    other = night_of(recorder, ["An", "Bình"])
    assert problem_of(debts, recorder, group.group, other.night) == ProblemCode.NOT_FOUND


def test_a_seat_or_a_watcher_carries_nothing_over(first: Table, group: GroupLink) -> None:
    for link in (Link(first.night, Role.WATCH), Link(first.night, Role.SEAT, "p1")):
        assert problem_of(carry, first.recorder, group, link) == ProblemCode.FORBIDDEN
        assert problem_of(carry_back, first.recorder, group, link, "x") == ProblemCode.FORBIDDEN


def test_what_was_carried_to_a_night_that_is_not_here_is_told_without_its_day(first: Table) -> None:
    other = str(uuid4())
    first.record("paid", payer="p2", payee="p1", points=3, carried_to=other)
    with first.recorder.night(first.night) as snapshot:
        (carried,) = snapshot.settle_up().carried
    assert (carried.night, carried.date, carried.owed_here) == (other, "", False)
