"""Which notes the page offers, and with which fields. Entering them is in `tests/cases/pages/table/notes.txt`."""

import pytest
from flask.testing import FlaskClient

from ledger.game.cards import Card
from ledger.game.customs import Clearing, Clears, Deals, Gives, Kneels, Note, Owes, Sits, Swaps, Until
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import OwedCard
from ledger.web import forms
from ledger.web.pages.table import noting
from tests.factories import NightFactory
from tests.web.browsing import visit
from tests.web.phones import Table

NOTES: list[Note] = [
    Deals(0),
    Kneels(1, Until.FIRST),
    Sits(1),
    Owes(0, 2, 2, OwedCard.HIGHEST_TWO),
    Gives(0, 2, (Card.read("2d"),)),
    Swaps(3, 0),
    Clears(2, Clearing.AT_END),
]


def test_every_kind_of_note_has_its_fields() -> None:
    assert {type(note) for note in NOTES} == set(Note.__args__)
    assert {noting.note_view(note).kind for note in NOTES} == set(forms.NOTE_WORDS)
    assert {name for words in forms.NOTE_WORDS.values() for name in words} == set(forms.NOTE_FIELDS) - {
        "note"
    }


USED = {
    "southern-classic": [],
    "thirteen-kneeling": ["deals", "kneels", "sits"],
    "interns": ["deals", "swaps"],
    "casual": ["deals", "gives"],
    "asian-deuces": ["clears"],
}


@pytest.mark.parametrize("preset", USED)
def test_what_the_rules_have_a_use_for_comes_first_and_the_rest_is_folded(
    client: FlaskClient, preset: str
) -> None:
    assert noting.relevant_kinds(PRESETS[preset], 4) == USED[preset]
    table: Table = NightFactory.create(by=client, holds="keeper", ruleset=preset)
    page = visit(client, f"/n/{table.night}", "en")
    offered = [given["value"] for tag, given in page.elements if tag == "input" and given["name"] == "note"]
    first = USED[preset] or list(forms.NOTE_WORDS)
    assert offered[: len(first)] == first
    assert sorted(offered) == sorted(forms.NOTE_WORDS)
    assert ("Something else" in page.text) is bool(USED[preset])
    assert page.chosen("note") == offered[:1]


def test_five_friends_at_a_game_for_four_swap_seats() -> None:
    assert noting.relevant_kinds(PRESETS["southern-classic"], 5) == ["swaps"]


def test_every_kind_of_note_is_of_use_to_some_preset() -> None:
    used = {kind for preset in PRESETS.values() for kind in noting.relevant_kinds(preset, 4)}
    assert set(forms.NOTE_WORDS) - used <= {"owes"}
