"""Money where a point was worth different sums: each total is the sum of what stands above it, in every view."""

import csv
import json
from collections.abc import Mapping
from decimal import Decimal
from io import StringIO
from random import Random

import pytest

from ledger.game.night import worths
from ledger.game.notation import read, replay, write
from ledger.game.payments import post
from ledger.game.terms import Stake
from ledger.language import speaker
from ledger.recorder import Recorder, import_tln
from ledger.recorder.exports.bills import ihatemoney, splitwise
from ledger.recorder.exports.tables import payments
from ledger.recorder.moves_file import as_replay
from ledger.recorder.moves_file import write as write_moves
from ledger.recorder.views.worth import Unit
from tests.recorder.tables import Table, open_table, plain
from tests.recorder.test_agreements import a_round, record_round
from tests.stories import A_SETTLED_ROUND

SEEDS = range(10)
AMOUNTS = ("1000", "1500", "2000", "2500", "0.5", "12000")
Money = dict[str, Decimal]


def vnd(amount: str) -> dict[str, str]:
    return {"amount": amount, "currency": "VND"}


def a_night(recorder: Recorder, seed: int) -> tuple[Table, Money]:
    """A night whose points change their worth between rounds, with payments by hand; and what each player has won
    in money, added up round by round."""
    chance = Random(seed)
    worth = Decimal(chance.choice(AMOUNTS))
    table, won = (
        open_table(recorder, stake=Stake(worth, "VND")),
        dict.fromkeys(("p1", "p2", "p3", "p4"), Decimal(0)),
    )
    for number in range(5):
        if number and chance.random() < 0.6 and (amount := Decimal(chance.choice(AMOUNTS))) != worth:
            worth = amount
            table.record("agree", stake=vnd(f"{worth:f}"))
        record_round(table, a_round(chance))
        net = table.ask.ledger().rounds[-1].net
        assert net is not None
        won = {player: sum + worth * net[player] for player, sum in won.items()}
        if chance.random() < 0.3:
            table.record("adjust", payer="p1", payee="p3", points=7, reason="bia")
            won["p1"], won["p3"] = won["p1"] - 7 * worth, won["p3"] + 7 * worth
    return table, won


def in_money(unit: Unit, counts: Mapping[str, int] | None) -> Money:
    assert unit.stake is not None
    assert counts is not None
    return {player: unit.stake.amount * count for player, count in counts.items()}


def at(amount: int) -> Unit:
    """Points of this worth."""
    return Unit(Stake(Decimal(amount), "VND"))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_view_and_every_export_comes_to_the_same_money(recorder: Recorder, seed: int) -> None:
    table, won = a_night(recorder, seed)
    account, voice = table.ask.settle_up(), speaker("en")
    assert in_money(account.ledger.unit, account.ledger.money) == won
    assert in_money(account.unit, account.outstanding) == won
    assert {player: count for player, count in post(account.transfers).items() if count} == {
        player: count for player, count in account.outstanding.items() if count
    }
    for player, own in account.statements.items():
        assert own.balance == account.outstanding[player]
        assert sum(one.net for one in own.dealings) == own.balance
    rows = csv.DictReader(StringIO(payments(account.ledger).removeprefix("\ufeff")))
    listed = dict.fromkeys(won, Decimal(0))
    for row in rows:
        listed[row["payer"]] -= Decimal(row["money"])
        listed[row["payee"]] += Decimal(row["money"])
    assert listed == won
    *_, last = csv.reader(StringIO(splitwise(account, voice)))
    assert [*map(Decimal, last[5:])] == [round(money, 2) for money in won.values()]
    bills = json.loads(ihatemoney(account, voice))
    paid = dict.fromkeys(account.ledger.names.values(), 0.0)
    for bill in bills:
        paid[bill["payer_name"]] += bill["amount"]
        paid[bill["owers"][0]] -= bill["amount"]
    assert [*paid.values()] == [float(money) for money in won.values()]
    assert plain(table.restarted().ask.settle_up()) == plain(account)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_paid_before_and_after_a_change_and_a_correction_is_money(
    recorder: Recorder, seed: int
) -> None:
    table, won = a_night(recorder, seed)
    first, *_ = table.ask.settle_up().transfers
    worth = first.worth and {"worth": vnd(f"{first.worth.amount:f}")}
    table.record("paid", payer=first.payer, payee=first.payee, points=first.points, **(worth or {}))
    handed = in_money(table.ask.settle_up().unit, {"": first.points})[""]
    table.record("agree", stake=vnd("700"))
    record_round(table, a_round(Random(seed)))
    account, last = table.ask.settle_up(), table.ask.ledger().rounds[-1].net
    brought = in_money(at(700), last)
    won = {player: money + brought[player] for player, money in won.items()}
    won[first.payer] += handed
    won[first.payee] -= handed
    assert in_money(account.unit, account.outstanding) == won


def test_what_is_offered_between_an_agreement_and_its_first_round_is_paid_for_good(
    recorder: Recorder,
) -> None:
    table = open_table(recorder, stake=Stake(Decimal(1000), "VND"))
    record_round(table, a_round(Random(1)))
    table.record("agree", stake=vnd("2000"))
    for due in table.ask.settle_up().transfers:
        assert due.worth is not None
        stated = vnd(f"{due.worth.amount:f}")
        table.record("paid", payer=due.payer, payee=due.payee, points=due.points, worth=stated)
    assert table.ask.settle_up().transfers == []
    record_round(table, a_round(Random(2)))
    account, net = table.ask.settle_up(), table.ask.ledger().rounds[-1].net
    assert in_money(account.unit, account.outstanding) == in_money(at(2000), net)


