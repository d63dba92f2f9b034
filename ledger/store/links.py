"""Capability links: a token states what it opens, and is signed with the server's key. The client that opened a
night gets its tokens again by a secret. A digest of the key is stored, which reveals nothing of the random key.
"""

import hmac
import os
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from struct import Struct
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, insert

from ledger.store.errors import StoreAddressUnusable
from ledger.store.files import sync
from ledger.store.models import LinkKey

_LINK = b"tienlen/link/v1\x00"
_SECRET = b"tienlen/secret/v1\x00"
_CLAIM: Final = Struct(">16sBBH")  # night, role, player, generation
_MAC_BYTES: Final = 16
_KEY_BYTES: Final = 32
_PASS: Final = b"tienlen/pass/v1\x00"
_GROUPS: Final = b"tienlen/groups/v1\x00"
_ID: Final = b"tienlen/id/v1\x00"
_PASS_SECONDS: Final = 300
KEY_VARIABLE: Final = "TIENLEN_KEY"
KEY_FILE: Final = "server.key"
"""The name of the file of the key, next to a database file."""


class Role(StrEnum):
    """The role of a link: what its holder may do."""

    KEEPER = "keeper"
    SEAT = "seat"
    WATCH = "watch"


_ROLES: Final = (Role.KEEPER, Role.SEAT, Role.WATCH)  # tokens contain their indexes: append only


@dataclass(frozen=True, slots=True)
class Link:
    """The claim in a token. A seat's link names its player ("p1"), other links none."""

    night: str
    role: Role
    player: str | None = None
    generation: int = 0


def make_token(key: bytes, link: Link) -> str:
    """The token of a link. Equal links have equal tokens, so a token can be shown again."""
    player = int(link.player.removeprefix("p")) if link.player else 0
    claim = _CLAIM.pack(UUID(link.night).bytes, _ROLES.index(link.role), player, link.generation)
    return urlsafe_b64encode(claim + _mac(key, claim)).decode()


def read_token(key: bytes, token: str) -> Link | None:
    """The link in a token, or None if it was not signed with this key. It may have been revoked since."""
    try:
        raw = urlsafe_b64decode(token)
    except ValueError:
        return None
    claim, mac = raw[: _CLAIM.size], raw[_CLAIM.size :]
    if urlsafe_b64encode(raw) != token.encode() or not hmac.compare_digest(mac, _mac(key, claim)):
        return None
    night, role, player, generation = _CLAIM.unpack(claim)
    return Link(str(UUID(bytes=night)), _ROLES[role], f"p{player}" if player else None, generation)


@dataclass(frozen=True, slots=True)
class GroupLink:
    """The claim in a group's token: the group, and whether the holder keeps it or only reads it."""

    group: str
    keeps: bool
    generation: int = 0


def make_group_token(key: bytes, link: GroupLink) -> str:
    """The token of a group's link; equal links have equal tokens. It cannot be used as a night's token."""
    role = Role.KEEPER if link.keeps else Role.WATCH
    return make_token(_key_of_groups(key), Link(link.group, role, None, link.generation))


def read_group_token(key: bytes, token: str) -> GroupLink | None:
    """The link in a group's token, or None if it was not signed with this key. It may be void since."""
    link = read_token(_key_of_groups(key), token)
    return None if link is None else GroupLink(link.night, link.role is Role.KEEPER, link.generation)


def make_pass(key: bytes, at: int) -> str:
    """A token for the host, who has the key, made at a time in seconds: valid for a few minutes, and for no
    night."""
    return _passed(key, str(at))


def is_pass(key: bytes, text: str, now: int) -> bool:
    """Whether a text is a pass signed with this key, and still valid."""
    at = text.partition(".")[0]
    if not hmac.compare_digest(text.encode(), _passed(key, at).encode()):
        return False
    return abs(now - int(at)) <= _PASS_SECONDS


def derived_id(key: bytes, text: str) -> str:
    """An id (of a night or group) derived from a text, unpredictable without the key."""
    return str(UUID(bytes=hmac.digest(key, _ID + text.encode(), "sha256")[:16], version=4))


def secret_digest(secret: bytes) -> bytes:
    """The digest that is stored of a night's secret: 32 bytes."""
    return sha256(_SECRET + secret).digest()


def is_secret(secret: bytes, digest: bytes | None) -> bool:
    """Whether a digest is that of a secret, compared in constant time; False without a digest."""
    return digest is not None and hmac.compare_digest(secret_digest(secret), digest)


def server_key(path: Path, environment: Mapping[str, str] = os.environ, *, make: bool = True) -> bytes | None:
    """The key of this installation: `TIENLEN_KEY`, else that in the file at `path`, created if `make`; None if
    there is none.

    Raises StoreAddressUnusable if the value found is not a key; it is not replaced, as that would void every link.
    """
    if text := environment.get(KEY_VARIABLE):
        return _read_key(text, KEY_VARIABLE)
    try:
        if not path.exists():
            if not make:
                return None
            _make_key(path)
        return _read_key(path.read_text(encoding="ascii", errors="replace"), str(path))
    except OSError as error:
        raise StoreAddressUnusable(f"the server's key cannot be kept: {error}") from error


def require_key(key: bytes | None) -> bytes:
    """The key that signs links. Raises StoreAddressUnusable if it is None."""
    if key is None:
        raise StoreAddressUnusable(
            f"links are signed with a key that all hosts of a database share: set {KEY_VARIABLE} on each to what"
            " `openssl rand -hex 32` has printed once"
        )
    return key


def _key_of_groups(key: bytes) -> bytes:
    return hmac.digest(key, _GROUPS, "sha256")


def _passed(key: bytes, at: str) -> str:
    return f"{at}.{hmac.digest(key, _PASS + at.encode(), 'sha256').hex()}"


def _mac(key: bytes, claim: bytes) -> bytes:
    return hmac.digest(key, _LINK + claim, "sha256")[:_MAC_BYTES]


def _read_key(text: str, place: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise StoreAddressUnusable(f"{place} is not a key: {_KEY_BYTES * 2} hexadecimal digits are")
    return key


def _make_key(path: Path) -> None:
    """Create the key file atomically; if several processes do, the first one's key stays."""
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # 0600
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(token_hex(_KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            Path(path).hardlink_to(draft)
        except FileExistsError:
            return
        sync(path.parent)
    finally:
        Path(draft).unlink()


_PURPOSE: Final = b"tienlen/key/v1\x00"


def note_digest(connection: Connection, digest: bytes) -> None:
    """Store the digest of a key; none may be stored yet."""
    connection.execute(insert(LinkKey), {"id": 1, "digest": digest})


def key_digest(key: bytes) -> bytes:
    """The digest of a key, for storing."""
    return sha256(_PURPOSE + key).digest()
