"""Notes on the page: a due note takes one tap, any other a small form; watchers read them."""

import pytest
from flask.testing import FlaskClient

from ledger.game.customs import Clearing, Clears, Deals, Gives, Kneels, Note, Owes, Sits, Swaps, Until
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import OwedCard
from ledger.web.pages import noting
from tests.factories import friends
from tests.recorder.tables import run
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, open_table

NOTES: list[tuple[Note, str]] = [
    (Deals(0), "An deals."),
    (Kneels(1, Until.FIRST), "Bình kneels until coming in first."),
    (Kneels(1, Until.ROUND_OVER), "Bình kneels until the round is over."),
    (Sits(1), "Bình need not kneel any more."),
    (Owes(0, 2, 2, OwedCard.HIGHEST_TWO), "An owes Chi 2 cards: the highest 2."),
    (Gives(0, 2, 1 << 50 | 1 << 51), "An gives Chi cards: 2♦ 2♥"),
    (Gives(3, 2, 0), "Dũng gives Chi cards:"),
    (Swaps(3, 0), "An takes the seat of Dũng."),
    (Clears(2, Clearing.AT_END), "Chi chose: the cards are cleared away at the end."),
    (Clears(2, Clearing.EACH_PILE), "Chi chose: the cards are cleared away after each pile."),
]


def enter(table: Table, *, role: str = "keeper") -> Page:
    """The night's page in English, with the link of this role; the language stays set."""
    send(table.client, f"/t/{table.tokens[role]}", [])
    page = visit(table.client, f"/n/{table.night}")
    return page if page.language == "en" else page.press("en", name="language")


def recorded(table: Table) -> list[str]:
    """The notes in the night's replay."""
    lines = table.keeper.get("/replay").text.splitlines()
    return [line.removeprefix("note ") for line in lines if line.startswith("note ")]


def kneeling_night(client: FlaskClient) -> Table:
    """A night after a round in which p4 came last and p3 third."""
    table = open_table(client, ruleset="thirteen-kneeling")
    table.keeper.tell(
        f"""
        round opening
        p1 {run("s")}
        p1 2s
        p2 -
        p3 -
        p4 -
        p2 {run("c")}
        p2 2c
        p3 -
        p4 -
        p3 {run("d")}
        p3 2d
        settle
        """
    )
    return table


def test_every_kind_of_note_has_its_fields() -> None:
    assert {type(note) for note, _ in NOTES} == set(Note.__args__)
    deck = PRESETS["southern-classic"].deck
    assert {noting.note_view(note, deck).kind for note, _ in NOTES} == set(noting.WORDS)
    assert {name for words in noting.WORDS.values() for name in words} == set(noting.FIELDS) - {"note"}


@pytest.mark.parametrize(("note", "sentence"), NOTES, ids=[sentence for _, sentence in NOTES])
def test_any_note_is_recorded_by_the_form_and_read_by_everyone(
    client: FlaskClient, note: Note, sentence: str
) -> None:
    table = open_table(client)
    view = noting.note_view(note, PRESETS["southern-classic"].deck)
    changes = {name: getattr(view, name) for name in noting.WORDS[view.kind] if name != "cards"}
    if view.cards:
        changes["cards"] = ", ".join(view.cards)
    page = enter(table).press("note", note=view.kind, **changes)
    assert (page.status, page.path) == (200, f"/n/{table.night}")
    assert f"{sentence} recorded" in page.text
    assert recorded(table) == [view.line]
    client.delete_cookie(f"tienlen-{table.night}-keeper")
    watched = enter(table, role="watch")
    assert sentence in watched.text
    assert "note" not in watched.buttons()
    alone = visit(client, f"/n/{table.night}/notes")
    assert f"Before the first round {sentence}" in alone.text
    assert "note" not in alone.buttons()


def test_what_is_due_is_recorded_with_one_tap_each(client: FlaskClient) -> None:
    table = kneeling_night(client)
    page = enter(table)
    assert page.text.count("Record it") == 2
    page = page.press("kneels p4 until-first", name="due")
    assert page.path == f"/n/{table.night}"
    assert "Dũng kneels until coming in first. recorded" in page.text
    page = page.press("deals p3", name="due")
    assert recorded(table) == ["kneels p4 until-first", "deals p3"]
    assert "Record it" not in page.text
    assert page.press("round").press("undo").text.count(". recorded") == 2


def test_a_tap_sent_twice_records_once(client: FlaskClient) -> None:
    table = kneeling_night(client)
    action, fields = enter(table).body("deals p3", name="due")
    assert send(client, action, fields).status == send(client, action, fields).status == 200
    assert recorded(table) == ["deals p3"]


