"""The server: waitress in several processes, which share a socket and whatever was loaded before they parted.

`tienlen serve` calls `serve` by its name: the command line does not know the web.
"""

import codecs
import gc
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from socket import socket
from threading import Thread
from time import monotonic, sleep
from types import FrameType
from typing import Any, Final, NoReturn

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import create_server
from waitress.task import ErrorTask, WSGITask

from ledger import language
from ledger.web import Settings, create_app
from ledger.web.live import end_streams_when
from ledger.web.observability.logs import LOG, log_to
from ledger.web.observability.metrics import forget_process
from ledger.web.observability.periodic_audit import start_auditor
from ledger.web.problems import MEDIA_TYPE
from ledger.web.recorder import warm_up
from ledger.web.security import ALWAYS, UNLESS_SAID

THREADS = 160
"""Of a process. A stream holds one; a connection that sends or takes slowly holds none."""
FOR_ANSWERS = 48
"""Threads that no stream takes."""
CONNECTIONS: Final = 2000
"""That a process holds open; others wait until one of them closes."""
_AUDITOR_SECONDS: Final = 2
"""That a process which is told to end waits until its audit has ended."""
_SWITCH_SECONDS: Final = 0.0005
"""For so long a thread that works out a page keeps the interpreter from one that records, which asks for it at each
step: Python's own 5 ms made a move take two and a half times as long."""
_FILES_OF_A_CONNECTION: Final = 3
"""Its socket, and what of a request or an answer is kept on the disk."""
_LIMITS: Final[dict[str, Any]] = {
    "channel_timeout": 30,  # seconds; a connection in which nothing moves for so long is closed
    "cleanup_interval": 5,
    "max_request_header_size": 16 * 1024,
    "max_request_body_size": 4 * 1024 * 1024,  # what is longer than its route allows is told so by the route
    "inbuf_overflow": 128 * 1024,  # more of a body, or of an answer that is not taken, is kept on the disk
    "outbuf_overflow": 128 * 1024,
    "channel_request_lookahead": 1,  # without it nobody would notice that a client has hung up
}


STOP_SECONDS: Final = 4.5
"""How long a process may take to end once it is told to; after that it is killed."""
_REPLACE_SECONDS: Final = 0.2
"""The pause after a process ended by itself: one that ends at once must not be forked without pause."""
_LOOK_SECONDS: Final = 0.02
_STOPS: Final = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}

Stopping = Callable[[], bool]
Work = Callable[[Stopping], None]
"""What a process does. `Stopping` is whether it has been told to end, by a SystemExit in its main thread."""


class _Refusal(ErrorTask):
    """Answers what is no request with the headers of every answer, and repeats nothing of it, neither there nor in
    the log: an address may be somebody's secret."""

    def execute(self) -> None:
        status = HTTPStatus(self.request.error.code)
        if status is HTTPStatus.NOT_IMPLEMENTED:  # a transfer coding that nobody uses
            status = HTTPStatus.BAD_REQUEST
        LOG.info("what came is no HTTP", extra={"status": status.value})
        body = json.dumps({"type": "about:blank", "title": status.phrase, "status": status.value}).encode()
        self.status = f"{status.value} {status.phrase}"
        about = {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(body))}
        self.response_headers = list((ALWAYS | UNLESS_SAID | about).items())
        self.set_close_on_finish()
        self.write(body)  # type: ignore[no-untyped-call]


class _Parser(HTTPRequestParser):
    """Refuses what another server could take for another request than this one does."""

    path = ""  # where a client hangs up, waitress asks for it, whether it was read or not

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)  # type: ignore[no-untyped-call]
        if self.version not in ("1.0", "1.1"):
            raise ParsingError("no version that there is")
        if self.version == "1.1" and "HOST" not in self.headers:
            raise ParsingError("no host")
        # Of 1.1, `super` has taken the coding out of the headers.
        if "TRANSFER_ENCODING" in self.headers or (self.chunked and "CONTENT_LENGTH" in self.headers):
            raise ParsingError("two ways to tell where a body ends")


class _Task(WSGITask):
    """Keeps a connection after an answer that has no body (304, 204), as HTTP/1.1 does: phones poll."""

    def set_close_on_finish(self) -> None:
        if self.has_body or self.version == "1.0" or self.request.connection_close:
            super().set_close_on_finish()


class _Channel(HTTPChannel):
    parser_class = _Parser
    task_class = _Task
    error_task_class = _Refusal


def serve(public: socket, metrics: socket | None, processes: int) -> None:
    """Serve the installation that the environment names on sockets that are bound, until SIGTERM: what is being
    answered then is answered, streams end, and all of it within five seconds."""
    log_to(sys.stderr)
    app = create_app(replace(Settings.find(), processes=processes, streams=THREADS - FOR_ANSWERS))
    preload(app)
    connections = _connections()
    sys.setswitchinterval(_SWITCH_SECONDS)
    # What is loaded by now is never garbage: unfrozen, every process would copy it to look at it. Little is left to
    # look through, so that looking more often than Python does costs nothing, and what requests leave behind does
    # not pile up.
    gc.freeze()
    gc.set_threshold(400, 5, 1)
    gc.enable()
    sockets = [public] if metrics is None else [public, metrics]
    for each in sockets:
        each.listen()
    LOG.info("serving", extra={"says": f"{processes} processes"})
    watch_over(partial(_answer, app, sockets, connections), processes, ended=forget_process)


