"""The stories of the golden nights, read from `stories.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.recorder.tables import RECORDS

Data = dict[str, Any]

CARRIED = RECORDS / "double-deck-01.tln"


@dataclass(frozen=True)
class Story:
    """A night: its opening, and its entries as lines; `? ` marks those that are refused."""

    id: str
    opening: Data
    lines: str
    forgotten: bool = False
    """Whether its names are erased at the end."""


STORIES = Path(__file__).with_name("stories.toml")
EVENING, BETS = (Story(**story) for story in tomllib.loads(STORIES.read_text(encoding="utf-8")).values())
