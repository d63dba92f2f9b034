"""The memory of a server's workers."""

from pathlib import Path

TOLD = Path("/proc/self/smaps_rollup").exists()
"""Whether the system reports it: only Linux does."""


def workers_of(server: int) -> list[int]:
    """The ids of a server's worker processes."""
    return [int(child) for child in Path(f"/proc/{server}/task/{server}/children").read_text().split()]


def megabytes(process: int) -> tuple[float, float]:
    """A process's private memory, and its proportional set size, which adds its share of shared memory."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return own / 1024, kilobytes["Pss"] / 1024
