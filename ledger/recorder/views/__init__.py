"""Typed views of a night for pages and the interface: players are tags, cards are texts.

All judging is done here or below; a page judges nothing itself.
"""

from dataclasses import fields
from typing import Any


def attributes(view: Any) -> dict[str, Any]:
    """The attributes of a view, as arguments for a view that extends it."""
    return {one.name: getattr(view, one.name) for one in fields(view)}
