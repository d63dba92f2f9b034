"""Programs measured in separate environments, which scripts/setup makes if it can."""

import sys
from pathlib import Path

MISSING = "it is not installed: `scripts/bench` does that before it measures, and says why where it cannot"


def python_of(peer: str) -> str | None:
    """The Python of this program's environment; None if it is not installed."""
    folder = Path(sys.prefix) / "peers" / peer
    return str(folder / "bin" / "python") if (folder / "installed").exists() else None
