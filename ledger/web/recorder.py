"""The settings of the web interface, and the recorder of this process, which is opened after any fork, so that no
connection crosses one."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any, NamedTuple, Self

from flask import Flask, current_app, g, has_request_context

from ledger.recorder import (
    ANOTHER_KEY,
    AUDIT_VARIABLE,
    METRICS_VARIABLE,
    Installation,
    Recorder,
    StoreError,
    require_key,
)
from ledger.web.logs import LOG, note_recorded

_EXTENSION = "tienlen"


class Rate(NamedTuple):
    """So many requests in so many seconds."""

    amount: int
    seconds: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Rates count by IP address, which a whole table may share."""

    database_url: str
    key: bytes
    """The key that signs links; all processes and hosts of one installation share it."""
    proxies: int = 0
    """The number of trusted proxies, whose headers give the client's address, the scheme and the host."""
    hosts: tuple[str, ...] = ()
    """The host names that requests may use; any if empty."""
    metrics_port: int | None = None
    """The port that serves metrics; without one nothing is counted."""
    audit_hours: float | None = None
    """The interval of audits; None for no audits."""
    processes: int = 1
    """The number of worker processes; each allows its share of the rates."""
    streams: int = 16
    """The most event streams that one process holds open; each takes one of its threads."""
    writes: Rate = Rate(1200)
    new_nights: Rate = Rate(240, seconds=3600)
    wrong_tokens: Rate = Rate(300)

    @classmethod
    def find(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Settings from environment variables. Raises StoreError, and ValueError for an invalid number."""
        port, hours = environment.get(METRICS_VARIABLE), environment.get(AUDIT_VARIABLE)
        found = Installation.find(environment=environment)
        return cls(
            database_url=found.database_url,
            key=require_key(found.key),
            proxies=found.proxies,
            hosts=found.hosts,
            metrics_port=int(port) if port else None,
            audit_hours=float(hours) if hours else None,
        )


class RecorderHolder:
    """The recorder of each process, opened on first use."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = Lock()
        self._made: tuple[int, Recorder] | None = None

    def get(self) -> Recorder:
        """The recorder. Raises StoreError if it cannot be opened; the next call tries again.

        If the database file was replaced, the new one is opened, with empty caches.
        """
        if made := self._usable():
            return made
        with self._lock:
            if made := self._usable():
                return made
            opened = Recorder.open(self.settings.database_url, self.settings.key, on_committed=note_recorded)
            self._made = os.getpid(), opened
            return opened

    def _usable(self) -> Recorder | None:
        if self._made is None:
            return None
        process, made = self._made
        return made if process == os.getpid() and not made.store.is_replaced() else None

    def warm_up(self) -> None:
        """Open the recorder, and log what is wrong with its store or key."""
        try:
            found = self.get()
            found.store.warm_up()
            found.store.check()
            if found.has_another_key():
                LOG.error("key", extra={"says": ANOTHER_KEY})
        except StoreError as error:
            LOG.error("store", extra={"error": type(error).__name__, "says": str(error)})


def hold_recorder(app: Flask, settings: Settings) -> None:
    """Give an app a recorder, which is opened on first use."""
    app.extensions[_EXTENSION] = RecorderHolder(settings)


def warm_up(app: Any) -> None:
    """Open this process's recorder in a background thread, so that no request waits. If it cannot be opened,
    requests report why. An app without a recorder is ignored."""
    holder = getattr(app, "extensions", {}).get(_EXTENSION)
    if isinstance(holder, RecorderHolder):
        Thread(target=holder.warm_up, name="opener", daemon=True).start()


def recorder() -> Recorder:
    """The recorder of the running app in this process: one for a whole request."""
    if not has_request_context():
        return _holder().get()
    found: Recorder | None = g.get("recorder")
    if found is None:
        found = g.recorder = _holder().get()
    return found


def recorders() -> Callable[[], Recorder]:
    """A function that returns the recorder of the running app, also outside a request."""
    return _holder().get


def settings() -> Settings:
    """The settings of the running app."""
    return _holder().settings


def _holder() -> RecorderHolder:
    holder: RecorderHolder = current_app.extensions[_EXTENSION]
    return holder
