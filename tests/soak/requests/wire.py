"""Requests as bytes on a socket: whole ones, malformed ones, and ones that break off."""

import random
import re
import socket
import struct
from contextlib import suppress
from errno import ECONNRESET, ENOTCONN, EPIPE
from select import select
from typing import Final, Literal, NamedTuple, get_args

from tests.patience import Patience
from tests.soak.requests.mutations import HOSTILE, Sent, bytes_changed, hostile, repeated

PATIENCE: Final = 30
"""Seconds that the machine gives (`tests/patience.py`) until a server without an answer counts as hung."""
_FRAMING: Final = {"content-length", "transfer-encoding", "connection", "expect", "upgrade"}
_LINES: Final = [
    (find.encode(), repeated(instead).encode("latin-1")) for find, instead in HOSTILE["request lines"]
]
"""What is replaced in a request line, and by what."""
_HEADERS: Final = [one.encode("latin-1") + b"\r\n" for one in hostile("header lines")]  # lines to add
_STATUS: Final = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


Form = Literal["whole", "cut", "broken"]
"""What a server owes these bytes: an answer; no record, as their end is missing; or nothing, as they are
malformed."""
End = Literal["listens", "leaves", "breaks"]
"""What the sender does: it reads the response, or closes without reading it, or resets the connection at once."""
_WAITS: Final = {"cut": 0, "broken": 0.3}  # seconds until the sender of such bytes hangs up


class Wired(NamedTuple):
    """The bytes of a request, how its connection ends, and what the server's log calls it."""

    raw: bytes
    form: Form
    end: End = "listens"
    id: str = ""


def wired(chance: random.Random, sent: Sent) -> Wired:
    """A request as bytes: whole, or with one change to its framing."""
    id = f"{chance.getrandbits(64):016x}"
    named = sent._replace(headers={**sent.headers, "X-Request-ID": id})
    return _framed(chance, named)._replace(id=id)


def _framed(chance: random.Random, sent: Sent) -> Wired:
    chunked = chance.random() < 0.3
    head, body = _head(chance, sent, chunked), _chunks(chance, sent.body) if chunked else sent.body
    whole = head + b"\r\n" + body
    # What HTTP does not allow need not be answered.
    odd = re.search(rb"[^!-~]", sent.path) or not sent.query.isascii() or not sent.method.isalpha()
    form: Form = "broken" if odd or _FRAMING & {name.lower() for name in sent.headers} else "whole"
    match chance.randrange(10):
        case 0 | 1:
            return Wired(whole, form)
        case 2:
            return Wired(whole * 2, form)
        case 3:
            return Wired(whole, form, "leaves")
        case 4 | 5 if form == "whole":
            # A form without its last letters is still a valid form.
            least = max(0, len(whole) - chance.choice([8, len(body) + 8, len(whole)]))
            return Wired(whole[: chance.randrange(least, len(whole))], "cut", chance.choice(get_args(End)))
        case 6:
            head = bytes_changed(chance, head)
        case 7:
            line, rest = head.split(b"\r\n", 1)
            find, instead = chance.choice([*_LINES, (re.escape(line), line.lower())])
            head = re.sub(find, lambda _: instead, line) + b"\r\n" + rest
        case 8:
            head += chance.choice(_HEADERS)
        case _:
            body = bytes_changed(chance, body) if chunked else body * 2
    return Wired(head + b"\r\n" + body, "broken")


def asked(port: int, sent: Wired) -> list[int]:
    """The statuses of the responses: empty if the sender did not wait, or if bytes that may be half a request got
    no answer. Raises TimeoutError if the server hangs."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        try:
            connection.sendall(sent.raw)
            if sent.end == "breaks":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return []
            came = _await_answer(connection, sent.form)
            if sent.end == "leaves" or (sent.form == "broken" and not came):
                return []
            connection.shutdown(socket.SHUT_WR)  # not earlier: the server would take it for hanging up
        except OSError as error:
            if error.errno not in (EPIPE, ECONNRESET, ENOTCONN):
                raise
            # The server answered before everything was sent.
        return [status for found in _STATUS.findall(_read(connection)) if (status := int(found)) >= 200]


def _await_answer(connection: socket.socket, form: str) -> bool:
    """Whether an answer comes before the sender hangs up. Raises TimeoutError if a whole request gets none."""
    patience = Patience(PATIENCE)
    while not select([connection], [], [], _WAITS.get(form, 1.0))[0]:
        if form in _WAITS:
            return False
        if patience.ends():
            raise TimeoutError
    return True


def _read(connection: socket.socket) -> bytes:
    """All bytes received; of an endless event stream, the beginning."""
    came = b""
    with suppress(ConnectionResetError):  # bytes after the end of a request reset the connection
        while b"text/event-stream" not in came and (some := connection.recv(65536)):
            came += some
    return came


def _head(chance: random.Random, sent: Sent, chunked: bool) -> bytes:
    target = sent.path + (b"?" + sent.query.encode(errors="replace") if sent.query else b"")
    lines = [b"%b %b HTTP/1.1" % (sent.method.encode(), target)]
    caller = ".".join(str(chance.randrange(256)) for _ in range(3))  # a rate limit of its own for each
    headers = {"Host": "localhost", "X-Forwarded-For": f"10.{caller}", **sent.headers}
    if not _FRAMING & {name.lower() for name in headers}:
        headers |= {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(len(sent.body))}
    lines += [f"{name}: {value}".encode("latin-1", "replace") for name, value in headers.items()]
    return b"".join(line + b"\r\n" for line in lines)


def _chunks(chance: random.Random, body: bytes) -> bytes:
    made = b""
    while body:
        size = chance.randint(1, len(body))
        made, body = made + b"%x\r\n%b\r\n" % (size, body[:size]), body[size:]
    return made + b"0\r\n\r\n"
