"""The server: waitress in several processes, which share a socket and the memory loaded before the fork."""

import codecs
import gc
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from socket import socket
from threading import Thread
from types import FrameType
from typing import Any, Final, NoReturn

from flask import Flask
from jinja2 import Environment, FileSystemBytecodeCache
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import create_server
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from ledger import language
from ledger.recorder import StoreError
from ledger.web import Settings, create_app
from ledger.web.live import end_streams_when
from ledger.web.logs import LOG, log_to
from ledger.web.observability.metrics import forget_process
from ledger.web.observability.periodic_audit import start_auditor
from ledger.web.problems import MEDIA_TYPE
from ledger.web.recorder import recorder, warm_up
from ledger.web.security import ALWAYS, DEFAULT_HEADERS
from ledger.web.server import supervisor
from ledger.web.server.supervisor import STOPS

THREADS = 160
"""Threads of a process. A stream holds one; a slow connection holds none."""
FOR_ANSWERS = 48
"""Threads of a process that streams never take."""
CONNECTIONS: Final = 2000
"""The most connections that a process holds open; further ones wait until one closes."""
_ANSWER_SECONDS: Final = 3
"""The time that an ending process waits for its requests. The rest, until its supervisor kills it, is for closing
the database."""
_AUDITOR_SECONDS: Final = 1
"""The time that an ending process waits for its audit to end, after its requests."""
_SWITCH_SECONDS: Final = 0.001
"""The interpreter's thread switch interval. Recording a move gives up the interpreter at each step: with Python's
default of 5 ms it took two and a half times as long while another thread rendered pages. With half of this one,
sixteen tables at once cost a fifth more."""
_FILES_OF_A_CONNECTION: Final = 3
"""Its socket, and the temporary files of its request and answer."""
LIMITS: Final[dict[str, Any]] = {
    "channel_timeout": 30,  # seconds after which an idle connection is closed
    "cleanup_interval": 5,
    "max_request_header_size": 16 * 1024,
    "max_request_body_size": 4 * 1024 * 1024,  # routes have lower limits of their own
    "inbuf_overflow": 128 * 1024,  # longer bodies and unread answers are kept on disk
    "outbuf_overflow": 128 * 1024,
    "channel_request_lookahead": 1,  # needed to notice that a client has hung up
}


Stopping = Callable[[], bool]
Work = Callable[[Stopping], None]
"""The work of a process. `Stopping` returns whether SIGTERM came; the first one raises SystemExit in its main
thread."""


class _Refusal(ErrorTask):
    """Answers malformed requests, with the headers of every answer. Neither the answer nor the log quotes them: an
    address may be secret."""

    def execute(self) -> None:
        status = HTTPStatus(self.request.error.code)
        if status is HTTPStatus.NOT_IMPLEMENTED:  # an unknown transfer coding
            status = HTTPStatus.BAD_REQUEST
        LOG.info("what came is no HTTP", extra={"status": status.value})
        body = json.dumps({"type": "about:blank", "title": status.phrase, "status": status.value}).encode()
        self.status = f"{status.value} {status.phrase}"
        about = {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(body))}
        self.response_headers = list((ALWAYS | DEFAULT_HEADERS | about).items())
        self.set_close_on_finish()
        self.write(body)  # type: ignore[no-untyped-call]


class _Parser(HTTPRequestParser):
    """Refuses ambiguous requests, which a proxy could parse in another way (request smuggling)."""

    path = ""  # waitress reads it when a client hangs up, even before the request line was parsed

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)  # type: ignore[no-untyped-call]
        if self.version not in ("1.0", "1.1"):
            raise ParsingError("no version that there is")
        if self.version == "1.1" and "HOST" not in self.headers:
            raise ParsingError("no host")
        if "," in self.headers.get("HOST", ""):  # as `super` joins lines of one name
            raise ParsingError("two hosts")
        # For HTTP/1.1, `super` has removed `Transfer-Encoding` from the headers.
        if "TRANSFER_ENCODING" in self.headers or (self.chunked and "CONTENT_LENGTH" in self.headers):
            raise ParsingError("two ways to tell where a body ends")


