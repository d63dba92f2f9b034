"""The presets: named rulesets that a table can start from. A preset is a value; adding one is adding a value."""

from collections.abc import Mapping
from types import MappingProxyType

from ledger.game.rulesets import southern
from ledger.game.rulesets.types import Ruleset

PRESETS: Mapping[str, Ruleset] = MappingProxyType(
    {ruleset.id: ruleset for ruleset in (southern.CLASSIC, southern.WINNER_TAKES_ALL)}
)

__all__ = ["PRESETS", "Ruleset"]
