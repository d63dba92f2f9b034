"""For newcomers: how it works, the example night, and how to play Tiến lên."""

import re

import pytest
from flask.testing import FlaskClient

from ledger.game.cards import Card
from ledger.game.combinations import Combination
from ledger.game.patterns import Kind
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.language import LANGUAGES, speaker
from ledger.recorder.operations.demo import demo_night
from ledger.web.pages.help import newcomers
from tests.web.browsing import visit
from tests.web.phones import Table, open_table, take

TAUGHT = PRESETS[newcomers.TAUGHT]


def test_everybody_looks_around_in_the_same_night_and_nobody_changes_it(client: FlaskClient) -> None:
    place = client.post("/example").location
    assert place is not None
    other = client.application.test_client()
    assert other.post("/example").location == place
    for who in (client, other):
        page = visit(who, place, "en")
        assert (page.status, "Example night" in page.text) == (200, True)
    night = place.removesuffix("/ledger")
    assert "Round 6" in visit(other, f"{night}/rounds", "en").text
    assert other.post(night, data={"kind": "undo"}).status_code == 403
    assert [form.action for form in visit(other, f"{night}/rounds/2").forms if night in form.action] == []


def test_the_example_night_is_none_of_ones_own_tables(client: FlaskClient) -> None:
    place = client.post("/example").location
    assert place is not None
    assert place.removesuffix("/ledger") not in visit(client, "/").links


def test_a_night_of_ones_own_is_no_example(client: FlaskClient) -> None:
    client.post("/example")
    table = open_table(client)
    assert "An example night" not in visit(client, f"/n/{table.night}/ledger", "en").text


def hands(drawn: str) -> list[Combination | None]:
    """The combination that each group of drawn cards forms."""
    found = re.findall(r'<span class="hand.*?</b>[^<]*</span></span>', drawn, re.DOTALL)
    texts = [re.findall(r'suit-([scdh])"><b>(.*?)</b>', hand) for hand in found]
    cards = [[Card.read(rank.replace("10", "T") + suit) for suit, rank in hand] for hand in texts]
    return [compiled(TAUGHT).index.read(TAUGHT.deck.gather(hand)[0]) for hand in cards]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_beginner_sees_every_kind_of_combination_and_every_bomb(client: FlaskClient, language: str) -> None:
    page, say = visit(client, "/how-to-play", language), speaker(language)
    shapes = {one.shape for one in hands(page.response.text) if one is not None}
    assert {*map(Kind.of, TAUGHT.combinations.shapes())} == {*map(Kind.of, shapes)}
    assert {bomb.shape for bomb in TAUGHT.bombs} <= shapes
    assert all(say.clause(TAUGHT.clause(clause)) in page.text for clause in newcomers.LESSONS)
    assert f"/rules/{TAUGHT.id}" in page.links


def test_what_follows_in_a_comparison_beats_what_it_follows(client: FlaskClient) -> None:
    rows = re.findall(
        r'<div class="follow">(.*?)</div>', visit(client, "/how-to-play").response.text, re.DOTALL
    )
    compared = [hands(row) for row in rows if "→" in row]
    assert len(compared) == 2 + len(TAUGHT.bombs)
    for lower, higher in compared:
        assert lower is not None
        assert higher is not None
        assert higher.beats(lower)


@pytest.mark.parametrize("language", LANGUAGES)
def test_five_pictures_show_how_it_works(client: FlaskClient, language: str) -> None:
    page = visit(client, "/how-it-works", language)
    assert len(re.findall(r"<li>\s*<p>", page.response.text)) == 5
    assert all(name in page.text for name in demo_night().names)
    assert {"/", "/how-to-play"} <= set(page.links)


def test_help_is_on_every_page_of_everybody(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    night = f"/n/{table.night}"
    for place in ("/", "/rules", "/help", "/nowhere"):
        assert "/help" in visit(client, place).links, place
    for place in ("", "/ledger", "/links", "/result", "/help"):
        assert f"{night}/help" in visit(client, f"{night}{place}").links, place


def test_help_at_a_table_keeps_its_bar_and_leads_back(client: FlaskClient, table: Table) -> None:
    """It has the questions and answers of everybody's help."""
    take(client, table, "keeper")
    night = f"/n/{table.night}"
    rules, at_table, help = (visit(client, place) for place in (f"{night}/rules", f"{night}/help", "/help"))
    bar = slice(rules.links.index(f"{night}/help") + 1)
    assert at_table.links[bar] == rules.links[bar]
    assert night in at_table.links[bar.stop :]
    questions = re.compile("<details>.*</details>", re.DOTALL)
    assert questions.findall(at_table.response.text)[0].startswith(questions.findall(help.response.text)[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_answers_each_question_with_the_words_on_the_buttons(client: FlaskClient, language: str) -> None:
    answers = re.findall(
        r"<details>\s*<summary>(.+?)</summary>\s*<p>(.+?)</p>",
        visit(client, "/help", language).response.text,
        re.DOTALL,
    )
    assert len(answers) >= 18
    assert not any("%(" in answer for _, answer in answers)
