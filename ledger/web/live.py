"""Telling whoever looks on that something was recorded: server-sent events.

A stream holds a thread, so their number is capped; whoever gets none asks the board with its `ETag` instead.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from threading import Condition, Thread
from time import monotonic, sleep
from typing import Any

from flask import Flask, Response, current_app

from ledger.recorder import Recorder, StoreError
from ledger.recorder.views.night import ChainHead
from ledger.web.observability.logs import LOG
from ledger.web.recorder import recorder, recorders
from ledger.web.server.heavy_work import hang_up_of_request

LOOK_SECONDS = 0.05
"""How often a process looks whether anything was recorded, while anybody wants to know."""
BEAT_SECONDS = 12.0
"""How long a stream is silent at most: proxies cut silent ones, and that one was closed is noticed by writing."""
LIFE_SECONDS = 600.0
"""How long a stream lasts at most: whoever comes again shows a link that still opens the night."""
RETRY_MILLISECONDS = 1000
_PAUSE_SECONDS = 0.5
_EXTENSION = "tienlen-live"


class Lookout:
    """The heads of the nights that streams of this process follow: one for an app, shared by its threads."""

    def __init__(self, most: int, report_count: Callable[[int], None]) -> None:
        self._most = most
        self._report_count = report_count
        self._news = Condition()
        self._open: Counter[str] = Counter()
        self._heads: dict[str, ChainHead] = {}
        self._looking = False
        self._stopping: Callable[[], bool] = lambda: False

    def stop_when(self, stopping: Callable[[], bool]) -> None:
        """Every stream ends soon after this has become true."""
        self._stopping = stopping

    def enter(self, night: str, find: Callable[[], Recorder]) -> bool:
        """Take one of the places for a stream; False if none is free, or nobody can look. Whoever took one calls
        `leave`."""
        with self._news:
            if self._open.total() >= self._most or self._stopping():
                return False
            if not (self._looking or self._begins(find)):
                return False
            self._open[night] += 1
            self._report_count(self._open.total())
        return True

    def _begins(self, find: Callable[[], Recorder]) -> bool:
        """Begin to look; False where the system has no thread left."""
        try:
            Thread(target=self._look, args=(find,), name="lookout", daemon=True).start()
        except RuntimeError:
            LOG.exception("failed")
            return False
        self._looking = True
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
        """The heads of a night after the entry that was seen, as they come; `head` is the one there is by now. It
        ends soon after its reader has hung up.

        Who has seen an entry that there is not is told at once: an old backup was put back.
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
        """The head of a night once it is beyond an entry; None if it was not for so long, or nobody listens."""
        until = monotonic() + seconds
        with self._news:
            # A lookout that waits for the database tells nobody that the process is to stop: streams ask, too.
            while self._seq(night) <= last_seen and (left := until - monotonic()) > 0:
                if self._stopping() or hung_up():
                    break
                self._news.wait(min(left, _PAUSE_SECONDS))
            return self._heads[night] if self._seq(night) > last_seen else None

    def _seq(self, night: str) -> int:
        return self._heads[night].seq if night in self._heads else -1

    def _look(self, find: Callable[[], Recorder]) -> None:
        """Look for as long as anybody wants to know."""
        while self._wanted():
            try:
                recorder = find()
                with recorder.store.watching() as changed:
                    while self._wanted():
                        if changed():
                            self._tell(recorder)
                        sleep(LOOK_SECONDS)
            except StoreError:  # requests say what it is; streams are silent until it is over
                sleep(_PAUSE_SECONDS)
            except Exception:
                LOG.exception("failed")
                sleep(_PAUSE_SECONDS)

    def _wanted(self) -> bool:
        with self._news:
            if self._stopping():
                self._news.notify_all()
            self._looking = self._open.total() > 0
            return self._looking

    def _tell(self, recorder: Recorder) -> None:
        # Asked after the change was seen: whoever comes later finds it in the head that it reads itself.
        with self._news:
            nights = list(self._open)
        heads = recorder.heads(nights)
        with self._news:
            self._heads.update({night: head for night, head in heads.items() if night in self._open})
            self._news.notify_all()


def set_live(app: Flask, most: int, report_count: Callable[[int], None] | None = None) -> None:
    """Let an app have so many streams at once; `report_count` is called with how many there
    are, whenever that changes."""
    app.extensions[_EXTENSION] = Lookout(most, report_count or (lambda count: None))


def end_streams_when(app: Any, stopping: Callable[[], bool]) -> None:
    """Every stream of an app, if it is one that has any, ends soon after this has become true."""
    look = getattr(app, "extensions", {}).get(_EXTENSION)
    if isinstance(look, Lookout):
        look.stop_when(stopping)


def live(night: str, last_seen: int) -> Response:
    """The stream of a night for whoever has seen it as far as an entry; 204 if there are too many streams."""
    look: Lookout = current_app.extensions[_EXTENSION]
    if not look.enter(night, recorders()):
        return Response(status=204)
    try:
        head = recorder().heads([night])[night]
    except BaseException:
        look.leave(night)
        raise
    stream = look.stream(night, head, last_seen, hang_up_of_request())
    response = Response(stream, content_type="text/event-stream; charset=utf-8")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: look.leave(night))
    return response
