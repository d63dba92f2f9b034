"""Opening a night, for pages and programs alike."""

from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Any

from ledger.game.night import Stake
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.overrides import with_rules
from ledger.recorder import Opened, Problem, ProblemCode
from ledger.web.recorder import recorder
from ledger.web.security.limits import spend

Data = dict[str, Any]


def open_night(sent: Data) -> tuple[str, Opened]:
    """Open the night that the `NewNight` schema has read; answers its id, and its links.

    Raises a Problem if it cannot be opened, or was opened before with another secret, or other terms.
    """
    spend("new-night")
    night: str = sent["id"]
    stake: dict[str, str] | None = sent["stake"]
    opened = recorder().open_night(
        night,
        secret=bytes.fromhex(sent["secret"]),
        ruleset=agreed_ruleset(sent["ruleset"], sent["rules"]),
        players=sent["players"],
        stake=Stake(Decimal(stake["amount"]), stake["currency"]) if stake else None,
        zone=_zone(sent["zone"]),
    )
    return night, opened


def preset(id: str, *, field: str) -> Ruleset:
    """The preset of that id; raises a Problem about a field of the request if there is none."""
    if id not in PRESETS:
        expected = f"a preset's id ({', '.join(PRESETS)})"
        raise Problem(ProblemCode.UNREADABLE, fields={field: [expected]})
    return PRESETS[id]


def agreed_ruleset(id: str, rules: dict[str, str]) -> Ruleset:
    """A preset with the house rules on top of it; raises a Problem if there is no such preset or rule.

    Where two rules contradict each other, the problem names both as `contradiction`.
    """
    plain = ruleset = preset(id, field="ruleset")
    said: list[tuple[str, str]] = []
    for path, value in rules.items():
        said.append((path, value))
        try:
            ruleset = with_rules(plain, said)
        except ValueError as error:
            facts: Data = {"fields": {f"rules.{path}": [f"a house rule ({error})"]}}
            if isinstance(error, Contradiction):
                facts |= {"contradiction": list(error.names), "played": error.preset}
            raise Problem(ProblemCode.UNREADABLE, **facts) from None
    return ruleset


def _zone(sent: str | None) -> tzinfo | None:
    return datetime.strptime(sent, "%z").tzinfo if sent else None
