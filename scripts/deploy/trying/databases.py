"""Check patroni.yml and etcd.env with the programs that read them."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import processes
from trying.files import Changed, as_it_is
from trying.roots import DEPLOY, Missing, Network, Wrong, network, require, until

_ADDRESSES = ("10.89.1.1", "10.89.1.2", "10.89.1.3")
_PASSWORDS = {
    f"PATRONI_{role}_{word}": role.lower()
    for role in ("SUPERUSER", "REPLICATION")
    for word in ("USERNAME", "PASSWORD")
}
_OPTIONAL = {"bootstrap.pg_hba  is not defined.", "postgresql.authentication.rewind  is not defined."}
"""What Patroni 3.0 takes for missing, though it works without."""
_ASK = "import sys, urllib.request as web; web.urlopen(sys.argv[1], timeout=2)"


def databases(changed: Changed = as_it_is) -> Iterator[str]:
    """Check what patroni.yml promises; start one etcd with its file, and let Patroni check its own beside it."""
    patroni = _of("patroni.yml", changed)
    yield from _promises(patroni)
    require("etcd", "patroni", root=True)
    with TemporaryDirectory() as folder, network(*_ADDRESSES) as own:
        place = Path(folder)
        names = (f"{address} db{number}\n" for number, address in enumerate(_ADDRESSES, start=1))
        (place / "hosts").write_text("".join(names))
        own.name(place / "hosts")
        settings = _of("etcd.env", changed).replace("/var/lib/etcd", folder)
        alone = re.sub(r"^(ETCD_INITIAL_CLUSTER=[^,]*).*", r"\1", settings, flags=re.MULTILINE)
        lines = [line for line in alone.splitlines() if line.startswith("ETCD_")]
        etcd = processes.start(own.command("env", "-i", *lines, "etcd"), place / "etcd.log")
        try:
            until(lambda: _answers(own, "health"), "etcd does not start with etcd.env")
            if "\netcd:" in patroni and not _answers(own, "v2/machines"):
                raise Wrong("etcd.env does not open the interface that patroni.yml names")
            said = _validated(patroni, place / "config.yml", own)
        finally:
            processes.stop(etcd, signal.SIGKILL)
    if wrong := set(said.splitlines()) - _OPTIONAL:
        raise Wrong(f"patroni --validate-config: {'; '.join(sorted(wrong))}")
    yield "etcd starts with etcd.env, and Patroni finds nothing wrong in patroni.yml"


def _validated(patroni: str, file: Path, own: Network) -> str:
    """What Patroni finds wrong in its file."""
    newest = max(Path("/usr/lib/postgresql").glob("*/bin/initdb"), default=None)
    if newest is None:
        raise Missing("PostgreSQL not found")
    file.write_text(patroni.replace("VERSION", newest.parent.parent.name))
    named = [f"{name}={value}" for name, value in _PASSWORDS.items()]
    return own.run("env", *named, "sh", "-c", f"patroni --validate-config {file} 2>&1 || :")


def _promises(patroni: str) -> Iterator[str]:
    """Raise Wrong where the settings lose what was acknowledged, or keep a lost primary's lock for too long."""
    dcs = dict(re.findall(r"^ {4}(\w+): (\w+)$", patroni, re.MULTILINE))
    if not dcs.get("synchronous_mode") == dcs.get("synchronous_mode_strict") == "true":
        raise Wrong("what no standby has would be acknowledged")
    if int(dcs["ttl"]) < int(dcs["loop_wait"]) + 2 * int(dcs["retry_timeout"]):
        raise Wrong("a primary that is well could lose its lock: ttl < loop_wait + 2 * retry_timeout")
    yield "commits wait for a standby, always; the lock outlives two vain requests for it"


def _of(file: str, changed: Changed) -> str:
    """The text of a file for the first machine."""
    return changed((DEPLOY / file).read_text(encoding="utf-8")).replace("MACHINE", "db1")


def _answers(own: Network, path: str) -> bool:
    """Whether etcd answers a path."""
    try:
        own.ask(_ASK, f"http://db1:2379/{path}")
    except Wrong:
        return False
    return True
