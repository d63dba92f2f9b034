"""What assistive technology reads from a page: the nodes of its accessibility tree, in the words of ARIA."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ROLES: Mapping[str, Sequence[object]] = {
    "alert": ("alert", 2),
    "button": ("button", "pushbutton", 43, "toggle button", 62),
    "checkbox": ("checkbox", "checkbutton", 7),
    "dialog": ("dialog", 16),
    "group": ("group", "grouping", 98),
    "heading": ("heading", 83),
    "link": ("link", 88),
    "log": ("log", 111),
    "radio": ("radio", "radiobutton", 44),
    "textbox": ("textbox", "entry", 79),
}
"""By ARIA's name of a role, what engines call it: Chromium, Firefox, and the numbers of AT-SPI."""
STATES = ("checked", "disabled", "expanded", "focused")
_NAMES = {theirs: role for role, all in ROLES.items() for theirs in all}


@dataclass(frozen=True, slots=True)
class Node:
    """What is read as one thing."""

    role: str
    """ARIA's name if it is one of `ROLES`; else empty."""
    name: str
    states: frozenset[str]
    """Those of `STATES` that it is in."""
    handle: Any
    """By which its engine finds it again, until the page changes."""

    def is_like(self, role: str, name: str) -> bool:
        """Whether it has this role, and a name of this pattern."""
        return self.role == role and re.fullmatch(name, self.name) is not None

    def __repr__(self) -> str:
        return " ".join([self.role, repr(self.name), *sorted(self.states)])


def node(role: object, name: str | None, states: Sequence[str], handle: Any) -> Node:
    """A node from an engine's own words."""
    return Node(_NAMES.get(role, ""), " ".join((name or "").split()), frozenset(states) & {*STATES}, handle)
