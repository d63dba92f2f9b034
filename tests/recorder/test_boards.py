"""The board and the log for pages and programs: everything that the interface promises, as plain JSON."""

import json
from uuid import uuid4

import pytest

from ledger.game import notation
from ledger.game.night import Terms
from ledger.game.notation import tag
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import with_rules
from ledger.language import speaker
from ledger.recorder import Link, Problem, Recorder, Role, audit, export_tln, import_tln
from ledger.recorder.views.round import LAST_ROWS
from ledger.store import event_hash, night_hash
from ledger.web.api import answers
from tests.recorder.tables import (
    A_ROUND,
    A_SETTLED_ROUND,
    NAMES,
    SAY,
    SECRET,
    Table,
    asked,
    open_table,
    plain,
    run,
    whole,
)

STORIES = {
    "just opened": "",
    "a header": "round opening",
    "an opening": "round opening \n p1 3s",
    "skipped seats": "round opening \n p1 3s \n p4 2h",
    "something that stood": "round opening \n p1 4s 6s !",
    "an instant win": f"round opening \n p1 claims {whole('p1')} \n p2 claims {whole('p2')}",
    "an end": A_ROUND,
    "hands told": f"{A_ROUND} \n p2 declares 2c",
    "settled": A_SETTLED_ROUND,
    "the next round": f"{A_ROUND} \n round lead p1",
    "taken back": "round opening \n p1 3s \n undo",
    "a header taken back": "round opening \n undo",
    "ended": f"{A_SETTLED_ROUND} \n pay p1 p2 3 trà đá \n end",
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_a_board_is_what_the_interface_promises(table: Table, story: str) -> None:
    board = table.tell(story).ask.board(table.keeper, SAY)
    assert answers.Board().validate(answers.Board().dump(board)) == {}
    if board.round is not None:
        players = set(board.round.seats)
        assert players == set(board.round.left) == set(board.round.playable) == set(board.round.net)


@pytest.mark.parametrize(
    "story", [story for story in STORIES.values() if "claims" in story or "p1 3s" in story]
)
def test_a_page_has_a_step_for_each_move(table: Table, story: str) -> None:
    page = table.tell(story).ask.round_page(1, SAY)
    assert [step.row for step in page.steps] == page.moves
    assert [step.move for step in page.steps] == list(range(1, len(page.moves) + 1))


@pytest.mark.parametrize(
    ("role", "player", "expected"),
    [(Role.KEEPER, None, "keeper"), (Role.WATCH, None, "watch"), (Role.SEAT, "p2", "p2")],
)
def test_a_board_says_who_looks(table: Table, role: Role, player: str | None, expected: str) -> None:
    board = table.ask.board(Link(table.night, role, player), SAY)
    assert board.role == expected


def test_the_pile_the_turn_and_who_may_still_come(table: Table) -> None:
    round = table.tell("round opening \n p1 3s \n p2 - \n p3 5d").round()
    assert (round["turn"], round["to"], round["waiting"], round["locked"]) == (
        "p4",
        "answer",
        ["p4", "p1"],
        ["p2"],
    )
    right = {"stood": False, "corrected": False}
    assert round["pile"] == [
        {"move": 1, "address": "2.0", "player": "p1", "cards": ["3s"], "combination": "single", **right},
        {"move": 3, "address": "4.0", "player": "p3", "cards": ["5d"], "combination": "single", **right},
    ]
    assert round["left"] == {"p1": 12, "p2": 13, "p3": 12, "p4": 13}
    assert round["seen"] == {"3s": 1, "5d": 3}
    assert not {"3s", "5d"} & set(round["playable"]["p4"])
    assert "4d" not in round["playable"]["p4"]
    assert "2h" in round["playable"]["p4"]


def test_where_the_direction_changes_the_next_round_is_played_the_other_way_round(
    recorder: Recorder,
) -> None:
    table = open_table(recorder, ruleset="casual").tell("round opening \n result p2 p3 p4 p1 \n settle")
    assert table.board()["next"]["seats"] == ["p4", "p3", "p2", "p1"]
    table.tell("round opening \n p1 3s \n p4 4s \n void 2 misdealt")
    assert table.round()["seats"] == table.board()["next"]["seats"] == ["p4", "p3", "p2", "p1"]
    table.tell("round opening \n result p1 p2 p3 p4 \n settle \n round opening")
    assert table.round()["seats"] == ["p1", "p2", "p3", "p4"]
    text = export_tln(recorder, table.night)
    assert text.count("opening p") == 0
    assert export_tln(recorder, import_tln(recorder, notation.replay(notation.read(text))).night) == text
    assert list(audit(recorder)) == []


def test_what_is_still_needed_at_the_end_of_a_round(table: Table) -> None:
    round = table.tell(A_ROUND).round()
    assert (round["over"], round["can_settle"], round["to"], round["turn"]) == (True, False, None, None)
    assert list(round["needed"]) == ["p2"]
    assert round["needed"]["p2"]["left"] == 12
    assert "2c" in round["needed"]["p2"]["cards"]
    assert "2s" not in round["needed"]["p2"]["cards"]
    round = table.tell("p2 declares 2c").round()
    assert round["hands"] == {"p2": {"source": "declared", "cards": ["2c"]}}
    assert (round["needed"], round["can_settle"]) == ({}, True)
    round = table.tell("settle").round()
    assert (round["posted"], round["can_settle"]) == (True, False)


def test_a_board_carries_the_last_rows_and_a_page_all_of_them(table: Table) -> None:
    table.tell("round opening")
    for rank in "3456789":
        table.tell(f"p1 {rank}s \n p2 - \n p3 - \n p4 -")
    rows = table.page(1)["moves"]
    assert [row["move"] for row in rows] == list(range(1, 29))
    assert table.round()["moves"] == rows[-LAST_ROWS:]


def test_the_house_rules_of_a_night_are_on_its_board(recorder: Recorder) -> None:
    ruleset = with_rules(PRESETS["southern-classic"], [("passing.locks", "no")])
    night = str(uuid4())
    recorder.open_night(night, secret=SECRET, terms=Terms(ruleset), players=NAMES[:3])
    assert Table(recorder, night).board()["ruleset"] == {
        "id": "southern-classic",
        "rules": [["passing.locks", "no"]],
    }
    assert asked(recorder, night).ruleset == ruleset


def test_findings_are_worded_in_the_language_of_whoever_reads(table: Table) -> None:
    table.tell("round opening \n p1 4s 6s !")
    findings = {}
    for language in ("vi", "en"):
        round = table.ask.board(table.keeper, speaker(language).finding).round
        assert round is not None
        findings[language] = plain(round.findings)
    assert findings["vi"][0]["message"] != findings["en"][0]["message"]
    assert all(found[0]["player"] == "p1" for found in findings.values())
    assert "An" in findings["vi"][0]["message"]


# The log


def test_the_log_is_as_stored_and_chained(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    whole_log, log = plain(table.ask.log()), table.log()
    stored = table.contents()
    head = stored["night"][0][3]
    assert head == night_hash(stored["night"][0][2])
    for entry, row in zip(log, stored["event"], strict=True):
        assert (entry["seq"], entry["id"], entry["kind"], entry["body"]) == (row[1], row[2], row[3], row[7])
        head = event_hash(head, entry["body"])
        assert entry["hash"] == head.hex()
    assert table.board()["hash"] == head.hex()
    assert json.loads(json.dumps(whole_log)) == whole_log
    assert whole_log["night"] == {"body": stored["night"][0][2], "hash": stored["night"][0][3].hex()}
    assert (whole_log["seq"], whole_log["hash"]) == (len(log), head.hex())


def test_the_log_can_be_read_in_pages(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    everything = table.log()
    assert table.log(after=2, limit=2) == everything[2:4]
    assert table.log(after=4) == everything[4:]
    assert table.log(after=99) == []


# ETags, links, nights


def test_an_etag_changes_with_the_head_the_names_the_language_and_the_role(table: Table) -> None:
    tokens = table.ask.tokens()
    every = [tokens.keeper, tokens.watch, tokens.seats["p1"], tokens.seats["p2"]]

    def tags() -> list[str]:
        visits = table.recorder.read_tokens(every).values()
        return [visit.etag(language) for visit in visits for language in ("vi", "en")]

    before = tags()
    assert len(set(before)) == len(before)
    assert before == tags()
    table.tell("round opening")
    assert not set(before) & set(tags())


def test_links_can_be_printed_again_and_read_back(recorder: Recorder) -> None:
    table = open_table(recorder)
    tokens = table.ask.tokens()
    assert tokens == table.restarted().ask.tokens()
    every = [tokens.keeper, tokens.watch, *tokens.seats.values()]
    links = [Link(table.night, Role.KEEPER), Link(table.night, Role.WATCH)]
    links += [Link(table.night, Role.SEAT, tag(player)) for player in range(4)]
    visits = recorder.read_tokens(every)
    assert {token: visit.link for token, visit in visits.items()} == dict(zip(every, links, strict=True))
    assert recorder.read_tokens(["", f"{'A' * 47}B", "x"]) == {}


def test_a_token_of_another_server_says_nothing(table: Table) -> None:
    other = Recorder(table.recorder.store, bytes(32))
    assert other.read_tokens([table.ask.tokens().keeper]) == {}


def test_the_status_has_the_time_of_the_newest_entry(recorder: Recorder) -> None:
    first, other = open_table(recorder), open_table(recorder)
    for table in (other, first):
        table.tell("round opening")
        assert recorder.status().database.newest == json.loads(table.log()[-1]["body"])["at"]


def test_nights_are_listed_the_newest_first(recorder: Recorder) -> None:
    first, second = open_table(recorder, 2), open_table(recorder, 3)
    assert [night.id for night in recorder.nights()] == [second.night, first.night]
    listed = recorder.nights()[1]
    assert (listed.ruleset, listed.names) == ("southern-classic", ("An", "Bình"))


def test_an_address_is_of_one_move_only_whatever_is_skipped(table: Table) -> None:
    table.tell(f"round opening \n p1 3s \n p4 6h \n p2 7c ! \n p1 {run('s', '4', '6')} !")
    addresses = [row["address"] for row in table.page(1)["moves"]]
    assert len(set(addresses)) == len(addresses)


def test_passes_said_outright_are_parts_of_the_play(table: Table) -> None:
    table.tell("round opening \n p1 3s")
    table.record("play", seat="p4", cards=["5h", "7h"], passed=["p2", "p3"], stood=True)
    rows = table.round()["moves"]
    assert [(row["player"], row["kind"], row["implied"], row["address"]) for row in rows[1:]] == [
        ("p2", "pass", False, "3.0"),
        ("p3", "pass", False, "3.1"),
        ("p4", "play", False, "3.2"),
    ]


def test_a_board_says_who_would_have_to_pass_before_each_players_turn(recorder: Recorder) -> None:
    table = open_table(recorder, 3).tell("round opening \n p1 3s \n p2 4s")
    assert table.round()["passes"] == {"p1": ["p3"], "p2": ["p3", "p1"], "p3": []}
    table.tell("p3 5s \n p1 2s \n p2 - \n p3 - \n p1 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac")
    # p1 is out; it is the turn of p2, who would also lead if both pass.
    assert table.round()["passes"] == {"p1": [], "p2": [], "p3": ["p2"]}


def test_nothing_is_recorded_of_a_play_whose_passes_are_refused(table: Table) -> None:
    table.tell("round opening \n p1 3s")
    before = table.contents()
    with pytest.raises(Problem) as caught:
        table.record("play", seat="p4", cards=["5h"], passed=["p2", "p1"])
    assert caught.value.code == "not-your-turn"
    assert table.contents() == before
