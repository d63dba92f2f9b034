"""The conformance check: is the schema exactly what the migrations make?"""

import re
from collections.abc import Mapping

Schema = Mapping[tuple[str, str], str]
"""What a database holds: kind and name of each part, and its text."""


def compared(wanted: Schema, found: Schema) -> tuple[str, ...]:
    """What is missing, altered or too much, in words; empty when the schema conforms."""
    missing = [f"{kind} {name} is missing" for kind, name in sorted(wanted.keys() - found.keys())]
    too_many = [f"{kind} {name} is not ours" for kind, name in sorted(found.keys() - wanted.keys())]
    altered = [
        f"{kind} {name} is altered"
        for kind, name in sorted(wanted.keys() & found.keys())
        if wanted[kind, name] != found[kind, name]
    ]
    return (*missing, *altered, *too_many)


def plain(text: str) -> str:
    """A statement without its layout and quotes, which change with SQLAlchemy's version and mean nothing."""
    return re.sub(r'[\s"]+', "", text)
