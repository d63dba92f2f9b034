"""The audit finds nothing in recorded nights, and finds what another program altered, with its place.

Findings of the store are tested in tests/store/test_audit.py; those of the rules in logs that were hashed again, in
test_logs_from_elsewhere.py.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.game.round import Round
from ledger.game.rulesets.compiled import CompiledRules
from ledger.game.rulesets.model import Deal
from ledger.recorder import AuditShare, LogDifference, Recorder, audit, verify
from tests.factories import NightFactory
from tests.recorder.tables import Table, open_table
from tests.soak.tampers.forging import A_NIGHT, Forger, recorder_over
from tests.stories import A_ROUND


def test_a_night_that_is_not_there_cannot_be_audited(recorder: Recorder) -> None:
    with pytest.raises(LookupError):
        list(audit(recorder, "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"))


OLDER_ENGINES: dict[str, tuple[str, list[str], tuple[type, str, Callable[..., object]], str, list[int]]] = {
    "fined every bomb of a result 1, a second one too": (
        "amsterdam",
        [],
        (CompiledRules, "bombs_of_pile", lambda ruleset, taken: 1),
        "round opening \n result p3 p2 p1 p4 bombed p1 p4 2d bombed p2 p1 5s 5c 5d 5h \n settle",
        [3, 3],
    ),
    "never changed the direction": (
        "casual",
        [],
        (Deal, "seats_after", lambda deal, seats: seats),
        "round opening \n result p2 p3 p4 p1 \n settle \n round opening \n p1 3s \n p2 4s",
        [4],
    ),
    "let nobody come in late where a pass locks nobody out": (
        "southern-classic",
        ["passing-forfeits-nothing=yes"],
        (Round, "passed", Round.locked),
        "round opening \n p1 3s \n p2 - \n p3 2s \n p2 4s 4c 5s 5c 6s 6c 7d 7h !",
        [5],
    ),
}
"""Ruleset, house rules, the older engine's replacement of a function, a story, and the seqs that differ."""


@pytest.mark.parametrize("what", OLDER_ENGINES)
def test_what_an_older_engine_wrote_is_reported_and_proves_nothing_wrong(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    ruleset, rules, replaced, story, seqs = OLDER_ENGINES[what]
    table = open_table(recorder, ruleset=ruleset, rules=rules)
    with monkeypatch.context() as once:
        once.setattr("ledger.recorder.judging.ENGINE", "1")
        once.setattr(*replaced)
        before = table.tell(story).board()
    board = table.restarted().board()
    assert (board["net"], board["round"]["seats"]) == (before["net"], before["round"]["seats"])
    differences = list(audit(recorder))
    assert [(each.seq, each.engine, "engine-differs" in each.what) for each in differences] == [
        (seq, True, True) for seq in seqs
    ]
    assert len(verify(recorder.store.export_log(table.night)).remarks) == len(seqs)
    table.tell("pay p1 p2 1 bia")
    assert list(audit(recorder)) == differences


@pytest.fixture
def table(recorder: Recorder) -> Table:
    table: Table = NightFactory.create(by=recorder, players=3, story=A_NIGHT)
    return table


@pytest.fixture
def forger(path: Path, table: Table) -> Iterator[Forger]:
    table.recorder.store.close()
    forger = Forger(path, table.night)
    yield forger
    forger.connection.close()


def found(path: Path) -> list[LogDifference]:
    """The findings of a new audit."""
    with recorder_over(path) as recorder:
        return list(audit(recorder))


def test_that_the_triggers_are_gone_is_itself_a_difference(forger: Forger, path: Path) -> None:
    differences = found(path)
    assert len(differences) == len(forger.triggers)
    assert {(each.night, each.seq) for each in differences} == {(None, 0)}
    forger.leave()
    assert found(path) == []


@pytest.mark.parametrize(
    ("statement", "seq"),
    [
        ("UPDATE event SET body = replace(body, '\"3s\"', '\"3c\"') WHERE seq = 2", 2),
        ("UPDATE payment SET points = points + 1 WHERE seq = 10 AND idx = 0", 10),
    ],
)
def test_what_is_altered_is_named_first(forger: Forger, path: Path, statement: str, seq: int) -> None:
    forger.run(statement)
    forger.leave()
    first = found(path)[0]
    assert (first.night, first.seq, first.engine) == (forger.night, seq, False)


def test_every_difference_of_a_night_is_told_and_other_nights_stay_clean(
    recorder: Recorder, path: Path
) -> None:
    first, second = (NightFactory.create(by=recorder, story=A_ROUND) for _ in range(2))
    forger = Forger(path, first.night)
    forger.run("UPDATE event SET body = body || ' ' WHERE night = ? AND seq IN (2, 4)", first.night)
    forger.leave()
    assert [(each.night, each.seq) for each in audit(recorder)] == [(first.night, 2), (first.night, 4)]
    assert list(audit(recorder, second.night)) == []


def test_parts_are_of_every_night_and_of_the_database_once(recorder: Recorder, path: Path) -> None:
    nights = [NightFactory.create(by=recorder, story=A_ROUND).night for _ in range(7)]
    forger = Forger(path, nights[0])
    forger.run("UPDATE event SET body = body || ' ' WHERE seq = 2")
    whole = sorted(audit(recorder), key=str)
    assert [each.night for each in whole if each.night] == sorted(nights)
    for parts in (AuditShare().divided(3), [*AuditShare(2, 2).divided(4), AuditShare(1, 2)]):
        assert sorted((each for part in parts for each in audit(recorder, part=part)), key=str) == whole
    one, other = (
        [each.night for each in audit(recorder, part=AuditShare(number, 2)) if each.night]
        for number in (1, 2)
    )
    assert (one, other) == (nights[::2], nights[1::2])
    forger.connection.close()
