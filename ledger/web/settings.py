"""What an installation decides about its web interface."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from ledger.recorder import AUDIT_VARIABLE, METRICS_VARIABLE, Installation, require_key


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
