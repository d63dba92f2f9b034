"""What an installation decides about its web interface, and the recorder of this process: made in it, so that no
connection crosses a fork."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any, Self

from flask import Flask, current_app

from ledger.recorder import (
    ANOTHER_KEY,
    AUDIT_VARIABLE,
    METRICS_VARIABLE,
    Installation,
    Recorder,
    StoreError,
    require_key,
)
from ledger.web.observability.logs import LOG, note_recorded

_EXTENSION = "tienlen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Rates are in the words of `limits` and count by address: a whole table may sit behind one router."""

    database_url: str
    key: bytes
    """What links are signed with. Several processes and hosts of one installation share it."""
    proxies: int = 0
    """How many proxies in front may say who called, over which scheme and for which host."""
    hosts: tuple[str, ...] = ()
    """The names by which the server may be called; any, where none is given."""
    metrics_port: int | None = None
    """The port on which metrics are told; without one nothing is counted."""
    audit_hours: float | None = None
    """How often a server audits its nights; not at all where nothing is said."""
    processes: int = 1
    """How many processes of a server answer: each lets its part of the rates pass."""
    streams: int = 16
    """How many server-sent streams one process holds open at once; each takes one of its threads."""
    writes: str = "1200 per minute"
    new_nights: str = "240 per hour"
    wrong_tokens: str = "300 per minute"

    @classmethod
    def find(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """What the environment says. Raises StoreError; ValueError for what is no number."""
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
    """One recorder a process, made by whoever asks for it first."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = Lock()
        self._made: tuple[int, Recorder] | None = None

    def get(self) -> Recorder:
        """The recorder; the store's errors when it cannot be opened, and the next call tries again.

        Where another file lies in place of the database, that is opened: nothing is remembered of the one before.
        """
        if made := self._usable():
            return made
        with self._lock:
            if made := self._usable():
                return made
            opened = Recorder.open(self.settings.database_url, self.settings.key, on_kept=note_recorded)
            self._made = os.getpid(), opened
            return opened

    def _usable(self) -> Recorder | None:
        if self._made is None:
            return None
        process, made = self._made
        return made if process == os.getpid() and not made.store.is_replaced() else None

    def warm_up(self) -> None:
        """Open it, and say in the log what is wrong with it, if anything is."""
        try:
            found = self.get()
            found.store.warm_up()
            found.store.check()
            if found.has_another_key():
                LOG.error("key", extra={"says": ANOTHER_KEY})
        except StoreError as error:
            LOG.error("store", extra={"error": type(error).__name__, "says": str(error)})


def hold_recorder(app: Flask, settings: Settings) -> None:
    """Let an app have a recorder, made when it is first asked for."""
    app.extensions[_EXTENSION] = RecorderHolder(settings)


def warm_up(app: Any) -> None:
    """Open this process's recorder beside whatever it does, if the app is one that has any: nobody is to wait.
    Where it cannot be opened, requests say why."""
    holder = getattr(app, "extensions", {}).get(_EXTENSION)
    if isinstance(holder, RecorderHolder):
        Thread(target=holder.warm_up, name="opener", daemon=True).start()


def recorder() -> Recorder:
    """The recorder of the running app in this process."""
    return _holder().get()


def recorders() -> Callable[[], Recorder]:
    """A function that answers the recorder of the running app, also outside of a request."""
    return _holder().get


def settings() -> Settings:
    """What the running app was made with."""
    return _holder().settings


def _holder() -> RecorderHolder:
    holder: RecorderHolder = current_app.extensions[_EXTENSION]
    return holder
