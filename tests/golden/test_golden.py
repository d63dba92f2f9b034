"""Every page, call and file of the golden nights is unchanged."""

import re
from collections.abc import Mapping

import pytest
from flask import Flask

from ledger.recorder import KINDS
from ledger.web import Settings, create_app
from tests.golden.answers import FOLDER, INTERFACE, Files, described, differences, file_of, nights
from tests.golden.stories import BETS, EVENING
from tests.golden.surfaces import KEEPER, LANGUAGES, is_page_of_a_night
from tests.stories import read_story


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings(database_url="sqlite://", key=bytes(32)))


@pytest.fixture(scope="module")
def made() -> Mapping[str, Files]:
    return dict(nights())


def test_every_kind_of_entry_with_a_button_on_a_screen_is_in_a_golden_night(
    made: Mapping[str, Files],
) -> None:
    buttons = {
        kind for text in made["evening"].values() for kind in re.findall(r"\[button kind ([\w-]+)", text)
    }
    lines = (line.strip() for story in (EVENING, BETS) for line in story.lines.splitlines())
    entries = read_story("\n".join(line for line in lines if not line.startswith("?")))
    assert buttons & KINDS.keys() <= {kind for kind, _ in entries}


@pytest.mark.parametrize("night", sorted({path.name for path in FOLDER.iterdir()} - {INTERFACE}))
def test_a_golden_night_answers_what_it_answered(made: Mapping[str, Files], night: str) -> None:
    """After an intended change: python -m tests.golden --write"""
    found = list(differences(night, made[night]))
    assert not found, "\n" + "\n".join(found)


def test_programs_are_promised_what_they_were_promised(app: Flask) -> None:
    found = list(differences(INTERFACE, described(app)))
    assert not found, "\n" + "\n".join(found)


def test_every_screen_of_a_night_is_kept_in_every_language(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and is_page_of_a_night(rule.rule):
            kept = (FOLDER / "evening" / f"{file_of(rule.rule)}.txt").read_text(encoding="utf-8")
            headings = " ".join(line for line in kept.splitlines() if line.startswith("== "))
            assert all(f"{KEEPER} {language}" in headings for language in LANGUAGES), rule.rule


def test_every_golden_night_has_its_answers(made: Mapping[str, Files]) -> None:
    assert made.keys() == {path.name for path in FOLDER.iterdir()}