def test_a_note_is_taken_while_a_round_runs(client: FlaskClient) -> None:
    table = open_table(client)
    page = enter(table).press("round")
    place = f"/n/{table.night}/notes"
    assert place in page.links
    page = visit(client, place).press("note", note="swaps", player="p1", other="p4")
    assert page.path == place
    assert "Since round 1 began Dũng takes the seat of An." in page.text
    assert f"/n/{table.night}" in page.links
    play = visit(client, f"/n/{table.night}").press("play", seat="p2", cards=["3s"])
    assert play.status == 200


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"note": "owes", "other": "p3"}, "Choose another player here."),
        ({"note": "swaps", "other": "p3"}, "Choose another player here."),
        ({"note": "owes", "count": "0"}, "Give a whole number from 1 to 99."),
        ({"note": "owes", "count": "mười"}, "Give a whole number from 1 to 99."),
        ({"note": "gives", "cards": "2♦ 2x"}, "2x is no card of this deck"),
        (
            {"note": "gives", "cards": "2♦, 2d"},
            "2♦ is no card of this deck, or stands here twice. Write cards such as 2d 2h.",
        ),
        ({"note": "gives", "cards": "2d'"}, "2♦' is no card of this deck"),
    ],
)
def test_what_cannot_be_is_said_in_place_and_everything_stays_typed(
    client: FlaskClient, changes: dict[str, str | list[str]], sentence: str
) -> None:
    table = open_table(client)
    typed: dict[str, str | list[str]] = {
        "player": "p3",
        "other": "p2",
        "count": "7",
        "card": "highest-card",
        "cards": "2♦ 3s",
        "until": "until-round-over",
        "clearing": "at-end",
        **changes,
    }
    page = enter(table).press("note", name="kind", **typed)
    assert page.status == 400
    assert sentence in page.text
    invalid = [given for _, given in page.elements if given.get("aria-invalid")]
    assert len(invalid) == 1
    assert invalid[0]["aria-describedby"] in page.ids
    assert {name: page.chosen(name) for name in typed} == {name: [value] for name, value in typed.items()}
    assert recorded(table) == []


@pytest.mark.parametrize(
    ("language", "typed", "recorded_as"),
    [("en", " 2♦  10H,3s ", "3s Th 2d"), ("vi", "2c 2r' 10T", "Tc 2d' 2h"), ("en", "2d 2d'", "2d 2d'")],
)
def test_cards_are_typed_with_suits_or_the_letters_of_the_page_and_the_mark_of_the_second_pack(
    client: FlaskClient, language: str, typed: str, recorded_as: str
) -> None:
    table = open_table(client, ruleset="double-deck", players=friends(8))
    page = enter(table)
    page = page if language == "en" else page.press(language, name="language")
    refused = page.press("note", note="gives", player="p1", other="p8", cards="2d 2d 2d 2c 2c 2c")
    assert refused.status == 400
    page.press("note", note="gives", player="p1", other="p8", cards=typed)
    assert recorded(table) == [f"gives p1 p8 {recorded_as}"]


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("note", "shouts")],
        [("note", "deals"), ("player", "p9")],
        [("note", "owes"), ("player", "p1"), ("other", "p2"), ("count", "2"), ("card", "queen")],
        [("note", "gives"), ("player", "p1"), ("other", "p2"), ("cards", "2s " * 90)],
        [("due", "kneels")],
        [("due", "x" * 300)],
    ],
)
def test_a_form_that_no_page_makes_is_answered_in_words(
    client: FlaskClient, fields: list[tuple[str, str]]
) -> None:
    table = open_table(client)
    enter(table)
    hidden = [("id", "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"), ("after", table.night)]
    page = send(client, f"/n/{table.night}/notes", [*hidden, *fields])
    assert page.status == 400
    assert any(given.get("role") == "alert" for _, given in page.elements)
    assert recorded(table) == []


def test_another_entry_in_between_is_said_and_the_note_stays_typed(client: FlaskClient) -> None:
    table = open_table(client)
    page = enter(table)
    table.keeper.record("round", opening=True)
    page = page.press("note", note="gives", player="p3", other="p4", cards="2s")
    assert page.status == 409
    assert page.chosen("note") == ["gives"]
    assert page.chosen("cards") == ["2s"]
    page = page.press("note")
    assert page.status == 200
    assert recorded(table) == ["gives p3 p4 2s"]


def test_what_was_due_on_an_old_page_is_refused_in_place_and_can_be_recorded_then(
    client: FlaskClient,
) -> None:
    table = kneeling_night(client)
    page = enter(table)
    table.caught_up().record("note", note="deals p1")
    page = page.press("deals p3", name="due")
    assert page.status == 409
    assert page.chosen("note") == ["deals"]
    page.press("deals p3", name="due")
    assert recorded(table) == ["deals p1", "deals p3"]


def test_watchers_and_an_ended_night_record_nothing(client: FlaskClient) -> None:
    table = open_table(client)
    page = enter(table)
    action, fields = page.body("note", note="deals")
    table.keeper.record("end")
    assert "note" not in visit(client, f"/n/{table.night}").buttons()
    assert "note" not in visit(client, f"/n/{table.night}/notes").buttons()
    assert send(client, action, fields).status == 409
    client.delete_cookie(f"tienlen-{table.night}-keeper")
    assert send(client, action, fields).status == 401
    enter(table, role="watch")
    assert send(client, action, fields).status == 403


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
    page = enter(open_table(client, ruleset=preset))
    offered = [given["value"] for tag, given in page.elements if tag == "input" and given["name"] == "note"]
    first = USED[preset] or list(noting.WORDS)
    assert offered[: len(first)] == first
    assert sorted(offered) == sorted(noting.WORDS)
    assert ("Something else" in page.text) is bool(USED[preset])
    assert page.chosen("note") == offered[:1]


def test_five_friends_at_a_game_for_four_swap_seats() -> None:
    assert noting.relevant_kinds(PRESETS["southern-classic"], 5) == ["swaps"]


def test_every_kind_of_note_is_of_use_to_some_preset() -> None:
    used = {kind for preset in PRESETS.values() for kind in noting.relevant_kinds(preset, 4)}
    assert set(noting.WORDS) - used <= {"owes"}
