"""Observability: request ids, log lines and counts; none of them holds a secret."""

import io
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.store import StoreFull
from ledger.web import Settings, create_app
from ledger.web.logs import LOG, formatter, log_to
from ledger.web.observability.metrics import FOLDER_VARIABLE, Metrics
from ledger.web.observability.periodic_audit import start_auditor
from tests.nights import Data
from tests.processes import wait_for
from tests.web.costing import Cost, Evening, Meter
from tests.web.phones import NIGHTS, Phone, Table, answered, new_night, open_table

ID = "X-Request-ID"
PORT = 9464


class Reader(FlaskClient):
    """Reads each response to its end, as servers do: then it is logged. A stream is logged when it begins."""

    def open(self, *args: Any, buffered: bool = False, **asked: Any) -> TestResponse:
        answer = super().open(*args, buffered=buffered, **asked)
        if answer.mimetype != "text/event-stream":
            answer.get_data()
            answer.close()
        return answer


@pytest.fixture(autouse=True)
def readers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Flask, "test_client_class", Reader)
    yield
    LOG.setLevel(logging.NOTSET)  # otherwise each request of a later test in this process would cost a line


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[logging.LogRecord]:
    """The log records from here on."""
    logged: list[logging.LogRecord] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", logged.append)
    monkeypatch.setattr(LOG, "handlers", [handler])
    monkeypatch.setattr(LOG, "propagate", False)
    LOG.setLevel(logging.INFO)
    return logged


def facts(record: logging.LogRecord) -> Data:
    """A log line, parsed."""
    data: Data = json.loads(formatter(readable=False).format(record))
    return data


def test_every_answer_has_an_id_of_its_own(client: FlaskClient, table: Table) -> None:
    paths = ["/", "/healthz", "/nothing", f"{NIGHTS}/{table.night}", f"/t/{table.tokens['watch']}"]
    ids = [client.get(path).headers[ID] for path in paths]
    assert all(re.fullmatch("[0-9a-f]{16}", id) for id in ids)
    assert len(set(ids)) == len(ids)


def test_an_id_is_taken_from_a_trusted_proxy_if_it_is_one(settings: Settings, client: FlaskClient) -> None:
    behind_a_proxy = create_app(replace(settings, proxies=1)).test_client()
    for given in ("5f1e-A.b_c", "x" * 64):
        assert id_of(behind_a_proxy, given) == given
        assert id_of(client, given) != given
    for given in ("short", "x" * 65, "two words", "Bình-Bình", ""):
        assert id_of(behind_a_proxy, given) != given


def id_of(client: FlaskClient, given: str) -> str:
    """The id of the response to a request that came with one."""
    headers = {ID: given.encode().decode("latin-1"), "Accept": "application/json"}
    answer = client.get("/nothing", headers=headers)
    assert answered(answer)["request_id"] == answer.headers[ID]
    return answer.headers[ID]


def test_a_page_of_an_error_says_by_which_id_to_ask_for_it(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"en": "Tell whoever runs the server", "vi": "quản lý máy chủ"}
    for error, status in ((StoreFull("no room"), 503), (ZeroDivisionError(), 500)):
        monkeypatch.setattr("ledger.web.pages.people.link_of_token", raising(error))
        for language, sentence in words.items():
            answer = client.get("/t/x", headers={"Accept": "text/html", "Accept-Language": language})
            assert answer.status_code == status
            assert f"<code>{answer.headers[ID]}</code>" in answer.text
            assert sentence in answer.text


def raising(error: Exception) -> Any:
    def fail(*_: object) -> None:
        raise error.with_traceback(None)  # its traceback would grow each time

    return fail


def test_what_goes_wrong_for_who_asks_is_no_fault_of_the_server(client: FlaskClient) -> None:
    answer = client.get("/nothing", headers={"Accept": "text/html"})
    assert answer.headers[ID] not in answer.text


