"""Processes that a test started."""

import os
from pathlib import Path


def is_running(process: int) -> bool:
    """Whether a process with this pid exists."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def descendants_of(process: int) -> set[int]:
    """The pids of a process's running children, of theirs, and so on."""
    children = children_of(process)
    return children.union(*map(descendants_of, children))


def children_of(process: int) -> set[int]:
    """The pids of a process's running children."""
    return set(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))
