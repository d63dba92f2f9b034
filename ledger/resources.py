"""What comes with the code. Files: in the package when it was installed as a wheel, beside it in a checkout."""

from importlib.metadata import version
from pathlib import Path

import ledger


def release() -> str:
    """Which version of the program this is."""
    return version("tienlen-ledger")


def folder(name: str) -> Path:
    """The folder of that name (`templates`, `migrations`)."""
    package = Path(ledger.__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
