"""The recorder of this process: made in it, so that no connection crosses a fork."""

import os
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any

from flask import Flask, current_app

from ledger.recorder import ANOTHER_KEY, Recorder, StoreError
from ledger.web.observability.logs import LOG, note_recorded
from ledger.web.settings import Settings

_EXTENSION = "tienlen"


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
            opened = Recorder.open(self.settings.database_url, self.settings.key, told=note_recorded)
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
            found.warm_up()
            found.check()
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
    """Finds the recorder of the running app whenever it is asked, also outside of a request."""
    return _holder().get


def settings() -> Settings:
    """What the running app was made with."""
    return _holder().settings


def _holder() -> RecorderHolder:
    holder = current_app.extensions[_EXTENSION]
    assert isinstance(holder, RecorderHolder)
    return holder
