"""Opening a night, for pages and the API."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.overlays.prices import NothingToPay
from ledger.game.rulesets.overrides import RuleRefused, with_rules
from ledger.recorder import Opened, Problem, ProblemCode
from ledger.recorder.problems import unreadable
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


def agreed_ruleset(id: str, rules: Mapping[str, str], *, field: str = "ruleset") -> Ruleset:
    """A preset changed by `rule` lines. Raises a Problem for a rule that is refused, or for an unknown preset, then
    with `field` as the wrong field.

    If two rules contradict each other, the problem names both as `contradiction`; `unpaid` names the price of
    something that these rules do not pay for.
    """
    if id not in PRESETS:
        raise unreadable(field, f"a preset's id ({', '.join(PRESETS)})")
    try:
        return with_rules(PRESETS[id], rules.items())
    except RuleRefused as error:
        facts: dict[str, Any] = {}
        path = list(rules)[error.line]
        if isinstance(error.why, Contradiction):
            facts = {"contradiction": list(error.why.names), "played": error.why.preset}
        elif isinstance(error.why, NothingToPay):
            facts = {"unpaid": path}
        wrong = {f"rules.{path}": [f"a house rule ({error})"]}
        raise Problem(ProblemCode.UNREADABLE, fields=wrong, **facts) from None
