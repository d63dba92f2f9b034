"""The caches of rounds agree with the current log, whatever was appended or restored meanwhile."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import chain
from operator import attrgetter
from pathlib import Path
from sys import getsizeof
from unittest.mock import Mock

import pytest

from ledger.language import speaker
from ledger.recorder import Recorder, RoundAccount, history
from ledger.recorder.cache import Cache, size_of
from ledger.recorder.history import cache_state, cached_state, load
from ledger.recorder.round_log import RoundLog
from ledger.recorder.views.ledger import LedgerPayment
from ledger.store import Head
from tests.recorder.tables import Table, open_table, plain
from tests.stories import A_SETTLED_ROUND, read_story

WORDS = speaker("en")

A_NIGHT = f"""
    {A_SETTLED_ROUND}
    round opening p1 p2 p3 p4 !
    result p2 p1 p3 p4
    p4 declares none
    settle
    pay p1 p2 3 nước
    p2 confirms 1
    p1 disputes 2 payment 11.0 không phải vậy
    round lead p2 p1 p2
    p2 5c
    p1 6s
    undo
    correct 9.0 = result p1 p2 p3 p4 because nhất là An
    p1 6s
    rename p2 Bính
    decide 14 kept đúng rồi
    undo
    void 1 chia nhầm
    undo
    redo
"""


def shown(recorder: Recorder, night: str) -> list[object]:
    """The views of a night's rounds: two pages of the ledger, the stories, and each round explained."""
    with recorder.night(night) as snapshot:
        stories = snapshot.stories()
        explained = [snapshot.why(round.line.number, WORDS) for round in stories.rounds]
        return [snapshot.ledger(), snapshot.ledger(after_round=1, limit=1), stories, *explained]


def test_after_every_entry_it_tells_what_is_read_anew(recorder: Recorder) -> None:
    table = open_table(recorder, 4)
    for kind, content in read_story(A_NIGHT):
        table.record(kind, **content)
        assert shown(recorder, table.night) == shown(table.restarted().recorder, table.night), kind


def test_round_by_round_the_account_is_that_of_the_night(recorder: Recorder) -> None:
    table = open_table(recorder, 4)
    rounds: Mapping[int, RoundAccount] = {}
    entries = [
        *read_story(A_NIGHT),
        *read_story("p2 disputes 0 payment 12.0 sai \n p1 disputes 3 move 16.0 sai"),
    ]
    for kind, content in entries:
        table.record(kind, **content)
        with recorder.night(table.night) as night:
            board, rounds = night.frame(table.keeper), night.accounts
        ledger, agreement = table.ask.ledger(), table.ask.agreement()
        assert plain(board).items() <= table.board().items()
        parts = rounds.values()
        assert by_place(chain(*(round.payments for round in parts))) == ledger.payments, kind
        assert [round.line for round in parts if round.number and round.payments] == [
            line for line in ledger.rounds if line.net
        ]
        totals = chain(*(round.totals for round in parts))
        assert sorted(totals, key=attrgetter("posted_by.seq")) == ledger.totals, kind
        assert board.net == ledger.balances == summed(line.net for line in ledger.totals)
        assert [line.total for line in ledger.totals][-1:] in ([], [board.net])
        disputes = sorted(chain(*(round.disputes for round in parts)), key=attrgetter("seq"))
        assert disputes == agreement.disputes, kind
        for round in parts:
            assert round.agreed == agreement.agreed.get(round.number), kind
            assert list(round.seats) == agreement.seats.get(round.number, [])
    assert list(rounds) == [0, 1, 2, 3]


def by_place(payments: Iterable[LedgerPayment]) -> list[LedgerPayment]:
    return sorted(payments, key=attrgetter("seq", "idx"))


def summed(nets: Iterable[dict[str, int]]) -> dict[str, int]:
    total = Counter(dict.fromkeys(("p1", "p2", "p3", "p4"), 0))
    for net in nets:
        total.update(net)
    return dict(total)


def test_a_night_that_was_put_back_and_went_on_otherwise_is_read_anew(
    table: Table, path: Path, recorder: Recorder
) -> None:
    after = table.tell(A_SETTLED_ROUND).after
    with closing(sqlite3.connect(path)) as database, closing(sqlite3.connect(":memory:")) as copy:
        database.backup(copy)
        table.tell("round opening p1 p2 ! \n result p1 p2 \n p2 declares none \n settle")
        first = shown(recorder, table.night)
        copy.backup(database)
    again = Table(recorder, table.night, after)
    again.tell("round opening p1 p2 ! \n result p2 p1 \n p1 declares none \n settle")
    assert shown(recorder, table.night) == shown(again.restarted().recorder, table.night) != first


