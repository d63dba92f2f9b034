"""Random seasons of groups against a model of balances: rounds, adjustments, corrections, voids and waivers, before
and after money was handed over, in whole or in part; points that change their worth during a night; debts
carried into later nights and back; nights with other currencies, nights taken out and added again, names joined,
parted and erased. After each step everybody must be owed what the model says, on every page, and nothing may be
lost or made."""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple
from uuid import UUID

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Stake, Terms
from ledger.recorder import GroupLink, Problem, ProblemCode, Recorder, SeatRef, audit
from ledger.recorder.operations.carrying import carry, carry_back
from ledger.recorder.views.owed import Offer
from ledger.recorder.views.season import Season
from ledger.recorder.views.settle_up import SettleUpView
from ledger.recorder.views.worth import Unit
from ledger.store import Store, migrate
from tests.recorder.tables import KEY, SECRET, Table
from tests.soak.balances import Account, Move, Net, Payment, People, ScoredRound, net_of, plus, same, times
from tests.soak.running import Tally, progress, scratch

PEOPLE: Final = (("An", "Ân"), ("Bình", "Bính"), ("Chi", "Chi béo"), ("Dũng",), ("Em",), ("Giang", "Giảng"))
"""Each person's names."""
PERSON: Final = {name: names[0] for names in PEOPLE for name in names}
WORTHS: Final = {"VND": ("1000", "1000", "500", "1500", "0.5"), "USD": ("0.3333", "1", "0.25")}
CURRENCIES: Final = (None, None, *["VND"] * 6, "USD")


class Late(NamedTuple):
    """What is owed because a round was changed late."""

    round: int
    payer: str
    payee: str
    much: Fraction


class Carried(NamedTuple):
    """A debt carried from an earlier night into a later one."""

    night: str
    """The earlier night."""
    there: Payment
    """What clears it in the earlier night."""
    here: Payment
    """What is owed in the later one."""


def in_units(unit: Unit, count: int) -> Fraction:
    """So many of a unit, in money; points where they are worth nothing."""
    return count * (worth_of(unit.stake) or Fraction(1))


def worth_of(stake: Stake | None) -> Fraction | None:
    return Fraction(stake.amount) if stake else None


def late_in(found: Iterable[Late]) -> dict[int, Net]:
    """Round -> what is still owed because it was changed late."""
    late: dict[int, Net] = {}
    for one in found:
        late[one.round] = plus(late.get(one.round, {}), net_of([(one.payer, one.payee, one.much)]))
    return late


