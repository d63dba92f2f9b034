"""Ways to tamper with a night, and the checks that must find each of them every time: the chain on a phone that
knows one head, `tienlen audit` on the server, and `tienlen verify` of an export with the code of that head."""

import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ledger.game.report import as_data
from ledger.recorder import LogUnreadable, StoreError, Unverified, audit, read_code, verify
from ledger.store import Head, head_code
from tests.recorder.tables import asked
from tests.soak.tampers.forging import TABLES, Body, Forger, Nights, Played, another, record_on, recorder_over

PHONE, AUDIT, VERIFY = "phone", "audit", "verify"


@dataclass
class Trial:
    """A night to tamper with, and to look at afterwards. The phone has seen entry `known_seq`; the forgery is at
    `at`, before that entry. `claimed` is a seq that the server reports to the phone instead of its last entry's."""

    played: Played
    other: Played
    database: Path
    chance: Random
    known_seq: int = 0
    at: int = 0
    claimed: int | None = None

    def __post_init__(self) -> None:
        shutil.copyfile(self.played.database, self.database)
        self.known_seq = self.chance.randint(2, self.played.last - 1)
        self.at = self.chance.randint(1, self.known_seq - 1)

    @property
    def known_head(self) -> Head:
        return self.played.heads[self.known_seq]

    def run(self, tamper: Callable[["Trial"], object]) -> "Trial":
        tamper(self)
        return self


Change = Callable[[Trial, list[Body]], object]  # changes the bodies of a night


def forged(tamper: Callable[[Trial, Forger], object]) -> Callable[[Trial], object]:
    """A tamper that needs a Forger."""

    def run(trial: Trial) -> None:
        with closing(Forger(trial.database, trial.played.night)) as forger:
            tamper(trial, forger)

    return run


def rewritten(change: Change) -> Callable[[Trial], object]:
    """Change the bodies, and compute everything that depends on them again."""

    def tamper(trial: Trial, forger: Forger) -> None:
        bodies = forger.bodies()
        change(trial, bodies)
        forger.rewrite(bodies)

    return forged(tamper)


def flip(column: str) -> Callable[[Trial], object]:
    return forged(lambda trial, forger: forger.flip(column, trial.at, trial.chance.randrange(2**20)))


def edit(how: Callable[[Trial, Body], Body], *, hashed: bool) -> Callable[[Trial], object]:
    """Change one body, and its hash if `hashed`."""

    def tamper(trial: Trial, forger: Forger) -> None:
        forger.write(trial.at, how(trial, forger.bodies()[trial.at - 1]), hashed=hashed)

    return forged(tamper)


def change(how: Callable[[Trial, Body], Body]) -> Change:
    return lambda trial, bodies: bodies[trial.at - 1].update(how(trial, bodies[trial.at - 1]))


def edited(trial: Trial, body: Body) -> Body:
    """A changed body that breaks no rule and no other column: only the chain shows it."""
    changes: list[dict[str, Any]] = [
        {"at": f"2026-11-20T21:{trial.chance.randrange(60):02}:{trial.chance.randrange(60):02}.000Z"},
        {"actor": "host"},
        {"client_at": f"2026-11-20T20:00:{trial.chance.randrange(60):02}.000Z"},
    ]
    return body | trial.chance.choice(changes)


def richer(trial: Trial, body: Body) -> Body:
    points = trial.chance.randint(1, 9)
    return body | {"net": body["net"] | {"p1": body["net"]["p1"] + points, "p2": body["net"]["p2"] - points}}


def delete(trial: Trial, forger: Forger) -> None:
    for table in TABLES:
        forger.run(f"DELETE FROM {table} WHERE seq = ?", trial.at)


def insert(trial: Trial, forger: Forger) -> None:
    for seq in range(trial.played.last, trial.at, -1):
        forger.renumber(seq, seq + 1)
    forger.run(
        "INSERT INTO event SELECT night, seq + 1, ?, kind, round, payment_count, payment_total, body, prev, hash"
        " FROM event WHERE seq = ?",
        *("inserted", trial.at),
    )


def reorder(trial: Trial, forger: Forger) -> None:
    for old, new in ((trial.at, 10**6), (trial.at + 1, trial.at), (10**6, trial.at + 1)):
        forger.renumber(old, new)


def cut_the_tail(trial: Trial, bodies: list[Body]) -> None:
    del bodies[trial.at :]


def take_anothers(trial: Trial, bodies: list[Body]) -> None:
    """Replace all entries by another night's, as if they had been recorded in this one."""
    elsewhere = Path(shutil.copyfile(trial.other.database, trial.database.with_suffix(".other")))
    with closing(Forger(elsewhere, "")) as stolen:
        bodies[:] = [body | {"night": trial.played.night} for body in stolen.bodies()]


