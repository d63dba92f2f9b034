"""A group of people who play together: its nights, its season, its members, and debts carried over."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import with_rules
from ledger.game.terms import Stake, Terms
from ledger.recorder import GroupLink, Link, Problem, ProblemCode, Recorder, Role, SeatRef, audit
from ledger.recorder import groups as groups_module
from ledger.recorder.exports.tables import SEASON, season_table
from ledger.recorder.groups import Group
from ledger.recorder.members import members
from ledger.recorder.operations.carrying import carry, carry_back, debts
from ledger.recorder.reading import Snapshot
from ledger.recorder.recording import Plan
from ledger.recorder.views.season import Season
from ledger.recorder.views.settle_up import SettleUpView
from ledger.store import (
    GroupEntry,
    NewEvent,
    StoreRefused,
    Writer,
    make_group_token,
    make_token,
    read_group_token,
    read_token,
)
from tests.case_files import CASES
from tests.game import short_rounds
from tests.game.short_rounds import Case
from tests.recorder.tables import CLASSIC, KEY, SECRET, Table
from tests.stories import A_SETTLED_ROUND

DONG = Stake(Decimal(1000), "VND")
NAME = "Hội thứ sáu"
FORBIDDEN, UNREADABLE = ProblemCode.FORBIDDEN, ProblemCode.UNREADABLE


class Friends:
    """A group, and its nights, each on the day after the one before."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = Recorder(recorder.store, KEY, self.now)
        self.day = 0
        self.nights: list[Table] = []
        self.groups = self.recorder.groups
        self.link = GroupLink("", keeps=True)

    def now(self) -> datetime:
        return datetime(2026, 11, self.day, 20, 15, tzinfo=UTC)

    def play(self, names: str, stake: Stake | None = None, *rules: tuple[str, str]) -> Table:
        """A night in which the first of the players wins 3 points from the second."""
        self.day += 1
        terms = Terms(with_rules(PRESETS[CLASSIC], rules), stake)
        night = Table(self.recorder, str(uuid4()))
        self.recorder.open_night(night.night, secret=SECRET, terms=terms, players=names.split())
        night.tell(A_SETTLED_ROUND)
        if self.nights:
            self.groups.add(self.link, night.keeper)
        else:
            group = self.groups.open(night.keeper, str(uuid4()), NAME)
            self.link = GroupLink(group.id, keeps=True)
        self.nights.append(night)
        return night

    @property
    def group(self) -> Group:
        with self.recorder.snapshot() as snapshot:
            return snapshot.group(self.link.group).group

    def opened(self, *tokens: str) -> dict[str, GroupLink]:
        """Token -> the link to a group that it is now."""
        with self.recorder.snapshot() as snapshot:
            return snapshot.read_group_tokens(tokens)

    def season(self, **days: str) -> Season:
        return season_of(self.recorder, self.link.group, **days)

    def points(self) -> dict[str, int]:
        return {one.name: one.points for one in self.season().standings}

    def player(self, place: str) -> SeatRef:
        """`2.p1`: a seat of the second night; `0.p1`: one of a night that is not there."""
        number, _, player = place.partition(".")
        return SeatRef(self.nights[int(number) - 1].night if int(number) else str(uuid4()), player)

    def join(self, one: str, other: str) -> None:
        self.groups.join(self.link, self.player(one), self.player(other))

    def debts(self, night: Table) -> list[str]:
        """The nights of the debts that can be carried into a night."""
        return [debt.night for debt in debts(self.recorder, self.link.group, night.night)]

    def carry(self, night: Table) -> int:
        return carry(self.recorder, self.link, night.keeper)


def season_of(recorder: Recorder, group: str, **days: str) -> Season:
    with recorder.snapshot() as snapshot:
        return snapshot.group(group).season(**days)


def problem_of(ask: Any, *args: Any) -> str:
    with pytest.raises(Problem) as caught:
        ask(*args)
    return caught.value.code


@pytest.fixture
def friends(recorder: Recorder) -> Friends:
    friends = Friends(recorder)
    friends.play("An Bình")
    return friends


@pytest.fixture
def first(friends: Friends) -> Table:
    return friends.nights[0]


# Groups and their nights


