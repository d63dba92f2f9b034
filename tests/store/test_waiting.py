"""Readers block neither writers nor other readers."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from ledger.store import Reader, Store, StoreBusy
from ledger.store.systems import sqlite
from tests.store.making import MadeNight, paid, run_in_thread
from tests.store.test_transactions import QUERIES


def answers(reader: Reader, night: MadeNight) -> dict[str, Any]:
    """A reader's answers to every query about a night."""
    return {
        **{name: ask(reader, night.id) for name, (ask, *_) in QUERIES.items()},
        "balances": reader.balances(night.id),
        "night head": reader.night_head(night.id, "revoke"),
        "events": reader.events(night.id),
        "settlements": reader.events_of_kinds(night.id, ["settle"]),
    }


def test_a_reader_sees_a_night_as_it_was_when_it_was_asked_about_first(night: MadeNight) -> None:
    with night.store.reading() as reader:
        before = answers(reader, night)
        run_in_thread(lambda: night.append(id="late", round=3))
        run_in_thread(lambda: night.append(kind="settle", round=3, payments=[paid("p1", "p2", 5, round=3)]))
        run_in_thread(lambda: night.append(kind="dispute", round=1))
        run_in_thread(lambda: night.name("p2", "Bính"))
        run_in_thread(lambda: night.name("p5", "Em"))
        run_in_thread(lambda: night.revoke("seat", "p3"))
        assert answers(reader, night) == before
        assert reader.event_by_id(night.id, "late") is None
    with night.store.reading() as reader:
        changed = {name for name, answer in answers(reader, night).items() if answer != before[name]}
    the_same = {"by id", "after", "payments of a round", "night", "touched since"}
    assert changed == set(before) - the_same


@pytest.mark.sqlite
def test_a_night_that_is_not_there_hides_no_other(store: Store) -> None:
    made: list[MadeNight] = []
    with store.reading() as reader:
        assert reader.night("nowhere") is None
        run_in_thread(lambda: made.append(MadeNight(store)))
        (night,) = made
        assert reader.night(night.id) == night.row


@pytest.mark.sqlite
def test_many_who_read_for_long_wait_for_each_other_in_turn(
    night: MadeNight, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pages do, with some time between two queries."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.7)
    store, busy, until = Store.open(url), [], time.monotonic() + 2

    def read() -> None:
        while time.monotonic() < until:
            try:
                with store.reading() as reader:
                    reader.head(night.id)
                    time.sleep(0.1)
                    reader.last(night.id)
            except StoreBusy as error:
                busy.append(error)

    with closing(store), ThreadPoolExecutor(24) as threads:
        for _ in range(24):
            threads.submit(read)
    assert busy == []