class _Task(WSGITask):
    """Keeps a connection open after an answer without a body (304, 204), as HTTP/1.1 allows: phones poll."""

    def set_close_on_finish(self) -> None:
        if self.has_body or self.version == "1.0" or self.request.connection_close:
            super().set_close_on_finish()


class _Dispatcher(ThreadedTaskDispatcher):
    """Starts a thread when all others are busy, up to `most`: each that has worked once holds memory."""

    def __init__(self, most: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._most = most

    def add_task(self, task: Any) -> None:
        idle = len(self.threads) - self.active_count - len(self.queue)
        if idle <= 0 and len(self.threads) < self._most:
            self.set_thread_count(len(self.threads) + 1)  # type: ignore[no-untyped-call]
        with self.lock:
            self.queue.append(task)
            self.queue_cv.notify()

    def shutdown(self, cancel_pending: bool = True, timeout: float = _ANSWER_SECONDS) -> bool:
        return bool(super().shutdown(cancel_pending, timeout))  # type: ignore[no-untyped-call]


class _Channel(HTTPChannel):
    parser_class = _Parser
    task_class = _Task
    error_task_class = _Refusal

    def writable(self) -> bool:
        """Whether the main loop should send: not while the thread that answers does, for which it would look again
        and again. That thread wakes it if something is left."""
        if not self.outbuf_lock.acquire(blocking=False):
            return False
        try:
            return bool(super().writable())  # type: ignore[no-untyped-call]
        finally:
            self.outbuf_lock.release()


def serve(public: socket, metrics: socket | None, processes: int, leftovers: Sequence[str]) -> NoReturn:
    """Serve the environment's installation on bound sockets until SIGTERM. Then running requests are answered,
    streams end, the files `leftovers` are removed, and the server ends within five seconds."""
    sockets = [public] if metrics is None else [public, metrics]
    work = _loaded(sockets, processes)
    for each in sockets:
        each.listen()
    LOG.info("serving", extra={"says": f"{processes} processes"})
    supervise(work, processes, sockets, leftovers)


def replace_process(ended: int, until_gone: int, *listening: int, processes: int) -> NoReturn:
    """Serve in this process instead of one that has ended. It has loaded the program for itself, so it shares no
    memory with the others."""
    work = _loaded([socket(fileno=each) for each in listening], processes)
    forget_process(ended)
    _work(work, until_gone)


def _loaded(sockets: Sequence[socket], processes: int) -> Work:
    """The work of a process, with all that processes share."""
    log_to(sys.stderr)
    app = create_app(replace(Settings.find(), processes=processes, streams=THREADS - FOR_ANSWERS))
    preload(app)
    sys.setswitchinterval(_SWITCH_SECONDS)
    # Objects loaded by now are never garbage. Frozen, the collector does not touch them, so processes keep sharing
    # their memory. Most of what is left are cached nights, which with Python's default it would go through several
    # times a move, to find next to nothing.
    gc.freeze()
    gc.set_threshold(2000, 10, 10)
    gc.enable()
    return partial(_answer, app, sockets, _connections())


def preload(app: Flask) -> None:
    """Load languages and templates before the fork, so that processes share them. What no table needs is left out:
    what makes QR codes, calendars and metrics is imported by the functions that use it; rich, which the log could
    use for tracebacks in colour, by the command line alone. `tests/web/test_preloading.py` holds it.

    Jinja caches compiled templates between starts in a folder that only this user may write; if it cannot, each is
    compiled on first use. A process of its own compiles them: that takes memory that is not given back. Raises
    TemplateError.
    """
    language.preload()
    codecs.lookup("idna")  # used for the host of every request
    templates = app.jinja_env
    try:
        templates.bytecode_cache = FileSystemBytecodeCache()
        if compiling := os.fork():
            os.waitpid(compiling, 0)
            _load(templates)
        else:
            try:
                _load(templates)
            finally:
                os._exit(0)  # an error is raised again above
    except (OSError, RuntimeError):
        LOG.warning("templates", extra={"says": "compiled ones cannot be kept"})
    finally:
        templates.bytecode_cache = None


def _load(templates: Environment) -> None:
    for name in templates.list_templates():
        templates.get_template(name)


def _answer(app: Flask, sockets: Sequence[socket], connections: int, stopping: Stopping) -> None:
    """Run a worker process, until SystemExit is raised; then close its database."""
    try:
        _answer_requests(app, sockets, connections, stopping)
    finally:
        with suppress(StoreError), app.app_context():
            recorder().store.close()  # the last process leaves a database file without a log beside it


def _answer_requests(app: Flask, sockets: Sequence[socket], connections: int, stopping: Stopping) -> None:
    warm_up(app)
    await_streams = end_streams_when(app, stopping)
    auditor = start_auditor(app, lambda: not stopping())
    channels: dict[int, Any] = {}
    servers = [
        create_server(  # type: ignore[no-untyped-call]
            app,
            map=channels,
            sockets=[each],
            _dispatcher=_Dispatcher(threads),
            connection_limit=connections,
            asyncore_use_poll=True,
            ident=None,
            clear_untrusted_proxy_headers=False,  # the application decides which proxies to trust
            **LIMITS,
        )
        for each, threads in zip(sockets, (THREADS, 1), strict=False)
    ]
    for server in servers:
        server.channel_class = _Channel
    servers[0].run()  # runs all of them: they share `channels`
    if auditor is not None:
        auditor.join(_AUDITOR_SECONDS)
    await_streams()


def _connections() -> int:
    """The most connections that the limit of open files allows a process; raises the soft limit if needed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS * _FILES_OF_A_CONNECTION
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    files = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    return files // _FILES_OF_A_CONNECTION


# The processes, and the supervisor that they are left to.


def supervise(work: Work, count: int, sockets: Sequence[socket], leftovers: Sequence[str]) -> NoReturn:
    """Fork `count` processes, and become their supervisor. It runs this command again for each process that it
    replaces, and removes the files `leftovers` when all have ended.

    Must be called in the main thread, before any other starts. The processes also end if the supervisor is killed.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {*STOPS, signal.SIGCHLD})
    until_gone, held = os.pipe()
    working = []
    for _ in range(count):
        if not (process := os.fork()):
            os.close(held)
            _work(work, until_gone)
        working.append(process)
    inherited = [until_gone, *(each.fileno() for each in sockets)]
    for each in (held, *inherited):
        os.set_inheritable(each, True)
    command = [str(len(leftovers)), *leftovers, sys.executable, *sys.orig_argv[1:]]
    numbers = [str(held), " ".join(map(str, working)), " ".join(map(str, inherited))]
    os.execv(sys.executable, [sys.executable, "-IS", supervisor.__file__, *numbers, *command])


def _work(work: Work, until_gone: int) -> NoReturn:
    """Run a worker process. It ignores the terminal's signals, which are for the supervisor. A service manager may
    send SIGTERM to every process, so that a worker gets it once more from its supervisor, while it closes."""
    stopping = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        if not stopping:
            stopping = True
            raise SystemExit

    status = 1
    try:
        signal.signal(signal.SIGTERM, stop)
        for each in (signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        Thread(target=_end_with, args=(until_gone,), name="until-gone", daemon=True).start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*STOPS, signal.SIGCHLD})
        work(lambda: stopping)
        status = 0
    except SystemExit:
        status = 0
    except Exception:
        LOG.exception("failed")
    finally:
        os._exit(status)


def _end_with(until_gone: int) -> None:
    """End this process when the supervisor, which holds the other end of a pipe, is gone."""
    os.read(until_gone, 1)
    os.kill(os.getpid(), signal.SIGTERM)
