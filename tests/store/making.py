"""Handmade nights in the recorder's format; the store knows no rules."""

import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

from ledger.store import (
    EventBody,
    Head,
    Listed,
    LogDifference,
    NewCorrection,
    NewEvent,
    NewPayment,
    Night,
    NightHead,
    Person,
    Store,
    StoreDamaged,
    StoredEvent,
    Writer,
    commitment,
    night_hash,
    write_event,
)
from ledger.store import new_event as chained

NAMES = ("An", "Bình", "Chi", "Dũng")
PLAYERS = ("p1", "p2", "p3", "p4")
NOW = "2026-11-20T20:15:03.123Z"


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def paid(payer: str, payee: str, points: int, **more: Any) -> NewPayment:
    fields: dict[str, Any] = {"reason": "placement", "clause": "S-PAY", "round": 1} | more
    return NewPayment(payer, payee, points, **fields)


def new_night() -> tuple[Night, list[Person]]:
    night = str(uuid4())
    people = [
        Person(night=night, player=player, name=name, salt=os.urandom(16))
        for player, name in zip(PLAYERS, NAMES, strict=True)
    ]
    players = {each.player: commitment(each.salt or b"", each.name or "") for each in people}
    body = {"format": 1, "night": night, "ruleset": {}, "stake": None, "players": players, "created_at": NOW}
    text = compact(body)
    return Night(id=night, format=1, body=text, hash=night_hash(text), created_at=NOW), people


def new_event(
    night: str,
    seq: int,
    prev: bytes,
    *,
    corrections: Sequence[NewCorrection] = (),
    parts: Sequence[dict[str, Any]] = (),
    **fields: Any,
) -> NewEvent:
    """An event whose text agrees with its rows, and has these fields."""
    text: dict[str, Any] = {"kind": "play", "round": 1, "payments": (), "net": dict.fromkeys(PLAYERS, 0)}
    text |= {"id": str(uuid4()), "actor": "keeper", "at": NOW, "after": None, "client_at": None}
    corrected = [{"corrects": f"{each.target_seq}.{each.target_part}"} for each in corrections]
    rest = {"content": {"reason": "vì sao"}, "parts": [*corrected, *parts], "engine": "1"}
    body = EventBody(format=1, night=night, seq=seq, **text | rest | fields)
    return chained(body, write_event(body), prev)


class MadeNight:
    """A night in a store, with methods that append events."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.net = dict.fromkeys(PLAYERS, 0)
        night, people = new_night()
        with store.writing(night.id) as writer:
            writer.create_night(night, people)
        self.row, self.id = night, night.id

    def head(self) -> Head:
        """The head, as a new reader sees it."""
        with self.store.reading() as reader:
            return reader.head(self.id)

    def night_head(self) -> NightHead | None:
        """What every request needs of it, as a new reader sees it."""
        with self.store.reading() as reader:
            return reader.night_head(self.id)

    def append(self, **fields: Any) -> StoredEvent:
        """Append an event in a transaction of its own."""
        for payment in fields.get("payments", ()):
            self.net[payment.payer] -= payment.points
            self.net[payment.payee] += payment.points
        with self.store.writing(self.id) as writer:
            return self._append(writer, **fields)

    def _append(self, writer: Writer, **fields: Any) -> StoredEvent:
        head = writer.head(self.id)
        event = new_event(self.id, head.seq + 1, head.hash, net=self.net, **fields)
        writer.append(event)
        return event.row

    def name(self, player: str, name: str, *, salt: bytes = bytes(16)) -> StoredEvent:
        """Add or rename a player: the event holds the commitment, the row the name."""
        kind = "rename" if player in self.net else "join"
        self.net.setdefault(player, 0)
        part = {"kind": kind, "player": player, "name": commitment(salt, name)}
        with self.store.writing(self.id, forgets=kind == "rename") as writer:
            keep = writer.add_person if kind == "join" else writer.rename_person
            keep(Person(night=self.id, player=player, name=name, salt=salt))
            return self._append(writer, kind=kind, round=0, parts=[part])

    def revoke(self, role: str, player: str | None = None) -> StoredEvent:
        """Revoke a link."""
        part = {"kind": "revoke", "role": role} | ({"player": player} if player else {})
        return self.append(kind="revoke", round=0, parts=[part])

    def play_a_little(self) -> "MadeNight":
        """Append four events: a play, a settlement with two payments, an undo, and a reversed payment."""
        self.append(id="play-1")
        self.append(kind="settle", payments=[paid("p2", "p1", 2, cause="1.0"), paid("p3", "p1", 1)])
        self.append(kind="undo", corrections=[NewCorrection(0, 1, 0)])
        self.append(kind="void", round=2, payments=[paid("p1", "p2", 2, reverses=(2, 0))])
        return self


def run_in_thread(work: Callable[[], object]) -> None:
    """Run something in another thread, and wait for it."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def audited(store: Store) -> list[LogDifference]:
    """The findings of the audit in a whole database."""
    found = store.damages()
    try:
        nights = store.listed_nights()
    except StoreDamaged as error:
        return [*found, LogDifference(None, 0, str(error))]
    return [*found, *(one for night in nights for one in audited_night(store, night)), *store.strays()]


def audited_night(store: Store, night: str | Listed) -> Iterator[LogDifference]:
    """The findings of the audit in one night, as it runs."""
    return (one for one in store.audit(night) if isinstance(one, LogDifference))
