"""Kill, freeze and cut off the primary of a club's PostgreSQL again and again, while ten tables record."""

import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

from trying.roots import DEPLOY

from ledger.store.systems.postgresql_connections import ANSWER
from tests.soak.failover.hosts import DATABASES, NEEDED, PORT, SERVERS, Club
from tests.soak.failover.machines import PATH, Machine, machines, wait_until
from tests.soak.failover.tables import LONGEST_PAUSE, Server, Table, compare, playing
from tests.soak.faults.moves import nights
from tests.soak.running import Tally, progress, row, scratch

_TABLES: Final = 10
PATRONI_SECONDS: Final = sum(
    int(seconds)
    for seconds in re.findall(
        r"^ +(?:ttl|loop_wait|retry_timeout): (\d+)$", (DEPLOY / "patroni.yml").read_text(), re.MULTILINE
    )
)
"""ttl, until the lock of a lost primary ends; loop_wait and retry_timeout, until a standby has taken it."""
LONGEST_WAIT: Final = PATRONI_SECONDS + ANSWER["request"] + LONGEST_PAUSE + 2
"""The seconds that a table waits at most: Patroni's own, until its last vain request is given up, until its phone
repeats it, and connect_timeout, until that has passed a silent machine in the list."""
_UNSENT: Final = 3.0
"""Seconds during which the primary records, before it is lost, and no standby hears of it."""
_WELL: Final = 60.0
"""Seconds until doctor and /healthz say that it is over."""
_WHOLE: Final = 120.0
"""Seconds until a machine that came back is a standby again."""
_DEFECTS: Final = {
    "": (),
    "asynchronous": (
        ("synchronous_mode: true", "synchronous_mode: false"),
        ("synchronous_mode_strict: true", "synchronous_mode_strict: false"),
    ),
}
"""What is replaced in patroni.yml: commits that wait for no standby."""


class Evening:
    """A club whose tables record while it is damaged."""

    def __init__(self, club: Club, tables: Sequence[Table], tally: Tally) -> None:
        self.club, self.tables, self.tally = club, tables, tally
        self._shown = set[str]()

    def damaged(self, kind: str, *, etcd: bool, unsent: bool) -> None:
        """Damage the primary in one way, wait until every table records again, repair it, and wait until all is
        as before. `etcd`: its machine also leads etcd. `unsent`: what it recorded last has reached no standby."""
        club = self.club
        primary = club.machines[club.leader()]
        if etcd:
            club.lead_etcd(primary)
        if unsent:
            primary.signal(signal.SIGSTOP, "walsender")
            time.sleep(_UNSENT)
        began = time.monotonic()
        repair = _KINDS[kind](club, primary)
        if unsent and kind != "freeze":
            primary.signal(signal.SIGCONT, "walsender")
        try:
            health, doctor = self.wait_for_tables(time.monotonic(), kind)
            away = club.doctor_of_hosts()
        finally:
            repair()
        waits = [wait for table in self.tables for wait in table.waits]
        longest = max((since + waited - max(since, began) for since, waited in waits), default=0.0)
        back = wait_until(club.is_whole, _WHOLE, f"{primary.name} to come back")
        for server in club.servers:
            wait_until(partial(club.is_well, server), _WELL, f"{server.name} to be well")
        wait_until(lambda: "✓" in club.doctor_of_hosts(), _WELL, "doctor to say that it is over")
        leads = club.leader()
        row(
            f"{primary.name}: {kind}{', leads etcd' if etcd else ''}{', unsent' if unsent else ''}",
            f"{longest:.1f} s",
            f"{back:.1f} s",
            leads,
        )
        said = {"/healthz": health, "doctor": doctor, "taken over": away, "over": club.doctor_of_hosts()}
        if kind != "crash":
            self._check_words(kind, said, primary.name)
        self.tally["taken over"] += leads != primary.name
        self.tally["longest wait in seconds"] = max(self.tally["longest wait in seconds"], round(longest))
        if longest > LONGEST_WAIT:
            self.tally.wrong.append(f"{kind}: a table waited {longest:.1f} s")

    def _check_words(self, kind: str, said: Mapping[str, str], lost: str) -> None:
        """Check what was said while no primary was there, once one was, and at the end; show it once a kind."""
        wanted = {"/healthz": "no primary", "doctor": "no primary", "taken over": f"{lost} does not answer"}
        for when, words in said.items():
            if kind not in self._shown:
                print(f"    {when:10} {words}", flush=True)
            if wanted.get(when, "") not in words:
                self.tally.wrong.append(f"{kind}: {when} lacks {wanted[when]!r}: {words[:600]}")
        self._shown.add(kind)

    def wait_for_tables(self, since: float, kind: str) -> tuple[str, str]:
        """Wait until every table has recorded an entry that was first sent after a moment. Returns what /healthz
        and doctor said about the database while no primary was there, or otherwise last."""
        health = doctor = ""

        def recorded() -> bool:
            nonlocal health, doctor
            if "no primary" not in doctor:
                health = str(self.club.health(self.club.servers[-1]).get("database", health))
                doctor = self.club.doctor_of_hosts() if "no primary" in health else doctor
            return all(table.wrong or (table.waits and table.waits[-1][0] > since) for table in self.tables)

        try:
            wait_until(recorded, 2 * LONGEST_WAIT, "the tables")
        except TimeoutError:
            late = sum(not table.waits or table.waits[-1][0] <= since for table in self.tables)
            self.tally.wrong.append(f"{kind}: {late} tables do not record again")
        return health, doctor