def test_a_line_tells_what_was_done_by_which_kind_of_link(
    keeper: Phone, lines: list[logging.LogRecord]
) -> None:
    keeper.record("round", opening=True)
    fields = facts(lines[-1])
    assert fields.pop("ms") > 0
    assert fields.pop("timestamp").endswith("Z")
    assert re.fullmatch("[0-9a-f]{16}", fields.pop("id"))
    assert fields == {
        "level": "info",
        "event": "request",
        "method": "POST",
        "route": "/api/v1/nights/<night:night>/events",
        "status": 201,
        "night": keeper.night,
        "role": "keeper",
        "recorded": ["round"],
    }


def test_a_line_tells_why_a_request_was_refused(table: Table, lines: list[logging.LogRecord]) -> None:
    table.keeper.record("round", opening=True)
    table.keeper.ask("round", opening=True)
    assert [facts(lines[-1])[name] for name in ("status", "code", "role")] == [409, "stale", "keeper"]
    table.watch.ask("undo")
    assert [facts(lines[-1])[name] for name in ("status", "code", "role")] == [403, "forbidden", "watch"]
    assert "recorded" not in facts(lines[-1])


def test_a_refusal_on_a_page_is_told_by_its_code(table: Table, lines: list[logging.LogRecord]) -> None:
    client = table.client
    client.post(f"/t/{table.tokens['keeper']}", headers={"Sec-Fetch-Site": "same-origin"})
    form = {"id": table.night, "after": table.night, "kind": "undo"}
    answer = client.post(f"/n/{table.night}", data=form, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code >= 400
    fields = facts(lines[-1])
    assert (fields["status"], fields["role"]) == (answer.status_code, "keeper")
    assert fields["code"]


def test_an_address_is_told_by_its_rule_and_one_that_follows_none_not_at_all(
    client: FlaskClient, table: Table, lines: list[logging.LogRecord]
) -> None:
    token = table.tokens["keeper"]
    client.get(f"/t/{token}")
    client.get(f"/t/{token}/more?name=Kim")
    client.open("/", method="BÌNH".encode().decode("latin-1"))
    assert [facts(line)["route"] for line in lines[-3:]] == ["/t/<token>", "none", "none"]
    assert facts(lines[-1])["method"] == "other"
    assert token not in "".join(map(formatter(readable=False).format, lines))


def test_that_there_is_nothing_new_is_not_worth_a_line(keeper: Phone, lines: list[logging.LogRecord]) -> None:
    etag = keeper.get().headers["ETag"]
    assert len(lines) == 1
    unchanged = keeper.get(**{"If-None-Match": etag})
    assert (unchanged.status_code, len(lines)) == (304, 1)
    assert unchanged.headers[ID]


def test_a_healthy_server_is_not_worth_a_line(client: FlaskClient, lines: list[logging.LogRecord]) -> None:
    client.get("/healthz")
    assert lines == []


def test_an_error_is_told_by_where_it_was_and_not_by_what_it_says(
    app: Flask, monkeypatch: pytest.MonkeyPatch, lines: list[logging.LogRecord]
) -> None:
    def fail(_token: str) -> None:
        try:
            int("Bình")
        except ValueError as error:
            raise KeyError("2♥ of Bình") from error

    monkeypatch.setattr("ledger.web.pages.people.link_of_token", fail)
    answer = app.test_client().get("/t/secret")
    failed, request = map(facts, lines[-2:])
    assert failed["id"] == request["id"] == answer.headers[ID]
    assert (failed["event"], failed["level"], request["status"]) == ("failed", "error", 500)
    assert [error["type"] for error in failed["errors"]] == ["builtins.KeyError", "builtins.ValueError"]
    assert any(line.endswith(" land") and "people.py:" in line for line in failed["errors"][0]["lines"])
    for readable in (True, False):
        text = "".join(map(formatter(readable=readable).format, lines))
        assert "Bình" not in text
        assert "secret" not in text


def test_an_unexpected_error_in_a_night_reads_its_log_once_and_audits_nothing(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug would otherwise make each request for the page as dear as an audit."""
    monkeypatch.setattr("ledger.web.pages.ledger.statistics.nights_held", raising(ZeroDivisionError()))
    found: list[tuple[int, Cost, Cost]] = []
    for rounds in (1, 2):
        evening = Evening(app.test_client())
        evening.play_rounds(rounds)

        def fail(evening: Evening = evening) -> None:
            assert evening.phone.get(f"/n/{evening.table.night}/statistics").status_code == 500

        with Meter(app).installed() as meter:
            first, again = meter.cost(fail), meter.cost(fail)
        found.append((len(evening.keeper.log()), first, again))
    (few, first_of_few, again_of_few), (many, first_of_many, again_of_many) = found
    assert first_of_many.calls - first_of_few.calls < 20 * (many - few)
    assert again_of_many.statements == again_of_few.statements
    assert again_of_many.calls == pytest.approx(again_of_few.calls, rel=0.1)


def test_the_server_itself_tells_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """waitress logs the address of a failed request, which may be a link."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    stream = io.StringIO()
    log_to(stream)
    try:
        int("Bình")
    except ValueError:
        logging.getLogger("waitress").exception("Exception while serving /t/%s", "SECRET")
    report = json.loads(stream.getvalue())
    assert report["errors"][0]["type"] == "builtins.ValueError"
    assert "SECRET" not in stream.getvalue()
    assert "Bình" not in stream.getvalue()


def test_what_the_store_cannot_do_is_told_with_its_reason(
    app: Flask, monkeypatch: pytest.MonkeyPatch, lines: list[logging.LogRecord]
) -> None:
    monkeypatch.setattr("ledger.web.pages.people.link_of_token", raising(StoreFull("no room on the disk")))
    app.test_client().get("/t/x")
    fields = facts(lines[-2])
    assert (fields["event"], fields["error"], fields["says"]) == ("store", "StoreFull", "no room on the disk")
    assert facts(lines[-1])["code"] == "full"


# Counts


@pytest.fixture
def counted(settings: Settings) -> FlaskClient:
    """A client of an app with metrics."""
    return create_app(replace(settings, metrics_port=PORT)).test_client()


def ask_metrics(client: FlaskClient, path: str, *, port: int = PORT, **options: Any) -> Any:
    """Send a request as if it came in by this port."""
    return client.open(path, environ_overrides={"SERVER_PORT": str(port)}, **options)


def counts(client: FlaskClient) -> dict[str, float]:
    """The counters, by name and labels."""
    text = ask_metrics(client, "/metrics").text
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_what_is_recorded_refused_and_too_late_is_counted(counted: FlaskClient) -> None:
    table = open_table(counted)
    keeper = table.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    keeper.ask("play", seat="p1", cards=["3s"])
    table.keeper.ask("round", opening=True)
    table.watch.ask("undo")
    found = counts(counted)
    route = 'method="POST",route="/api/v1/nights/<night:night>/events"'
    expected = {
        'tienlen_entries_total{kind="night"}': 1,
        'tienlen_entries_total{kind="round"}': 1,
        'tienlen_entries_total{kind="play"}': 1,
        'tienlen_conflicts_total{code="stale"}': 1,
        'tienlen_refusals_total{code="stale"}': 1,
        'tienlen_refusals_total{code="forbidden"}': 1,
        f'tienlen_requests_total{{{route},status="201"}}': 2,
        f"tienlen_request_seconds_count{{{route}}}": 5,
        "tienlen_open_streams": 0,
    }
    assert {name: found[name] for name in expected} == expected
    assert table.night not in ask_metrics(counted, "/metrics").text


def test_what_is_asked_again_is_recorded_and_counted_once(counted: FlaskClient) -> None:
    keeper = open_table(counted).keeper
    event = keeper.event("round", opening=True)
    assert [keeper.post(event).status_code for _ in range(3)] == [201, 200, 200]
    assert counts(counted)['tienlen_entries_total{kind="round"}'] == 1


def test_a_stream_is_counted_for_as_long_as_it_is_open(counted: FlaskClient) -> None:
    watch = open_table(counted).watch
    stream = watch.get("/live")
    assert counts(counted)["tienlen_open_streams"] == 1
    stream.close()
    assert counts(counted)["tienlen_open_streams"] == 0


def test_metrics_are_told_on_their_own_port_alone(counted: FlaskClient) -> None:
    host = {"Host": f"127.0.0.1:{PORT}", "X-Forwarded-Port": str(PORT), "X-Forwarded-For": "127.0.0.1"}
    for path in ("/metrics", "/status"):
        assert ask_metrics(counted, path).status_code == 200
        assert ask_metrics(counted, path, port=8000, headers=host).status_code == 404
        assert counted.get(path, headers=host).status_code == 404
        assert ask_metrics(counted, path, method="POST").status_code == 404
    assert ask_metrics(counted, "/").status_code == ask_metrics(counted, "/healthz").status_code == 404


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "localhost.evil.example", ""])
def test_metrics_are_told_to_no_page_that_leads_a_browser_here_by_another_name(
    counted: FlaskClient, host: str
) -> None:
    for path in ("/metrics", "/status", "/nothing"):
        assert ask_metrics(counted, path, headers={"Host": host}).status_code == 400
        assert ask_metrics(counted, path, headers={"Host": f"localhost:{PORT}"}).status_code in (200, 404)


