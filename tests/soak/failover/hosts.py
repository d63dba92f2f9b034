"""Three database machines and two that serve, installed by scripts/deploy and the steps of OPERATING.md."""

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.error import HTTPError
from urllib.request import urlopen

from trying.files import blocks
from trying.roots import DEPLOY, SOURCE

from tests.servers import PROGRAM, Data
from tests.soak.failover.machines import Machine, Switch, wait_until

DATABASES: Final = ("db1", "db2", "db3")
SERVERS: Final = ("web1", "web2")
PORT: Final = 8000
NEEDED: Final = ("etcd", "etcdctl", "patroni", "patronictl", "unshare", "nsenter", "ip", "setpriv", "runuser")

_HEADING: Final = "Failover without a person"
_STARTING: Final = 60.0
_PATIENCE: Final = 2.0
_ENDPOINTS: Final = ",".join(f"{name}:2379" for name in DATABASES)
_LAG: Final = 1 << 20

# What systemd does for Debian's units etcd.service and patroni.service: user, settings, a new start after an end.
_DATABASE: Final = r"""
run() {
  while :; do
    (
      set -a
      HOME=$(getent passwd "$1" | cut -d: -f6)
      . "$2"
      exec setpriv --reuid "$1" --regid "$1" --init-groups "$3" ${4-}
    ) >>"$place/$3.log" 2>&1 || :
    sleep 1
  done
}
run etcd /etc/default/etcd etcd &
run postgres /etc/patroni_env.conf patroni /etc/patroni/config.yml &
wait
"""
_SERVER: Final = r"""
set -a; . ./tienlen.env
while :; do
  "$@" >>server.log 2>&1 || :
  sleep 1
done
"""


