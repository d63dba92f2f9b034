"""The texts of the pages: each one used is in every catalog, and no catalog holds another."""

from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir

from ledger.language import LANGUAGES
from ledger.language.catalogs import messages

ROOT = Path(__file__).parents[3]


def used() -> set[str | tuple[str, ...]]:
    """Every text that the templates and the pages use."""
    found = extract_from_dir(
        ROOT,
        method_map=[("templates/**.html", "jinja2.ext:babel_extract"), ("ledger/web/**.py", "python")],
        options_map={"templates/**.html": {"extensions": "jinja2.ext.i18n", "silent": "false"}},
    )
    return {entry if isinstance(entry, str) else tuple(entry) for _, _, entry, _, _ in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_pages_is_in_the_catalog_and_no_other(language: str) -> None:
    kept = {
        entry.id if isinstance(entry.id, str) else tuple(entry.id)
        for entry in messages(language, "pages")
        if entry.id
    }
    assert kept == used()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    missing = [
        entry.id for entry in messages(language, "pages") if entry.id and not all(strings(entry.string or ""))
    ]
    assert not missing


def strings(string: str | tuple[str, ...] | list[str]) -> list[str]:
    return [string] if isinstance(string, str) else list(string)
