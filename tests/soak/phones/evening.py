"""A whole evening in virtual time, from a seed: two keepers, the players, a reader and a server."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

from ledger.game.night import Terms
from ledger.game.rulesets import PRESETS
from ledger.recorder import Link, Recorder, Role, recording
from ledger.store import Reader, migrate
from tests.recorder.tables import SECRET
from tests.soak.phones.people import Keeper, Person, Seat, Table, happening_key
from tests.soak.phones.phone import Night, Phone
from tests.soak.phones.played import TABLES, evening
from tests.soak.phones.queue import Entry
from tests.soak.phones.serving import KEY, Answer, Mortal, Server
from tests.soak.phones.standing import Standing
from tests.soak.phones.weather import DAY, HOUR, Time, Weather
from tests.soak.phones.witness import Violation, Witness

NAMES = ("An", "Bình", "Chi", "Dũng", "Em")
LENGTH = 20
"""The number of happenings in an evening."""
AT_REST = 5 * DAY
"""The time by which everything must be recorded."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters that determine an evening."""

    seed: int
    length: int = LENGTH
    without: tuple[str, ...] = ()
    defect: str = ""

    def __str__(self) -> str:
        words = [f"--seed {self.seed}", f"--length {self.length}"]
        words += [f"--without {what}" for what in self.without]
        words += [f'--defect "{self.defect}"'] if self.defect else []
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an evening: the number of recorded entries, the violation found (or ""), and the story."""

    plan: Plan
    entries: int
    found: str
    story: tuple[str, ...]


# Defects to plant


class RebasingPhone(Phone):
    """Sends a stale entry again without asking, with a new id, after the newest entry."""

    TRIES = 20

    def refused(self, entry: Entry, answer: Answer) -> None:
        if answer.data["code"] != "stale" or not answer.data["events"] or len(entry.ids) > self.TRIES:
            super().refused(entry, answer)
            return
        self._shows(answer.data["events"])
        if entry not in self.queue.waiting:
            return
        entry.ids.append(self.night.new_id())
        entry.after = self.standing.after
        for later in self.queue.waiting[1:2]:
            later.after = entry.id
        self.night.witness.makes(entry)


class RenamingPhone(Phone):
    """Makes a new id for every try."""

    def before_again(self) -> None:
        for entry in self.queue.waiting[:1]:
            entry.ids.append(self.night.new_id())
            self.night.witness.makes(entry)


def _never(*_: Any) -> None:
    """Replaces a check."""


PHONES: dict[str, type[Phone]] = {
    "phones re-base by themselves": RebasingPhone,
    "phones make a new id for every try": RenamingPhone,
}
SERVERS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "the server forgets ids": lambda: patch.object(Reader, "event_by_id", _never),
    "the server takes what is stale": lambda: patch.object(recording, "require_fresh", _never),
    "the server asks nobody what they saw": lambda: patch.object(recording, "require_not_overtaken", _never),
}
HASTY = "the server answers before it keeps"
DEFECTS = (*PHONES, *SERVERS, HASTY)


# The evening


@contextmanager
def database(folder: Path) -> Iterator[Mortal]:
    """A store whose database is in a folder."""
    url = f"sqlite:///{folder / 'ledger.db'}"
    migrate(url)
    store = Mortal.open(url)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder, in memory if the machine has /dev/shm."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(prefix="evenings-", dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


def spend(store: Mortal, plan: Plan) -> Outcome:
    """Run one evening; the first violation ends it."""
    with SERVERS.get(plan.defect, nullcontext)():
        one = Evening(store, plan)
        try:
            one.goes_by()
            found = ""
        except Violation as violation:
            found = str(violation)
        except Exception as error:
            found = f"nobody expects {error!r}"
        return Outcome(plan, len(one.night.witness.heads) - 1, found, tuple(one.night.story))


class Evening:
    """One night, from its first card until no message is in transit."""

    def __init__(self, store: Mortal, plan: Plan) -> None:
        chance = Random(f"{plan.seed} evening")
        ruleset = chance.choice(list(TABLES))
        self.table = Table(evening(chance, ruleset, plan.length))
        self.time = Time(plan.seed, Weather().without(*plan.without))
        recorder, night = Recorder(store, KEY), str(uuid4())
        opened = recorder.open_night(
            night, secret=SECRET, terms=Terms(PRESETS[ruleset]), players=NAMES[: TABLES[ruleset]]
        )
        witness = Witness(recorder, night, Standing(night), heads=[opened.hash])
        server = Server(store, self.time, witness.look, hasty=plan.defect == HASTY)
        ids = self.time.chance("ids")
        self.night = Night(
            night, self.time, server, witness, lambda: str(UUID(int=ids.getrandbits(128), version=4))
        )
        players = [f"p{number + 1}" for number in range(TABLES[ruleset])]
        self.people = list(self._people(PHONES.get(plan.defect, Phone), players))
        self._still = False

    def _people(self, phone: type[Phone], players: list[str]) -> Iterator[Person]:
        night = self.night
        for name in ("keeper A", "keeper B"):
            yield Keeper(phone(night, name, Link(night.id, Role.KEEPER)), self.table)
        for player in players:
            yield Seat(phone(night, player, Link(night.id, Role.SEAT, player)))
        yield Person(phone(night, "watcher", Link(night.id, Role.WATCH)))

    def goes_by(self) -> None:
        """Run the evening and check it. Raises Violation."""
        self._goes_on()
        for person in self.people:
            self._looks(person)
        rested = self.time.pass_by(self._at_rest, AT_REST)
        self._still = True
        self.time.pass_all()
        witness = self.night.witness
        if not rested:
            raise Violation("what happened is not recorded after days")
        witness.at_the_end(
            [happening_key(each) for _, each in self.table.play()],
            [happening_key(each) for _, each in self.table.adjustments()],
        )

    def _goes_on(self) -> None:
        """Let the next thing happen at the table, and schedule the one after it; some pauses last an hour."""
        self.table.goes_on()
        if not self.table.over:
            chance = self.time.chance("table")
            self.time.after(HOUR if chance.random() < 0.03 else chance.uniform(5, 40), self._goes_on)

    def _looks(self, person: Person) -> None:
        if not self._still:
            person.looks()
            self.time.after(person.pause(), lambda: self._looks(person))

    def _at_rest(self) -> bool:
        if not self.table.over or any(person.phone.queue.waiting for person in self.people):
            return False
        lines, adjustments = self.night.witness.standing.keys
        if len(lines) + len(adjustments) != self.table.happened_count:
            return False
        return lines == [happening_key(each) for _, each in self.table.play()]
