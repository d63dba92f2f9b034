"""What every process that answers would load for itself, loaded once before they part: so they share its memory.

Compiling the templates takes longer than all the rest of a start, so what comes of it is kept between starts, where
the user's programs keep what they can make again (`$XDG_CACHE_HOME`, `~/.cache`). Without such a place each process
compiles what it is asked for.
"""

import codecs
import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import jinja2
from flask import Flask
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from ledger import language
from ledger.resources import release

_FOLDER = "tienlen-ledger"


class CompiledTemplates(FileSystemBytecodeCache):
    """Templates as this version's Jinja compiles them. A disk that fails costs time, and no page."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self._compiler = f"{jinja2.__version__} {release()}"

    def get_source_checksum(self, source: str) -> str:
        return sha256(f"{self._compiler} {source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def preload(app: Flask) -> None:
    """Load the languages, and all templates if they need not be compiled at every start. Raises TemplateError."""
    language.preload()
    codecs.lookup("idna")  # of every request's host
    folder = _folder()
    if folder is None:
        return
    app.jinja_env.bytecode_cache = CompiledTemplates(folder)
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)


def _folder() -> Path | None:
    """Where compiled templates are kept. They are code: it must be nobody else's to write."""
    with suppress(OSError, RuntimeError):  # no such place can be made, or there is no home
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / _FOLDER
        folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        found = folder.stat()
        if found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return folder
    return None