def test_a_group_is_made_once_however_often_its_form_comes(friends: Friends, first: Table) -> None:
    form = str(uuid4())
    made = friends.groups.open(first.keeper, form, NAME)
    assert friends.groups.open(first.keeper, form, NAME) == made
    assert (made.name, made.nights, made.seq) == (NAME, [first.night], 2)


@pytest.mark.parametrize(("role", "player"), [(Role.WATCH, None), (Role.SEAT, "p1")])
def test_only_the_keeper_of_a_night_makes_it_a_groups_and_carries_debts_over(
    friends: Friends, first: Table, role: Role, player: str | None
) -> None:
    link = Link(first.night, role, player)
    assert problem_of(friends.groups.open, link, str(uuid4()), "Hội") == FORBIDDEN
    assert problem_of(friends.groups.add, friends.link, link) == FORBIDDEN
    assert problem_of(carry, friends.recorder, friends.link, link) == FORBIDDEN
    assert problem_of(carry_back, friends.recorder, friends.link, link, "x") == FORBIDDEN


@pytest.mark.parametrize("name", ["", "   ", "a" * 41, "x;y", "\u200b", "a\nb\x00"])
def test_what_is_no_name_is_none_of_a_group(friends: Friends, first: Table, name: str) -> None:
    before = first.contents()
    assert problem_of(friends.groups.open, first.keeper, str(uuid4()), name) == UNREADABLE
    assert problem_of(friends.groups.rename, friends.link, name) == UNREADABLE
    assert first.contents() == before


def test_whoever_only_reads_a_group_enters_nothing(friends: Friends, first: Table) -> None:
    before, groups, reads = first.contents(), friends.groups, GroupLink(friends.link.group, keeps=False)
    for ask, *args in (
        (groups.rename, "Khác"),
        (groups.add, first.keeper),
        (groups.remove, first.night),
        (groups.join, friends.player("1.p1"), friends.player("1.p2")),
        (groups.part, 3),
        (groups.renew, 2),
    ):
        assert problem_of(ask, reads, *args) == FORBIDDEN
    assert problem_of(carry, friends.recorder, reads, first.keeper) == FORBIDDEN
    assert first.contents() == before


def test_what_is_so_already_is_not_entered_again(friends: Friends, first: Table) -> None:
    before = friends.group
    friends.groups.rename(friends.link, before.name)
    friends.groups.add(friends.link, first.keeper)
    friends.groups.remove(friends.link, str(uuid4()))
    friends.groups.part(friends.link, 1)
    friends.join("1.p1", "1.p1")
    assert friends.group == before


