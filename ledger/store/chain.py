"""The chain: each entry's hash covers the one before it, so whoever knows a head knows all before it."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from ledger.store.models import Event

_NIGHT = b"tienlen/night/v1\x00"
_EVENT = b"tienlen/event/v1\x00"
_NAME = b"tienlen/name/v1\x00"

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_CHARACTERS = 16
_CODE_BYTES = _CODE_CHARACTERS * 5 // 8
_LOOK_ALIKES: Final = str.maketrans("OIL", "011")
_WRITTEN: Final = re.compile(
    r"#?\s*(?:(?P<seq>[0-9]{1,15})\s*[·.:,\s-]\s*)?(?P<code>(?:[0-9A-Za-z][\s-]*){16})"
)

SALT_BYTES = 16

NOT_OF_THE_TEXT: Final = "the hash is not that of the text"


@dataclass(frozen=True, slots=True)
class HeadCode:
    """A head as people hand it on: sixteen characters, and the entry that they are of where that was said."""

    characters: str
    seq: int | None = None

    def is_of(self, head: bytes) -> bool:
        """Whether a hash begins as this code says."""
        return self.characters == _characters(head)

    def __str__(self) -> str:
        return _written(self.characters) if self.seq is None else f"#{self.seq} · {_written(self.characters)}"


def night_hash(body: str | bytes) -> bytes:
    """The hash of a night's own text, which stands before the first event."""
    return sha256(_NIGHT + _utf8(body)).digest()


def event_hash(prev: bytes, body: str | bytes) -> bytes:
    """The hash of an event: over the hash before it (32 raw bytes) and its exact text."""
    return _sealed(prev, _utf8(body))


def commitment(salt: bytes, name: str) -> str:
    """What the chain holds in place of a name, in hexadecimal."""
    return sha256(_NAME + salt + name.encode()).hexdigest()


def keeps(committed: str, name: str | None, salt: bytes | None) -> bool:
    """Whether a name is what was committed to; an erased one was, for all that can be known."""
    if name is None or salt is None:
        return True
    return commitment(salt, name.encode(errors="surrogateescape").decode(errors="replace")) == committed


def head_code(seq: int, head: bytes) -> str:
    """A head for people to compare: `#412 · 7K3Q-9FZD-MW2H-XA4T`, the first 80 bits of its hash."""
    return str(HeadCode(_characters(head), seq))


def read_code(text: str) -> HeadCode:
    """A code as somebody typed it: in any case, with or without the entry before it and the dashes in it, O for 0,
    I or L for 1. Raises ValueError."""
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise ValueError("a code is sixteen characters, such as #412 · 7K3Q-9FZD-MW2H-XA4T")
    characters = re.sub(r"[\s-]", "", written["code"]).upper().translate(_LOOK_ALIKES)
    if not set(characters) <= set(_CROCKFORD):
        raise ValueError("a code has no letter U")
    return HeadCode(characters, int(written["seq"]) if written["seq"] else None)


def break_after(seq: int, head: bytes, entry: Event) -> str | None:
    """Why an event does not follow the head before it; None when it does."""
    if entry.seq != seq + 1:
        return f"the entry after {seq} is {entry.seq}"
    if entry.prev != head:
        return "the hash before it is not the one that the entry was chained to"
    if _sealed(entry.prev, _utf8(entry.body, errors="surrogateescape")) != entry.hash:
        return NOT_OF_THE_TEXT
    return None


def _characters(head: bytes) -> str:
    bits = int.from_bytes(head[:_CODE_BYTES])
    return "".join(_CROCKFORD[bits >> 5 * place & 31] for place in reversed(range(_CODE_CHARACTERS)))


def _written(characters: str) -> str:
    return "-".join(characters[at : at + 4] for at in range(0, _CODE_CHARACTERS, 4))


def _sealed(prev: bytes, body: bytes) -> bytes:
    return sha256(_EVENT + prev + body).digest()


def _utf8(text: str | bytes, errors: str = "strict") -> bytes:
    return text.encode(errors=errors) if isinstance(text, str) else text
