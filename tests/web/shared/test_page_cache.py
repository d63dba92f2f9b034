"""Pages that many phones request are rendered once: each is identical to a fresh one, for every reader."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.recorder import Link, NightSnapshot, Recorder
from ledger.recorder.views.ledger import RoundAccount
from ledger.recorder.views.night import Frame
from ledger.recorder.views.worth import Worths
from ledger.store import Reader
from ledger.web import Settings, create_app
from ledger.web.pages.ledger import ledger
from ledger.web.pages.shared import page_cache
from tests.web.phones import Phone, Table, take
from tests.web.routes import played

PLACES = ("", "/ledger", "/rounds", "/rounds/1", "/rounds/1?move=2", "/rounds/3")
ID = re.compile(r'name="id" value="([^"]+)"')


def pages_of(client: FlaskClient, table: Table, *, language: str) -> dict[tuple[str, str], str]:
    """Every page by role and place, without the ids of its forms."""
    phones = {"keeper": table.keeper, "watch": table.watch, "p1": table.seat("p1"), "p2": table.seat("p2")}
    pages = {}
    for who, phone in phones.items():
        for place in PLACES:
            answer = client.get(
                f"/n/{table.night}{place}", headers=phone.headers | {"Accept-Language": language}
            )
            pages[who, place] = f"{answer.status_code}\n{ID.sub('', answer.text)}"
    return pages


def happenings(table: Table, recorder: Recorder) -> Iterator[str]:
    """Record events of many kinds on a played night, one per step; yields its name."""
    keeper = table.caught_up()

    def record(phone: Phone, kind: str, **content: object) -> str:
        phone.after = keeper.after
        phone.record(kind, **content)
        keeper.after = phone.after
        return kind

    seat = table.seat("p1")
    yield "nothing"
    yield record(keeper, "play", seat="p1", cards=["3s"])
    yield record(keeper, "undo")
    yield record(seat, "confirm", round=1)
    yield record(table.seat("p2"), "dispute", round=1, payment={"seq": 7, "idx": 1}, reason="sai")
    yield record(keeper, "decide", dispute=keeper.board()["seq"], decision="kept", reason="đúng")
    yield record(keeper, "adjust", payer="p1", payee="p2", points=3, reason="muộn")
    yield record(keeper, "rename", player="p2", name="Bính")
    yield record(keeper, "join", name="Em")
    for round in (2, 3):
        yield record(keeper, "void", round=round, reason="chia nhầm")
    recorder.forget(table.night)
    yield "forgotten names"
    yield record(keeper, "end")


@pytest.mark.slow
def test_whatever_happens_a_page_is_what_would_be_written_now(app: Flask, settings: Settings) -> None:
    table = played(app)
    recorder = Recorder.open(settings.database_url, settings.key)
    client = app.test_client()
    for what, language in zip(happenings(table, recorder), cycle(("vi", "en"))):
        first = pages_of(client, table, language=language)
        again = pages_of(client, table, language=language)
        written_now = pages_of(create_app(settings).test_client(), table, language=language)
        assert first == again == written_now, what


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The nights whose frame was read, which rendering the ledger does."""
    asked: list[str] = []
    real = NightSnapshot.frame

    def frame(self: NightSnapshot, actor: Link) -> Frame:
        asked.append(actor.night)
        return real(self, actor)

    with monkeypatch.context() as patched:
        patched.setattr(NightSnapshot, "frame", frame)
        yield asked


