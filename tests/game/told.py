"""Cases of `tests/cases/*.txt` in columns: what is given, and after ` => ` what comes of it."""

import json

from tests.case_files import lines_below_headings


def told(name: str, heading: str) -> list[tuple[str, ...]]:
    """The columns of each line below a heading. A column in quotation marks is written as in JSON."""
    lines = [line for found, line in lines_below_headings(name) if found == heading]
    if not lines:
        raise ValueError(f"{name}: no [{heading}]")
    return [tuple(map(_column, line.split(" => "))) for line in lines]


def _column(text: str) -> str:
    return json.loads(text) if text.startswith('"') and text.endswith('"') else text
