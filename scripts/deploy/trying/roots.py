"""Root folders: an unpacked Debian, commands in it, and commands isolated as in containers, with a network."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests import processes

SOURCE = Path(__file__).parent.parent.parent.parent
"""The top of the checkout."""
DEPLOY = SOURCE / "scripts" / "deploy"
_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


class Wrong(Exception):
    """A check failed: what, and its output."""


class Missing(Exception):
    """A requirement of a part is missing on this machine."""


def require(*programs: str, root: bool = False) -> None:
    """Raise Missing for programs, or root rights, that this machine lacks."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    missing = [program for program in programs if shutil.which(program, path=path) is None]
    if missing:
        raise Missing(f"{', '.join(missing)} not found")
    if root and os.geteuid():
        raise Missing("needs root")
    if root and subprocess.run(["unshare", "--mount", "--net", "true"], capture_output=True).returncode:
        raise Missing("no namespaces of its own may be made here")


def debian(image: str) -> Path:
    """A root folder in place of the image `debian:NAME-slim`, unpacked once from this machine's package source."""
    found = re.fullmatch(r"debian:([a-z]+)-slim", image)
    if found is None:
        raise Wrong(f"{image} cannot be made here: only debian:NAME-slim can")
    require("mmdebstrap", root=True)
    root = SOURCE / ".venv" / "peers" / f"debian-{found[1]}"
    if not (root / "ready").exists():
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        making = [
            "mmdebstrap",
            "--quiet",
            "--variant=minbase",
            "--aptopt=Acquire::Check-Valid-Until false",  # for a mirror that is not updated
            found[1],
            root,
            f"deb {_mirror()} {found[1]} main",
        ]
        done = subprocess.run(making, capture_output=True, text=True)
        if done.returncode:
            raise Missing(f"Debian's {found[1]} cannot be fetched: {done.stderr.strip()[-200:]}")
        (root / "ready").touch()
    return root


def _mirror() -> str:
    """The address of this machine's Debian packages. Raises Missing if apt has none."""
    said = [*Path("/etc/apt").glob("sources.list.d/debian.sources"), *Path("/etc/apt").glob("sources.list")]
    found = re.search(r"https?://\S+/debian/?(?=\s)", "".join(path.read_text() for path in said))
    if found is None:
        raise Missing("this machine's apt names no source of Debian's packages")
    return found[0]


def copy_root(source: Path, target: Path) -> None:
    """Copy a root folder with owners, modes and links."""
    subprocess.run(["cp", "--archive", "--reflink=auto", source, target], check=True)


def copy_checkout(target: Path) -> None:
    """Copy the repository's files, committed or not, without ignored ones."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=SOURCE,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(SOURCE / name, target / name)


_BUILDING = r"""
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
if [[ -e $certificates ]]; then
  mkdir -p "$root/run/certificates" && cp "$certificates" "$root/run/certificates/all.crt"
fi
if [[ -e /etc/resolv.conf ]]; then
  touch "$root/etc/resolv.conf" && mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
