"""What goes in and out of the store: plain values, one for each kind of row.

Those of which a night has hundreds are tuples, and named: they are made in a fourth of the time.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ledger.store.links import Link


@dataclass(frozen=True, slots=True)
class NewNight:
    """A night to be opened; `body` is the exact text that is hashed."""

    id: str
    body: str
    created_at: str
    format: int = 1
    secret_digest: bytes | None = None
    """Of the secret that its opener may bring again; None where nobody may."""


@dataclass(frozen=True, slots=True)
class NightRow:
    """A night as it was agreed on; its hash is entry 0 of its chain."""

    id: str
    format: int
    body: str
    hash: bytes
    created_at: str


@dataclass(frozen=True, slots=True)
class Person:
    """A player's name and the salt of its commitment; both None once the name is erased."""

    player: str
    name: str | None
    salt: bytes | None


class Head(NamedTuple):
    """The newest entry of a chain: seq 0 and the night's own hash when there is no event."""

    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Glance:
    """A night from outside: how far it has come, what its players are called, and how often each link of it has
    been revoked, by role and player. p1 comes first; an erased name is the player's tag."""

    head: Head
    names: Mapping[str, str]
    generations: Counter[tuple[str, str | None]]

    def holds(self, link: Link) -> bool:
        """Whether a link to this night has not been revoked."""
        return self.generations[link.role, link.player] == link.generation


class EventRow(NamedTuple):
    """An entry of the log. Everything but `prev` and `hash` repeats what the body says."""

    night: str
    seq: int
    id: str
    kind: str
    round: int
    payment_count: int
    payment_total: int
    body: str
    prev: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class NewPayment:
    """A payment to be posted; `cause` is a move's address, `reverses` another payment's (seq, idx)."""

    payer: str
    payee: str
    points: int
    reason: str
    clause: str
    round: int
    cause: str | None = None
    reverses: tuple[int, int] | None = None


class PaymentRow(NamedTuple):
    """A posted payment, `seq.idx` of its night."""

    seq: int
    idx: int
    payer: str
    payee: str
    points: int
    reason: str
    clause: str
    round: int
    cause: str | None
    reverses_seq: int | None
    reverses_idx: int | None


@dataclass(frozen=True, slots=True)
class NewCorrection:
    """Part `part` of the new event corrects the move `target_seq.target_part`."""

    part: int
    target_seq: int
    target_part: int


class CorrectionRow(NamedTuple):
    """The move `target_seq.target_part` was corrected by `seq.part`."""

    seq: int
    part: int
    target_seq: int
    target_part: int


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An entry to be appended; `prev` is the head it was made on, `body` the exact text that is hashed."""

    night: str
    seq: int
    id: str
    kind: str
    round: int
    body: str
    prev: bytes
    payments: Sequence[NewPayment] = field(default=())
    corrections: Sequence[NewCorrection] = field(default=())