class RandomSeason:
    """A group whose nights are made one by one, and the model of what its people owe each other."""

    def __init__(self, store: Store, chance: Random) -> None:
        self.chance = chance
        self.day = datetime(2026, 1, 1, 20, tzinfo=UTC)
        self.recorder = Recorder(store, KEY, lambda: self.day)
        self.tables: dict[str, Table] = {}
        self.ended: set[str] = set()
        self.accounts: dict[str, Account] = {}
        self.people = People()
        self.real: dict[tuple[str, str], str] = {}  # (night, player) -> the person who sat there
        self.inside: list[str] = []  # the nights of the group, in their order
        self.sent: dict[str, Carried] = {}  # id of a debt carried in -> the debt
        self.named: dict[str, SeatRef] = {}  # name -> the first night and player with it
        self.counts: Counter[str] = Counter()
        self.play()

    # What happens

    def play(self) -> None:
        """Open a night and add it to the group; a person's second name is joined to the first."""
        chance = self.chance
        self.day += timedelta(days=chance.randrange(1, 9))
        people = chance.sample(PEOPLE, chance.randrange(3, 7))
        names = [chance.choice(person) for person in people]
        table = Table(self.recorder, str(UUID(int=chance.getrandbits(128), version=4)))
        night, currency = table.night, chance.choice(CURRENCIES)
        stake = Stake(Decimal(chance.choice(WORTHS[currency])), currency) if currency else None
        terms = Terms(PRESETS["pro-play"], stake)
        self.recorder.open_night(night, secret=SECRET, terms=terms, players=names)
        players = {f"p{number}": name for number, name in enumerate(names, start=1)}
        groups = self.recorder.groups
        if not self.tables:
            self.group = GroupLink(groups.open(table.keeper, night, "Hội").id, keeps=True)
        groups.add(self.group, table.keeper)
        self.tables[night], self.accounts[night] = table, Account(currency, worth_of(stake))
        self.people.names[night] = dict(players)
        self.inside.append(night)
        for player, name in players.items():
            self.real[night, player] = PERSON[name]
            if name not in self.named:
                known = [seat for one, seat in self.named.items() if PERSON[one] == PERSON[name]]
                self.named[name] = SeatRef(night, player)
                if known:
                    groups.join(self.group, self.named[name], known[0])
                    with self.recorder.snapshot() as snapshot:
                        seq = snapshot.group(self.group.group).group.seq
                    self.people.joined[seq] = (self.named[name], known[0])
        for _ in range(chance.randrange(3)):
            self.a_round_is_settled(night)

    def step(self) -> None:
        """Let something happen in one of the last nights, and check that night, and those that it concerns."""
        night = self.chance.choice(list(self.tables)[-6:])
        self.chance.choices(list(STEPS), weights=list(STEPS.values()))[0](self, night)
        self.accounts[night].forget_if_even()
        self.check_night(night)

    def a_round_is_settled(self, night: str) -> None:
        if night in self.ended:
            return
        table, account = self.tables[night], self.accounts[night]
        players = list(self.people.names[night])
        order = self.chance.sample(players, self.chance.randrange(2, 1 + min(4, len(players))))
        seats, number = " ".join(order), len(account.rounds) + 1
        table.tell(f"round opening {seats} ! \n result {seats} \n settle {number}")
        settled = table.recorded[-1].seq
        account.rounds[number] = ScoredRound(order, settled, settled - 1, account.worth)
        self.counts["rounds"] += 1

    def points_are_adjusted(self, night: str) -> None:
        if night not in self.ended:
            paid = self.anything(night)
            payer, payee, points = paid.points
            self.tables[night].record("adjust", payer=payer, payee=payee, points=points, reason="bia")
            self.accounts[night].adjusted.append(paid)

    def the_worth_changes(self, night: str) -> None:
        """Between rounds, in the currency of the night; the first one may come late, also for all rounds so far."""
        account, chance = self.accounts[night], self.chance
        if night in self.ended:
            return
        currency = account.currency or chance.choice(list(WORTHS))
        amount, all_rounds = (
            chance.choice(WORTHS[currency]),
            account.currency is None and chance.random() < 0.6,
        )
        worth = Fraction(amount)
        if worth != account.worth:
            also = {"all_rounds": True} if all_rounds else {}
            self.tables[night].record("agree", stake={"amount": amount, "currency": currency}, **also)
            account.agree(worth, currency, all_rounds=all_rounds)
            self.counts["first worths" if all_rounds else "other worths"] += 1

    def a_round_is_changed(self, night: str) -> None:
        """A result is corrected, a round is voided or counts again, or a payment is waived."""
        account, table = self.accounts[night], self.tables[night]
        if not account.rounds:
            return
        number = self.chance.choice(list(account.rounds))
        round = account.rounds[number]
        before = account.won_by_round(number)
        change = self.chance.choice([self.corrected, self.corrected, self.voided, self.waived])
        if night not in self.ended:
            change(table, number, round)
        elif change != self.waived:
            if not round.void and not round.waived:
                with pytest.raises(Problem, match=ProblemCode.NIGHT_ENDED):
                    change(table, number, round)
            return
        if not same(before, account.won_by_round(number)):
            late = account.has_moved_since(round.settled) and any(account.owed().values())
            self.counts["rounds changed late" if late else "rounds changed early"] += 1
        account.change(number, before)

    def corrected(self, table: Table, number: int, round: ScoredRound) -> None:
        if round.void or round.waived:
            return
        order = self.chance.sample(round.order, len(round.order))
        table.tell(f"correct {round.entry}.0 = result {' '.join(order)} because nhầm")
        round.order, round.entry = order, table.recorded[-1].seq

    def voided(self, table: Table, number: int, round: ScoredRound) -> None:
        if not round.void:
            table.tell(f"void {number} chia nhầm")
            round.void = table.recorded[-1].seq
        elif not round.waived:
            table.tell(f"correct {round.void}.0 = struck because vẫn tính")
            round.void = 0

    def waived(self, table: Table, number: int, round: ScoredRound) -> None:
        payments = table.ask.ledger().payments
        held = [one for one in payments if one.round == number and not one.reverses and not one.reversed_by]
        held = [one for one in held if (one.payer, one.payee, one.points) not in round.waived]
        assert sorted((one.payer, one.payee, one.points) for one in held) == sorted(round.payments())
        if held:
            one = self.chance.choice(held)
            table.tell(f"{one.payer} disputes {number} payment {one.address} sao thế")
            table.tell(f"decide {table.recorded[-1].seq} waived thôi")
            round.waived.append((one.payer, one.payee, one.points))

    def money_is_handed_over(self, night: str) -> None:
        """A transfer that is offered, or a part of one; sometimes anything at all, or one is taken back."""
        account = self.account(night)
        standing = [one.back for one in account.handed_over if not one.given_back]
        match self.chance.randrange(8):
            case 0 if standing:
                self.pay(night, self.chance.choice(standing))
            case 1:
                payer, payee, points = self.anything(night).points
                self.pay(night, Offer("", payer, payee, points))
            case _ if account.transfers:
                due = self.chance.choice(account.transfers)
                part = due.points if self.chance.random() < 0.7 else self.chance.randrange(1, due.points + 1)
                self.pay(night, replace(due, points=part))

    def everything_is_handed_over(self, night: str) -> None:
        for due in self.account(night).transfers:
            self.pay(night, due)
        found = self.account(night)
        assert (found.transfers, found.differences) == ([], [])

    def pay(self, night: str, due: Offer) -> None:
        before, stated = self.differences(night), {}
        if due.worth:
            stated = {"worth": {"amount": f"{due.worth.amount:f}", "currency": due.worth.currency}}
        self.tables[night].record("paid", payer=due.payer, payee=due.payee, points=due.points, **stated)
        self.moved(night, [self.payment(night, due)], before)
        self.counts["transfers"] += 1

    def payment(self, night: str, due: Offer) -> Payment:
        """What is paid by a transfer of a night: points of the worth that it names, or else of the present one."""
        return Payment((due.payer, due.payee, due.points), worth_of(due.worth) or self.accounts[night].worth)

    def moved(self, night: str, paid: list[Payment], before: list[Late], to: str = "") -> None:
        """Money was handed over, or carried to another night: who took part owes no more than is outstanding, and
        what others owe is as before."""
        account, seq = self.accounts[night], self.seq(night)
        undoes = sum(account.move(seq, one, to) for one in paid) > 0
        after, owed = self.differences(night), account.owed()
        if not undoes and any(owed.values()):
            payers, payees = {one.points[0] for one in paid}, {one.points[1] for one in paid}
            left = {(one.round, one.payer, one.payee): one.much for one in after}
            for one in before:
                much = left.pop((one.round, one.payer, one.payee), Fraction())
                takes_part = one.payer in payers or one.payee in payees
                assert much == one.much or (much < one.much and takes_part)
            assert not left, "a difference that nobody made"
            for payer in payers:
                assert sum(one.much for one in after if one.payer == payer) <= max(0, -owed.get(payer, 0))
            for payee in payees:
                assert sum(one.much for one in after if one.payee == payee) <= max(0, owed.get(payee, 0))
        self.adopt(night)

    def debts_are_carried(self, night: str) -> None:
        """What players of a night owe each other from earlier ones in its currency is owed in it, and nowhere
        else."""
        if night not in self.inside:
            return
        found = self.earlier(night)
        before = {one.night: self.differences(one.night) for one in found}
        assert carry(self.recorder, self.group, self.tables[night].keeper) == len(found)
        ids = self.account(night).recorded
        for id, one in zip(ids[len(ids) - len(found) :], found, strict=True):
            self.accounts[night].move(self.seq(night), one.here.back, one.night, came_in=True)
            self.sent[id] = one
        for earlier, differences in before.items():
            self.moved(earlier, [one.there for one in found if one.night == earlier], differences, night)
            self.check_night(earlier)
        self.counts["debts carried over"] += len(found)
        worths = [self.accounts[one.night].worth for one in found]
        self.counts["debts from another worth"] += sum(one != self.accounts[night].worth for one in worths)
        assert self.earlier(night) == []

    def a_debt_is_carried_back(self, night: str) -> None:
        found = self.account(night)
        standing = [one for one in found.carried if one.owed_here and not one.taken_back]
        if not standing:
            return
        line = self.chance.choice(standing)
        carry_back(self.recorder, self.group, self.tables[night].keeper, line.id)
        debt, here = self.sent[line.id], self.accounts[night]
        much = in_units(found.unit, line.points)
        assert here.edge(debt.here) == (line.payer, line.payee, much)
        here.move(self.seq(night), debt.here, debt.night)
        self.accounts[debt.night].move(self.seq(debt.night), debt.there.back, night, came_in=True)
        self.adopt(night)  # as if it had never been carried
        self.adopt(debt.night)
        self.check_night(debt.night)
        self.counts["debts carried back"] += 1

    def adopt(self, night: str) -> None:
        """The differences that a night has now are those that later changes add to."""
        self.accounts[night].late = late_in(self.differences(night))
        self.accounts[night].forget_if_even()

    def a_night_leaves_or_returns(self, night: str) -> None:
        if night not in self.inside:
            self.recorder.groups.add(self.group, self.tables[night].keeper)
            self.inside = [one for one in self.tables if one in {*self.inside, night}]
        elif len(self.inside) > 1:
            self.recorder.groups.remove(self.group, night)
            self.inside.remove(night)
            assert night not in [one.night for one in self.season().nights]

    def a_night_ends_or_goes_on(self, night: str) -> None:
        self.tables[night].tell("reopen thêm ván" if night in self.ended else "end")
        self.ended ^= {night}

    def names_are_erased(self, night: str) -> None:
        self.recorder.forget(night)
        self.people.names[night] = dict.fromkeys(self.people.names[night], "")

    def two_names_are_parted(self, night: str) -> None:
        if self.people.joined:
            seq = self.chance.choice(list(self.people.joined))
            self.recorder.groups.part(self.group, seq)
            del self.people.joined[seq]

    # What the program says

    def account(self, night: str) -> SettleUpView:
        with self.recorder.night(night) as snapshot:
            return snapshot.settle_up()

    def seq(self, night: str) -> int:
        """The seq of the newest entry of a night."""
        return self.recorder.heads([night])[night].seq

    def season(self) -> Season:
        return season_of(self.recorder, self.group.group)

    def differences(self, night: str) -> list[Late]:
        """What the program says that is owed in a night because a round was changed late."""
        found = self.account(night)
        return [
            Late(one.round, one.payer, one.payee, in_units(found.unit, one.points))
            for one in found.differences
        ]

    def anything(self, night: str) -> Payment:
        payer, payee = self.chance.sample(list(self.people.names[night]), 2)
        return Payment((payer, payee, self.chance.randrange(1, 20)), self.accounts[night].worth)

    def earlier(self, night: str) -> list[Carried]:
        """The debts that can be carried into a night, in order. Checks that the program agrees."""
        whose, own = self.people.of(self.tables), self.accounts[night]
        here = {whose[night, player]: player for player in self.people.names[night]}
        with self.recorder.snapshot() as snapshot:
            nights = snapshot.group(self.group.group).earlier_nights(night)
        found, offered = [], {one.night: one for one in nights}
        for earlier in self.inside[: self.inside.index(night)]:
            account = self.accounts[earlier]
            due = [self.payment(earlier, one) for one in self.account(earlier).transfers]
            between = [
                (one, payer, payee)
                for one in due
                if (payer := here.get(whose[earlier, one.points[0]]))
                and (payee := here.get(whose[earlier, one.points[1]]))
            ]
            assert bool(between) == (earlier in offered)
            if between:
                said = offered[earlier]
                assert said.carries == (account.currency == own.currency)
                for (there, payer, payee), debt in zip(between, said.debts, strict=True):
                    assert (debt.payer, debt.payee) == (payer, payee)
                    assert self.payment(earlier, debt.there) == there
                    if said.carries:
                        brings = Payment((payer, payee, debt.points), worth_of(debt.worth) or own.worth)
                        assert own.edge(brings)[2] == account.edge(there)[2]
                        found.append(Carried(earlier, there, brings))
        return found

    def check_night(self, night: str) -> None:
        """Check a night against the model. Raises AssertionError."""
        account, found = self.accounts[night], self.account(night)
        assert same(found.ledger.balances, account.points())
        assert {found.unit.stake and found.unit.stake.currency} == {account.currency}
        unit = found.ledger.unit
        if account.currency and unit.stake is None:  # no round has begun since points are worth something
            assert not any(account.won().values())
        else:
            assert same(times(found.ledger.money, in_units(unit, 1)), account.won())
        assert same(times(found.outstanding, in_units(found.unit, 1)), account.owed())
        due = [account.edge(self.payment(night, one)) for one in found.transfers]
        assert [much for _, _, much in due] == [in_units(found.unit, one.points) for one in found.transfers]
        assert all(much > 0 for _, _, much in due)
        assert same(net_of(due), account.owed())
        assert len(due) < max(1, sum(map(bool, account.owed().values()))) or not due
        late = late_in(self.differences(night))
        assert all(one.points > 0 for one in found.differences)
        assert late.keys() == account.late.keys()
        assert all(same(net, account.late[number]) for number, net in late.items())

    def check(self) -> Season:
        """Check every night, and the season, against the model. Raises AssertionError."""
        for each in self.tables:
            self.check_night(each)
        self.check_that_nothing_is_lost()
        whose, season = self.people.of(self.tables), self.season()
        assert [one.night for one in season.nights] == self.inside
        points, money = Net(), dict[tuple[str, str], Fraction]()
        for night in season.nights:
            account = self.accounts[night.night]
            points = plus(
                points, {whose[night.night, player]: won for player, won in account.points().items()}
            )
            for player, won in account.won().items() if account.currency else ():
                sum_of = whose[night.night, player], account.currency or ""
                money[sum_of] = money.get(sum_of, Fraction()) + won
            owed = {whose[night.night, player]: due for player, due in account.owed().items()}
            paid = [
                (whose[due.payer], whose[due.payee], in_units(night.unit, due.points)) for due in night.owed
            ]
            assert same(owed, net_of(paid))
            listed = [(late.round, in_units(night.unit, late.points)) for late in night.differences]
            assert listed == [(late.round, late.much) for late in self.differences(night.night)]
        standings = {whose[one.member]: one for one in season.standings}
        assert len(standings) == len(season.standings)
        assert same({name: one.points for name, one in standings.items()}, points)
        sums = ((name, of, sum) for name, one in standings.items() for of, sum in one.money.items())
        assert {(name, of): Fraction(sum) for name, of, sum in sums if sum} == {
            of: sum for of, sum in money.items() if sum
        }
        for one in season.standings:
            against = [won for (member, _), won in season.against.items() if member == one.member]
            assert sum(against) == sum(night.net.get(one.member, 0) for night in season.nights) == one.points
        return season

    def check_that_nothing_is_lost(self) -> None:
        """What everybody has won is what they were handed and what they are still owed, in every currency. Debts
        carried as points are left out where one of the two nights has agreed since on what a point is worth."""
        left: dict[tuple[str | None, str], Fraction] = {}
        for night, account in self.accounts.items():
            moved = [
                move for move in account.moves if not move.night or self.is_worth_more_since(night, move)
            ]
            found = self.account(night)
            outstanding = times(found.outstanding, in_units(found.unit, 1))
            for player, much in plus(
                account.won(), times(account.moved(moved), -1), times(outstanding, -1)
            ).items():
                whose = account.currency, self.real[night, player]
                left[whose] = left.get(whose, Fraction()) + much
        assert not any(left.values())

    def is_worth_more_since(self, night: str, move: Move) -> bool:
        """Whether a debt was carried as points, which one of its two nights counts in money by now."""
        return move.paid.worth is None and bool(
            self.accounts[night].currency or self.accounts[move.night].currency
        )


