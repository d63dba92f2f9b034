"""What pages and programs are shown of a night: typed values, players as tags, cards as texts.

Everything is judged here or below, so that no page judges anything itself.
"""

from dataclasses import fields
from typing import Any


def attributes(view: Any) -> dict[str, Any]:
    """The attributes of a view, for one that has all of them and more."""
    return {one.name: getattr(view, one.name) for one in fields(view)}
