"""Choosing a table's rules on the first page: presets, house rules, links and lines, and saved rules."""

import json
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overlays.schemes import SCHEMES
from ledger.language import speaker
from ledger.recorder.agreements import agreed_ruleset
from ledger.web.chosen_rules import COOKIE, SavedRules, TableRules, read_saved, with_saved, write_saved
from ledger.web.pages.opening.rules_form import PLAYED_OTHERWISE
from tests.factories import friends
from tests.web.browsing import MOST_BYTES, Page, visit, weight
from tests.web.phones import new_night, open_table


def offered(page: Page) -> list[str]:
    return [
        given["value"] for tag, given in page.elements if given.get("name") == "ruleset" and tag == "input"
    ]


def opened(page: Page, names: list[str], **fields: str | list[str]) -> Page:
    form = page.forms[-1]
    return page.send(form.action, form.filled({"players": names, **fields}))


def agreed(client: FlaskClient, page: Page) -> dict[str, object]:
    """The ruleset of the opened night."""
    night = page.path.split("/")[2]
    board = client.get(f"/api/v1/nights/{night}").get_json()
    assert isinstance(board["ruleset"], dict)
    return board["ruleset"]


def test_every_preset_is_offered_with_a_line_and_what_people_call_it(client: FlaskClient) -> None:
    page = visit(client, "/", "en")
    assert sorted(offered(page)) == sorted(PRESETS)
    searched = {given["data-words"] for _, given in page.elements if "data-words" in given}
    assert any("đếm lá" in words for words in searched)
    assert any("killer" in words.lower() for words in searched)


def test_presets_for_more_players_than_were_named_are_not_listed(client: FlaskClient) -> None:
    form = visit(client, "/").forms[-1]
    page = visit(client, "/").send("/", [*form.filled({"players": friends(3)}), ("act", "check")])
    missing = {"family", "core-double", "double-deck"}
    assert missing & set(offered(page)) == set()
    assert {id for id in PRESETS if min(PRESETS[id].deal.players) <= 3} == set(offered(page))


def test_programs_are_told_whose_words_rule_a_house_rule_out(client: FlaskClient) -> None:
    for rule in ("four-pairs-chop-late", "five-pairs-chop-late"):
        answer = client.post("/api/v1/nights", json=new_night(ruleset="melbourne", rules={rule: "yes"}))
        problem = answer.get_json()
        assert (answer.status_code, problem["code"]) == (400, "unreadable")
        assert (problem["contradiction"], problem["played"]) == ([rule, "no-chops-late"], "melbourne")


def test_the_form_says_beside_each_switch_where_it_changes_nothing_and_where_it_is_ruled_out(
    client: FlaskClient,
) -> None:
    page = visit(client, "/")
    switches = [
        given for _, given in page.elements if given.get("class") == "switch" and "data-idle" in given
    ]
    (lock,) = [one for one in switches if json.loads(one["data-refused"]).keys() == {"hawaii", "northern"}]
    assert set(lock["data-idle"].split()) == {"akita", "melbourne", "interns"}
    words = json.loads(lock["data-refused"])["hawaii"]
    assert words == speaker("vi").say("says no-trading-or-locks")


def test_a_table_is_opened_with_any_payment_scheme(client: FlaskClient) -> None:
    for scheme in SCHEMES:
        page = visit(client, "/?ruleset=thirteen", "en")
        line = f"scheme={scheme}"
        assert [given["type"] for _, given in page.elements if given.get("value") == line] == ["radio"]
        page = opened(page, friends(4), rule=[line, "triple-beats-ace=yes"])
        rules = [["scheme", scheme], ["triple-beats-ace", "yes"]]
        assert agreed(client, page) == {"id": "thirteen", "rules": rules}


def test_rules_are_the_same_in_whatever_order_a_program_sends_them() -> None:
    lines = [("payments.left", "3"), ("four-of-a-kind-beats-three-pairs", "yes"), ("scheme", "places")]
    agreed = agreed_ruleset("asian-deuces", dict(lines))
    assert agreed == agreed_ruleset("asian-deuces", dict(lines[::-1]))
    assert (agreed.scheme, agreed.payments.left) == ("places", 3)


def test_lines_that_somebody_sent_are_taken(client: FlaskClient) -> None:
    lines = "tienlen 1\r\nruleset  core ; ours\r\nrule triple-beats-ace = yes\r\np1 An\r\nround 1"
    page = visit(client, "/").press("read", name="act", players=friends(3), lines=lines)
    assert page.chosen("ruleset") == ["core"]
    assert [value for value in page.chosen("rule") if value] == ["triple-beats-ace=yes"]
    assert len(page.chosen("players")[:3]) == 3


def test_a_cookie_that_is_not_ours_keeps_nothing(client: FlaskClient) -> None:
    for cookie in ("", "x", "bm9uZQ==", "W1sxXV0=", "WzEsMl0=", "é"):
        assert read_saved(cookie) == []
        client.set_cookie(COOKIE, cookie.encode("ascii", "ignore").decode())
        assert visit(client, "/").status == 200


def test_the_oldest_rules_fall_out_where_there_are_too_many() -> None:
    rules = TableRules("thirteen", tuple(f"{name}=yes" for name in HOUSE_RULES))
    kept: list[SavedRules] = []
    for number in range(20):
        kept = with_saved(kept, f"Luật {number}", rules)
    cookie = write_saved(kept)
    assert len(cookie) <= 3000
    again = read_saved(cookie)
    assert again == kept[: len(again)]
    assert again[0].name == "Luật 19"


def test_rules_whose_long_name_is_cut_at_a_space_are_kept_once() -> None:
    name = "x" * 39 + " and more"
    kept = with_saved([], name, TableRules("thirteen"))
    kept = with_saved(read_saved(write_saved(kept)), name, TableRules("northern"))
    assert kept == [SavedRules("x" * 39, TableRules("northern"))]


def test_a_contradiction_is_a_problem_that_names_both_to_programs(client: FlaskClient) -> None:
    rules = {"no-instant-wins": "yes", "five-pairs-win-at-once": "yes"}
    night = new_night(ruleset="thirteen", rules=rules)
    response = client.post("/api/v1/nights", json=night)
    problem = response.get_json()
    assert (response.status_code, problem["code"]) == (400, "unreadable")
    assert sorted(problem["contradiction"]) == sorted(rules)
    assert {name.removeprefix("rules.") for name in problem["fields"]} < set(rules)


@pytest.mark.parametrize(("line", "words"), PLAYED_OTHERWISE.items())
def test_what_no_list_of_house_rules_names_is_a_switch_among_them(
    client: FlaskClient, line: str, words: str
) -> None:
    assert line not in visit(client, "/").chosen("rule")
    page = visit(client, f"/?{urlencode({'rule': line})}", "en")
    assert page.chosen("rule").count(line) == 1
    assert speaker("en").say(words) in page.text
    assert agreed(client, opened(page, friends(4)))["rules"] == [line.split("=", 1)]


def test_the_first_page_stays_small(client: FlaskClient) -> None:
    open_table(client)
    for preset in PRESETS:
        assert weight(client, visit(client, f"/?ruleset={preset}")) < MOST_BYTES