STEPS: Final[dict[Callable[[RandomSeason, str], None], int]] = {
    RandomSeason.a_round_is_settled: 4,
    RandomSeason.points_are_adjusted: 2,
    RandomSeason.the_worth_changes: 4,
    RandomSeason.a_round_is_changed: 8,
    RandomSeason.money_is_handed_over: 6,
    RandomSeason.everything_is_handed_over: 3,
    RandomSeason.debts_are_carried: 8,
    RandomSeason.a_debt_is_carried_back: 6,
    RandomSeason.a_night_leaves_or_returns: 1,
    RandomSeason.a_night_ends_or_goes_on: 1,
    RandomSeason.names_are_erased: 1,
    RandomSeason.two_names_are_parted: 1,
}
"""What may happen -> how often, compared with the others."""


def season_of(recorder: Recorder, group: str) -> Season:
    with recorder.snapshot() as snapshot:
        return snapshot.group(group).season()


def trial(store: Store, seed: int, nights: int, steps: int = 6) -> RandomSeason:
    """Make a season of so many nights, with some steps after each, and check it. Raises AssertionError."""
    made = RandomSeason(store, Random(seed))
    while len(made.tables) < nights:
        made.play()
        for _ in range(steps):
            made.step()
        made.check()
    assert season_of(Recorder(store, KEY), made.group.group) == made.check()
    return made


def soak(*, groups: int = 1000, nights: int = 8, steps: int = 8, seed: int = 1) -> Tally:
    """Make seasons, and check what they say."""
    tally = Tally()
    with scratch(in_memory=True) as folder:
        url = f"sqlite:///{folder / 'ledger.db'}"
        migrate(url)
        with closing(Store.open(url)) as store:
            for each in progress(range(seed, seed + groups), groups, "groups"):
                tally.update(trial(store, each, nights, steps).counts)
            wrong = list(audit(Recorder(store, KEY)))
    return Tally({"groups": groups, "nights of each": nights, **tally}, wrong)
