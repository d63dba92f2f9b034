"""The battery: ways to tamper with a night, and the checks that must find each of them every time.

`phone`: the chain on a phone that knows one head. `audit`: `tienlen audit` on the server. `verify`: `tienlen
verify` of an export, with the code of that head.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ledger.game.report import as_data
from ledger.recorder import LogUnreadable, StoreError, Unverified, audit, read_code, verify
from ledger.store import Head, head_code
from tests.recorder.tables import asked
from tests.soak.tampers.forging import Body, Forger, Nights, Played, another, record_on, recorder_over

PHONE, AUDIT, VERIFY = "phone", "audit", "verify"


@dataclass(frozen=True)
class Case:
    """A night after a tamper: the head that the phone knows, and the database. `claimed` is a seq that the server
    reports to the phone instead of its last entry's."""

    database: Path
    night: str
    known_head: Head
    claimed: int | None = None


@dataclass
class Trial:
    """One night to forge. The phone has seen entry `known_seq`; the forgery is at `at`, before that entry."""

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

    def run(self, tamper: Callable[["Trial"], object]) -> Case:
        tamper(self)
        return Case(self.database, self.played.night, self.played.heads[self.known_seq], self.claimed)


def flip(column: str) -> Callable[[Trial, Forger], object]:
    return lambda trial, forger: forger.flip(column, trial.at, trial.chance.randrange(2**20))


def edited(trial: Trial, body: Body) -> Body:
    """A changed body that breaks no rule and no other column: only the chain shows it."""
    changes: list[dict[str, Any]] = [
        {"at": f"2026-11-20T21:{trial.chance.randrange(60):02}:{trial.chance.randrange(60):02}.000Z"},
        {"actor": "host"},
        {"client_at": f"2026-11-20T20:00:{trial.chance.randrange(60):02}.000Z"},
    ]
    return body | trial.chance.choice(changes)


def edit(*, hashed: bool) -> Callable[[Trial, Forger], object]:
    def tamper(trial: Trial, forger: Forger) -> None:
        forger.write(trial.at, edited(trial, forger.bodies()[trial.at - 1]), hashed=hashed)

    return tamper


def edit_to_the_end(trial: Trial, forger: Forger) -> None:
    bodies = forger.bodies()
    bodies[trial.at - 1] = edited(trial, bodies[trial.at - 1])
    forger.rewrite(bodies)


def delete(trial: Trial, forger: Forger) -> None:
    for table in ("event", "payment", "correction"):
        forger.run(f"DELETE FROM {table} WHERE seq = ?", trial.at)


def delete_to_the_end(trial: Trial, forger: Forger) -> None:
    bodies = forger.bodies()
    del bodies[trial.at - 1]
    forger.rewrite(bodies)


def insert(trial: Trial, forger: Forger) -> None:
    for seq in range(trial.played.last, trial.at, -1):
        forger.renumber(seq, seq + 1)
    forger.run(
        "INSERT INTO event SELECT night, seq + 1, ?, kind, round, payment_count, payment_total, body, prev, hash"
        " FROM event WHERE seq = ?",
        *("inserted", trial.at),
    )


def insert_to_the_end(trial: Trial, forger: Forger) -> None:
    bodies = forger.bodies()
    bodies.insert(trial.at, another(bodies[trial.chance.randrange(trial.at)]))
    forger.rewrite(bodies)


def reorder(trial: Trial, forger: Forger) -> None:
    for old, new in ((trial.at, 10**6), (trial.at + 1, trial.at), (10**6, trial.at + 1)):
        forger.renumber(old, new)


def reorder_to_the_end(trial: Trial, forger: Forger) -> None:
    bodies = forger.bodies()
    bodies[trial.at - 1 : trial.at + 1] = reversed(bodies[trial.at - 1 : trial.at + 1])
    forger.rewrite(bodies)


def cut_the_tail(trial: Trial, forger: Forger) -> None:
    forger.rewrite(forger.bodies()[: trial.at])


def replace_the_history(trial: Trial, forger: Forger) -> None:
    """Replace all entries by another night's, as if they had been recorded in this one."""
    stolen = Forger(Path(shutil.copyfile(trial.other.database, trial.database.with_suffix(".other"))), "")
    bodies = [body | {"night": forger.night} for body in stolen.bodies()]
    stolen.leave()
    forger.rewrite(bodies)


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


def richer(trial: Trial, body: Body) -> Body:
    points = trial.chance.randint(1, 9)
    return body | {"net": body["net"] | {"p1": body["net"]["p1"] + points, "p2": body["net"]["p2"] - points}}


def change_a_balance(trial: Trial, forger: Forger) -> None:
    forger.write(trial.at, richer(trial, forger.bodies()[trial.at - 1]), hashed=False)


