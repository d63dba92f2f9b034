"""Machines in namespaces: each has a name, an address, an /etc and disks of its own, and a cable to a switch."""

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import get_native_id
from typing import Final

from tests import processes
from tests.patience import descendants_of

NETWORK: Final = "10.89.0."
"""Addresses that exist only in the namespaces."""
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_SETTING_UP: Final = r"""
mkdir -p "$place/disk" && mount -t tmpfs -o mode=755 tmpfs "$place/disk" && cd "$place/disk"
mkdir etc work etcd postgresql
mount -t overlay -o "lowerdir=/etc,upperdir=$PWD/etc,workdir=$PWD/work" overlay /etc
printf '%s\n' '127.0.0.1 localhost' "$hosts" > /etc/hosts
for user in etcd postgresql; do mkdir -p "/var/lib/$user" && mount --bind "$user" "/var/lib/$user"; done
! id etcd >/dev/null 2>&1 || chown etcd: /var/lib/etcd
! id postgres >/dev/null 2>&1 || chown postgres: /var/lib/postgresql
mkdir -p /run/postgresql && mount -t tmpfs -o mode=1777 tmpfs /run/postgresql
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
hostname "$name"
ip link set lo up
touch "$place/ready"
exec sleep infinity
"""
_SPACES: Final = ("--net", "--mount", "--uts", "--ipc")


class Machine:
    """A machine; `boot` starts its processes, and `power_off` kills all of them at once. Its disks remain."""

    def __init__(self, name: str, address: str, place: Path, holder: processes.Process) -> None:
        self.name, self.address, self.place = name, address, place
        self._holder = holder
        self._boot: processes.Process | None = None

    def inside(self, *command: str) -> list[str]:
        """A command that runs another one on this machine."""
        spaces = ["nsenter", "--target", str(self._holder.pid), *_SPACES]
        return [
            *spaces,
            f"--wd={self.place}",
            "env",
            "-i",
            f"PATH={PATH}",
            "HOME=/root",
            "LANG=C.UTF-8",
            *command,
        ]

    def run(self, *command: str) -> str:
        """Run a command on this machine; returns its output. Raises RuntimeError if it fails."""
        return _output(self.inside(*command))

    @property
    def log(self) -> Path:
        return self.place / "log"

    def boot(self, services: str, environment: Mapping[str, str] | None = None) -> None:
        """Start a shell script as the machine's first process."""
        first = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "/bin/sh", "-euc", services]
        named = [f"{name}={value}" for name, value in (environment or {}).items()]
        self._boot = processes.start(self.inside(*named, *first), self.log)

    def power_off(self) -> None:
        """Kill every process at once."""
        if self._boot is not None:
            processes.stop(self._boot, signal.SIGKILL)
            self._boot = None

    def pids(self, named: str = "") -> set[int]:
        """The machine's running processes whose command line contains a text."""
        found = set()
        for pid in descendants_of(self._boot.pid) if self._boot else ():
            with suppress(OSError):
                if named in Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace"):
                    found.add(pid)
        return found

    def signal(self, number: int, named: str = "") -> None:
        """Send a signal to the processes whose command line contains a text, also to those that these start
        meanwhile."""
        done = set[int]()
        while new := self.pids(named) - done:
            for pid in new:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            done |= new

    def freeze(self) -> None:
        """Stop every process; the kernel still answers for its sockets."""
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)


class Switch:
    """The network between the machines, in a namespace of its own, which also has an address: a phone's."""

    def __init__(self, holder: processes.Process) -> None:
        self._holder = holder
        for bridge in ("one", "other"):
            self._ip("link", "add", bridge, "type", "bridge")
            self._ip("link", "set", bridge, "up")
        self._ip("address", "add", f"{NETWORK}254/24", "dev", "one")

    def _ip(self, *words: str) -> None:
        _output(["nsenter", "--target", str(self._holder.pid), "--net", "ip", *words])

    def plug_in(self, machine: Machine, pid: int) -> None:
        self._ip("link", "add", machine.name, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
        machine.run("ip", "address", "add", f"{machine.address}/24", "dev", "eth0")
        machine.run("ip", "link", "set", "eth0", "up")
        self.join([machine])
        self.connect(machine)

    def cut_off(self, machine: Machine) -> None:
        """Pull a machine's cable out."""
        self._ip("link", "set", machine.name, "down")

    def connect(self, machine: Machine) -> None:
        self._ip("link", "set", machine.name, "up")

    def split(self, machines: Sequence[Machine]) -> None:
        """Let some machines reach each other alone; phones stay with the others."""
        for machine in machines:
            self._ip("link", "set", machine.name, "master", "other")

    def join(self, machines: Sequence[Machine]) -> None:
        """Undo `split`."""
        for machine in machines:
            self._ip("link", "set", machine.name, "master", "one")

    def enter(self) -> None:
        """Let the calling thread's new sockets be in this network."""
        descriptor = os.open(f"/proc/{self._holder.pid}/ns/net", os.O_RDONLY)
        try:
            _set_namespace(descriptor)
        finally:
            os.close(descriptor)


def _set_namespace(descriptor: int) -> None:
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if library.setns(descriptor, 0x40000000):  # CLONE_NEWNET
        raise OSError(ctypes.get_errno(), f"thread {get_native_id()} cannot enter the network")


@contextmanager
def machines(names: Sequence[str], place: Path) -> Iterator[tuple[Switch, dict[str, Machine]]]:
    """Machines by name, plugged into one switch, for the block. Needs root."""
    addresses = {name: f"{NETWORK}{number}" for number, name in enumerate(names, start=1)}
    hosts = "\n".join(f"{address} {name}" for name, address in addresses.items())
    with ExitStack() as held:
        switch = Switch(
            held.enter_context(
                _held('ip link set lo up; touch "$place/ready"; exec sleep infinity', place / "switch", {})
            )
        )
        found = {}
        for name, address in addresses.items():
            settings = {"name": name, "hosts": hosts}
            holder = held.enter_context(_held(_SETTING_UP, place / name, settings))
            machine = found[name] = Machine(name, address, place / name, holder)
            held.callback(machine.power_off)
            switch.plug_in(machine, holder.pid)
        yield switch, found


@contextmanager
def _held(script: str, place: Path, settings: Mapping[str, str]) -> Iterator[processes.Process]:
    """Namespaces that last for the block, set up by a script."""
    place.mkdir(mode=0o755)
    log = place / "log"
    command = ["unshare", *_SPACES, "--kill-child", "/bin/sh", "-euc", script]
    holder = processes.start(command, log, {"place": str(place), **settings})
    try:
        processes.await_answer(holder, (place / "ready").exists, f"{place.name} to be set up", log)
        yield holder
    finally:
        processes.stop(holder, signal.SIGKILL)


def _output(command: Sequence[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command[-8:])}: {done.stdout.strip()[-600:]}")
    return done.stdout


def wait_until(state: Callable[[], object], seconds: float, what: str) -> float:
    """Wait until `state` returns true, at most so many seconds; returns how many it took. Raises TimeoutError."""
    began = time.monotonic()
    while not state():
        if time.monotonic() > began + seconds:
            raise TimeoutError(f"waited {seconds:g} s for {what}")
        time.sleep(0.2)
    return time.monotonic() - began
