"""Who reads a board, and links. What boards say: tests/cases/nights/boards.txt."""

import json

import pytest

from ledger.game.notation import tag
from ledger.language import speaker
from ledger.recorder import Link, Recorder, Role
from ledger.recorder.views.entry import EntryRow
from tests.recorder.tables import SAY, Table, links_of, open_table, plain


@pytest.mark.parametrize(
    ("role", "player", "expected"),
    [(Role.KEEPER, None, "keeper"), (Role.WATCH, None, "watch"), (Role.SEAT, "p2", "p2")],
)
def test_a_board_says_who_looks(table: Table, role: Role, player: str | None, expected: str) -> None:
    board = table.ask.board(Link(table.night, role, player), SAY)
    assert board.role == expected


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


def test_the_row_of_a_move_is_built_once_while_no_entry_before_it_changes(table: Table) -> None:
    def rows() -> list[EntryRow]:
        round = table.ask.board(table.keeper, SAY).round
        assert round is not None
        return round.moves

    table.tell("round opening \n p1 3s")
    first = rows()
    table.tell("p2 5s \n p3 -")
    assert [row is kept for row, kept in zip(rows(), first, strict=False)] == [True]
    table.tell("correct 2.0 = p1 3s 3c because misread")
    assert [(row.cards, row.stood) for row in rows()][:2] == [(["3s", "3c"], False), (["5s"], True)]


def test_links_can_be_printed_again_and_read_back(recorder: Recorder) -> None:
    table = open_table(recorder)
    tokens = table.ask.tokens()
    assert tokens == table.restarted().ask.tokens()
    every = [tokens.keeper, tokens.watch, *tokens.seats.values()]
    links = [Link(table.night, Role.KEEPER), Link(table.night, Role.WATCH)]
    links += [Link(table.night, Role.SEAT, tag(player)) for player in range(4)]
    assert links_of(recorder, every) == dict(zip(every, links, strict=True))
    assert links_of(recorder, ["", f"{'A' * 47}B", "x"]) == {}


def test_a_token_of_another_server_says_nothing(table: Table) -> None:
    other = Recorder(table.recorder.store, bytes(32))
    assert links_of(other, [table.ask.tokens().keeper]) == {}


def test_the_status_has_the_time_of_the_newest_entry(recorder: Recorder) -> None:
    first, other = open_table(recorder), open_table(recorder)
    for table in (other, first):
        table.tell("round opening")
        assert recorder.status()["newest"] == json.loads(table.log()[-1]["body"])["at"]


def test_nights_are_listed_the_newest_first(recorder: Recorder) -> None:
    first, second = open_table(recorder, 2), open_table(recorder, 3)
    assert [night.id for night in recorder.nights()] == [second.night, first.night]
    listed = recorder.nights()[1]
    assert (listed.ruleset, listed.names) == ("southern-classic", ("An", "Bình"))
