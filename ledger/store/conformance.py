"""The conformance check: is the schema exactly what the migrations make?

Asking them at every start would take time, and on PostgreSQL the right to make tables. What they make is therefore
written down beside them, and tests hold these lists and the migrations to the same text.
"""

import json
from collections.abc import Mapping
from functools import cache

from ledger.resources import folder

Schema = Mapping[tuple[str, str], str]
"""What a database holds: kind and name of each part, and its text."""


@cache
def wanted_schema(system: str) -> Schema:
    """The schema that the migrations make on a database system (`sqlite`, `postgresql`)."""
    parts = json.loads((folder("migrations") / f"{system}.json").read_text(encoding="utf-8"))
    return {(kind, name): text for kind, names in parts.items() for name, text in names.items()}


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
