"""Files that are not code: in the package when it was installed as a wheel, beside it in a checkout."""

from pathlib import Path

import ledger


def folder(name: str) -> Path:
    """The folder of that name (`templates`, `migrations`)."""
    package = Path(ledger.__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
