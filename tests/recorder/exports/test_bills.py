"""A night for programs that split bills: their balances equal what is still owed."""

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.game.terms import Stake
from ledger.language import LANGUAGES, speaker
from ledger.recorder import Recorder
from ledger.recorder.exports import bills
from ledger.recorder.views.settle_up import SettleUpView
from tests.factories import NightFactory
from tests.recorder.exports.readers import IHATEMONEY, ihatemoney
from tests.recorder.tables import Table
from tests.stories import A_SETTLED_ROUND

STAKES = {"dong": Stake(Decimal(5000), "VND"), "cents": Stake(Decimal("0.25"), "EUR"), "none": None}
ANOTHER_NIGHT = str(uuid4())
NEXT_ROUND = A_SETTLED_ROUND.replace("opening", "lead p1")
STORY = f"""
    rename p2 Đặng, Bình "Hai"
    {A_SETTLED_ROUND}
    {NEXT_ROUND}
    {NEXT_ROUND}
    void 2 chia nhầm
    pay p3 p4 7 =tiền xe
    pay p4 p3 7 trả lại
    pay p3 p4 9 bia
    paid p3 p4 4
    paid p2 p1 1
    paid p1 p2 1
    {{"kind": "paid", "payer": "p1", "payee": "p2", "points": 5, "carried_from": "{ANOTHER_NIGHT}"}}
    {{"kind": "paid", "payer": "p2", "payee": "p1", "points": 2, "carried_to": "{ANOTHER_NIGHT}"}}
"""
"""Rounds, one of them voided; adjustments; money paid, and given back; debts carried from and to other nights."""


@pytest.fixture(params=STAKES)
def night(recorder: Recorder, request: pytest.FixtureRequest) -> Table:
    table: Table = NightFactory.create(by=recorder, stake=STAKES[request.param], story=STORY)
    return table


def owed(account: SettleUpView) -> dict[str, Decimal]:
    """The outstanding amounts by name, in money or in points."""
    ledger = account.ledger
    worth = Decimal(ledger.stake.amount if ledger.stake else 1)
    return {ledger.names[player]: points * worth for player, points in account.outstanding.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_as_splitwise_writes_one_adds_up_row_by_row_and_comes_to_what_is_owed(
    night: Table, language: str
) -> None:
    account = night.ask.settle_up()
    head, gap, *rows, other_gap, last = csv.reader(
        bills.splitwise(account, speaker(language)).splitlines(keepends=True), strict=True
    )
    members = list(account.ledger.names.values())
    money = account.ledger.stake.currency if account.ledger.stake else "XXX"
    assert head == ["Date", "Description", "Category", "Cost", "Currency", *members]
    assert gap == other_gap == []
    sums = [Decimal(0) for _ in members]
    for day, what, category, cost, currency, *cells in rows:
        net = list(map(Decimal, cells))
        assert (day, currency) == ("2026-11-20", money)
        assert what[0] != "=", "no spreadsheet computes it"
        assert sum(net) == 0
        assert sum(points for points in net if points > 0) == Decimal(cost) > 0
        assert all(len(cell.partition(".")[2]) >= 2 for cell in (cost, *cells))
        assert category in ("Games", "Payment")
        sums = [sum + points for sum, points in zip(sums, net, strict=True)]
    paid = [what for _, what, category, *_ in rows if category == "Payment"]
    assert paid == ["Chi → Dũng"]
    assert last[1:5] == ["Total balance", " ", " ", rows[0][4]]
    assert dict(zip(members, sums, strict=True)) == owed(account)
    assert [Decimal(cell) for cell in last[5:]] == sums


def test_a_night_of_nothing_is_a_table_of_nothing(table: Table) -> None:
    account = table.ask.settle_up()
    lines = bills.splitwise(account, speaker("en")).splitlines()
    assert [line for line in lines if line][1:] == ["2026-11-20,Total balance, , ,XXX,0.00,0.00,0.00,0.00"]
    assert json.loads(bills.ihatemoney(account, speaker("en"))) == []


def test_no_two_bills_are_alike(night: Table) -> None:
    """IHateMoney skips bills that it has, so importing again after a round adds just that round."""
    made = json.loads(bills.ihatemoney(night.ask.settle_up(), speaker("vi")))
    assert len({json.dumps(bill, sort_keys=True) for bill in made}) == len(made) > 5


@pytest.fixture
def imported(tmp_path: Path) -> Callable[[str], dict[str, float]]:
    """A function that imports a file into IHateMoney and returns its balances."""
    if not IHATEMONEY.exists():
        pytest.skip("ihatemoney is not installed: scripts/test does that")
    return lambda text: ihatemoney(text, tmp_path)


@pytest.mark.slow
def test_ihatemoney_imports_a_night_and_comes_to_what_is_owed(
    night: Table, imported: Callable[[str], dict[str, float]]
) -> None:
    account = night.ask.settle_up()
    text = bills.ihatemoney(account, speaker("vi"))
    balances = imported(text)
    wanted = {name: float(amount) for name, amount in owed(account).items()}
    assert balances == pytest.approx({name: wanted[name] for name in balances}, abs=1e-9)
    assert not any(amount for name, amount in wanted.items() if name not in balances)


@pytest.mark.slow
@pytest.mark.parametrize("night", ["dong"], indirect=True)
def test_ihatemoney_refuses_a_bill_with_a_field_less(
    night: Table, imported: Callable[[str], dict[str, float]]
) -> None:
    made = json.loads(bills.ihatemoney(night.ask.settle_up(), speaker("vi")))
    del made[0]["payer_name"]
    assert imported(json.dumps(made)) == {}
