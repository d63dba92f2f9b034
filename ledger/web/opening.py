"""Opening a night, for pages and the API."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from ledger.recorder import Opened
from ledger.recorder.agreements import agreed_ruleset
from ledger.recorder.terms import agreed
from ledger.web.reading import release
from ledger.web.recorder import recorder
from ledger.web.security import spend


def open_night(
    *,
    id: str,
    secret: str,
    ruleset: str,
    rules: Mapping[str, str],
    players: Sequence[str],
    zone: str | None,
    **more: object,
) -> tuple[str, Opened]:
    """Open a night from the fields that the `NewNight` schema has loaded; returns its id and its links.

    `more` are further terms. Raises a Problem if it cannot be opened, or was opened with another secret or terms.
    """
    spend("new-night")
    release()
    opened = recorder().open_night(
        id,
        secret=bytes.fromhex(secret),
        terms=agreed(agreed_ruleset(ruleset, rules), more),
        players=players,
        zone=datetime.strptime(zone, "%z").tzinfo if zone else None,
    )
    return id, opened