def test_a_group_that_is_full_says_so(friends: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Friends(friends.recorder).play("An Chi")
    monkeypatch.setattr(groups_module, "MOST_NIGHTS", 1)
    assert problem_of(friends.groups.add, friends.link, other.keeper) == ProblemCode.GROUP_FULL
    monkeypatch.setattr(groups_module, "MOST_ENTRIES", 2)
    assert problem_of(friends.groups.rename, friends.link, "Khác") == ProblemCode.GROUP_FULL


def test_the_database_takes_the_next_entry_of_a_group_alone(friends: Friends) -> None:
    group = friends.link.group
    for seq in (2, 4):
        row = GroupEntry(group_id=group, seq=seq, kind="named", body="{}", at="")
        with pytest.raises(StoreRefused), friends.recorder.store.writing(group) as writer:
            writer.add_to_group(row)


def test_its_links_open_it_until_they_are_renewed(friends: Friends) -> None:
    groups, group, then = friends.groups, friends.link.group, friends.groups.tokens(friends.group)
    assert friends.opened(then.keeps, then.reads, "x") == {
        then.keeps: friends.link,
        then.reads: GroupLink(group, keeps=False),
    }
    renewed = groups.renew(friends.link, 2)
    assert groups.renew(friends.link, 2) == renewed  # the same form sent again
    assert friends.opened(then.keeps, then.reads) == {}
    now = groups.tokens(renewed)
    assert friends.opened(now.reads) == {now.reads: GroupLink(group, keeps=False, generation=1)}


def test_a_token_of_a_group_opens_no_night_and_a_nights_no_group(friends: Friends, first: Table) -> None:
    of_group = make_group_token(KEY, GroupLink(first.night, keeps=True))
    assert read_token(KEY, of_group) is None
    assert read_group_token(KEY, make_token(KEY, first.keeper)) is None
    assert friends.opened(of_group) == {}
    with friends.recorder.snapshot() as snapshot:
        assert problem_of(snapshot.group, first.night) == ProblemCode.NOT_FOUND


# Its season, and its members


@pytest.mark.parametrize("case", list(short_rounds.read(CASES / "groups.txt")), ids=str)
def test_a_season_comes_to_what_its_nights_brought(recorder: Recorder, case: Case) -> None:
    friends, (*steps, last) = Friends(recorder), case.story.splitlines()
    for step in steps:
        take(friends, step)
        friends.season()
    if case.expected in (*ProblemCode,):
        assert problem_of(take, friends, last) == case.expected
        return
    take(friends, last)
    season = friends.season()
    found = [f"{one.name} {one.points}{' guest' * one.guest}" for one in season.standings]
    assert ", ".join(found) == case.expected
    for one in season.standings:
        own = [points for (member, _), points in season.against.items() if member == one.member]
        assert sum(own) == one.points
    assert {sum(night.net.values()) for night in season.nights} == {0}
    assert season_of(friends.nights[0].restarted().recorder, friends.link.group) == season


def take(friends: Friends, step: str) -> None:
    match step.split():
        case [one, "is", other]:
            friends.join(one, other)
        case ["part"]:
            friends.groups.part(friends.link, *friends.group.joined)
        case ["without", night]:
            friends.groups.remove(friends.link, friends.nights[int(night) - 1].night)
        case ["with", night]:
            friends.groups.add(friends.link, friends.nights[int(night) - 1].keeper)
        case ["pay", *_]:
            friends.nights[-1].tell(step)
        case _:
            friends.play(step)


def test_a_season_has_the_rounds_the_money_and_the_days_of_its_nights(friends: Friends) -> None:
    friends.play("Bình An Chi", DONG)
    season = friends.season()
    an, binh = season.standings
    assert (an.nights, an.rounds, an.firsts, binh.firsts) == (2, 2, 1, 1)
    assert (an.money, binh.money) == ({"VND": Decimal(-3000)}, {"VND": Decimal(3000)})
    assert season.currencies == ["VND"]
    days = [(night.number, night.date, night.rounds) for night in season.nights]
    assert days == [(1, "2026-11-01", 1), (2, "2026-11-02", 1)]
    assert (an.twos.times, an.twos.points) == (1, 1)


def test_a_sheet_beside_the_money_is_added_up_apart(friends: Friends) -> None:
    assert {one.sheet for one in friends.season().standings} == {0}
    friends.play("Bình An", None, ("payments.sheet", "4-2-1-0"))
    assert {one.name: one.sheet for one in friends.season().standings} == {"Bình": 4, "An": 2}
    assert friends.points() == {"Bình": 0, "An": 0}


def test_a_night_of_a_season_ends_when_its_last_round_was_settled(friends: Friends, first: Table) -> None:
    friends.day = 2
    first.tell("round lead p1 \n result p1 p2 \n p2 declares none \n settle")
    friends.day = 3
    first.tell("pay p1 p2 1 bia")
    (night,) = friends.season().nights
    assert (night.opened[:10], night.ended[:10]) == ("2026-11-01", "2026-11-02")


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ({}, "01 02 03"),
        ({"since": "2026-11-02"}, "02 03"),
        ({"until": "2026-11-02"}, "01 02"),
        ({"since": "2026-11-02", "until": "2026-11-02"}, "02"),
        ({"since": "2026-11-04"}, ""),
    ],
)
def test_days_bound_a_season(friends: Friends, days: dict[str, str], expected: str) -> None:
    friends.play("Chi An")
    friends.play("Chi Bình")
    assert [night.date[-2:] for night in friends.season(**days).nights] == expected.split()


def test_a_night_that_cannot_be_read_is_left_out(friends: Friends, path: Path) -> None:
    second = friends.play("An Bình")
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DROP TRIGGER night_refuses_update")
        other.execute("UPDATE night SET body = 'no' WHERE id = ?", (second.night,))
    season = friends.season()
    assert (season.unreadable, len(season.nights)) == (1, 1)


