"""Statements of another program or of an attacker, from tests/cases/store."""

from tests.case_files import lines_below_headings


def attacks(file: str, heading: str) -> list[str]:
    """The lines below a heading."""
    return [line for found, line in lines_below_headings(f"store/{file}.txt") if found == heading]


def attacks_and_findings(file: str, heading: str) -> list[tuple[str, ...]]:
    """The lines below a heading, each parted at `=>`."""
    return [tuple(line.split(" => ")) for line in attacks(file, heading)]
