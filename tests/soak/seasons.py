"""Random seasons of groups: each person's totals must equal the sums of that person's nights.

People play under one of their names, some nights have a stake, some debts are paid and others carried into a later
night, nights are removed and added again. The generator knows who is who, and keeps its own totals.

    scripts/soak seasons --groups 100
"""

import argparse
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from uuid import UUID

from ledger.game.night import Stake, Terms
from ledger.game.rulesets import PRESETS
from ledger.recorder import GroupLink, Recorder, Seat, audit
from ledger.recorder.operations.carrying import carry, carry_back, debts
from ledger.recorder.views.season import Season
from ledger.store import Store, migrate
from tests.recorder.tables import KEY, SECRET, Table

PEOPLE = (("An", "Ân"), ("Bình", "Bính"), ("Chi", "Chi béo"), ("Dũng",), ("Em",))
"""The names of each person; the first identifies the person."""
STAKES = (None, *[Stake(Decimal(1000), "VND")] * 3, Stake(Decimal("0.5"), "USD"))


class RandomSeason:
    """A group whose nights are made one by one, with what each person has won."""

    def __init__(self, store: Store, chance: Random) -> None:
        self.chance = chance
        self.day = datetime(2026, 1, 1, 20, tzinfo=UTC)
        self.recorder = Recorder(store, KEY, lambda: self.day)
        self.group: GroupLink | None = None
        self.tables: dict[str, Table] = {}
        self.carried = 0
        """The number of debts carried over."""
        self.sat: dict[str, dict[str, str]] = {}
        """Night -> player -> person."""
        self.named: dict[str, tuple[str, str]] = {}
        """Name -> the first night and player with it."""

    def play(self) -> None:
        """Play a night and add it to the group; a person's second name is joined to the first."""
        chance = self.chance
        self.day += timedelta(days=chance.randrange(1, 9))
        people = chance.sample(PEOPLE, chance.randrange(2, 5))
        names = [chance.choice(person) for person in people]
        table = Table(self.recorder, str(UUID(int=chance.getrandbits(128), version=4)))
        ruleset, stake = PRESETS["southern-classic"], chance.choice(STAKES)
        self.recorder.open_night(table.night, secret=SECRET, terms=Terms(ruleset, stake), players=names)
        players = [f"p{number}" for number in range(1, len(names) + 1)]
        for _ in range(chance.randrange(6)):
            payer, payee = chance.sample(players, 2)
            table.record("adjust", payer=payer, payee=payee, points=chance.randrange(1, 20), reason="bia")
        if self.group is None:
            made = self.recorder.groups.open(table.keeper, table.night, "Hội")
            self.group = GroupLink(made.id, keeps=True)
        self.recorder.groups.add(self.group, table.keeper)
        self.tables[table.night] = table
        self.sat[table.night] = {player: person[0] for player, person in zip(players, people, strict=True)}
        for player, name, person in zip(players, names, people, strict=True):
            self._introduce(table.night, player, name, person[0])

    def _introduce(self, night: str, player: str, name: str, person: str) -> None:
        assert self.group is not None
        if name in self.named:
            return
        self.named[name] = night, player
        known = [self.named[one] for one in self._names(person) if one in self.named and one != name]
        if known:
            self.recorder.groups.join(self.group, Seat(night, player), Seat(*known[0]))

    @staticmethod
    def _names(person: str) -> tuple[str, ...]:
        return next(names for names in PEOPLE if names[0] == person)

    def go_on(self) -> None:
        """Do something that changes no points: pay or carry debts, or remove a night and add it again. Only paying
        may change who owes what."""
        assert self.group is not None
        table = self.chance.choice(list(self.tables.values())[-4:])
        with self.recorder.night(table.night) as snapshot:
            account = snapshot.settle_up()
        before = self.owed()
        standing = [one for one in account.carried if one.owed_here and not one.taken_back]
        groups = self.recorder.groups
        match self.chance.randrange(4):
            case 0 if account.transfers:
                one = account.transfers[0]
                table.record("paid", payer=one.payer, payee=one.payee, points=one.points)
                return
            case 1 if standing:
                carry_back(self.recorder, self.group, table.keeper, standing[0].id)
            case 2:
                groups.remove(self.group, table.night)
                groups.add(self.group, table.keeper)
            case _:
                self.carried += carry(self.recorder, self.group, table.keeper)
                assert debts(self.recorder, self.group.group, table.night) == []
        assert self.owed() == before

    def owed(self) -> Counter[tuple[Stake | None, str]]:
        """Outstanding points by stake and person over all nights; negative for debts."""
        found = Counter[tuple[Stake | None, str]]()
        for night, people in self.sat.items():
            with self.recorder.night(night) as snapshot:
                outstanding, stake = snapshot.settle_up().outstanding, snapshot.terms.stake
            for player, points in outstanding.items():
                found[stake, people[player]] += points
        return found

    def check(self) -> Season:
        """Check the season against this object's own totals. Raises AssertionError."""
        assert self.group is not None
        points, money = Counter[str](), Counter[tuple[str, str]]()
        for night, people in self.sat.items():
            with self.recorder.night(night) as snapshot:
                balances, stake = snapshot.ledger().balances, snapshot.terms.stake
            for player, won in balances.items():
                points[people[player]] += won
                if stake:
                    money[people[player], stake.currency] += int(won * stake.amount * 10)
        season = self.recorder.season(self.group.group)
        person = {name: names[0] for names in PEOPLE for name in names}
        assert {person[one.name]: one.points for one in season.standings if one.points} == {
            name: won for name, won in points.items() if won
        }
        assert {
            (person[one.name], currency): int(amount * 10)
            for one in season.standings
            for currency, amount in one.money.items()
            if amount
        } == {who: amount for who, amount in money.items() if amount}
        assert sum(one.points for one in season.standings) == 0
        assert all(sum(night.net.values()) == 0 for night in season.nights)
        for one in season.standings:
            assert (
                sum(won for (member, _), won in season.against.items() if member == one.member) == one.points
            )
            assert sum(night.net.get(one.member, 0) for night in season.nights) == one.points
        return season


def trial(store: Store, seed: int, nights: int) -> RandomSeason:
    """Make a season of so many nights, and check it after each. Raises AssertionError if its totals differ from
    what was played."""
    made = RandomSeason(store, Random(seed))
    made.play()
    made.play()
    while len(made.tables) < nights:
        made.play()
        for _ in range(3):
            made.go_on()
        made.check()
    season = made.check()
    again = Recorder(store, KEY).season(season.group.id)
    assert again == season
    return made


def main() -> int:
    """Make and check seasons, and print how many."""
    parser = argparse.ArgumentParser(
        prog="scripts/soak seasons", description="Make seasons, and check what they say."
    )
    parser.add_argument("--groups", type=int, default=100)
    parser.add_argument("--nights", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'ledger.db'}"
        migrate(url)
        store = Store.open(url)
        carried = sum(
            trial(store, seed, asked.nights).carried for seed in range(asked.seed, asked.seed + asked.groups)
        )
        assert list(audit(Recorder(store, KEY))) == []
        store.close()
    print(
        f"{asked.groups} groups of {asked.nights} nights, {carried} debts carried over: all as it was played"
    )
    return 0
