"""The digest of the key that links are made with, beside the log. It tells nothing of the key, which is random."""

from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, delete, insert
from sqlmodel import select

from ledger.store.models import LinkKey

_PURPOSE: Final = b"tienlen/key/v1\x00"


def known_digest(connection: Connection) -> bytes | None:
    """The digest of the key that links were made with; None if none was noted yet."""
    return connection.scalar(select(LinkKey.digest))


def note_digest(connection: Connection, digest: bytes) -> None:
    """Note a key where none is."""
    connection.execute(insert(LinkKey), {"id": 1, "digest": digest})


def replace_digest(connection: Connection, digest: bytes) -> None:
    """Note a key in place of whichever was noted; takes the rights of whoever migrates."""
    connection.execute(delete(LinkKey))
    note_digest(connection, digest)


def key_digest(key: bytes) -> bytes:
    """What is noted of a key."""
    return sha256(_PURPOSE + key).digest()
