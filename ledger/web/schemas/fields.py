"""The marshmallow fields of queries, where everything is a text."""

import re
from typing import Any, ClassVar

from ledger.game.statistics import Heading
from ledger.recorder.schemas.fields import Text, Truth, Whole


class HeadingWord(Text):
    """What points of a round come from."""

    pattern = "|".join(heading for heading in Heading if heading is not Heading.ADJUSTMENTS)
    expected = f"a kind of payment ({pattern.replace('|', ', ')})"
    told: ClassVar = {"pattern": f"^({pattern})$", "example": "bombs"}


class QueryWhole(Whole):
    """A whole number in a query string."""

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch("[0-9]{1,9}", value):
            raise self.make_error("invalid")
        return super()._validated(int(value))


class QueryTruth(Truth):
    """`true` or `false` in a query string."""

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> bool:
        return super()._deserialize({"true": True, "false": False}.get(str(value)), attr, data, **kwargs)
