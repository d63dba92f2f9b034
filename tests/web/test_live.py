"""Live updates: streams of a real server with several processes."""

import json
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.recorder import Recorder
from ledger.web import Settings
from ledger.web.live import end_streams_when
from tests.cli.commands import tamper
from tests.nights import Data
from tests.servers import Served
from tests.web.phones import NIGHTS, Phone, new_night, open_table
from tests.web.streams import Night

pytestmark = pytest.mark.slow


def test_an_entry_reaches_every_stream_of_every_process(server: Served) -> None:
    night = Night(server)
    with ExitStack() as phones:
        # The kernel distributes them over both processes.
        streams = [phones.enter_context(night.stream()) for _ in range(6)]
        recorded = night.note()
        for stream in streams:
            message = next(stream.messages())
            assert message.id == message.data["seq"] == recorded["seq"]
            assert message.data["hash"] == recorded["hash"]
            assert stream.beats == 0, "soon, not when a silence is broken"


def test_a_stream_is_one_of_server_sent_events_that_no_proxy_holds_back(server: Served) -> None:
    with Night(server).stream() as stream:
        headers = stream.response.headers
        assert stream.response.status == 200
        assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert headers["X-Accel-Buffering"] == "no"
        assert headers["Cache-Control"] == "no-store"
        assert stream.response.readline() == b"retry: 1000\n"


def test_it_goes_on_from_the_entry_that_was_seen_last(server: Served) -> None:
    night = Night(server)
    seqs = [night.note()["seq"] for _ in range(2)]
    with night.stream(f"?after={seqs[0]}") as asked, night.stream(**_last_id(seqs[0])) as resumed:
        assert next(asked.messages()).id == next(resumed.messages()).id == seqs[1]
    with night.stream("?after=0", **_last_id(seqs[1])) as subscriber:
        night.note()
        assert next(subscriber.messages()).id == seqs[1] + 1


def test_who_has_seen_more_than_there_is_is_told_once_how_far_the_log_is(server: Served) -> None:
    night = Night(server)
    night.note()
    with night.stream(**_last_id(99)) as ahead:
        messages = ahead.messages()
        assert next(messages).id == 1
        night.note()
        assert next(messages).id == 2


def _last_id(seq: int) -> dict[str, str]:
    return {"Last-Event-ID": str(seq)}


def test_only_the_night_that_changed_is_told(server: Served) -> None:
    quiet, loud = Night(server), Night(server)
    with quiet.stream() as stream, loud.stream() as other:
        loud.note()
        assert next(other.messages()).id == 1
        recorded = quiet.note()
        assert next(stream.messages()).data["hash"] == recorded["hash"]


def test_a_stream_needs_a_link_to_the_night(server: Served) -> None:
    night, other = Night(server), Night(server)
    path = f"{night.path}/live"
    assert server.get(path).status == 401
    assert server.get(path, other.tokens["watch"]).status == 404
    assert server.get(f"{path}?after=-1", night.tokens["watch"]).status == 400


def test_streams_are_capped_and_a_closed_one_leaves_its_place(app: Flask, settings: Settings) -> None:
    client = app.test_client()
    content = new_night()
    token = client.post(NIGHTS, json=content).json["tokens"]["watch"]  # type: ignore[index]
    address = f"{NIGHTS}/{content['id']}/live"
    headers = {"Authorization": f"Bearer {token}"}
    streams = [client.get(address, headers=headers) for _ in range(settings.streams)]
    assert {stream.status_code for stream in streams} == {200}
    assert client.get(address, headers=headers).status_code == 204
    streams.pop().close()
    streams.append(client.get(address, headers=headers))
    assert streams[-1].status_code == 200
    end_streams_when(app, lambda: True)
    for stream in streams:
        assert "data:" not in stream.get_data(as_text=True)
    assert client.get(address, headers=headers).status_code == 204


class Watched(NamedTuple):
    """A night in an application of this process, with the headers for its streams."""

    client: FlaskClient
    keeper: Phone
    headers: dict[str, str]

    def stream(self) -> TestResponse:
        return self.client.get(f"{NIGHTS}/{self.keeper.night}/live", headers=self.headers)


@pytest.fixture
def watched(app: Flask) -> Watched:
    table = open_table(app.test_client())
    return Watched(table.client, table.keeper, {"Authorization": f"Bearer {table.tokens['watch']}"})


def first_message(stream: TestResponse) -> Data:
    for part in stream.iter_encoded():  # heartbeats come until there is a message
        for line in part.decode().splitlines():
            if line.startswith("data: "):
                data: Data = json.loads(line.removeprefix("data: "))
                return data
    raise AssertionError("the stream ended")


@pytest.mark.parametrize("error", [KeyError("odd"), RuntimeError("can't start new thread")])
def test_whatever_is_raised_while_looking_streams_are_told_of_the_next_entry(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    raised = Event()

    def fail_once(recorder: Recorder, nights: Iterable[str], usual: Any = Recorder.heads) -> Any:
        if current_thread().name == "broadcaster" and not raised.is_set():
            raised.set()
            raise error
        return usual(recorder, nights)

    monkeypatch.setattr(Recorder, "heads", fail_once)
    with closing(watched.stream()) as stream:
        assert raised.wait()
        watched.keeper.record("round", opening=True)
        assert first_message(stream)["seq"] == 1


def test_a_night_that_is_gone_silences_no_other(settings: Settings, watched: Watched) -> None:
    """As after an earlier state of the database was put back."""
    gone = open_table(watched.client)
    with (
        closing(gone.keeper.client.get(f"{NIGHTS}/{gone.night}/live", headers=gone.keeper.headers)) as silent,
        closing(watched.stream()) as stream,
    ):
        assert (silent.status_code, stream.status_code) == (200, 200)
        database = Path(settings.database_url.removeprefix("sqlite:///"))
        tamper(
            database,
            *(f"DELETE FROM {rows} = '{gone.night}'" for rows in ("person WHERE night", "night WHERE id")),
        )
        watched.keeper.record("round", opening=True)
        assert first_message(stream)["seq"] == 1


def test_a_thread_that_cannot_be_started_takes_no_place_for_good(
    app: Flask, settings: Settings, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(Thread, "start", fail)
        for _ in range(settings.streams + 1):
            assert watched.stream().status_code == 204
    with ExitStack() as phones:
        streams = [phones.enter_context(closing(watched.stream())) for _ in range(settings.streams)]
        assert {stream.status_code for stream in streams} == {200}
        watched.keeper.record("round", opening=True)
        assert first_message(streams[-1])["seq"] == 1
    end_streams_when(app, lambda: True)