def test_phones_that_ask_at_once_wait_for_one_page(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = played(app)
    together = Barrier(8)

    def ask(_: int) -> str:
        together.wait()
        return app.test_client().get(f"/n/{table.night}/ledger", headers=table.watch.headers).text

    with counting(monkeypatch) as asked, ThreadPoolExecutor(8) as phones:
        assert len(set(phones.map(ask, range(8)))) == 1
    assert asked == [table.night]


def test_the_ledger_renders_only_the_rounds_that_have_changed(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, client = played(app), app.test_client()
    keeper, rendered, real = table.caught_up(), list[int](), ledger._written

    def written(board: Frame, round: RoundAccount, worths: Worths | None) -> object:
        rendered.append(round.number)
        return real(board, round, worths)

    def ask(line: str, language: str = "vi") -> list[int]:
        """The rounds that the page renders after an entry."""
        keeper.tell(line)
        rendered.clear()
        headers = {**table.watch.headers, "Accept-Language": language}
        assert client.get(f"/n/{table.night}/ledger", headers=headers).status_code == 200
        return rendered

    monkeypatch.setattr(ledger, "_written", written)
    assert ask("pay p1 p2 3 nước") == [0, 1]
    assert ask("note deals p2") == []
    assert ask("pay p1 p2 3 bia") == [0]
    assert ask("note deals p1", "en") == [0, 1]
    assert ask("rename p2 Bính") == [0, 1]


def test_each_phone_has_ids_of_its_own_in_its_forms(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, client = played(app), app.test_client()
    with counting(monkeypatch) as asked:
        pages = [client.get(f"/n/{table.night}/ledger", headers=table.keeper.headers).text for _ in range(3)]
    assert asked == 3 * [table.night]
    ids = [id for page in pages for id in ID.findall(page)]
    assert len(ids) == len(set(ids)) == 3 * 2
    assert len({ID.sub("", page) for page in pages}) == 1


def test_a_page_that_is_written_costs_one_look_at_the_night(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, browser = played(app), app.test_client()
    take(browser, table, "watch")
    first = browser.get(f"/n/{table.night}/ledger").text
    looked: list[str] = []
    night_head = Reader.night_head

    def look(reader: Reader, night: str) -> Any:
        looked.append(night)
        return night_head(reader, night)

    monkeypatch.setattr(Reader, "night_head", look)
    assert browser.get(f"/n/{table.night}/ledger").text == first
    assert looked == [table.night]


def test_a_phones_settings_and_its_language_are_on_its_page(app: Flask) -> None:
    table = played(app)
    plain, set_to_four = app.test_client(), app.test_client()
    set_to_four.post("/phone", data={"set": "suits", "back": "/"})
    for _ in range(2):
        for client, four in ((plain, False), (set_to_four, True)):
            page = client.get(f"/n/{table.night}", headers=table.watch.headers).text
            assert ('class="four-colours"' in page) is four
        for language in ("vi", "en"):
            headers = table.watch.headers | {"Accept-Language": language}
            assert f'<html lang="{language}"' in plain.get(f"/n/{table.night}", headers=headers).text


def test_a_phone_that_holds_several_seats_speaks_for_all_of_them(app: Flask) -> None:
    table = played(app)
    one, both = app.test_client(), app.test_client()
    for client, seats in ((one, ["p1"]), (both, ["p1", "p2"])):
        for seat in seats:
            client.post(f"/t/{table.tokens['seats'][seat]}")
    for _ in range(2):
        for client, seats in ((one, ["p1"]), (both, ["p1", "p2"])):
            page = client.get(f"/n/{table.night}/rounds/1").text
            assert re.findall(r'name="seat" value="(p\d)"', page) == seats


def test_pages_take_no_more_room_than_there_is(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, client = played(app), app.test_client()
    page = client.get(f"/n/{table.night}/ledger", headers=table.watch.headers)
    monkeypatch.setattr(page_cache, "MOST_BYTES", 3 * len(page.data))
    with counting(monkeypatch) as asked:
        for number in range(6):
            client.get(f"/n/{table.night}/ledger?{number}", headers=table.watch.headers)
        assert len(asked) == 6
        for number in (5, 4, 0):
            client.get(f"/n/{table.night}/ledger?{number}", headers=table.watch.headers)
    assert len(asked) == 7


def test_addresses_of_no_page_take_no_more_room_either(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, client = played(app), app.test_client()
    monkeypatch.setattr(page_cache, "MOST_BYTES", 8 * page_cache.BYTES_OF_ADDRESS)
    for number in range(4, 20):
        page = client.get(f"/n/{table.night}/rounds/{number}", headers=table.watch.headers)
        assert page.status_code == 404
    assert 0 < len(app.extensions[page_cache.EXTENSION]) <= 8
