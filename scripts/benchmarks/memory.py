"""What the workers of a server have of their own."""

from pathlib import Path

TOLD = Path("/proc/self/smaps_rollup").exists()
"""Only Linux tells it."""


def workers_of(server: int) -> list[int]:
    """The processes that answer."""
    return [int(child) for child in Path(f"/proc/{server}/task/{server}/children").read_text().split()]


def megabytes(process: int) -> tuple[float, float]:
    """What a process has for itself, and that with its share of what it has with others."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return own / 1024, kilobytes["Pss"] / 1024
