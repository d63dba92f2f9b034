"""Journals checked by hledger and beancount: both compute the night's balances, and refuse altered journals."""

import re
import shutil
from collections.abc import Callable, Iterator

import pytest
from beancount import loader
from beancount.core import data as directives
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.recorder.exports import journals
from ledger.recorder.views.ledger import LedgerView
from ledger.recorder.views.night import StakeInUse
from tests.recorder.exports import readers
from tests.recorder.exports.accounts import ODD_NAMES, TAKEN_BACK, account, row
from tests.recorder.exports.readers import beancount

Judge = Callable[[str], dict[str, int] | None]
"""Journal -> balances by account, in order; None if it is refused."""


@pytest.fixture(scope="session")
def hledger(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    if shutil.which("hledger") is None:
        pytest.skip("no hledger found: install Debian's hledger package")
    file = tmp_path_factory.mktemp("hledger") / "night.journal"
    return lambda text: readers.hledger(text, file)


def balances_of(night: LedgerView) -> list[int]:
    return sorted(night.balances.values())


def judged(judge: Judge, text: str) -> list[int] | None:
    balances = judge(text)
    return None if balances is None else sorted(balances.values())


ODD = account(
    ODD_NAMES,
    [row(f"p{number}", f"p{number % 12 + 1}", number * number) for number in range(1, 13)],
    stake=StakeInUse("0.25", "EUR"),
)
NIGHTS = {
    "taken back": TAKEN_BACK,
    "odd names": ODD,
    "nothing paid": account(("An", "Bình"), []),
    "no name left": account(("p1", "p2", "p3"), [row("p1", "p2", 3)]),
    "names that say nothing in ASCII": account(("李", "👑", "Ба"), [row("p1", "p3", 3)]),
    "longest": account(("N" * 40, "Đ" * 40), [row("p2", "p1", 10**9)], stake=StakeInUse("0.0001", "USD")),
}


@pytest.mark.parametrize("night", NIGHTS.values(), ids=NIGHTS)
def test_beancount_accepts_a_journal_and_comes_to_the_same_balances(night: LedgerView) -> None:
    assert judged(beancount, journals.beancount(night)) == balances_of(night)


@pytest.mark.parametrize("night", NIGHTS.values(), ids=NIGHTS)
def test_hledger_accepts_a_journal_and_comes_to_the_same_balances(night: LedgerView, hledger: Judge) -> None:
    assert judged(hledger, journals.hledger(night)) == balances_of(night)


def test_hledger_knows_the_players_by_their_names(hledger: Judge) -> None:
    assert hledger(journals.hledger(TAKEN_BACK)) == {"players:Ba": 2, "players:Tú": 7, "players:Mẹ": -9}
    assert sorted(hledger(journals.hledger(ODD)) or {}) == sorted(
        f"players:{name.replace(';', ',').replace(':', '-')}" for name in ODD_NAMES
    )


def test_accounts_that_would_be_the_same_are_told_apart_by_tags() -> None:
    assert list(beancount(journals.beancount(ODD)) or {})[:3] == [
        "Assets:Players:P1-Dang-Binh",
        "Assets:Players:P2-Dang-Binh",
        "Assets:Players:P3-1-1",
    ]
    assert list(beancount(journals.beancount(TAKEN_BACK)) or {}) == [
        *("Assets:Players:Ba", "Assets:Players:Tu", "Assets:Players:Me")
    ]


def test_beancount_keeps_the_exact_names_beside_the_accounts() -> None:
    entries, _, _ = loader.load_string(journals.beancount(ODD))
    kept = [entry.meta["name"] for entry in entries if isinstance(entry, directives.Open)]
    assert kept == list(ODD_NAMES)


def altered(text: str) -> Iterator[tuple[str, str]]:
    """Every way to alter one payment of a journal: a description, and the altered journal."""
    blocks = text.split("\n\n")
    posting = re.compile(r"(?m)^( +\S.*  )(-?)(\d+)( (?:điểm|DIEM))$")
    for number, block in enumerate(blocks):
        found = list(posting.finditer(block))
        if len(found) != 2:
            continue

        def journal_with(*changed: str, at: int = number) -> str:
            return "\n\n".join([*blocks[:at], *changed, *blocks[at + 1 :]])

        one, other = found
        more = posting.sub(lambda match: f"{match[1]}{match[2]}{int(match[3]) + 1}{match[4]}", block)
        yield (
            f"{number}: one amount",
            journal_with(block.replace(one[0], f"{one[1]}{one[2]}{int(one[3]) + 1}{one[4]}")),
        )
        yield f"{number}: both amounts", journal_with(more)
        yield f"{number}: a line dropped", journal_with(block.replace(f"{one[0]}\n", ""))
        yield f"{number}: the payment dropped", journal_with()
        yield f"{number}: the payment twice", journal_with(block, block)
        swapped = block.replace(one[0], f"{other[1]}{one[0][len(one[1]) :]}")
        yield f"{number}: one account", journal_with(swapped)
        swapped = swapped.replace(other[0], f"{one[1]}{other[0][len(other[1]) :]}")
        yield f"{number}: accounts swapped", journal_with(swapped)


def test_hledger_refuses_what_was_altered(hledger: Judge) -> None:
    done = 0
    for what, text in altered(journals.hledger(TAKEN_BACK)):
        done += 1
        assert judged(hledger, text) != balances_of(TAKEN_BACK), what
    assert done == 4 * 7


@pytest.mark.parametrize("name", ["taken back", "odd names", "longest"])
def test_beancount_refuses_what_was_altered(name: str) -> None:
    done = 0
    for what, text in altered(journals.beancount(NIGHTS[name])):
        done += 1
        assert judged(beancount, text) != balances_of(NIGHTS[name]), what
    assert done == len(NIGHTS[name].payments) * 7


ANY_NAMES = st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20), min_size=2, max_size=4)
A_NOTE = st.text(st.characters(codec="utf-8"), max_size=30)


def anything_in(names: list[str], note: str) -> LedgerView:
    return account(names, [row("p1", "p2", 3, note=note), row("p2", "p1", 1)])


@given(night=st.builds(anything_in, ANY_NAMES, A_NOTE))
def test_beancount_accepts_whatever_people_are_called_and_say(night: LedgerView) -> None:
    assert judged(beancount, journals.beancount(night)) == balances_of(night)


@settings(max_examples=30)
@given(night=st.builds(anything_in, ANY_NAMES, A_NOTE))
def test_hledger_accepts_whatever_people_are_called_and_say(hledger: Judge, night: LedgerView) -> None:
    assert judged(hledger, journals.hledger(night)) == balances_of(night)
