"""Requests as bytes on a socket: whole ones, ones with malformed lines, headers, lengths or chunks, and ones that
break off."""

import random
import re
import socket
import struct
from enum import Enum, auto
from errno import ECONNRESET, ENOTCONN, EPIPE
from select import select
from typing import Final, NamedTuple

from tests.soak.requests.mutations import HOSTILE, Sent, bytes_changed, hostile, repeated

PATIENCE: Final = 30
"""Seconds to wait for an answer before the server counts as hung."""
_FRAMING: Final = {"content-length", "transfer-encoding", "connection", "expect", "upgrade"}
_LINES: Final = [
    (find.encode(), repeated(instead).encode("latin-1")) for find, instead in HOSTILE["request lines"]
]
"""What is replaced in a request line, and by what."""
_HEADERS: Final = [one.encode("latin-1") + b"\r\n" for one in hostile("header lines")]
"""Lines that are put among the headers."""
_STATUS: Final = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


class Form(Enum):
    """What a server owes these bytes."""

    WHOLE = auto()
    """A valid request: it must be answered."""
    CUT = auto()
    """A request without its end: nothing of it may be recorded."""
    BROKEN = auto()
    """Malformed: any response will do."""


_PATIENCE: Final = {Form.WHOLE: PATIENCE, Form.CUT: 0, Form.BROKEN: 0.3}
"""Seconds until the sender hangs up: a malformed request may be half of one, which is never answered."""


class End(Enum):
    """What the sender does after sending."""

    LISTENS = auto()
    LEAVES = auto()
    """Close when the response has come, without reading it."""
    BREAKS = auto()
    """Reset the connection at once."""


class Wired(NamedTuple):
    """The bytes of a request, and how its connection ends."""

    raw: bytes
    form: Form
    end: End = End.LISTENS


def wired(chance: random.Random, sent: Sent) -> Wired:
    """A request as bytes: whole, or with one change to its framing."""
    chunked = chance.random() < 0.3
    head, body = _head(chance, sent, chunked), _chunks(chance, sent.body) if chunked else sent.body
    whole = head + b"\r\n" + body
    form = Form.BROKEN if _FRAMING & {name.lower() for name in sent.headers} or _odd(sent) else Form.WHOLE
    match chance.randrange(10):
        case 0 | 1:
            return Wired(whole, form)
        case 2:
            return Wired(whole * 2, form)
        case 3:
            return Wired(whole, form, End.LEAVES)
        case 4 | 5 if form is Form.WHOLE:
            # A form without its last letters is still a valid form.
            least = max(0, len(whole) - chance.choice([8, len(body) + 8, len(whole)]))
            cut = whole[: chance.randrange(least, len(whole))]
            return Wired(cut, Form.CUT, chance.choice(list(End)))
        case 6:
            return Wired(bytes_changed(chance, head) + b"\r\n" + body, Form.BROKEN)
        case 7:
            line, rest = head.split(b"\r\n", 1)
            find, instead = chance.choice([*_LINES, (line, line.lower())])
            return Wired(re.sub(find, lambda _: instead, line) + b"\r\n" + rest + b"\r\n" + body, Form.BROKEN)
        case 8:
            return Wired(head + chance.choice(_HEADERS) + b"\r\n" + body, Form.BROKEN)
    return Wired(head + b"\r\n" + (bytes_changed(chance, body) if chunked else body * 2), Form.BROKEN)


def asked(port: int, sent: Wired) -> list[int]:
    """The statuses of the responses: empty if the sender did not wait, or if bytes that may be half a request got
    no answer. Raises TimeoutError if the server hangs."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            connection.sendall(sent.raw)
            if sent.end is End.BREAKS:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return []
            came, _, _ = select([connection], [], [], _PATIENCE[sent.form])
            if sent.end is End.LEAVES or (sent.form is Form.BROKEN and not came):
                return []
            connection.shutdown(socket.SHUT_WR)  # not earlier: the server would take it for hanging up
        except OSError as error:
            if error.errno not in (EPIPE, ECONNRESET, ENOTCONN):
                raise
            # The server answered before everything was sent.
        return [status for found in _STATUS.findall(_read(connection)) if (status := int(found)) >= 200]


def _read(connection: socket.socket) -> bytes:
    """All bytes received; of an endless event stream, the beginning."""
    came = b""
    try:
        while some := connection.recv(65536):
            came += some
            if b"text/event-stream" in came:
                break
    except ConnectionResetError:
        pass  # bytes after the end of a request reset the connection, which may lose the end of a response
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


def _odd(sent: Sent) -> bool:
    """Whether HTTP does not allow its line or headers: then it need not be answered."""
    return bool(re.search(rb"[^!-~]", sent.path)) or not sent.query.isascii() or not sent.method.isalpha()


def _chunks(chance: random.Random, body: bytes) -> bytes:
    made, place = b"", 0
    while place < len(body):
        some = body[place : place + chance.randint(1, max(1, len(body)))]
        made += b"%x\r\n%b\r\n" % (len(some), some)
        place += len(some)
    return made + b"0\r\n\r\n"