def test_the_file_of_a_season_has_a_row_for_each_player_of_each_night(friends: Friends) -> None:
    friends.play("An =Bình", DONG)
    head, *rows = season_table(friends.season()).removeprefix("\ufeff").splitlines()
    assert head.split(",") == list(SEASON)
    records = [dict(zip(SEASON, row.split(","), strict=True)) for row in rows]
    assert [(row["date"], row["name"], row["points"], row["money"]) for row in records] == [
        ("2026-11-01", "An", "3", ""),
        ("2026-11-01", "Bình", "-3", ""),
        ("2026-11-02", "An", "3", "3000"),
        ("2026-11-02", "'=Bình", "-3", "-3000"),
    ]
    assert [row["twos"] for row in records] == ["0", "1", "0", "1"]


def test_joins_in_a_circle_or_of_nights_that_are_not_here_are_no_trouble() -> None:
    people = {night: {"p1": name} for night, name in (("1", "An"), ("2", "Bo"), ("3", "Chi"))}
    one, other, third, away = (SeatRef(night, "p1") for night in "1239")
    joined = [(one, other), (other, third), (one, third), (third, away)]
    assert members(people, joined).of == {one: one, other: one, third: one}


def test_what_is_no_seat_is_nobody(friends: Friends) -> None:
    join = friends.groups.join
    assert problem_of(join, friends.link, SeatRef.read("x"), friends.player("1.p1")) == UNREADABLE


def test_a_name_that_was_erased_is_in_no_season(friends: Friends, first: Table) -> None:
    second = friends.play("Ân Bình")
    friends.join("2.p1", "1.p1")
    for night in (first, second):
        friends.recorder.forget(night.night)
    season = friends.season()
    assert sum(friends.points().values()) == 0
    assert not {"An", "Ân", "Bình"} & set(season.members.own.values())
    assert "Ân" not in str(first.contents()["group_entry"])


# Debts carried over


def account(night: Table) -> SettleUpView:
    view: SettleUpView = night.ask.settle_up()
    return view


def owed(*nights: Table) -> list[str]:
    """The transfers still outstanding in each of some nights: `p2 p1 3`."""
    return [
        ", ".join(f"{one.payer} {one.payee} {one.points}" for one in account(night).transfers)
        for night in nights
    ]


def test_what_is_owed_from_earlier_nights_is_carried_into_a_later_one(friends: Friends, first: Table) -> None:
    later = friends.play("Bình An")
    assert owed(first, later) == ["p2 p1 3", "p2 p1 3"]
    (debt,) = debts(friends.recorder, friends.link.group, later.night)
    assert (debt.night, debt.date) == (first.night, "2026-11-01")
    assert (debt.payer, debt.payee, debt.points) == ("p1", "p2", 3)
    before = friends.points()
    assert friends.carry(later) == 1
    assert owed(first, later) == ["", ""]  # the two debts cancel out
    assert friends.carry(later) == 0
    assert friends.points() == before
    assert list(audit(friends.recorder)) == []


def test_what_was_carried_over_can_be_taken_back(friends: Friends, first: Table) -> None:
    later = friends.play("An Bình")
    friends.carry(later)
    assert owed(first, later) == ["", "p2 p1 6"]
    (carried,) = account(later).carried
    assert (carried.payer, carried.payee, carried.owed_here, carried.date) == ("p2", "p1", True, "2026-11-01")
    back = (friends.recorder, friends.link, later.keeper, carried.id)
    carry_back(*back)
    assert owed(first, later) == ["p2 p1 3", "p2 p1 3"]
    assert problem_of(carry_back, *back) == ProblemCode.NO_SUCH_ENTRY
    for night in (first, later):
        assert [bool(one.taken_back) for one in account(night).carried] == [True]
        assert account(night).handed_over == []
    friends.carry(later)
    assert owed(first, later) == ["", "p2 p1 6"]
    assert list(audit(friends.recorder)) == []