fi
exec chroot "$root" "$@"
"""


def run_in(
    root: Path, command: Sequence[str], environment: Mapping[str, str], user: str = "0", folder: str = "/"
) -> str:
    """Run a command in a root folder, on this machine's network; returns its output. Raises CalledProcessError."""
    said = {"DEBIAN_FRONTEND": "noninteractive", "PIP_CERT": "/run/certificates/all.crt", **environment}
    if not Path(_CERTIFICATES).exists():
        del said["PIP_CERT"]
    where = {"root": str(root), "certificates": _CERTIFICATES}
    done = subprocess.run(
        ["unshare", "--mount", "bash", "-euc", _BUILDING, "in", *_as(user, said, folder, command)],
        env=os.environ | where,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    done.check_returncode()
    return done.stdout


def _as(
    user: str,
    environment: Mapping[str, str],
    folder: str,
    command: Sequence[str],
    rights: Sequence[str] = (),
) -> list[str]:
    """A command line that runs as a user with only these capabilities."""
    env = ["env", "--ignore-environment", f"--chdir={folder}", *(f"{n}={v}" for n, v in environment.items())]
    if user == "0":
        return [*env, *command]
    uid, _, gid = user.partition(":")
    kept = ",".join(["-all", *(f"+{right}" for right in rights)])
    held = [f"--{kind}={kept}" for kind in ("bounding-set", "inh-caps", "ambient-caps")]
    ids = [f"--reuid={uid}", f"--regid={gid or uid}", "--clear-groups", "--no-new-privs"]
    return ["setpriv", *ids, *held, "--", *env, *command]


class Network:
    """A network namespace with a loopback device that has extra addresses, and with its own host names."""

    def __init__(self, process: int) -> None:
        self._process = process

    def command(self, *command: str | Path) -> list[str | Path]:
        """The command line that runs a command in it."""
        spaces = f"/proc/{self._process}/ns"
        return ["nsenter", f"--net={spaces}/net", f"--mount={spaces}/mnt", *command]

    def run(self, *command: str | Path, **environment: str) -> str:
        """Run a command in it; returns its output. Raises Wrong if it fails."""
        done = subprocess.run(
            self.command(*command),
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        if done.returncode:
            raise Wrong(f"{command[0]} says: {done.stdout.strip()[-800:]}")
        return done.stdout

    def ask(self, script: str, *arguments: str | Path) -> str:
        """The output of a Python script that runs in it."""
        return self.run(sys.executable, "-c", script, *arguments)

    def name(self, hosts: Path) -> None:
        """Use a file as its /etc/hosts."""
        self.run("mount", "--bind", hosts, "/etc/hosts")


_GET = """
import ssl, sys, urllib.request as web
address, authority, token = sys.argv[1:]
headers = {"Accept-Language": "en"} | ({"Authorization": f"Bearer {token}"} if token else {})
trusted = ssl.create_default_context(cafile=authority)
with web.urlopen(web.Request(address, headers=headers), context=trusted, timeout=10) as answer:
    sys.stdout.buffer.write(answer.read())
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A site that is served over HTTPS in a network namespace."""

    own: Network
    address: str
    """Without a trailing slash."""
    authority: Path
    """The only trusted root certificate."""

    def get(self, path: str, token: str = "") -> str:
        """The body of an answer, requested with a token or none. Raises Wrong for an error status."""
        return self.own.ask(_GET, f"{self.address}{path}", self.authority, token)

    def answers(self, path: str = "/healthz") -> bool:
        """Whether the site answers, with a trusted certificate."""
        try:
            self.get(path)
        except Wrong:
            return False
        return True


@contextmanager
def network(*addresses: str) -> Iterator[Network]:
    """A network namespace that lasts for the block."""
    require("ip", "nsenter", root=True)
    holder = ["unshare", "--net", "--mount", "--kill-child", "sleep", "infinity"]
    process = processes.start(holder, Path(os.devnull))
    try:
        found = Network(process.pid)
        until(
            lambda: all(
                Path(f"/proc/{process.pid}/ns/{space}").readlink()
                != Path(f"/proc/self/ns/{space}").readlink()
                for space in ("net", "mnt")
            ),
            "no network",
        )
        found.run("ip", "link", "set", "lo", "up")
        for address in addresses:
            found.run("ip", "address", "add", f"{address}/32", "dev", "lo")
        yield found
    finally:
        processes.stop(process, signal.SIGKILL)


_CONTAINING = r"""
mount --make-rprivate /
mount --rbind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm" && mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
for place in $memory; do mount -t tmpfs -o mode=1777 tmpfs "$root/$place"; done
for pair in $binds; do mount --bind "${pair%%:*}" "$root/${pair#*:}"; done
[[ -z $read_only ]] || mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"
"""


@dataclass
class Running:
    """A running command in a root folder, isolated like a container or service."""

    process: processes.Process
    user: str
    environment: Mapping[str, str]
    log: Path

    @cached_property
    def inner(self) -> int:
        """The command's process id, once it has changed its root; it is the first in its namespace."""
        outer = self.process.pid
        children = Path(f"/proc/{outer}/task/{outer}/children")

        def contained() -> bool:
            if self.process.poll() is not None:
                raise Wrong(f"has ended: {self.log.read_text()[-800:]}")
            return any(
                Path(f"/proc/{child}/root").readlink() != Path("/") for child in children.read_text().split()
            )

        until(contained, "does not start")
        return int(children.read_text().split()[0])

    def status(self, name: str) -> str:
        """A field of the process's /proc/PID/status."""
        text = Path(f"/proc/{self.inner}/status").read_text()
        found = re.search(rf"^{name}:\s*(.*)$", text, re.MULTILINE)
        assert found is not None
        return found[1]

    def execute(self, *command: str, user: str | None = None) -> "subprocess.CompletedProcess[str]":
        """Run another command in its root, as its user or another."""
        enter = ["nsenter", "--target", str(self.inner), "--mount", "--net", "--pid", "--root"]
        inside = _as(self.user if user is None else user, self.environment, "/", command)
        return subprocess.run(
            [*enter, *inside], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
        )

    def say(self, *command: str) -> str:
        """Run another command; returns its output. Raises Wrong if it fails."""
        done = self.execute(*command)
        if done.returncode:
            raise Wrong(f"{command[0]} says: {done.stdout.strip()[-800:]}\n{self.log.read_text()[-800:]}")
        return done.stdout

    def stop(self, stop: str = "SIGTERM", patience: float = 10) -> int:
        """Stop it by a signal; returns its exit status. Raises Wrong if it does not end in time."""
        os.kill(self.inner, getattr(signal, stop))
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise Wrong(f"does not end within {patience:g} s of {stop}") from None

    def until(self, well: Sequence[str], patience: float = 40) -> None:
        """Wait until another command succeeds. Raises Wrong if it does not in time."""

        def healthy() -> bool:
            if self.process.poll() is not None:
                raise Wrong(f"has ended: {self.log.read_text()[-800:]}")
            return self.execute(*well).returncode == 0

        until(healthy, f"{' '.join(well)[:60]} does not succeed", patience)


@contextmanager
def running(
    root: Path,
    command: Sequence[str],
    network: Network,
    log: Path,
    *,
    environment: Mapping[str, str],
    user: str,
    folder: str = "/",
    binds: Mapping[Path, str] | None = None,
    memory: Sequence[str] = (),
    rights: Sequence[str] = (),
    read_only: bool = True,
) -> Iterator[Running]:
    """Run a command in a root folder for the block. `binds` are folders of this machine that it may write, `memory`
    its tmpfs folders, `rights` its capabilities."""
    where = {
        "root": str(root),
        "memory": " ".join(memory),
        "binds": " ".join(f"{source}:{to}" for source, to in (binds or {}).items()),
        "read_only": "yes" if read_only else "",
    }
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-euc", _CONTAINING, "in"]
    inside = network.command(*unshare, *_as(user, environment, folder, command, rights))
    process = processes.start(inside, log, where)
    try:
        yield Running(process, user, environment, log)
    finally:
        processes.stop(process, signal.SIGKILL)


def until(well: Callable[[], object], wrong: str, patience: float = 10) -> None:
    """Wait until `well` returns true. Raises Wrong with the message `wrong` after `patience` seconds."""
    end = time.monotonic() + patience
    while not well():
        if time.monotonic() > end:
            raise Wrong(f"{wrong} within {patience:g} s")
        time.sleep(0.1)
