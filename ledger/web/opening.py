"""Opening a night, for pages and programs alike."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.overlays.prices import NothingToPay
from ledger.game.rulesets.overrides import RuleRefused, with_rules
from ledger.recorder import Opened, Problem, ProblemCode
from ledger.recorder.terms import agreed
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
    """Open the night that the `NewNight` schema has read, and `more` of its terms; answers its id, and its links.

    Raises a Problem if it cannot be opened, or was opened before with another secret, or other terms.
    """
    spend("new-night")
    opened = recorder().open_night(
        id,
        secret=bytes.fromhex(secret),
        terms=agreed(agreed_ruleset(ruleset, rules), more),
        players=players,
        zone=datetime.strptime(zone, "%z").tzinfo if zone else None,
    )
    return id, opened


def _preset(id: str, field: str) -> Ruleset:
    if id not in PRESETS:
        expected = f"a preset's id ({', '.join(PRESETS)})"
        raise Problem(ProblemCode.UNREADABLE, fields={field: [expected]})
    return PRESETS[id]


def agreed_ruleset(id: str, rules: Mapping[str, str], *, field: str = "ruleset") -> Ruleset:
    """A preset with `rule` lines on top of it. Raises a Problem if there is no such rule, or no such preset: then a
    `field` of the request is wrong.

    Where two rules contradict each other, the problem names both as `contradiction`; `unpaid` is the price of what
    the rules do not have.
    """
    try:
        return with_rules(_preset(id, field), rules.items())
    except RuleRefused as error:
        facts: dict[str, Any] = {}
        path = list(rules)[error.line]
        if isinstance(error.why, Contradiction):
            facts = {"contradiction": list(error.why.names), "played": error.why.preset}
        elif isinstance(error.why, NothingToPay):
            facts = {"unpaid": path}
        wrong = {f"rules.{path}": [f"a house rule ({error})"]}
        raise Problem(ProblemCode.UNREADABLE, fields=wrong, **facts) from None