def test_the_status_says_how_much_there_is_and_nothing_that_is_anybodys(counted: FlaskClient) -> None:
    night = new_night(players=["Kim Ngân", "Bình"])
    counted.post(NIGHTS, json=night)
    answer = ask_metrics(counted, "/status")
    status = answered(answer)
    assert (status["nights"], status["entries"], status["differences"]) == (1, 0, [])
    assert status["size"] > 0
    assert night["id"] not in answer.text
    assert "Kim" not in answer.text


def test_an_audit_now_and_then_is_told_and_counted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, lines: list[logging.LogRecord], tmp_path: Path
) -> None:
    """A stand-in for `tienlen audit`, whose exit status is read from a file."""
    status = tmp_path / "status"
    ends = f"raise SystemExit(int(open({str(status)!r}).read()))"
    monkeypatch.setattr("ledger.web.observability.periodic_audit._AUDIT", (sys.executable, "-SIc", ends))
    status.write_text("0")
    app = create_app(replace(settings, metrics_port=PORT, audit_hours=0.02 / 3600))
    counted, audited = app.test_client(), threading.Event()
    name, at = "tienlen_audit_mismatches", "tienlen_audit_timestamp_seconds"
    assert (counts(counted)[name], counts(counted)[at]) == (0, 0)
    start_auditor(app, lambda: not audited.is_set())
    wait_for(lambda: counts(counted)[at] > 0)
    assert counts(counted)[name] == 0
    status.write_text("1")
    wait_for(lambda: counts(counted)[name] == 1)
    status.write_text("2")
    wait_for(lambda: "it could not be done" in facts(lines[-1])["says"])
    audited.set()
    messages = [facts(line)["says"].partition(":")[0] for line in lines]
    assert list(dict.fromkeys(messages)) == [
        "everything is as it was written",
        "there is a difference",
        "it could not be done",
    ]


def test_where_a_person_reads_it_the_log_is_readable() -> None:
    record = LOG.makeRecord(
        LOG.name, logging.INFO, "", 0, "request", (), None, extra={"route": "/", "status": 200}
    )
    line = formatter(readable=True).format(record)
    assert "request" in line
    assert "status" in line
    with pytest.raises(ValueError, match="Expecting value"):
        json.load(io.StringIO(line))


def test_a_file_of_counts_that_a_process_has_just_made_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scrape in that moment was answered with 500."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "counter_1.db").touch()
    (tmp_path / "gauge_livesum_2.db").symlink_to("of a process that has ended")
    assert Metrics().text() == b""