class Club:
    """The machines of a club. Requests to them are made by threads that have entered the network."""

    def __init__(self, switch: Switch, found: dict[str, Machine], place: Path) -> None:
        self.switch, self.machines, self._place = switch, found, place
        self._synchronous = True

    @property
    def databases(self) -> list[Machine]:
        return [self.machines[name] for name in DATABASES]

    @property
    def servers(self) -> list[Machine]:
        return [self.machines[name] for name in SERVERS]

    def install(self, changed: Callable[[str], str]) -> None:
        """Type the blocks of OPERATING.md, in a copy of the repository whose files are `changed`, on each machine;
        start them, and wait until they serve."""
        checkout, stubs = self._place / "checkout", self._place / "stubs"
        shutil.copytree(
            DEPLOY, checkout / "scripts/deploy", ignore=shutil.ignore_patterns("trying", "__pycache__")
        )
        for file in checkout.glob("scripts/deploy/patroni.yml"):
            file.write_text(changed(file.read_text()))
            self._synchronous = "synchronous_mode: true" in file.read_text()
        stubs.mkdir()
        for program in ("apt-get", "systemctl"):  # Debian's packages are installed, and there is no systemd
            (stubs / program).write_text("#!/bin/sh\n")
            (stubs / program).chmod(0o755)
        passwords, machine, roles = blocks(_HEADING)

        def type_in(block: str, at: Machine) -> None:
            at.run("/bin/sh", "-euc", f"PATH={stubs}:$PATH; cd {checkout}\n{block}")

        type_in(passwords, self.databases[0])
        for each in self.databases:
            type_in(machine, each)
            self.boot(each)
        wait_until(self.is_whole, _STARTING, "Patroni to start three servers")
        type_in(roles, self.machines[self.leader()])
        for each in self.servers:
            shutil.copy(checkout / "tienlen.env", each.place)
        first, second = self.servers
        self.boot(first)  # which migrates
        wait_until(lambda: self.is_well(first), _STARTING, "the first server to serve")
        self.boot(second)
        wait_until(lambda: self.is_well(second), _STARTING, "the second server to serve")

    def boot(self, machine: Machine) -> None:
        if machine.name in DATABASES:
            machine.boot(_DATABASE, {"place": str(machine.place)})
        else:
            serve = [*PROGRAM, "serve", "--lan", "--port", str(PORT)]
            machine.boot(f"set -- {shlex.join(serve)}\n{_SERVER}", {"PYTHONPATH": str(SOURCE)})

    def database_url(self) -> str:
        """The address by which the servers reach the primary, with addresses in place of names."""
        text = (self.servers[0].place / "tienlen.env").read_text()
        url = next(line for line in text.splitlines() if line.startswith("TIENLEN_DATABASE_URL="))
        for machine in self.databases:
            url = re.sub(rf"\b{machine.name}\b", machine.address, url)
        return url.partition("=")[2].strip('"')

    # What Patroni and etcd say

    def members(self) -> list[list[Data]]:
        """The members, as Patroni tells them on each machine that answers."""
        asked = (self._asked(f"http://{machine.address}:8008/cluster") for machine in self.databases)
        return [list(found["members"]) for found in asked if found]

    def leader(self) -> str:
        """The name of the primary, if all machines that answer agree on it; otherwise nothing."""
        named = {one["name"] for told in self.members() for one in told if one["role"] == "leader"}
        return named.pop() if len(named) == 1 else ""

    def is_whole(self) -> bool:
        """Whether all machines tell the same: a primary, and two standbys that follow it, one of them awaited."""
        told = self.members()
        return len(told) == len(DATABASES) and bool(self.leader()) and all(map(self._is_whole, told))

    def _is_whole(self, members: list[Data]) -> bool:
        roles = sorted(one["role"] for one in members)
        standby = "sync_standby" if self._synchronous else "replica"
        return (
            roles == ["leader", "replica", standby]
            and all(one["state"] in ("running", "streaming") for one in members)
            and len({one.get("timeline") for one in members}) == 1
            and all(isinstance(one.get("lag", 0), int) and one.get("lag", 0) < _LAG for one in members)
        )

    def lead_etcd(self, machine: Machine) -> None:
        """Make etcd on a machine the leader of etcd, whose loss all notice."""
        wait_until(lambda: self._leads_etcd(machine), _STARTING, f"{machine.name} to lead etcd")

    def _leads_etcd(self, machine: Machine) -> bool:
        """Whether it does; if not, the leader is asked to hand over."""
        asking = ["env", "ETCDCTL_API=3", "etcdctl"]
        try:
            found = json.loads(
                machine.run(*asking, f"--endpoints={_ENDPOINTS}", "--write-out=json", "endpoint", "status")
            )
            ids = {one["Endpoint"].partition(":")[0]: one["Status"]["header"]["member_id"] for one in found}
            leader = {one["Status"].get("leader") for one in found}
            if leader == {ids[machine.name]}:
                return True
            at = next(name for name, id in ids.items() if leader == {id})
            machine.run(*asking, f"--endpoints={at}:2379", "move-leader", f"{ids[machine.name]:x}")
        except (RuntimeError, StopIteration):  # one is just starting
            pass
        return False

    def _asked(self, url: str) -> Data:
        try:
            with urlopen(url, timeout=_PATIENCE) as answer:
                found: Data = json.load(answer)
                return found
        except (OSError, ValueError):
            return {}

    # What the servers say

    def health(self, server: Machine) -> Data:
        """What /healthz answers, also with an error; nothing if it does not answer."""
        try:
            with urlopen(f"http://{server.address}:{PORT}/healthz", timeout=15) as answer:
                found: Data = json.load(answer)
                return found
        except HTTPError as error:
            return dict(json.load(error))
        except (OSError, ValueError):
            return {}

    def doctor(self) -> str:
        """What `tienlen doctor` prints on the last server."""
        last = self.servers[-1]
        words = shlex.join([*PROGRAM, "doctor"])
        return last.run(f"PYTHONPATH={SOURCE}", "/bin/sh", "-c", f"set -a; . ./tienlen.env; {words} || :")

    def doctor_of_hosts(self) -> str:
        """The line of `tienlen doctor` about the database's hosts, with its sign; empty if it prints none."""
        return next((line for line in self.doctor().splitlines() if line[2:].startswith("hosts ")), "")

    def is_well(self, server: Machine) -> bool:
        return self.health(server).get("status") == "ok"