def _kill(club: Club, primary: Machine) -> Callable[[], None]:
    primary.power_off()
    return lambda: club.boot(primary)


def _freeze(_club: Club, primary: Machine) -> Callable[[], None]:
    primary.freeze()
    return primary.thaw


def _cut_off(club: Club, primary: Machine) -> Callable[[], None]:
    club.switch.cut_off(primary)
    return lambda: club.switch.connect(primary)


def _crash(_club: Club, primary: Machine) -> Callable[[], None]:
    """Kill PostgreSQL alone, which Patroni starts again."""
    primary.signal(signal.SIGKILL, "/bin/postgres")
    return lambda: None


def _split(club: Club, primary: Machine) -> Callable[[], None]:
    """Leave the primary alone with one server; two standbys, the other server and the phones are together."""
    minority = [primary, club.servers[0]]
    club.switch.split(minority)
    return lambda: club.switch.join(minority)


_KINDS: Final = {"kill": _kill, "freeze": _freeze, "cut off": _cut_off, "crash": _crash, "split": _split}


def _plan(faults: int, only: str) -> Iterator[tuple[str, bool]]:
    """Kinds of damage, and whether it is done to the leader of etcd as well; the network is split once."""
    kinds = ("kill", "freeze", "cut off")
    for number in range(faults):
        if only:
            yield only, number % 2 == 1
        elif number == 3:
            yield "split", True
        elif number == 7:
            yield "crash", False
        else:
            yield kinds[number % 3], number % 2 == 1


def lacking() -> str:
    """What this machine lacks for it; empty if nothing."""
    not_found = [program for program in NEEDED if shutil.which(program, path=PATH) is None]
    if not any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        not_found.append("PostgreSQL")
    if not_found:
        packages = "etcd-server etcd-client patroni python3-etcd postgresql"
        return f"not found: {', '.join(not_found)}; apt-get install {packages}"
    return "" if os.geteuid() == 0 else "network namespaces need root"


def soak(
    *,
    faults: int = 20,
    only: Annotated[str, "one kind of damage alone", ("", *_KINDS)] = "",
    defect: Annotated[str, "what is planted", _DEFECTS] = "",
) -> Tally:
    """Install three database machines and two servers by OPERATING.md; kill, freeze and cut off the primary while
    ten tables record."""
    tally = Tally()
    if missing_here := lacking():
        tally.wrong.append(missing_here)
        return tally
    with scratch() as place, machines([*DATABASES, *SERVERS], place) as (switch, found):
        place.chmod(0o755)
        club = Club(switch, found, place)
        with ThreadPoolExecutor(1, initializer=switch.enter) as conductor:
            conductor.submit(_evening, club, tally, faults, only, defect).result()
    return tally


def _evening(club: Club, tally: Tally, faults: int, only: str, defect: str) -> None:
    began = time.monotonic()
    club.install(partial(_planted, defect))
    row("installed by OPERATING.md", f"{time.monotonic() - began:.0f} s")
    servers = [Server(machine.address, PORT) for machine in club.servers]
    with playing(islice(nights(), _TABLES), servers, begin=club.switch.enter) as tables:
        evening = Evening(club, tables, tally)
        evening.wait_for_tables(time.monotonic(), "before")
        for number, (kind, etcd) in enumerate(progress(_plan(faults, only), faults, "faults")):
            try:
                evening.damaged(kind, etcd=etcd, unsent=bool(defect) or number % 4 == 0)
            except TimeoutError as late:
                tally.wrong.append(f"{kind}: {late}: {club.members()}")
            tally["faults"] += 1
            if tally.wrong or any(table.wrong for table in tables):
                break
    compare(club.database_url(), tables, tally)


def _planted(defect: str, text: str) -> str:
    """Patroni's settings with a defect."""
    for old, new in _DEFECTS[defect]:
        assert old in text
        text = text.replace(old, new)
    return text