def transplant(trial: Trial, forger: Forger) -> None:
    """Replace one entry by another night's, with its own hashes."""
    forger.run("ATTACH ? AS elsewhere", str(trial.other.database))
    forger.run("DELETE FROM event WHERE seq = ?", trial.at)
    forger.run(
        "INSERT INTO event SELECT ?, seq, id, kind, round, payment_count, payment_total, body, prev, hash"
        " FROM elsewhere.event WHERE seq = ?",
        *(forger.night, trial.at),
    )
    forger.run("DETACH elsewhere")


def change_a_payment(trial: Trial, forger: Forger) -> None:
    places = forger.run("SELECT seq, idx FROM payment")
    change = trial.chance.choice(["points = points + 1", "payer = payee, payee = payer", "round = round + 1"])
    forger.run(f"UPDATE payment SET {change} WHERE seq = ? AND idx = ?", *trial.chance.choice(places))


def skip_a_number(trial: Trial, forger: Forger) -> None:
    """Skip a seq after the entry that the phone has seen; the server reports the true number of entries."""
    bodies = forger.bodies()
    bodies[-1]["seq"] += 1
    forger.rewrite(bodies, numbered=False)
    trial.known_seq, trial.claimed = trial.played.last - 1, trial.played.last


def roll_back(*, entries: int) -> Callable[[Trial], object]:
    """Put an old backup back; then record nothing, or until there are `entries` more than the phone has seen."""

    def tamper(trial: Trial) -> None:
        shutil.copyfile(trial.played.backups[trial.at], trial.database)
        record_on(trial.database, trial.played.night, entries and trial.known_seq - trial.at + entries)

    return tamper


TAMPERS: dict[str, tuple[Callable[[Trial], object], set[str]]] = {
    "a bit of a text flipped": (flip("body"), {AUDIT, VERIFY}),
    "a bit of a hash flipped": (flip("hash"), {AUDIT, VERIFY}),
    "a bit of a link flipped": (flip("prev"), {AUDIT}),
    "edited": (edit(edited, hashed=False), {AUDIT, VERIFY}),
    "edited and hashed again": (edit(edited, hashed=True), {AUDIT, VERIFY}),
    "edited, all hashed again": (rewritten(change(edited)), {PHONE, VERIFY}),
    "deleted": (forged(delete), {AUDIT, VERIFY}),
    "deleted, all hashed again": (rewritten(lambda trial, bodies: bodies.pop(trial.at - 1)), {PHONE, VERIFY}),
    "inserted": (forged(insert), {AUDIT, VERIFY}),
    "inserted, all hashed again": (
        rewritten(
            lambda trial, bodies: bodies.insert(trial.at, another(trial.chance.choice(bodies[: trial.at])))
        ),
        {PHONE, VERIFY},
    ),
    "reordered": (forged(reorder), {AUDIT, VERIFY}),
    "reordered, all hashed again": (
        rewritten(lambda trial, bodies: bodies.insert(trial.at, bodies.pop(trial.at - 1))),
        {PHONE, VERIFY},
    ),
    "a number skipped": (forged(skip_a_number), {PHONE, AUDIT, VERIFY}),
    "the tail cut off": (rewritten(cut_the_tail), {PHONE, VERIFY}),
    "the history replaced": (rewritten(take_anothers), {PHONE, VERIFY}),
    "taken from another night": (forged(transplant), {AUDIT, VERIFY}),
    "a payment row changed": (forged(change_a_payment), {AUDIT}),
    "a balance changed": (edit(richer, hashed=False), {AUDIT, VERIFY}),
    "a balance changed, all hashed again": (rewritten(change(richer)), {PHONE, AUDIT, VERIFY}),
    "an old backup put back": (roll_back(entries=0), {PHONE, VERIFY}),
    "forked between two phones": (roll_back(entries=2), {PHONE, VERIFY}),
}
"""What is done -> how, and the checks that must find it."""


def case(nights: Nights, database: Path, tamper: str, seed: int) -> Trial:
    """A night after one tamper; the seed decides where and how."""
    return Trial(*nights, database, Random(f"{tamper} {seed}")).run(TAMPERS[tamper][0])


def audit_finds(case: Trial) -> bool:
    with recorder_over(case.database) as recorder:
        return any(not difference.engine for difference in audit(recorder, None))


def verify_finds(case: Trial) -> bool:
    code = read_code(head_code(case.known_seq, case.known_head.hash))
    with suppress(Unverified, LogUnreadable, StoreError), recorder_over(case.database) as recorder:
        verify(list(recorder.store.export_log(case.played.night)), code)
        return False
    return True


def answer(case: Trial) -> dict[str, Any] | None:
    """The server's answer to a phone that requests the new entries; None if it cannot answer."""
    with suppress(StoreError), recorder_over(case.database) as recorder:
        log = asked(recorder, case.played.night).log(after=case.known_seq, limit=1000)
        claimed = {} if case.claimed is None else {"seq": case.claimed}
        return {**as_data(log), **claimed}
    return None


CHECKS: dict[str, Callable[[Trial], bool]] = {AUDIT: audit_finds, VERIFY: verify_finds}
"""The phone's check runs the page's own script: see `battery.py`."""
