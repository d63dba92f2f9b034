"""The presets: named rulesets that a table can start from. A preset is a value; adding one is adding a value."""

from collections.abc import Mapping
from types import MappingProxyType

from ledger.game.rulesets import card_count, core, family, northern, pro_play, regional, southern, thirteen
from ledger.game.rulesets.model import Ruleset

PRESETS: Mapping[str, Ruleset] = MappingProxyType(
    {
        ruleset.id: ruleset
        for ruleset in (
            southern.CLASSIC,
            southern.WINNER_TAKES_ALL,
            family.FAMILY,
            core.CORE,
            core.CORE_17,
            core.CORE_DOUBLE,
            core.VIET_CONG,
            thirteen.THIRTEEN,
            thirteen.POINTS,
            thirteen.KNEELING,
            thirteen.ASIAN_DEUCES,
            thirteen.DRAW_PILE,
            thirteen.CASUAL,
            regional.DOUBLE_DECK,
            regional.HAWAII,
            regional.AKITA,
            regional.MELBOURNE,
            regional.AMSTERDAM,
            regional.INTERNS,
            pro_play.PRO_PLAY,
            card_count.CARD_COUNT,
            northern.NORTHERN,
        )
    }
)
