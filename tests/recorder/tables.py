"""A night with its keeper's phone, recorded from stories in the lines of the notation: one entry for each line."""

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from sqlalchemy import text

from ledger.game.night import Stake, Terms
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import lay_all
from ledger.language import speaker
from ledger.recorder import (
    KINDS,
    EventRequest,
    Link,
    NightSnapshot,
    Problem,
    Recorded,
    Recorder,
    Role,
    export_tln,
    preview,
)
from ledger.recorder.state import is_recording
from ledger.recorder.views.entry import EntryRow
from ledger.store import Store

RECORDS = Path(__file__).parent.parent / "records"
CLASSIC = "southern-classic"
WINNER_TAKES_ALL = "southern-winner-takes-all"
NAMES = ("An", "Bình", "Chi", "Dũng", "Em Thảo")
KEY = bytes(range(32))
SECRET = bytes(range(16))
"""The secret of the phone that opens a night."""
SAY = speaker("vi").finding
TABLES = ("night", "event", "correction", "payment", "person", "group_entry")

RANKS = "3456789TJQKA2"
SUITS = dict(zip(("p1", "p2", "p3", "p4"), "scdh", strict=True))
"""In stories of one suit each, the suit of each player."""


def run(suit: str, low: str = "3", high: str = "A") -> str:
    """The cards of one suit from one rank to another: `run("s", "3", "5")` is `3s 4s 5s`."""
    return " ".join(rank + suit for rank in RANKS[RANKS.index(low) : RANKS.index(high) + 1])


def whole(player: str) -> str:
    """All thirteen cards of a player's suit: a dragon."""
    return run(SUITS[player], "3", "2")


A_ROUND = f"""
    round opening p1 p2
    p1 3s
    p2 4c
    p1 2s
    p1 {run("s", "4")}
"""
"""A round of two players to its end; p2 has twelve clubs left."""

A_SETTLED_ROUND = f"{A_ROUND}\n p2 shows 3c {run('c', '5', '2')}\n settle"
"""The same round, settled: p2 pays 2 for the place and 1 for the 2♣."""


class Clock:
    """A clock that advances by a second at each call."""

    def __init__(self) -> None:
        self._looks = count()

    def __call__(self) -> datetime:
        return datetime(2026, 11, 20, 20, 15, tzinfo=UTC) + timedelta(seconds=next(self._looks))


def plain(view: Any) -> Any:
    """A view as plain data; an entry without most of its empty fields."""
    if isinstance(view, EntryRow):
        kept = ("combination", "code", "clause")
        values = {one.name: getattr(view, one.name) for one in fields(view)}
        return {name: plain(value) for name, value in values.items() if value is not None or name in kept}
    if is_dataclass(view) and not isinstance(view, type):
        return {one.name: plain(getattr(view, one.name)) for one in fields(view)}
    if isinstance(view, dict):
        return {name: plain(value) for name, value in view.items()}
    return [*map(plain, view)] if isinstance(view, list | tuple) else view


