"""The hash chain: each entry's hash covers the hash before it, so a head commits to all earlier entries."""

import re
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import Final

from ledger.store.models import StoredEvent

_NIGHT = b"tienlen/night/v1\x00"
_EVENT = b"tienlen/event/v1\x00"
_NAME = b"tienlen/name/v1\x00"

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = tuple(map("".join, product(_CROCKFORD, repeat=2)))
"""The characters of every number of ten bits."""
_CODE_BYTES: Final = 10
"""Sixteen characters of five bits."""
_LOOK_ALIKES: Final = str.maketrans("OIL", "011")
_WRITTEN: Final = re.compile(
    r"#?\s*(?:(?P<seq>[0-9]{1,15})\s*[·.:,\s-]\s*)?(?P<code>(?:[0-9A-Za-z][\s-]*){16})"
)

SALT_BYTES = 16

NOT_OF_THE_TEXT: Final = "the hash is not that of the text"


@dataclass(frozen=True, slots=True)
class HeadCode:
    """The code of a head, for people: sixteen characters, and the seq of the entry if it was given."""

    characters: str
    seq: int | None = None

    def is_of(self, head: bytes) -> bool:
        """Whether this is the code of a hash."""
        return self.characters == _characters(head)

    def __str__(self) -> str:
        return _written(self.characters) if self.seq is None else f"#{self.seq} · {_written(self.characters)}"


def night_hash(body: str | bytes) -> bytes:
    """The hash of a night's own text, which is entry 0 of its chain."""
    return sha256(_NIGHT + (body.encode() if isinstance(body, str) else body)).digest()


def event_hash(prev: bytes, body: str | bytes) -> bytes:
    """The hash of an event: of the hash before it (32 raw bytes) and its exact text."""
    return sha256(_EVENT + prev + (body.encode() if isinstance(body, str) else body)).digest()


def commitment(salt: bytes, name: str) -> str:
    """The salted hash that replaces a name in the chain, in hexadecimal."""
    return sha256(_NAME + salt + name.encode()).hexdigest()


def matches_commitment(committed: str, name: str | None, salt: bytes | None) -> bool:
    """Whether a name matches a commitment; True for a name that was erased with its salt: it cannot be checked."""
    if name is None or salt is None:
        return name is None and salt is None
    return commitment(salt, name.encode(errors="surrogateescape").decode(errors="replace")) == committed


def head_code(seq: int, head: bytes) -> str:
    """The code of a head, for people to compare: `#412 · 7K3Q-9FZD-MW2H-XA4T`, the first 80 bits of its hash."""
    return str(HeadCode(_characters(head), seq))


def read_code(text: str) -> HeadCode:
    """Read a code that a person typed: in any case, with or without seq and dashes, O for 0, I or L for 1. Raises
    ValueError."""
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise ValueError("a code is sixteen characters, such as #412 · 7K3Q-9FZD-MW2H-XA4T")
    characters = re.sub(r"[\s-]", "", written["code"]).upper().translate(_LOOK_ALIKES)
    if "U" in characters:
        raise ValueError("a code has no letter U")
    return HeadCode(characters, int(written["seq"]) if written["seq"] else None)


def break_after(seq: int, head: bytes, entry: StoredEvent) -> str | None:
    """Why an event does not follow the head before it; None if it does."""
    if entry.seq != seq + 1:
        return f"the entry after {seq} is {entry.seq}"
    if entry.prev != head:
        return "the hash before it is not the one that the entry was chained to"
    if event_hash(entry.prev, entry.body.encode(errors="surrogateescape")) != entry.hash:
        return NOT_OF_THE_TEXT
    return None


def _characters(head: bytes) -> str:
    bits = int.from_bytes(head[:_CODE_BYTES])
    return "".join([_PAIRS[bits >> place & 1023] for place in range(70, -10, -10)])


def _written(characters: str) -> str:
    return f"{characters[:4]}-{characters[4:8]}-{characters[8:12]}-{characters[12:]}"