def preload(app: Flask) -> None:
    """Load once, for all processes, what each of them would load for itself: the languages, and all templates.

    Jinja keeps compiled templates between starts, in a folder that only this user may write; where it can keep
    none, pages are compiled when they are asked for. Raises TemplateError.
    """
    language.preload()
    codecs.lookup("idna")  # of every request's host
    templates = app.jinja_env
    try:
        templates.bytecode_cache = FileSystemBytecodeCache()
        for name in templates.list_templates():
            templates.get_template(name)
    except (OSError, RuntimeError):
        LOG.warning("templates", extra={"says": "compiled ones cannot be kept"})
    finally:
        templates.bytecode_cache = None


def _answer(app: Flask, sockets: Sequence[socket], connections: int, stopping: Stopping) -> None:
    """Be one of the processes that answer, until a SystemExit is raised."""
    warm_up(app)
    end_streams_when(app, stopping)
    auditor = start_auditor(app, lambda: not stopping())
    channels: dict[int, Any] = {}
    servers = [
        create_server(  # type: ignore[no-untyped-call]
            app,
            map=channels,
            sockets=[each],
            threads=threads,
            connection_limit=connections,
            asyncore_use_poll=True,
            ident=None,
            clear_untrusted_proxy_headers=False,  # whom the application believes is its own affair
            **_LIMITS,
        )
        for each, threads in zip(sockets, (THREADS, 1), strict=False)
    ]
    for server in servers:
        server.channel_class = _Channel
    servers[0].run()  # all of them: they share `channels`
    if auditor is not None:
        auditor.join(_AUDITOR_SECONDS)


def _connections() -> int:
    """How many connections a process may hold, as far as the system lets it have files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS * _FILES_OF_A_CONNECTION
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    files = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    return files // _FILES_OF_A_CONNECTION


# Several processes that do the same work, and one that watches over them: it forks them, replaces those that end,
# and ends them all within a few seconds.


def watch_over(work: Work, count: int, *, ended: Callable[[int], None]) -> None:
    """Keep so many processes at their work until this one gets SIGTERM, SIGINT or SIGHUP. `ended` is called with
    the id of each that has ended.

    Must be called in the main thread, before there are others. The processes end, too, if this one is killed.
    """
    signal.signal(signal.SIGCHLD, _no_more_than_wake)
    signal.pthread_sigmask(signal.SIG_BLOCK, {*_STOPS, signal.SIGCHLD})
    until_gone, held = os.pipe()
    working = {_forked(work, until_gone, held) for _ in range(count)}
    while signal.sigwait({*_STOPS, signal.SIGCHLD}) not in _STOPS:
        for process in _ended_of(working):
            ended(process)
            LOG.error("process", extra={"says": f"process {process} has ended, and is replaced"})
            sleep(_REPLACE_SECONDS)
            working.add(_forked(work, until_gone, held))
    for process in working:
        os.kill(process, signal.SIGTERM)
    patience = monotonic() + STOP_SECONDS
    while working and monotonic() < patience:
        sleep(_LOOK_SECONDS)
        for process in _ended_of(working):
            ended(process)
    for process in working:
        LOG.error("process", extra={"says": f"process {process} does not end, and is killed"})
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        ended(process)


def _no_more_than_wake(_signal: int, _frame: FrameType | None) -> None:
    """A signal that has no handler may be thrown away where it is waited for."""


def _ended_of(working: set[int]) -> Iterator[int]:
    """Take those that have ended out of a set, and return them one by one."""
    for process in list(working):
        if os.waitpid(process, os.WNOHANG)[0]:
            working.remove(process)
            yield process


def _forked(work: Work, until_gone: int, held: int) -> int:
    process = os.fork()
    if not process:
        _work(work, until_gone, held)
    return process


def _work(work: Work, until_gone: int, held: int) -> NoReturn:
    """Be a process that works. What the terminal tells all processes is for the one that watches."""
    stopping = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True
        raise SystemExit

    status = 1
    try:
        os.close(held)
        signal.signal(signal.SIGTERM, stop)
        for each in (signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        Thread(target=_end_with, args=(until_gone,), name="until-gone", daemon=True).start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*_STOPS, signal.SIGCHLD})
        work(lambda: stopping)
        status = 0
    except SystemExit:
        status = 0
    except Exception:
        LOG.exception("failed")
    finally:
        os._exit(status)


def _end_with(until_gone: int) -> None:
    """Wait until the process that watches is gone, which held the other end of a pipe, and end this one."""
    os.read(until_gone, 1)
    os.kill(os.getpid(), signal.SIGTERM)