def test_only_rounds_of_which_something_came_since_are_made_again(table: Table, recorder: Recorder) -> None:
    made: list[int] = []

    def tell(log: RoundLog) -> str:
        made.append(log.number)
        return "made"

    def load() -> list[int]:
        """The numbers of the rounds that are made by a load."""
        made.clear()
        with recorder.night(table.night) as snapshot:
            snapshot.rounds.derived(tell, range(1, snapshot.rounds.newest + 1))
        return made

    table.tell(f"{A_SETTLED_ROUND} \n round opening p1 p2 p3 p4 ! \n result p2 p1 p3 p4")
    assert load() == [1, 2]
    assert load() == []
    table.tell("pay p1 p2 3 nước")
    assert load() == []
    table.tell("p4 declares none \n settle 2 \n round lead p2 p2 p1")
    assert load() == [2, 3]
    table.tell("p2 confirms 1")
    assert load() == [1]


def test_statistics_after_one_more_round_read_only_that_round(table: Table, recorder: Recorder) -> None:
    table.tell(
        f"{A_SETTLED_ROUND} \n round opening p1 p2 p3 p4 ! \n result p2 p1 p3 p4 \n p4 declares none \n settle"
    )
    elsewhere = table.restarted()
    with elsewhere.recorder.night(table.night) as snapshot:
        snapshot.counts()
    table.tell("round opening p1 p2 ! \n result p1 p2 \n p2 declares none \n settle")
    with elsewhere.recorder.night(table.night) as snapshot:
        assert snapshot.state.newest == 3
        asked = Mock(wraps=snapshot.reader.events_of_rounds)
        snapshot.reader.events_of_rounds = asked  # type: ignore[method-assign]
        statistics = snapshot.counts()
        assert {number for call in asked.call_args_list for number in call.args[1]} <= {3}
        assert statistics == table.restarted().ask.counts()


def test_what_another_process_recorded_is_gone_on_with_where_nothing_was_taken_back(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(recorder, 4)
    elsewhere, loaded = table.restarted(), set[str]()
    elsewhere.board()
    for kind, content in read_story(A_NIGHT):
        table.record(kind, **content)
        afresh = table.restarted().board()
        with monkeypatch.context() as patched:
            patched.setattr(history, "load", asked := Mock(wraps=load))
            assert elsewhere.board() == afresh, kind
        loaded |= {kind} if asked.called else set()
    assert loaded == {"adjust", "confirm", "dispute", "correct", "rename", "decide", "undo", "void", "redo"}


def test_what_followed_another_head_is_not_gone_on_with(recorder: Recorder) -> None:
    table, elsewhere = open_table(recorder, 4).tell("round opening"), Cache()
    with recorder.night(table.night) as snapshot:
        before = load(snapshot.reader, snapshot.row)
    table.tell("p1 3s \n p2 4c")
    cache_state(elsewhere, before._replace(head=Head(before.head.seq + 1, bytes(32))))
    with recorder.store.reading() as reader:
        now = cached_state(elsewhere, reader, table.night, reader.head(table.night))
    assert [len(log.entries) for log in now.logs.values()] == [2]


def test_values_are_measured_and_the_least_recently_used_go_first() -> None:
    head, text = Head(1, bytes(32)), "x" * 1000
    cache = Cache(3 * size_of(text) + 100)
    for night in ("a", "b", "c"):
        cache.put(night, "text", head, text, size_of(text))
    assert cache.get("a", "text")
    cache.put("d", "text", head, text, size_of(text))
    assert [night for night in "abcd" if cache.get(night, "text")] == ["a", "c", "d"]
    cache.put("d", "text", head, "", size_of(""))
    assert cache.held == 2 * size_of(text) + size_of("")
    cache.put("e", "text", head, text * 9, size_of(text * 9))
    assert cache.held == 0


def test_the_size_of_a_value_is_that_of_all_it_refers_to_each_once() -> None:
    text, listed = "x" * 1000, ["x" * 2000]
    pair = text, listed, text
    assert size_of(pair) == sum(map(getsizeof, (pair, text, listed, listed[0])))
