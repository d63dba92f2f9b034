"""An example value for every field of the request that opens a night."""

from collections.abc import Mapping
from typing import Any

from ledger.game.terms import TYPED
from tests.recorder.tables import CLASSIC

Data = dict[str, Any]

PLAIN: Data = {"ruleset": CLASSIC, "players": ["An", "Bình", "Chi", "Dũng"]}
FIELDS: Mapping[str, Any] = {
    "ruleset": "southern-winner-takes-all",
    "rules": {"four-pairs-chop-late": "yes", "passing.locks": "no", "scheme": "first-and-last"},
    "players": ["Đặng Ân", "Lý Ba", "Bà Năm", "Ông Tư"],
    "stake": {"amount": "0.25", "currency": "EUR"},
    "zone": "-11:00",
    **{name: term.example for name, term in TYPED.items()},
}
"""Field -> a value that is not its default."""
WHOSE = ("id", "secret")
"""The fields that identify the night, and who may open it again."""
NOT_AGREED_ON = {
    "zone": "the day of a night is that of its first opening, wherever a repeated request comes from"
}
"""Fields in which a repeated opening may differ, with the reason."""
