"""The program of the version before this one, from the history."""

import subprocess
from pathlib import Path
from typing import Final

PREVIOUS: Final = "9416f7a8920632efbbd950b6b77fa1016319071f"
"""The commit of the version before this one: after a release, that of the release."""
PARTS: Final = ("ledger", "templates", "migrations")
"""The folders of the program."""
HERE: Final = Path(__file__).parents[1]
NAMED: Final = "import os, sys; sys.path[:0] = [os.environ['PROGRAM']]"
"""What a process runs first, so that it runs the program in the folder that its environment names."""


def previous_program(folder: Path) -> Path:
    """Put the program of PREVIOUS into a folder. Raises LookupError if the history here does not have it."""
    git = ["git", "-C", str(HERE)]
    if (
        not (HERE / ".git").exists()
        or subprocess.run([*git, "cat-file", "-e", PREVIOUS], check=False, capture_output=True).returncode
    ):
        raise LookupError(f"the history here has no {PREVIOUS[:8]}: the version before this one")
    packed = subprocess.run([*git, "archive", PREVIOUS, *PARTS], check=True, capture_output=True).stdout
    folder.mkdir(exist_ok=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
    return folder