@dataclass
class Table:
    """A night with its keeper's phone, whose requests follow the last entry that it saw."""

    recorder: Recorder
    night: str
    after: str = ""
    recorded: list[Recorded] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.after = self.after or self.night

    @property
    def keeper(self) -> Link:
        return Link(self.night, Role.KEEPER)

    def request(self, kind: str, content: dict[str, Any], **fields: Any) -> EventRequest:
        after = self.after if is_recording(kind) else None
        return EventRequest(**{"id": str(uuid4()), "after": after, "kind": kind, "content": content} | fields)

    def send(self, request: EventRequest) -> Recorded:
        """Record a request unchanged; afterwards the phone has seen its entry."""
        recorded = self.recorder.record(self.night, *self.asked(request))
        if is_recording(request.kind):
            self.after = request.id
        self.recorded.append(recorded)
        return recorded

    def asked(self, request: EventRequest) -> tuple[EventRequest, Link]:
        """A request with the link that may record it: the player's seat for entries of seats, else the keeper."""
        if KINDS[request.kind].recorded_by is not Role.SEAT:
            return request, self.keeper
        content = dict(request.content)
        seat = Link(self.night, Role.SEAT, content.pop("player"))
        return replace(request, content=content), seat

    def preview(self, kind: str, **content: Any) -> dict[str, Any]:
        """The preview of an entry."""
        request, link = self.asked(self.request(kind, content))
        with self.recorder.night(self.night) as snapshot:
            would: dict[str, Any] = plain(preview(snapshot, request, link, SAY))
            return would

    def record(self, kind: str, **content: Any) -> Recorded:
        return self.send(self.request(kind, content))

    def tell(self, story: str) -> "Table":
        """Record each line of a story."""
        for kind, content in read_story(story):
            self.record(kind, **content)
        return self

    @property
    def ask(self) -> NightSnapshot:
        return asked(self.recorder, self.night)

    def board(self) -> dict[str, Any]:
        board: dict[str, Any] = plain(self.ask.board(self.keeper, SAY))
        return board

    def round(self) -> dict[str, Any]:
        """The round on the board."""
        round: dict[str, Any] = self.board()["round"]
        return round

    def log(self, *, after: int = 0, limit: int | None = None) -> list[dict[str, Any]]:
        """The events of the log."""
        events: list[dict[str, Any]] = plain(self.ask.log(after=after, limit=limit).events)
        return events

    def page(self, number: int) -> dict[str, Any]:
        page: dict[str, Any] = plain(self.ask.round_page(number, SAY))
        return page

    def replay_text(self) -> str:
        """The night as a replay."""
        return export_tln(self.recorder, self.night)

    def restarted(self) -> "Table":
        """The same night after a restart of the server, with empty caches."""
        return Table(Recorder(self.recorder.store, KEY, Clock()), self.night, self.after)

    def refused(self, line: str) -> Problem:
        """The problem with which an entry is refused; checks that the store is unchanged."""
        before = self.contents()
        ((kind, content),) = read_story(line)
        with pytest.raises(Problem) as caught:
            self.record(kind, **content)
        assert self.contents() == before
        return caught.value

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of the store, by table."""
        with self.recorder.store.reading() as reader:
            return {
                name: [tuple(row) for row in reader.rows(text(f"SELECT * FROM {name}"), {})]
                for name in TABLES
            }


def asked(recorder: Recorder, night: str) -> NightSnapshot:
    """A night's snapshot whose every access runs in a new transaction, on the night at that time."""
    return cast(NightSnapshot, _Asked(recorder, night))


@dataclass(frozen=True)
class _Asked:
    recorder: Recorder
    night: str

    def __getattr__(self, name: str) -> Any:
        with self.recorder.night(self.night) as snapshot:
            found = getattr(snapshot, name)
        if not callable(found):
            return found

        def answer(*args: Any, **more: Any) -> Any:
            with self.recorder.night(self.night) as snapshot:
                return getattr(snapshot, name)(*args, **more)

        return answer


def open_table(
    recorder: Recorder,
    players: int = 4,
    *,
    ruleset: str = CLASSIC,
    rules: Iterable[str] = (),
    stake: Stake | None = None,
) -> Table:
    """Open a new night."""
    night = str(uuid4())
    agreed = lay_all(PRESETS[ruleset], rules)
    recorder.open_night(night, secret=SECRET, terms=Terms(agreed, stake), players=NAMES[:players])
    return Table(recorder, night)


