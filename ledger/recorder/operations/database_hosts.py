"""Whether the hosts of a database are well, in words: a primary that records, and standbys that follow it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ledger.recorder.operations.checks import Check, doubtful, fine, wrong
from ledger.store import DatabaseHost, hosts_of

_LAG: Final = 16 << 20
"""How many bytes of log a standby may lack: one file of PostgreSQL's log."""


_NO_PRIMARY: Final = (
    "Patroni makes a standby the primary within half a minute: patronictl list; without it, pg_ctl promote"
)
_HOST_AWAY: Final = "start it; if it cannot follow any more, patronictl reinit"


def check_hosts(hosts: Sequence[DatabaseHost]) -> Check:
    """Check whether one host of a database is the primary, and the others follow it."""
    if not are_recording(hosts):
        return wrong("hosts", tell_hosts(hosts), _NO_PRIMARY)
    if not are_well(hosts):
        return doubtful("hosts", tell_hosts(hosts), _HOST_AWAY)
    return fine("hosts", tell_hosts(hosts))


def tell_hosts(hosts: Sequence[DatabaseHost]) -> str:
    """What each host does, and first of all whether there is a primary."""
    primaries = [host for host in hosts if host.primary]
    newest = max((host.position for host in primaries), default=0)
    roles = "; ".join(_tell(host, newest) for host in hosts)
    if not primaries:
        return f"no primary at the moment: {roles}"
    return f"two primaries, of which one is being replaced: {roles}" if len(primaries) > 1 else roles


def are_well(hosts: Sequence[DatabaseHost]) -> bool:
    """Whether one host is the primary, and every other one follows it closely."""
    newest = max((host.position for host in hosts if host.primary), default=0)
    following = [host.follows and newest - host.position < _LAG for host in hosts if not host.primary]
    return all(following) and len(following) == len(hosts) - 1


def are_recording(hosts: Sequence[DatabaseHost]) -> bool:
    """Whether exactly one host is a primary."""
    return sum(host.primary for host in hosts) == 1


def tell_hosts_of(url: str) -> tuple[str, str]:
    """What the hosts in an address do: with their names, and for anyone, who is not to know the names of an inner
    network, with numbers in the order of the address. Empty if it names one alone. Raises StoreAddressUnusable."""
    found = hosts_of(url)
    numbered = [replace(host, name=f"host {number}") for number, host in enumerate(found, start=1)]
    return (tell_hosts(found), tell_hosts(numbered)) if found else ("", "")


def _tell(host: DatabaseHost, newest: int) -> str:
    if not host.answers:
        return f"{host.name} does not answer"
    if host.primary:
        return f"{host.name} is the primary"
    if not host.follows:
        return f"{host.name} is a standby that receives nothing"
    lacks = newest - host.position
    return f"{host.name} follows" + (f", {lacks / 1e6:.1f} MB behind" if lacks >= _LAG else "")
