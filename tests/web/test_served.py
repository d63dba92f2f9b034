"""The interface on a real server: several processes, and chunked bodies."""

import http.client
import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from ledger.web.request_body import JSON_BYTES
from ledger.web.security import ALWAYS, DEFAULT_HEADERS
from tests.case_files import columns, lines_below
from tests.cli.commands import tienlen
from tests.nights import new_id
from tests.servers import JSON, Served
from tests.web.asking import as_bytes
from tests.web.phones import NIGHTS, new_night
from tests.web.streams import Night

pytestmark = pytest.mark.slow


def connected(server: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port))


def links_printed(server: Served) -> list[str]:
    """What the commands print that tell of links to nights."""
    night = Night(server).night
    return [tienlen("--database", server.database, *command).out for command in (("link", night), ("demo",))]


def test_commands_that_print_links_begin_them_with_the_address_of_the_server(server: Served) -> None:
    assert all(f"keeper  {server.address}/t/" in out for out in links_printed(server))


def test_behind_a_proxy_links_begin_with_the_name_of_the_host_for_as_long_as_the_server_runs(
    tmp_path: Path,
) -> None:
    with Served(tmp_path, environment={"TIENLEN_HOSTS": "127.0.0.1", "TIENLEN_PROXIES": "1"}) as server:
        night = Night(server).night
        assert all("keeper  https://127.0.0.1/t/" in out for out in links_printed(server))
        server.stop()
        assert "keeper  http://127.0.0.1:8000/t/" in tienlen("--database", server.database, "link", night).out


def test_a_server_for_the_network_is_reached_over_ipv6_too_and_by_the_address_that_it_was_given(
    tmp_path: Path,
) -> None:
    environment = {"TIENLEN_ADDRESS": "https://so.example/"}
    with Served(tmp_path, options=["--lan"], environment=environment) as server:
        assert all("keeper  https://so.example/t/" in out for out in links_printed(server))
        if not socket.has_dualstack_ipv6():
            pytest.skip("this machine has no IPv6")
        for server.host in ("127.0.0.1", "::1"):
            assert Night(server).log() == []


def test_of_many_phones_that_record_after_the_same_event_one_does(server: Served) -> None:
    night = Night(server)
    events = [night.event("round", opening=True) for _ in range(12)]
    with ThreadPoolExecutor(len(events)) as threads:
        answers = list(threads.map(night.send, events))
    assert sorted(answer.status for answer in answers) == [201, *[409] * 11]
    assert len(night.log()) == 1


def test_an_event_sent_many_times_at_once_is_recorded_once(server: Served) -> None:
    night = Night(server)
    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(night.send, [night.event("round", opening=True)] * 12))
    assert sorted(answer.status for answer in answers) == [*[200] * 11, 201]
    assert len(night.log()) == 1


@pytest.mark.parametrize(("padding", "status"), [(0, 201), (JSON_BYTES, 413), (40 * JSON_BYTES, 413)])
def test_a_body_in_chunks_is_read_whole_or_refused(server: Served, padding: int, status: int) -> None:
    """A body silently truncated at the limit would be a valid event."""
    night = Night(server)
    event = json.dumps(night.event("round", opening=True)).encode()
    body = event + b" " * padding
    chunks = [body[place : place + 1000] for place in range(0, len(body), 1000)]
    headers = {
        "Content-Type": JSON,
        "Authorization": f"Bearer {night.keeper}",
        "Transfer-Encoding": "chunked",
    }
    assert server.ask("POST", f"{night.path}/events", iter(chunks), **headers).status == status
    assert len(night.log()) == (status == 201)


