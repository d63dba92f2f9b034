"""Programs that are measured in environments of their own, beside ours: scripts/setup makes them where it can."""

import sys
from pathlib import Path

MISSING = "it is not installed: `scripts/bench` does that before it measures, and says why where it cannot"


def python_of(peer: str) -> str | None:
    """The Python that has this program, if it is installed."""
    folder = Path(sys.prefix) / "peers" / peer
    return str(folder / "bin" / "python") if (folder / "installed").exists() else None
