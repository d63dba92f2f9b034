"""Whole evenings in virtual time, each from a seed: two keepers, the players, a reader and a server. Among others,
what is acknowledged must be recorded exactly once."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Annotated, Final
from unittest.mock import patch
from uuid import UUID, uuid4

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder import Link, Recorder, Role, judging
from ledger.store import Reader, migrate
from tests.recorder.tables import KEY, NAMES, SECRET
from tests.soak.phones.people import Keeper, Person, Seat, Table
from tests.soak.phones.phone import Answer, Mortal, Night, Phone, Server
from tests.soak.phones.played import TABLES, evening
from tests.soak.phones.queue import Entry
from tests.soak.phones.standing import Standing
from tests.soak.phones.weather import DAY, HOUR, WEATHER, Time
from tests.soak.phones.witness import Violation, Witness
from tests.soak.running import Tally, in_processes, scratch

LENGTH: Final = 20  # the number of happenings in an evening
AT_REST: Final = 5 * DAY  # the time by which everything must be recorded
_AT_ONCE: Final = 50  # the number of evenings in one database


@dataclass(frozen=True, slots=True)
class Plan:
    seed: int
    length: int = LENGTH
    without: tuple[str, ...] = ()
    defect: str = ""

    def __str__(self) -> str:
        words = [f"--seeds 1 --first {self.seed}", f"--length {self.length}"]
        words += [f"--without {' '.join(self.without)}"] if self.without else []
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

    def refused(self, entry: Entry, answer: Answer) -> None:
        if answer.data["code"] != "stale" or not answer.data["events"] or len(entry.ids) > 20:
            super().refused(entry, answer)
            return
        self._shows(answer.data["events"])
        if entry in self.queue.waiting:
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


PHONES: Final[dict[str, type[Phone]]] = {
    "phones re-base by themselves": RebasingPhone,
    "phones make a new id for every try": RenamingPhone,
}
SERVERS: Final[dict[str, tuple[object, str]]] = {
    "the server forgets ids": (Reader, "event_by_id"),
    "the server takes what is stale": (judging, "require_fresh"),
    "the server asks nobody what they saw": (judging, "require_not_overtaken"),
}
"""Checks to leave out."""
HASTY: Final = "the server answers before it keeps"
DEFECTS: Final = (*PHONES, *SERVERS, HASTY)


@contextmanager
def database(folder: Path) -> Iterator[Mortal]:
    url = f"sqlite:///{folder / 'ledger.db'}"
    migrate(url)
    with closing(Mortal.open(url)) as store:
        yield store


def spend(store: Mortal, plan: Plan) -> Outcome:
    """Run one evening; the first violation ends it."""
    server = SERVERS.get(plan.defect)
    with patch.object(*server, return_value=None) if server else nullcontext():
        one = Evening(store, plan)
        try:
            one.goes_by()
            found = ""
        except Violation as violation:
            found = str(violation)
        except Exception as error:
            found = f"nobody expects {error!r}"
        return Outcome(plan, one.night.witness.newest, found, tuple(one.night.story))


class Evening:
    """One night, from its first card until no message is in transit."""

    def __init__(self, store: Mortal, plan: Plan) -> None:
        chance = Random(f"{plan.seed} evening")
        ruleset = chance.choice(list(TABLES))
        self.table = Table(evening(chance, ruleset, plan.length))
        self.time = Time(plan.seed, plan.without)
        recorder, night, players = Recorder(store, KEY), str(uuid4()), TABLES[ruleset]
        terms, names = Terms(PRESETS[ruleset]), NAMES[:players]
        opened = recorder.open_night(night, secret=SECRET, terms=terms, players=names)
        witness = Witness(recorder, night, Standing(night), heads=[opened.hash])
        server = Server(store, self.time, witness.look, hasty=plan.defect == HASTY)
        ids = self.time.chance("ids")
        self.night = Night(
            night, self.time, server, witness, lambda: str(UUID(int=ids.getrandbits(128), version=4))
        )
        self.people = list(self._people(PHONES.get(plan.defect, Phone), players))
        self._still = False

    def _people(self, phone: type[Phone], players: int) -> Iterator[Person]:
        night = self.night
        for name in ("keeper A", "keeper B"):
            yield Keeper(phone(night, name, Link(night.id, Role.KEEPER)), self.table)
        for player in (f"p{number}" for number in range(1, players + 1)):
            yield Seat(phone(night, player, Link(night.id, Role.SEAT, player)))
        yield Person(phone(night, "watcher", Link(night.id, Role.WATCH)))

    def goes_by(self) -> None:
        self._goes_on()
        for person in self.people:
            self._looks(person)
        rested = self.time.pass_by(self._at_rest, AT_REST)
        self._still = True
        self.time.pass_by(lambda: False)
        if not rested:
            raise Violation("what happened is not recorded after days")
        play, adjustments = self.table.play, self.table.adjustments
        self.night.witness.at_the_end([each.key for each in play], [each.key for each in adjustments])

    def _goes_on(self) -> None:
        """Let the next thing happen at the table, and schedule the one after it; some pauses last an hour."""
        self.table.happened += 1
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
        if len(lines) + len(adjustments) != self.table.happened:
            return False
        return lines == [each.key for each in self.table.play]


def spend_all(plans: list[Plan]) -> list[Outcome]:
    """Run some evenings in one database. Of several, only those that find something keep their story."""
    with scratch(in_memory=True) as folder, database(folder) as store:
        outcomes = [spend(store, plan) for plan in plans]
    return [one if one.found or len(plans) == 1 else replace(one, story=()) for one in outcomes]


def shrunk(outcome: Outcome) -> Outcome:
    """The smallest plan that still finds something: fewer happenings, and fewer kinds of faults."""
    with scratch(in_memory=True) as folder, database(folder) as store:
        for what in WEATHER:
            without = spend(store, replace(outcome.plan, without=(*outcome.plan.without, what)))
            outcome = without if without.found else outcome
        for fewer in (16, 8, 4, 2, 1, 1):
            while outcome.plan.length > fewer:
                shorter = spend(store, replace(outcome.plan, length=outcome.plan.length - fewer))
                if not shorter.found:
                    break
                outcome = shorter
    return outcome


def soak(
    *,
    seeds: Annotated[int, "how many evenings; of a single one, the story is printed"] = 1000,
    first: Annotated[int, "the first seed"] = 0,
    length: Annotated[int, "happenings of an evening"] = LENGTH,
    without: Annotated[tuple[str, ...], WEATHER, "leave these out"] = (),
    defect: Annotated[str, DEFECTS, "plant it, and see it found"] = "",
) -> Tally:
    """Spend evenings in virtual time; the smallest command that reproduces a violation is printed."""
    plans = [Plan(seed, length, tuple(without), defect) for seed in range(first, first + seeds)]
    work = [plans[at : at + _AT_ONCE] for at in range(0, len(plans), _AT_ONCE)]
    outcomes = [one for some in in_processes(spend_all, work, "batches of evenings") for one in some]
    wrong = [outcome for outcome in outcomes if outcome.found]
    if len(outcomes) == 1:
        print("\n".join(outcomes[0].story))
    elif wrong:
        small = shrunk(wrong[0])
        print(f"scripts/soak evenings {small.plan}", small.found, *small.story, sep="\n  ")
    counts = {"evenings": len(outcomes), "entries": sum(outcome.entries for outcome in outcomes)}
    return Tally(counts, [f"{outcome.plan}: {outcome.found}" for outcome in wrong])
