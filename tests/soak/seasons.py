"""Random seasons of groups: each person's totals must equal the sums of that person's nights. People play under
several names, some nights have a stake, debts are paid or carried into a later night, nights are removed and added
again."""

from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from uuid import UUID

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Stake, Terms
from ledger.recorder import GroupLink, Recorder, Seat, audit
from ledger.recorder.operations.carrying import carry, carry_back, debts
from ledger.recorder.views.season import Season
from ledger.store import Store, migrate
from tests.recorder.tables import KEY, SECRET, Table
from tests.soak.running import Tally, progress, scratch

PEOPLE = (("An", "Ân"), ("Bình", "Bính"), ("Chi", "Chi béo"), ("Dũng",), ("Em",))  # each person's names
PERSON = {name: names[0] for names in PEOPLE for name in names}
STAKES = (None, *[Stake(Decimal(1000), "VND")] * 3, Stake(Decimal("0.5"), "USD"))


class RandomSeason:
    """A group whose nights are made one by one, with what each person has won."""

    def __init__(self, store: Store, chance: Random) -> None:
        self.chance = chance
        self.day = datetime(2026, 1, 1, 20, tzinfo=UTC)
        self.recorder = Recorder(store, KEY, lambda: self.day)
        self.tables: dict[str, Table] = {}
        self.carried = 0  # the number of debts carried over
        self.sat: dict[str, dict[str, str]] = {}  # night -> player -> person
        self.named: dict[str, Seat] = {}  # name -> the first night and player with it
        self.play()

    def play(self) -> None:
        """Play a night and add it to the group; a person's second name is joined to the first."""
        chance = self.chance
        self.day += timedelta(days=chance.randrange(1, 9))
        people = chance.sample(PEOPLE, chance.randrange(2, 5))
        names = [chance.choice(person) for person in people]
        table = Table(self.recorder, str(UUID(int=chance.getrandbits(128), version=4)))
        terms = Terms(PRESETS["southern-classic"], chance.choice(STAKES))
        self.recorder.open_night(table.night, secret=SECRET, terms=terms, players=names)
        players = [f"p{number}" for number in range(1, len(names) + 1)]
        for _ in range(chance.randrange(6)):
            payer, payee = chance.sample(players, 2)
            table.record("adjust", payer=payer, payee=payee, points=chance.randrange(1, 20), reason="bia")
        groups = self.recorder.groups
        if not self.tables:
            self.group = GroupLink(groups.open(table.keeper, table.night, "Hội").id, keeps=True)
        groups.add(self.group, table.keeper)
        self.tables[table.night] = table
        self.sat[table.night] = {player: PERSON[name] for player, name in zip(players, names, strict=True)}
        for player, name in zip(players, names, strict=True):
            if name not in self.named:
                known = [seat for one, seat in self.named.items() if PERSON[one] == PERSON[name]]
                self.named[name] = Seat(table.night, player)
                if known:
                    groups.join(self.group, self.named[name], known[0])

    def do_something(self) -> None:
        """Do something that changes no points: pay or carry debts, or remove a night and add it again. Only paying
        may change who owes what."""
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
        points, money = Counter[str](), Counter[tuple[str, str]]()
        for night, people in self.sat.items():
            with self.recorder.night(night) as snapshot:
                balances, stake = snapshot.ledger().balances, snapshot.terms.stake
            for player, won in balances.items():
                points[people[player]] += won
                if stake:
                    money[people[player], stake.currency] += int(won * stake.amount * 10)
        season = self.recorder.season(self.group.group)
        standings = {PERSON[one.name]: one for one in season.standings}
        assert len(standings) == len(season.standings)
        # Counters are equal if they differ in zeros only.
        assert Counter({name: one.points for name, one in standings.items()}) == points
        paid = ((name, one.money.items()) for name, one in standings.items())
        assert Counter({(name, of): int(amount * 10) for name, some in paid for of, amount in some}) == money
        assert sum(one.points for one in season.standings) == 0
        assert all(sum(night.net.values()) == 0 for night in season.nights)
        for one in season.standings:
            won_against = [won for (member, _), won in season.against.items() if member == one.member]
            assert sum(won_against) == one.points
            assert sum(night.net.get(one.member, 0) for night in season.nights) == one.points
        return season


def trial(store: Store, seed: int, nights: int) -> RandomSeason:
    """Make a season of so many nights, and check it after each. Raises AssertionError."""
    made = RandomSeason(store, Random(seed))
    made.play()
    while len(made.tables) < nights:
        made.play()
        for _ in range(3):
            made.do_something()
        made.check()
    assert Recorder(store, KEY).season(made.group.group) == made.check()
    return made


def soak(*, groups: int = 100, nights: int = 20, seed: int = 1) -> Tally:
    """Make seasons, and check what they say."""
    with scratch() as folder:
        url = f"sqlite:///{folder / 'ledger.db'}"
        migrate(url)
        with closing(Store.open(url)) as store:
            seeds = progress(range(seed, seed + groups), groups, "groups")
            carried = sum(trial(store, each, nights).carried for each in seeds)
            wrong = list(audit(Recorder(store, KEY)))
    return Tally({"groups": groups, "nights of each": nights, "debts carried over": carried}, wrong)
