"""Server-sent events that announce new entries of a night.

A stream holds a thread, so their number is capped; a client that gets none polls the board with its `ETag`.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from threading import Condition, Thread
from time import monotonic, sleep

from flask import Flask, Response, current_app

from ledger.recorder import Problem, ProblemCode, Recorder, StoreError
from ledger.recorder.views.night import ChainHead
from ledger.web.heavy_work import hang_up_of_request
from ledger.web.logs import LOG
from ledger.web.recorder import recorder, recorders

POLL_SECONDS = 0.05
"""The interval at which a process polls the store for new entries while streams are open."""
BEAT_SECONDS = 12.0
"""The longest silence of a stream: proxies cut silent ones, and a closed one is noticed by writing to it."""
LIFE_SECONDS = 600.0
"""The longest life of a stream: its client connects again, and its link is checked again."""
RETRY_MILLISECONDS = 1000
_PAUSE_SECONDS = 0.5
_EXTENSION = "tienlen-live"


class HeadBroadcaster:
    """The heads of the nights that this process streams; one instance for an app, shared by its threads."""

    def __init__(self, most: int, report_count: Callable[[int], None]) -> None:
        self._most = most
        self._report_count = report_count
        self._news = Condition()
        self._open: Counter[str] = Counter()
        self._heads: dict[str, ChainHead] = {}
        self._polling = False
        self._poller: Thread | None = None
        self._stopping: Callable[[], bool] = lambda: False

    def stop_when(self, stopping: Callable[[], bool]) -> None:
        """Let every stream end soon after `stopping` returns true."""
        self._stopping = stopping

    def join(self) -> None:
        """Wait until nothing reads the store for streams, which have ended."""
        if self._poller is not None and self._poller.is_alive():
            self._poller.join(_PAUSE_SECONDS)

    def enter(self, night: str, find: Callable[[], Recorder]) -> bool:
        """Take a place for a stream, which the caller gives back with `leave`. False if none is free or the poller
        cannot start."""
        with self._news:
            if self._open.total() >= self._most or self._stopping():
                return False
            if not (self._polling or self._start_polling(find)):
                return False
            self._open[night] += 1
            self._report_count(self._open.total())
        return True

    def _start_polling(self, find: Callable[[], Recorder]) -> bool:
        """Start the polling thread; False if the system has no thread left."""
        try:
            self._poller = Thread(target=self._poll, args=(find,), name="broadcaster", daemon=True)
            self._poller.start()
        except RuntimeError:
            LOG.exception("failed")
            return False
        self._polling = True
        return True

    def leave(self, night: str) -> None:
        with self._news:
            self._open[night] -= 1
            if not self._open[night]:
                del self._open[night]
                self._heads.pop(night, None)
            self._report_count(self._open.total())

    def stream(
        self, night: str, head: ChainHead, last_seen: int, hung_up: Callable[[], bool]
    ) -> Iterator[str]:
        """Yield each head of a night after entry `last_seen` as a message; `head` is the current one. Ends soon
        after the client has hung up.

        If entry `last_seen` does not exist, the head is sent at once: an old backup was restored.
        """
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        if head.seq < last_seen:
            last_seen = -1
        until = monotonic() + LIFE_SECONDS
        while not (self._stopping() or hung_up()) and monotonic() < until:
            if head.seq > last_seen:
                last_seen = head.seq
                yield f"id: {last_seen}\ndata: {json.dumps(asdict(head), ensure_ascii=False)}\n\n"
            if came := self._next(night, last_seen, min(BEAT_SECONDS, until - monotonic()), hung_up):
                head = came
            else:
                yield ":\n\n"

    def _next(
        self, night: str, last_seen: int, seconds: float, hung_up: Callable[[], bool]
    ) -> ChainHead | None:
        """Wait for a head of a night after entry `last_seen`; None if none comes in time or the stream must end."""
        until = monotonic() + seconds
        with self._news:
            # A poller that waits for the database does not announce the process's end, so streams check as well.
            while self._seq(night) <= last_seen and (left := until - monotonic()) > 0:
                if self._stopping() or hung_up():
                    break
                self._news.wait(min(left, _PAUSE_SECONDS))
            return self._heads[night] if self._seq(night) > last_seen else None

    def _seq(self, night: str) -> int:
        return self._heads[night].seq if night in self._heads else -1

    def _poll(self, find: Callable[[], Recorder]) -> None:
        """Poll while streams are open."""
        while self._is_needed():
            try:
                recorder = find()
                with recorder.store.watching() as changed:
                    while self._is_needed():
                        if changed():
                            self._broadcast(recorder)
                        sleep(POLL_SECONDS)
            except StoreError:  # requests report it; streams stay silent until it is over
                sleep(_PAUSE_SECONDS)
            except Exception:
                LOG.exception("failed")
                sleep(_PAUSE_SECONDS)

    def _is_needed(self) -> bool:
        with self._news:
            if self._stopping():
                self._news.notify_all()
            self._polling = self._open.total() > 0
            return self._polling

    def _broadcast(self, recorder: Recorder) -> None:
        # Read after the change was seen: a stream that is opened later finds the change in its first head.
        with self._news:
            nights = list(self._open)
        heads = recorder.heads(nights)
        with self._news:
            self._heads.update({night: head for night, head in heads.items() if night in self._open})
            self._news.notify_all()


def set_live(app: Flask, most: int, report_count: Callable[[int], None] | None = None) -> None:
    """Allow an app `most` streams at once; `report_count` is called with their number whenever it changes."""
    app.extensions[_EXTENSION] = HeadBroadcaster(most, report_count or (lambda count: None))


def end_streams_when(app: Flask, stopping: Callable[[], bool]) -> Callable[[], None]:
    """Let every stream of an app end soon after `stopping` returns true. Call what is returned when they have."""
    broadcaster: HeadBroadcaster = app.extensions[_EXTENSION]
    broadcaster.stop_when(stopping)
    return broadcaster.join


def live(night: str, last_seen: int) -> Response:
    """The event stream of a night after entry `last_seen`; 204 if too many streams are open."""
    look: HeadBroadcaster = current_app.extensions[_EXTENSION]
    if not look.enter(night, recorders()):
        return Response(status=204)
    try:
        head = recorder().heads([night]).get(night)
        if head is None:
            raise Problem(ProblemCode.NOT_FOUND)
    except BaseException:
        look.leave(night)
        raise
    stream = look.stream(night, head, last_seen, hang_up_of_request())
    response = Response(stream, content_type="text/event-stream; charset=utf-8")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: look.leave(night))
    return response