def test_a_debt_is_carried_in_both_nights_or_in_none(
    friends: Friends, first: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = friends.play("An Bình")
    append, appended = Writer.append, list[NewEvent]()

    def once(writer: Writer, event: NewEvent, *, named: int = 0) -> None:
        if appended:
            raise RuntimeError("the power fails")
        appended.append(event)
        append(writer, event, named=named)

    monkeypatch.setattr(Writer, "append", once)
    with pytest.raises(RuntimeError):
        friends.carry(later)
    monkeypatch.undo()
    assert owed(first, later) == ["p2 p1 3", "p2 p1 3"]
    friends.carry(later)
    assert owed(first, later) == ["", "p2 p1 6"]


@pytest.fixture
def half(friends: Friends, first: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A later night that owes a debt which the first one owes as well: an earlier version recorded the two nights
    one after the other, and was interrupted."""
    later = friends.play("An Bình")
    planned = friends.recorder.record_planned

    def half_of(plan: Callable[[Snapshot], Plan]) -> object:
        return planned(lambda snapshot: Plan({later.keeper: plan(snapshot).asked[later.keeper]}))

    monkeypatch.setattr(friends.recorder, "record_planned", half_of)
    friends.carry(later)
    monkeypatch.undo()
    assert owed(first, later) == ["p2 p1 3", "p2 p1 6"]
    return later


def test_what_an_earlier_version_carried_by_half_is_carried_once(
    friends: Friends, first: Table, half: Table
) -> None:
    friends.carry(half)
    assert owed(first, half) == ["", "p2 p1 6"]


def test_what_an_earlier_version_carried_by_half_is_taken_back_once(
    friends: Friends, first: Table, half: Table
) -> None:
    (carried,) = account(half).carried
    carry_back(friends.recorder, friends.link, half.keeper, carried.id)
    assert owed(first, half) == ["p2 p1 3", "p2 p1 3"]


# Who is who is said again, names are erased and nights are taken out, after a debt was carried.


def names_are_erased(friends: Friends) -> None:
    for night in friends.nights:
        friends.recorder.forget(night.night)


def two_are_no_longer_one(friends: Friends) -> None:
    friends.groups.part(friends.link, max(friends.group.joined))


def the_first_night_is_taken_out(friends: Friends) -> None:
    friends.groups.remove(friends.link, friends.nights[0].night)


@pytest.mark.parametrize("happens", [names_are_erased, two_are_no_longer_one, the_first_night_is_taken_out])
def test_a_carried_debt_is_taken_back_by_who_owed_it_whatever_happened_since(
    friends: Friends, first: Table, happens: Callable[[Friends], None]
) -> None:
    later = friends.play("Bình Ân")
    friends.join("2.p2", "1.p1")
    friends.carry(later)
    assert owed(first, later) == ["", ""]
    happens(friends)
    (carried,) = account(later).carried
    carry_back(friends.recorder, friends.link, later.keeper, carried.id)
    assert owed(first, later) == ["p2 p1 3", "p2 p1 3"]
    assert list(audit(friends.recorder)) == []


def test_a_debt_is_taken_back_with_the_link_of_a_group_that_had_its_night(
    friends: Friends, first: Table
) -> None:
    later = friends.play("An Bình")
    friends.carry(later)
    other = friends.groups.open(later.keeper, str(uuid4()), "Hội khác")
    (carried,) = account(later).carried
    back = (carry_back, friends.recorder, GroupLink(other.id, keeps=True), later.keeper, carried.id)
    assert problem_of(*back) == ProblemCode.NO_SUCH_ENTRY
    assert owed(first, later) == ["", "p2 p1 6"]


def test_only_what_can_be_told_here_is_carried_over(friends: Friends, first: Table) -> None:
    dear = friends.play("An Bình", DONG)
    without = friends.play("An Chi")
    assert friends.debts(dear) == []  # its points are worth money
    assert friends.debts(without) == []  # Bình does not play in it
    assert friends.debts(first) == []  # it is the first night
    again = friends.play("Chi An Bình")
    assert {*friends.debts(again)} == {first.night, without.night}
    friends.groups.remove(friends.link, without.night)
    assert {*friends.debts(again)} == {first.night}
    other = Friends(friends.recorder).play("An Bình")
    assert problem_of(friends.debts, other) == ProblemCode.NOT_FOUND


def test_what_was_carried_to_a_night_that_is_not_here_is_told_without_its_day(first: Table) -> None:
    other = str(uuid4())
    first.record("paid", payer="p2", payee="p1", points=3, carried_to=other)
    (carried,) = account(first).carried
    assert (carried.night, carried.date, carried.owed_here) == (other, "", False)