def read_story(story: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries of a story: lines of the notation, others such as `settle 1`, `undo` or `end`, and JSON for
    everything else."""
    for line in filter(None, map(str.strip, story.splitlines())):
        if line.startswith("{"):
            content = json.loads(line)
            yield content.pop("kind"), content
            continue
        words = line.split()
        stood = {"stood": True} if words[-1] == "!" else {}
        words = words[: -1 if stood else None]
        yield _entry(words, stood)


def _entry(words: list[str], stood: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    match words:
        case ["round", *how]:
            return "round", _header(how) | stood
        case ["settle", *number]:
            return "settle", {"round": int(number[0])} if number else {}
        case ["pay", payer, payee, points, *reason]:
            return "adjust", {
                "payer": payer,
                "payee": payee,
                "points": int(points),
                "reason": " ".join(reason),
            }
        case ["undo" | "redo" | "end" as alone]:
            return alone, {}
        case ["reopen", *reason]:
            return "reopen", {"reason": " ".join(reason)}
        case ["of", number, *rest]:
            kind, content = _entry(rest, stood)
            return kind, content | {"round": int(number)}
        case ["join", *name]:
            return "join", {"name": " ".join(name)}
        case ["rename", player, *name]:
            return "rename", {"player": player, "name": " ".join(name)}
        case ["revoke", role, *whose]:
            return "revoke", {"role": role} | ({"player": whose[0]} if whose else {})
        case ["note", *words_of_it]:
            return "note", {"note": " ".join(words_of_it)}
        case [seat, "contract", name]:
            return "contract", {"seat": seat, "contract": name}
        case ["correct", *changes]:
            changes_text, _, why = " ".join(changes).partition(" because ")
            return "correct", {"changes": list(map(_change, changes_text.split(" | "))), "reason": why}
        case ["result", *rest]:
            return "result", _result(" ".join(rest))
        case ["void", number, *why]:
            return "void", {"round": int(number), "reason": " ".join(why)}
        case [seat, "confirms", number]:
            return "confirm", {"player": seat, "round": int(number)}
        case [seat, "disputes", number, "payment", place, *why]:
            seq, idx = map(int, place.split("."))
            about = {"round": int(number), "payment": {"seq": seq, "idx": idx}}
            return "dispute", {"player": seat, **about, "reason": " ".join(why)}
        case [seat, "disputes", number, "move", address, *why]:
            return "dispute", {"player": seat, "round": int(number), "move": address, "reason": " ".join(why)}
        case ["decide", dispute, decision, *why]:
            return "decide", {"dispute": int(dispute), "decision": decision, "reason": " ".join(why)}
        case ["paid", payer, payee, points]:
            return "paid", {"payer": payer, "payee": payee, "points": int(points)}
        case [seat, "-"]:
            return "pass", {"seat": seat} | stood
        case [seat, "claims" | "shows" as verb, *cards]:
            return verb.removesuffix("s"), {"seat": seat, "cards": cards} | stood
        case [seat, "declares", *cards]:
            sets = [] if cards == ["none"] else [group.split() for group in " ".join(cards).split(",")]
            return "declare", {"seat": seat, "sets": sets}
        case [seat, *cards]:
            return "play", {"seat": seat, "cards": cards} | stood
    raise AssertionError(words)


def _result(text: str) -> dict[str, Any]:
    """The content of a result: `p1 p2 knocked p3 p4 bombed p1 p2 2d 2h`."""
    order, *bombs = text.split(" bombed ")
    places, _, knocked = order.partition(" knocked ")
    taken = [bomb.split() for bomb in bombs]
    return {
        "places": places.split(),
        "knocked_out": knocked.split(),
        "bombs": [{"seat": seat, "beat": beat, "captured": cards} for seat, beat, *cards in taken],
    }


def _change(text: str) -> dict[str, Any]:
    """One change of a correction: `3.0 = p2 7d`, `3.0 = struck`, `before 3.0 = p2 7d`."""
    place, _, line = text.partition(" = ")
    before, _, address = place.rpartition(" ")
    if line == "struck":
        return {"target": address, "with": None}
    ((kind, content),) = read_story(line)
    return {"before" if before else "target": address, "with": {"kind": kind, **content}}


def _header(words: list[str]) -> dict[str, Any]:
    first, *seats = words
    header: dict[str, Any] = {"opening": True}
    if first == "lead":
        header = {"leader": seats.pop(0)}
    return header | ({"seats": seats} if seats else {})


def record_text(number: int) -> str:
    """The replay of a night that was scored by hand."""
    return (RECORDS / f"southern-{number:02}.tln").read_text(encoding="utf-8")


@contextmanager
def opened(path: Path, template: Path, *, web: bool = True) -> Iterator[Recorder]:
    """A recorder over a new database."""
    shutil.copyfile(template, path)
    store = Store.open(f"sqlite:///{path}", web=web)
    try:
        yield Recorder(store, KEY, Clock())
    finally:
        store.close()
