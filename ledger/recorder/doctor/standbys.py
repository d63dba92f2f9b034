"""Whether what a server of databases acknowledges is anywhere else."""

from typing import Final

from ledger.recorder.doctor.checks import Check, doubtful, fine, wrong
from ledger.store import Standbys

_AWAY: Final = (
    "start it, or name one that is there (ALTER SYSTEM SET synchronous_standby_names, SELECT pg_reload_conf());"
    " cancel no backend that waits: that acknowledges what no standby has"
)
_UNNAMED: Final = (
    "let a standby follow, and commits wait for it: ALTER SYSTEM SET synchronous_standby_names, SELECT"
    " pg_reload_conf(); a server that this one took the place of comes back as its standby, made anew"
)


def standby(found: Standbys) -> Check:
    """Whether commits wait for a standby, and whether it is there."""
    if found.missing:
        return wrong("standby", f"commits wait for one that is away: {found.wanted}", _AWAY)
    if found.wanted:
        return fine("standby", f"whatever is acknowledged is there, too: {found.wanted}")
    if found.promoted or found.connected:
        why = f"{found.connected} follow" if found.connected else "this server was once promoted"
        return doubtful(
            "standby", f"no commit waits for one, and {why}: what was acknowledged can be lost", _UNNAMED
        )
    return fine("standby", "none is waited for: what is lost with this server is in its backups")