def change_a_balance_to_the_end(trial: Trial, forger: Forger) -> None:
    bodies = forger.bodies()
    bodies[trial.at - 1] = richer(trial, bodies[trial.at - 1])
    forger.rewrite(bodies)


def skip_a_number(trial: Trial, forger: Forger) -> None:
    """Skip a seq after the entry that the phone has seen, correctly chained; the server reports the true number of
    entries."""
    bodies = forger.bodies()
    forger.rewrite(
        [body | {"seq": body["seq"] + (body["seq"] > trial.played.last - 1)} for body in bodies],
        numbered=False,
    )
    trial.known_seq, trial.claimed = trial.played.last - 1, trial.played.last


def roll_back(*, entries: int) -> Callable[[Trial], object]:
    """Put an old backup in the place of the database; then record nothing, or until there are `entries` more than
    the phone has seen."""

    def tamper(trial: Trial) -> None:
        shutil.copyfile(trial.played.backups[trial.at], trial.database)
        record_on(trial.database, trial.played.night, entries and trial.known_seq - trial.at + entries)

    return tamper


def forged(tamper: Callable[[Trial, Forger], object]) -> Callable[[Trial], object]:
    """Run a tamper that needs a Forger."""

    def run(trial: Trial) -> None:
        forger = Forger(trial.database, trial.played.night)
        try:
            tamper(trial, forger)
        finally:
            forger.leave()

    return run


Tamper = tuple[Callable[[Trial], object], frozenset[str]]


def found_by(tamper: Callable[[Trial], object], *checks: str) -> Tamper:
    return tamper, frozenset(checks)


TAMPERS: dict[str, Tamper] = {
    "a bit of a text flipped": found_by(forged(flip("body")), AUDIT, VERIFY),
    "a bit of a hash flipped": found_by(forged(flip("hash")), AUDIT, VERIFY),
    "a bit of a link flipped": found_by(forged(flip("prev")), AUDIT),
    "edited": found_by(forged(edit(hashed=False)), AUDIT, VERIFY),
    "edited and hashed again": found_by(forged(edit(hashed=True)), AUDIT, VERIFY),
    "edited, all hashed again": found_by(forged(edit_to_the_end), PHONE, VERIFY),
    "deleted": found_by(forged(delete), AUDIT, VERIFY),
    "deleted, all hashed again": found_by(forged(delete_to_the_end), PHONE, VERIFY),
    "inserted": found_by(forged(insert), AUDIT, VERIFY),
    "inserted, all hashed again": found_by(forged(insert_to_the_end), PHONE, VERIFY),
    "reordered": found_by(forged(reorder), AUDIT, VERIFY),
    "reordered, all hashed again": found_by(forged(reorder_to_the_end), PHONE, VERIFY),
    "a number skipped": found_by(forged(skip_a_number), PHONE, AUDIT, VERIFY),
    "the tail cut off": found_by(forged(cut_the_tail), PHONE, VERIFY),
    "the history replaced": found_by(forged(replace_the_history), PHONE, VERIFY),
    "taken from another night": found_by(forged(transplant), AUDIT, VERIFY),
    "a payment row changed": found_by(forged(change_a_payment), AUDIT),
    "a balance changed": found_by(forged(change_a_balance), AUDIT, VERIFY),
    "a balance changed, all hashed again": found_by(
        forged(change_a_balance_to_the_end), PHONE, AUDIT, VERIFY
    ),
    "an old backup put back": found_by(roll_back(entries=0), PHONE, VERIFY),
    "forked between two phones": found_by(roll_back(entries=2), PHONE, VERIFY),
}


def case(nights: Nights, database: Path, tamper: str, seed: int) -> Case:
    """A night after one tamper; the seed decides where and how."""
    return Trial(*nights, database, Random(f"{tamper} {seed}")).run(TAMPERS[tamper][0])


def audit_finds(case: Case) -> bool:
    with recorder_over(case.database) as recorder:
        return any(not difference.engine for difference in audit(recorder, None))


def verify_finds(case: Case) -> bool:
    code = read_code(head_code(case.known_head.seq, case.known_head.hash))
    try:
        with recorder_over(case.database) as recorder:
            verify(list(recorder.store.export_log(case.night)), code)
    except (Unverified, LogUnreadable, StoreError):
        return True
    return False


def answer(case: Case) -> dict[str, Any] | None:
    """The server's answer to a phone that requests the new entries; None if it cannot answer."""
    try:
        with recorder_over(case.database) as recorder:
            log = asked(recorder, case.night).log(after=case.known_head.seq, limit=1000)
    except StoreError:
        return None
    body: dict[str, Any] = as_data(log)
    return body | ({} if case.claimed is None else {"seq": case.claimed})


CHECKS: dict[str, Callable[[Case], bool]] = {AUDIT: audit_finds, VERIFY: verify_finds}
"""The phone's check runs the page's own script: see `phone.py`."""
