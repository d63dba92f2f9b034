"""An all-seeing witness: it checks every entry as it is recorded, and the whole night at the end."""

import json
from collections import Counter
from dataclasses import dataclass, field

from ledger.recorder import Link, Recorder, audit
from tests.soak.phones.queue import Entry, Fate
from tests.soak.phones.standing import Data, EntryKey, Lines, Standing


class Violation(Exception):
    """An invariant is broken; the message says which."""


def demand(holds: bool, what: str) -> None:
    if not holds:
        raise Violation(what)


@dataclass(slots=True)
class About:
    """The happening that an entry records (None without one), and, for an entry about the play, what its author
    expects to stand once it is recorded."""

    phone: str
    happening: int | None
    foreseen: tuple[list[EntryKey], tuple[EntryKey, ...]] | None = None
    spoken_of: Lines | None = None  # the round as shown to the player who confirms or disputes it


@dataclass(slots=True)
class Witness:
    """The witness of one night. `entries` maps every id ever used to its entry, of all phones."""

    recorder: Recorder
    night: str
    standing: Standing
    entries: dict[str, Entry] = field(default_factory=dict)
    heads: list[str] = field(default_factory=list)  # the hash of every entry so far, the night's own first
    last_of: Counter[str] = field(default_factory=Counter)
    made: dict[str, int] = field(default_factory=dict)
    revoked: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    by: dict[str, Entry] = field(default_factory=dict)  # seq of an event -> its entry

    @property
    def newest(self) -> int:
        return len(self.heads) - 1

    def makes(self, entry: Entry) -> None:
        """Note that a phone made an entry, or gave it another id."""
        self.made.setdefault(entry.ids[0], len(self.made))
        self.entries[entry.id] = entry

    def look(self) -> None:
        """Check the entries that were recorded since the last call."""
        with self.recorder.night(self.night) as snapshot:
            rows = snapshot.log(after=self.newest).events
        for row in rows:
            self.heads.append(row.hash)
            self._see(json.loads(row.body))

    def _see(self, body: Data) -> None:
        entry = self.entries.get(body["id"])
        if entry is None:
            raise Violation(f"{body['kind']} was recorded, and nobody had made it")
        demand(entry not in self.by.values(), f"recorded twice: {_words(entry)}")
        demand(entry.fate is not Fate.DROPPED, f"recorded though it was dropped: {_words(entry)}")
        self.by[f"{body['seq']}"] = entry
        self.standing = self.standing.logged(body)
        seqs = {line.address.partition(".")[0] for line in self.standing.lines}
        happenings = [self.by[seq].about.happening for seq in seqs]
        numbers = [f"happening {number}" for number in happenings if number is not None]
        for what, count in Counter[object]([*numbers, *self.standing.adjustments]).items():
            demand(count == 1, f"recorded twice by two phones: {what}")
        about: About = entry.about
        foreseen = about.foreseen in (None, self.standing.keys)
        demand(foreseen, f"recorded where nobody had seen it: {_words(entry)}")
        as_shown = about.spoken_of is None or about.spoken_of == self.standing.rounds[body["round"]]
        demand(as_shown, f"said of what nobody had seen: {_words(entry)}")
        made = self.made[entry.ids[0]]
        demand(made >= self.last_of[about.phone], f"out of order: {_words(entry)}")
        self.last_of[about.phone] = made
        demand(not sum(body["net"].values()), "balances do not sum to 0")
        for part in body["parts"]:
            if part["kind"] == "revoke":
                self.revoked[part["role"], part.get("player")] += 1

    def hears(self, entry: Entry, seq: int, hash: str) -> None:
        recorded = self.by.get(f"{seq}") is entry and self.heads[seq] == hash
        demand(recorded, f"acknowledged and not recorded: {_words(entry)}")

    def asks_a_person(self, entry: Entry, events: list[Data]) -> None:
        """Check a conflict that a phone receives: it must not be with the same entry."""
        own = any(event["id"] in entry.ids for event in events)
        demand(not own, f"in conflict with itself: {_words(entry)}")

    def shows(self, seq: int, hash: str) -> None:
        demand(seq < len(self.heads) and self.heads[seq] == hash, f"shown and not in the log: head {seq}")

    def holds(self, link: Link) -> bool:
        return self.revoked[link.role, link.player] == link.generation

    def at_the_end(self, happened: list[EntryKey], adjustments: list[EntryKey]) -> None:
        """Check the whole night at rest: it equals what happened, and its audit finds nothing."""
        lines, paid = self.standing.keys
        demand(lines == happened, f"not as it happened: {lines} and not {happened}")
        demand(sorted(paid) == sorted(adjustments), f"not as it was paid: {paid} and not {adjustments}")
        for entry in self.entries.values():
            recorded = entry in self.by.values()
            demand(recorded == (entry.fate is Fate.RECORDED), f"{entry.fate.value}: {_words(entry)}")
        with self.recorder.night(self.night) as snapshot:
            log = snapshot.log()
        hashes = [log.night and log.night.hash, *(row.hash for row in log.events)]
        demand(hashes == self.heads, "the log is not the one that was seen")
        differences = list(audit(self.recorder, self.night))
        demand(not differences, f"the audit finds {differences}")


def _words(entry: Entry) -> str:
    return f"{entry.kind} {json.dumps(entry.content, ensure_ascii=False)} of {entry.about.phone}"