def test_what_is_paid_and_adjusted_under_an_agreement_without_a_round_is_of_its_worth(
    recorder: Recorder,
) -> None:
    table = open_table(recorder, 2, stake=Stake(Decimal(1000), "VND"))
    for amount in ("1500", "2000", "700"):
        table.record("adjust", payer="p1", payee="p2", points=3, reason="bia")
        table.record("paid", payer="p1", payee="p2", points=1)
        table.record("agree", stake=vnd(amount))
    account = table.ask.settle_up()
    assert in_money(account.unit, account.outstanding) == {"p1": -9000, "p2": 9000}


def test_no_points_that_were_worth_nothing_are_given_back_for_money(recorder: Recorder) -> None:
    table = open_table(recorder, 2)
    table.record("paid", payer="p1", payee="p2", points=3)
    assert len(table.ask.settle_up().handed_over) == 1
    table.record("agree", stake=vnd("5000"))
    assert table.ask.settle_up().handed_over == []


@pytest.mark.parametrize("late", [1, 2, 3])
def test_a_first_worth_for_all_rounds_is_as_if_the_table_had_opened_with_it(
    recorder: Recorder, late: int
) -> None:
    chance, other = Random(late), Random(late)
    table, opened = open_table(recorder), open_table(recorder, stake=Stake(Decimal(5000), "VND"))
    for number in range(1, 4):
        if number == late:
            table.record("agree", stake=vnd("5000"), all_rounds=True)
        record_round(table, a_round(chance))
        record_round(opened, a_round(other))
    here, there = table.ask.settle_up(), opened.ask.settle_up()
    assert here.unit == there.unit
    assert here.unit.is_point
    assert here.outstanding == there.outstanding
    assert here.ledger.stake == there.ledger.stake


def test_rounds_before_a_worth_that_holds_from_now_on_cost_nothing(recorder: Recorder) -> None:
    table = open_table(recorder)
    record_round(table, a_round(Random(1)))
    table.record("agree", stake=vnd("5000"))
    record_round(table, a_round(Random(2)))
    account, net = table.ask.settle_up(), table.ask.ledger().rounds[-1].net
    assert in_money(account.unit, account.outstanding) == in_money(at(5000), net)


def test_a_first_worth_may_come_while_a_round_runs_and_undo_takes_it_back(recorder: Recorder) -> None:
    table = open_table(recorder, 2).tell("round opening \n p1 3s")
    table.record("agree", stake=vnd("5000"), all_rounds=True)
    assert table.board()["round"]["stake"]["amount"] == Decimal(5000)
    table.tell("undo")
    assert table.board()["round"]["stake"] is None
    table.tell("p2 4s")
    assert table.restarted().board()["round"]["stake"] is None


def test_a_worth_of_all_rounds_that_is_followed_by_another_stays_theirs(recorder: Recorder) -> None:
    table = open_table(recorder)
    record_round(table, a_round(Random(1)))
    table.record("agree", stake=vnd("1000"), all_rounds=True)
    table.record("agree", stake=vnd("2000"), rules={"payments.left": "2"})
    night, text = table.ask.whole(), table.replay_text()
    assert worths(night) == [Stake(Decimal(1000), "VND")]
    assert write(replay(read(text))) == text
    assert worths(replay(read(as_replay(write_moves(night)).text))) == worths(night)
    changes = [(one.terms.stake, one.all_rounds) for one in table.ask.new_terms()]
    assert changes == [(Stake(Decimal(1000), "VND"), True), (Stake(Decimal(2000), "VND"), False)]


@pytest.mark.parametrize("paid", ["adjust", "paid"])
def test_what_was_paid_since_an_agreement_keeps_it_from_being_undone(recorder: Recorder, paid: str) -> None:
    table = open_table(recorder, stake=Stake(Decimal(1000), "VND"))
    record_round(table, a_round(Random(1)))
    table.record("agree", stake=vnd("2000"))
    reason = {"reason": "bia"} if paid == "adjust" else {}
    table.record(paid, payer="p1", payee="p2", points=7, **reason)
    for again in (table, table.restarted()):
        assert not again.board()["undo"]


def test_a_correction_of_a_beginning_keeps_its_factor_unless_it_names_another(recorder: Recorder) -> None:
    table = open_table(recorder)
    begun = table.record("round", leader="p1", times=3).seq
    for named, times in (({}, 3), ({"times": 2}, 2), ({"times": 1}, 1)):
        header = {"kind": "round", "leader": "p2", "stood": True, **named}
        table.record("correct", changes=[{"target": f"{begun}.0", "with": header}], reason="nhầm")
        begun = table.log()[-1]["seq"]
        assert table.round()["times"] == times


READ_AGAIN = {
    "a replay": lambda night: replay(read(write(night))),
    "a moves file": lambda night: replay(read(as_replay(write_moves(night)).text)),
}
"""What a night is written as, and then read from."""


@pytest.mark.parametrize("how", READ_AGAIN)
def test_what_is_waived_after_a_change_was_of_the_worth_of_its_round(recorder: Recorder, how: str) -> None:
    table = open_table(recorder, 2, stake=Stake(Decimal(1000), "VND")).tell(A_SETTLED_ROUND)
    table.record("agree", stake=vnd("10000"))
    table.tell(A_SETTLED_ROUND.replace("opening p1 p2", "lead p1"))
    first = table.ask.ledger().payments[0]
    table.tell(f"{first.payer} disputes 1 payment {first.seq}.{first.idx} nhầm")
    table.tell(f"decide {table.log()[-1]['seq']} waived cho qua")
    again = Table(recorder, import_tln(recorder, READ_AGAIN[how](table.ask.whole())).night).ask.ledger()
    ledger = table.ask.ledger()
    assert in_money(again.unit, again.money) == in_money(ledger.unit, ledger.money)
