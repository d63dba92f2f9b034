"""What becomes of processes that a test started."""

import os
from pathlib import Path


def is_running(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def children_of(process: int) -> set[int]:
    """The processes that it forked, and that run."""
    return set(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))
