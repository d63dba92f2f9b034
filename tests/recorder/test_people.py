"""The people of a night after its opening: joining, renaming, forgetting, and revoking links. What is refused:
tests/cases/nights/refusals.txt."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder import Link, Problem, ProblemCode, Recorder, Role, audit, export_tln
from tests.factories import NightFactory
from tests.recorder.tables import CLASSIC, NAMES, SAY, SECRET, Table, asked, links_of, opened, plain
from tests.stories import A_SETTLED_ROUND, read_story


def names(table: Table) -> dict[str, str]:
    return {each["player"]: each["name"] for each in table.board()["players"]}


def link_of(table: Table, role: Role, player: str | None = None) -> Link:
    """The current link of a role."""
    token = table.ask.tokens().of(Link(table.night, role, player))
    return links_of(table.recorder, [token])[token]


def refused(table: Table, line: str) -> tuple[int, str]:
    problem = table.refused(line)
    return problem.status, problem.code


@pytest.mark.parametrize("line", ["join Em Thảo", "rename p2 Bính", "revoke seat p2"])
def test_the_people_are_no_business_of_the_play(table: Table, line: str) -> None:
    """It makes no waiting entry stale, and does not prevent an undo."""
    table.tell("round opening \n p1 3s")
    ((kind, content),) = read_story("p2 5c")
    waiting = table.request(kind, content)
    table.tell(line)
    assert table.board()["after"] == waiting.after
    table.send(waiting)
    table.tell("undo")
    assert table.round()["turn"] == "p2"


def test_a_request_that_comes_twice_is_known_by_its_commitment_through_renames(table: Table) -> None:
    request = table.request("join", {"name": "Em Thảo"})
    first = table.send(request)
    table.tell("rename p5 Em Thơ \n round opening p1 p2")
    for again in (table, table.restarted()):
        assert again.recorder.record(table.night, request, table.keeper) == replace(first, created=False)
        with pytest.raises(Problem) as caught:
            again.recorder.record(table.night, replace(request, content={"name": "Em Thơ"}), table.keeper)
        assert (caught.value.status, caught.value.code) == (422, ProblemCode.ID_REUSED)
    assert list(names(table)) == ["p1", "p2", "p3", "p4", "p5"]


def test_a_night_that_is_opened_again_is_the_same_after_its_people_have_changed(recorder: Recorder) -> None:
    table: Table = NightFactory.create(by=recorder, story="join Em Thảo \n rename p1 Ân")
    open_again = partial(recorder.open_night, table.night, secret=SECRET, terms=Terms(PRESETS[CLASSIC]))
    assert not open_again(players=NAMES[:4]).created
    for others in (("Ân", *NAMES[1:4]), NAMES):
        with pytest.raises(Problem) as caught:
            open_again(players=others)
        assert caught.value.code == ProblemCode.ID_REUSED


def test_a_night_that_is_opened_with_another_secret_gives_no_links(table: Table) -> None:
    opening = partial(
        table.recorder.open_night, table.night, terms=Terms(PRESETS[CLASSIC]), players=NAMES[:4]
    )
    for open_it in (
        lambda: opening(secret=bytes(16)),
        lambda: table.recorder.opened_with(table.night, bytes(16)),
    ):
        with pytest.raises(Problem) as caught:
            open_it()
        assert caught.value.code == ProblemCode.NIGHT_EXISTS


@pytest.mark.parametrize(("role", "player"), [(Role.SEAT, "p2"), (Role.WATCH, None), (Role.KEEPER, None)])
def test_a_revoked_link_is_as_one_that_was_never_made_and_the_others_hold(
    table: Table, role: Role, player: str | None
) -> None:
    recorder = table.recorder
    before = table.ask.tokens()
    every = {before.keeper, before.watch, *before.seats.values()}
    old = before.of(Link(table.night, role, player))
    table.tell(f"revoke {role} {player or ''}")
    assert links_of(recorder, every).keys() == every - {old}
    assert link_of(table, role, player) == Link(table.night, role, player, 1)
    assert links_of(table.restarted().recorder, every).keys() == every - {old}


def test_a_keeper_whose_link_was_revoked_records_nothing_more(table: Table) -> None:
    table.tell("round opening \n revoke keeper")
    assert refused(table, "p1 3s") == (404, ProblemCode.NOT_FOUND)
    now = link_of(table, Role.KEEPER)
    request = table.request("play", {"seat": "p1", "cards": ["3s"]})
    assert table.recorder.record(table.night, request, now).created


def test_links_cannot_be_renewed_for_ever(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.recorder.events.people.MOST_REVOCATIONS", 2)
    table.tell("revoke watch \n revoke seat p1")
    assert refused(table, "revoke watch") == (409, ProblemCode.TOO_MANY_REVOCATIONS)


def test_a_forgotten_night_goes_on_with_tags_and_the_same_head(
    table: Table, tmp_path: Path, empty_database: Path
) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n join Em Thảo")
    before = table.board()
    table.recorder.forget(table.night)
    assert names(table) == {player: player for player in before["net"]}
    assert nameless(table.board()) == nameless(before)
    assert list(audit(table.recorder)) == []
    assert "p5 p5" in export_tln(table.recorder, table.night).splitlines()
    with opened(tmp_path / "elsewhere.db", empty_database) as elsewhere:
        elsewhere.store.import_log(table.recorder.store.export_log(table.night))
        assert plain(asked(elsewhere, table.night).board(table.keeper, SAY)) == table.board()
        assert list(audit(elsewhere)) == []
    table.tell("rename p5 Em Thơ \n round lead p1 \n p1 3s")
    assert names(table)["p5"] == "Em Thơ"
    assert list(audit(table.recorder)) == []


def test_one_name_is_forgotten_and_the_others_remain(
    table: Table, tmp_path: Path, empty_database: Path
) -> None:
    table.tell(A_SETTLED_ROUND)
    before = names(table)
    table.recorder.forget(table.night, ["p2"])
    assert names(table) == {**before, "p2": "p2"}
    with opened(tmp_path / "elsewhere.db", empty_database) as elsewhere:
        elsewhere.store.import_log(table.recorder.store.export_log(table.night))
        assert plain(asked(elsewhere, table.night).board(table.keeper, SAY)) == table.board()
        assert list(audit(elsewhere)) == []


def nameless(board: dict[str, Any]) -> dict[str, Any]:
    """A board without the parts that contain names."""
    return {**board, "players": [], "round": {**board["round"], "findings": []}}


def test_what_was_asked_under_a_forgotten_name_cannot_be_told_again(table: Table) -> None:
    request = table.request("join", {"name": "Em Thảo"})
    table.send(request)
    table.recorder.forget(table.night)
    with pytest.raises(Problem) as caught:
        table.recorder.record(table.night, request, table.keeper)
    assert caught.value.code == ProblemCode.ID_REUSED