@pytest.mark.parametrize("head", [*map(as_bytes, lines_below("requests.txt", "bodies framed wrong"))])
def test_a_body_that_is_framed_wrong_is_refused_and_records_nothing(server: Served, head: bytes) -> None:
    night = Night(server)
    request = f"POST {night.path}/events HTTP/1.1\r\nHost: x\r\nContent-Type: {JSON}\r\n".encode()
    request += f"Authorization: Bearer {night.keeper}\r\n".encode() + head + b"\r\n" + b'{"id"\r\n'
    with connected(server) as connection:
        connection.sendall(request)
        answer = connection.recv(65536)
    assert re.match(rb"HTTP/1\.[01] 4", answer)
    assert night.log() == []
    assert server.get("/healthz").status == 200


def test_a_form_that_breaks_off_where_it_is_still_a_form_records_nothing(server: Served) -> None:
    """A pair cut off after its first card would be recorded as a single."""
    night = Night(server)
    form = f"id={new_id()}&after={night.night}&kind=round&opening=yes&seats=p1&seats=p2&seats=p3&seats=p4".encode()
    head = f"POST /n/{night.night} HTTP/1.1\r\nHost: x\r\nCookie: tienlen-{night.night}-keeper={night.keeper}\r\n"
    head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n"
    with connected(server) as connection:
        connection.sendall(head.encode() + form[: -len("&seats=p4")])
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(65536) == b""
    assert night.log() == []
    with connected(server) as connection:
        connection.sendall(head.encode() + form)
        assert connection.recv(65536).startswith(b"HTTP/1.1 303")
    assert len(night.log()) == 1


@pytest.mark.parametrize(
    ("request_line", "head", "status"),
    [
        *(
            (*map(as_bytes, sent.split(" | ")), int(status))
            for sent, status in columns("requests.txt", "what is no HTTP")
        ),
        (b"GET /" + b"SECRET" * 3000 + b" HTTP/1.1", b"", 431),
        (b"GET / HTTP/1.1", b"Cookie: " + b"SECRET" * 3000, 431),
    ],
)
def test_what_is_no_http_is_answered_with_every_header_and_repeated_nowhere(
    server: Served, request_line: bytes, head: bytes, status: int
) -> None:
    with connected(server) as connection:
        connection.sendall(request_line + b"\r\nHost: x\r\n" + head + b"\r\n\r\n")
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
    assert answer.status == status
    assert {name: answer.headers[name] for name in ALWAYS | DEFAULT_HEADERS} == ALWAYS | DEFAULT_HEADERS
    assert json.loads(body)["status"] == status
    assert b"SECRET" not in body + server.log.read_bytes()


def test_a_request_that_names_no_host_is_refused_where_http_asks_for_one(server: Served) -> None:
    for version, status in ((b"1.1", b"400"), (b"1.0", b"200")):
        with connected(server) as connection:
            connection.sendall(b"GET /healthz HTTP/" + version + b"\r\n\r\n")
            assert connection.recv(65536).split(b" ")[1] == status


def test_a_proxy_that_nobody_named_is_not_believed(server: Served) -> None:
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    opened = server.send(NIGHTS, new_night(), **forwarded)
    assert opened.status == 201
    assert opened.data["links"]["keeper"].startswith(f"http://127.0.0.1:{server.port}/t/")


def test_a_phone_that_polls_keeps_its_connection(server: Served) -> None:
    night = Night(server)
    headers = {"Authorization": f"Bearer {night.keeper}"}
    with closing(http.client.HTTPConnection("127.0.0.1", server.port)) as phone:
        used = set()
        for status in (200, 304, 304):
            phone.request("GET", night.path, headers=headers)
            used.add(phone.sock.getsockname())
            answer = phone.getresponse()
            assert (answer.status, bool(answer.read())) == (status, status == 200)
            headers["If-None-Match"] = answer.headers["ETag"]
        assert len(used) == 1
        phone.request("GET", night.path, headers={**headers, "Connection": "close"})
        assert phone.getresponse().headers["Connection"] == "close"


def test_the_server_does_not_tell_what_it_is(server: Served) -> None:
    assert not {"server", "x-powered-by"} & {name.lower() for name in server.get("/healthz").headers}
