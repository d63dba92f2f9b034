"""The chain: each entry's hash covers the one before it, so whoever knows a head knows all before it."""

from dataclasses import dataclass
from hashlib import sha256

_NIGHT = b"tienlen/night/v1\x00"
_EVENT = b"tienlen/event/v1\x00"
_NAME = b"tienlen/name/v1\x00"

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_CHARACTERS = 16
_CODE_BYTES = _CODE_CHARACTERS * 5 // 8

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it lies in a database or in an export: its exact text and what is claimed about it."""

    seq: int
    prev: bytes
    body: bytes
    hash: bytes


def night_hash(body: str | bytes) -> bytes:
    """The hash of a night's own text, which stands before the first event."""
    return sha256(_NIGHT + _utf8(body)).digest()


def event_hash(prev: bytes, body: str | bytes) -> bytes:
    """The hash of an event: over the hash before it (32 raw bytes) and its exact text."""
    return sha256(_EVENT + prev + _utf8(body)).digest()


def commitment(salt: bytes, name: str) -> str:
    """What the chain holds in place of a name, in hexadecimal."""
    return sha256(_NAME + salt + name.encode()).hexdigest()


def head_code(seq: int, head: bytes) -> str:
    """A head for people to compare: `#412 · 7K3Q-9FZD-MW2H-XA4T`, the first 80 bits of its hash."""
    bits = int.from_bytes(head[:_CODE_BYTES])
    code = "".join(_CROCKFORD[bits >> 5 * place & 31] for place in reversed(range(_CODE_CHARACTERS)))
    return f"#{seq} · {code[:4]}-{code[4:8]}-{code[8:12]}-{code[12:]}"


def break_after(seq: int, head: bytes, entry: Entry) -> str | None:
    """Why an entry does not follow the head before it; None when it does."""
    if entry.seq != seq + 1:
        return f"the entry after {seq} is {entry.seq}"
    if entry.prev != head:
        return "the hash before it is not the one that the entry was chained to"
    if event_hash(entry.prev, entry.body) != entry.hash:
        return "the hash is not that of the text"
    return None


def _utf8(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
