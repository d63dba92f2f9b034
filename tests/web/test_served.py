"""The interface on a real server: several processes, and chunked bodies."""

import http.client
import json
import re
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from ledger.web.request_body import JSON_BYTES
from ledger.web.security import ALWAYS, DEFAULT_HEADERS
from tests.cli.commands import tienlen
from tests.servers import Served
from tests.web.phones import NIGHTS, Data, new_id, new_night

JSON = "application/json"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


def opened(server: Served) -> tuple[str, str]:
    """Open a night; returns its id and its keeper's token."""
    request = new_night()
    status, data = server.send(NIGHTS, request)
    assert status == 201
    return request["id"], data["tokens"]["keeper"]


def log_of(server: Served, night: str, token: str) -> list[Data]:
    events: list[Data] = server.call("GET", f"{NIGHTS}/{night}/events", Authorization=f"Bearer {token}")[1][
        "events"
    ]
    return events


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({"TIENLEN_HOSTS": "127.0.0.1", "TIENLEN_PROXIES": "1"}, "https://127.0.0.1/t/"),
        ({"TIENLEN_ADDRESS": "https://so.example/"}, "https://so.example/t/"),
    ],
)
def test_a_server_leaves_its_address_to_the_commands_that_print_links_for_as_long_as_it_runs(
    tmp_path: Path, environment: dict[str, str], address: str
) -> None:
    database = f"sqlite:///{tmp_path / 'ledger.db'}"
    with Served(tmp_path, environment=environment) as server:
        night, _ = opened(server)
        printed = [tienlen("--database", database, *command).out for command in (("link", night), ("demo",))]
        assert all(f"keeper  {address.format(port=server.port)}" in out for out in printed)
        server.stop()
        assert "keeper  http://127.0.0.1:8000/t/" in tienlen("--database", database, "link", night).out


@pytest.mark.slow
def test_a_server_for_the_network_is_reached_over_ipv6_too(tmp_path: Path) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with Served(tmp_path, options=["--lan"]) as server:
        for host in ("127.0.0.1", "::1"):
            server.host = host
            assert opened(server)


@pytest.mark.slow
def test_of_many_phones_that_record_after_the_same_event_one_does(server: Served) -> None:
    night, token = opened(server)
    events = [{"id": new_id(), "after": night, "kind": "round", "opening": True} for _ in range(12)]
    with ThreadPoolExecutor(len(events)) as threads:
        answers = list(
            threads.map(lambda event: server.send(f"{NIGHTS}/{night}/events", event, token), events)
        )
    assert sorted(status for status, _ in answers) == [201, *[409] * 11]
    assert len(log_of(server, night, token)) == 1


@pytest.mark.slow
def test_an_event_sent_many_times_at_once_is_recorded_once(server: Served) -> None:
    night, token = opened(server)
    event = {"id": new_id(), "after": night, "kind": "round", "opening": True}
    with ThreadPoolExecutor(12) as threads:
        answers = list(
            threads.map(lambda _: server.send(f"{NIGHTS}/{night}/events", event, token), range(12))
        )
    assert sorted(status for status, _ in answers) == [*[200] * 11, 201]
    assert len(log_of(server, night, token)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("padding", "status"), [(0, 201), (JSON_BYTES, 413), (40 * JSON_BYTES, 413)])
def test_a_body_in_chunks_is_read_whole_or_refused(server: Served, padding: int, status: int) -> None:
    """A body silently truncated at the limit would be a valid event."""
    night, token = opened(server)
    event = json.dumps({"id": new_id(), "after": night, "kind": "round", "opening": True}).encode()
    body = event + b" " * padding
    chunks = [body[place : place + 1000] for place in range(0, len(body), 1000)]
    headers = {
        "Content-Type": "application/json",
        "Authorization": f"Bearer {token}",
        "Transfer-Encoding": "chunked",
    }
    assert server.call("POST", f"{NIGHTS}/{night}/events", iter(chunks), **headers)[0] == status
    assert len(log_of(server, night, token)) == (status == 201)


@pytest.mark.slow
@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n4\r\n{}  XX",
        b"Transfer-Encoding: gzip\r\n",
        b"Transfer-Encoding: identity, chunked\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 1e3\r\n",
    ],
)
def test_a_body_that_is_framed_wrong_is_refused_and_records_nothing(server: Served, head: bytes) -> None:
    night, token = opened(server)
    request = (
        f"POST {NIGHTS}/{night}/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
    )
    request += f"Authorization: Bearer {token}\r\n".encode() + head + b"\r\n" + b'{"id"\r\n'
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(request)
        answer = connection.recv(65536)
    assert re.match(rb"HTTP/1\.[01] 4", answer)
    assert log_of(server, night, token) == []
    assert server.call("GET", "/healthz")[0] == 200


@pytest.mark.slow
def test_a_form_that_breaks_off_where_it_is_still_a_form_records_nothing(server: Served) -> None:
    """A pair cut off after its first card would be recorded as a single."""
    night, token = opened(server)
    form = f"id={new_id()}&after={night}&kind=round&opening=yes&seats=p1&seats=p2&seats=p3&seats=p4".encode()
    head = f"POST /n/{night} HTTP/1.1\r\nHost: x\r\nCookie: tienlen-{night}-keeper={token}\r\n"
    head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head.encode() + form[: -len("&seats=p4")])
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(65536) == b""
    assert log_of(server, night, token) == []
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head.encode() + form)
        assert connection.recv(65536).startswith(b"HTTP/1.1 303")
    assert len(log_of(server, night, token)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_line", "head", "status"),
    [
        (b"GET /SECRET HTTP/9.9", b"", 400),
        (b"SECRET", b"", 400),
        (b"G\x00T /SECRET HTTP/1.1", b"", 400),
        (b"GET /" + b"SECRET" * 3000 + b" HTTP/1.1", b"", 431),
        (b"GET / HTTP/1.1", b"Cookie: " + b"SECRET" * 3000, 431),
        (b"GET / HTTP/1.1", b"X SECRET: 1", 400),
        (b"POST / HTTP/1.1", b"Transfer-Encoding: SECRET", 400),
        (b"POST / HTTP/1.1", b"Transfer-Encoding: identity, chunked", 400),
        (b"POST / HTTP/1.0", b"Transfer-Encoding: chunked", 400),
        (b"POST / HTTP/1.1", b"Content-Length: 2\r\nTransfer-Encoding: chunked", 400),
        (b"POST / HTTP/1.1", b"Content-Length: SECRET", 400),
        (b"POST / HTTP/1.1", b"Content-Length: 2\r\nContent-Length: 3", 400),
        (b"POST / HTTP/1.1", b"Content-Length: 50000000", 413),
    ],
)
def test_what_is_no_http_is_answered_with_every_header_and_repeated_nowhere(
    server: Served, request_line: bytes, head: bytes, status: int
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(request_line + b"\r\nHost: x\r\n" + head + b"\r\n\r\n")
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
    assert answer.status == status
    assert {name: answer.headers[name] for name in ALWAYS | DEFAULT_HEADERS} == ALWAYS | DEFAULT_HEADERS
    assert json.loads(body)["status"] == status
    assert b"SECRET" not in body + server.log.read_bytes()


@pytest.mark.slow
def test_a_request_that_names_no_host_is_refused_where_http_asks_for_one(server: Served) -> None:
    for version, status in ((b"1.1", b"400"), (b"1.0", b"200")):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(b"GET /healthz HTTP/" + version + b"\r\n\r\n")
            assert connection.recv(65536).split(b" ")[1] == status


@pytest.mark.slow
def test_a_proxy_that_nobody_named_is_not_believed(server: Served) -> None:
    body = json.dumps(new_night()).encode()
    forwarded = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "evil.example",
        "Content-Type": "application/json",
    }
    status, opened = server.call("POST", NIGHTS, body, **forwarded)
    assert status == 201
    assert opened["links"]["keeper"].startswith(f"http://127.0.0.1:{server.port}/t/")


@pytest.mark.slow
def test_a_phone_that_polls_keeps_its_connection(server: Served) -> None:
    night, token = opened(server)
    headers = {"Authorization": f"Bearer {token}"}
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as phone:
        used = set()
        for status in (200, 304, 304):
            phone.request("GET", f"{NIGHTS}/{night}", headers=headers)
            used.add(phone.sock.getsockname())
            answer = phone.getresponse()
            assert (answer.status, bool(answer.read())) == (status, status == 200)
            headers["If-None-Match"] = answer.headers["ETag"]
        assert len(used) == 1
        phone.request("GET", f"{NIGHTS}/{night}", headers={**headers, "Connection": "close"})
        assert phone.getresponse().headers["Connection"] == "close"


@pytest.mark.slow
def test_the_server_does_not_tell_what_it_is(server: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/healthz")
    headers = connection.getresponse().headers
    connection.close()
    assert not {"server", "x-powered-by"} & {name.lower() for name in headers}


@pytest.mark.slow
def test_all_processes_let_no_more_guesses_pass_than_one_would(server: Served) -> None:
    """Each process allows its share of 300 a minute."""
    statuses = Counter(server.call("GET", "/t/nothing", Accept=JSON)[0] for _ in range(320))
    assert statuses.keys() == {404, 429}
    assert statuses[404] <= 300
