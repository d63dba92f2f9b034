"""Forged logs: one that does not verify is refused, both as a night and as the tail of one."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ledger.game.terms import Stake
from ledger.recorder import LogUnreadable, Recorder, Unverified, audit, import_log, verify
from ledger.recorder.operations.backup import BackupRefused
from ledger.recorder.operations.transfer import add_tail
from ledger.store import commitment
from tests.case_files import lines_below_headings
from tests.databases import copy_database
from tests.factories import NightFactory
from tests.recorder.forged_logs import (
    EVERYTHING,
    Change,
    Lines,
    body_of,
    drop,
    forged,
    put,
    seq_of_first,
    text_of,
)
from tests.recorder.tables import Table, open_table, opened

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def just_opened(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> tuple[Path, Lines]:
    """A database with a night before its first entry, and the night's complete log."""
    path = tmp_path_factory.mktemp("evening") / "ledger.db"
    with opened(path, empty_database) as recorder:
        table = open_table(recorder, stake=Stake(Decimal(1000), "VND"))
        before = copy_database(path, path.with_name("before.db"))
        table.tell(EVERYTHING)
        assert list(audit(recorder)) == []
        return before, list(recorder.store.export_log(table.night))


@pytest.fixture
def lines(just_opened: tuple[Path, Lines]) -> Lines:
    return just_opened[1]


@pytest.fixture
def elsewhere(tmp_path: Path, empty_database: Path) -> Iterator[Recorder]:
    """A database without the night."""
    with opened(tmp_path / "elsewhere.db", empty_database) as recorder:
        yield recorder


@pytest.fixture
def restored(tmp_path: Path, just_opened: tuple[Path, Lines]) -> Iterator[Recorder]:
    """A database that has only the night's opening."""
    with opened(tmp_path / "restored.db", just_opened[0]) as recorder:
        yield recorder


def read_change(text: str) -> Change:
    """The change of a line of `forged.txt`."""
    steps = []
    for each in text.split(" and "):
        path, _, value = each.removesuffix(" is gone").partition(" = ")
        place = [int(name) if name.isdigit() else name for name in path.split(".")]
        steps.append(put(*place, to=json.loads(value)) if value else drop(*place))
    return lambda body: [step(body) for step in steps]


def read_forged() -> Iterator[tuple[str, tuple[str, Change]]]:
    for kind, line in lines_below_headings("forged.txt"):
        what, _, change = line.partition(": ")
        yield what, (kind, read_change(change))


def backwards(night: dict[str, Any]) -> None:
    night["players"] = dict(reversed(night["players"].items()))


FORGED: dict[str, tuple[str, Change]] = {
    **dict(read_forged()),
    "a payment too many": ("settle", lambda body: body["payments"].append(body["payments"][0])),
    "more handed over than there is": ("paid", put("content", "points", to=10**300)),
    "the id of the night": ("play", lambda body: body.update(id=body["night"])),
    "a reason as long as a book": ("void", put("content", "reason", to="x" * 100_000)),
    "a ruleset that pays beyond measure": (
        "night",
        put("ruleset", "payments", "places", 0, "points", to=10**300),
    ),
    "players that are not in order": ("night", backwards),
}
"""What a log has -> the kind of entry, and how it is altered."""


@pytest.mark.parametrize("what", FORGED)
def test_what_somebody_altered_and_hashed_again_does_not_verify(lines: Lines, what: str) -> None:
    kind, change = FORGED[what]
    seq = 0 if kind == "night" else seq_of_first(lines, kind)
    with pytest.raises(Unverified) as refused:
        verify(forged(lines, seq, change))
    assert refused.value.entry == seq


def another_card(body: dict[str, Any]) -> None:
    """Change the card in the request and in its parts, so that the text is consistent."""
    for content in (body["content"], *body["parts"]):
        content["cards"] = ["4c"]


def test_what_no_rule_forbids_is_refused_where_the_rest_does_not_follow_from_it(lines: Lines) -> None:
    second_play, settle = seq_of_first(lines, "play") + 1, seq_of_first(lines, "settle")
    another_rule = put("ruleset", "instant_wins", "points", to=3)
    for seq, change, found in ((second_play, another_card, second_play + 1), (0, another_rule, settle)):
        with pytest.raises(Unverified) as refused:
            verify(forged(lines, seq, change))
        assert refused.value.entry == found


def refused_by_all(log: Lines, elsewhere: Recorder, restored: Recorder) -> None:
    """Check that a log is refused as an import and as a tail, and changes nothing."""
    with pytest.raises((Unverified, LogUnreadable)):
        import_log(elsewhere, log)
    assert elsewhere.nights() == []
    (night,) = restored.nights()
    before = Table(restored, night.id).contents()
    with pytest.raises((BackupRefused, LogUnreadable)):
        add_tail(restored, log)
    assert Table(restored, night.id).contents() == before


def test_what_does_not_verify_is_taken_by_nobody(
    lines: Lines, elsewhere: Recorder, restored: Recorder
) -> None:
    kind, change = FORGED["points that are too many"]
    refused_by_all(forged(lines, seq_of_first(lines, kind), change), elsewhere, restored)


def test_what_is_honest_is_taken_by_all(lines: Lines, elsewhere: Recorder, restored: Recorder) -> None:
    verified = import_log(elsewhere, lines)
    added = add_tail(restored, lines)
    assert added.after == verified.log.head
    for recorder in (elsewhere, restored):
        assert list(recorder.store.export_log(added.night)) == lines
    assert list(audit(elsewhere)) == list(audit(restored)) == []


@pytest.mark.parametrize("name", ["", "An\nBình", "x" * 100_000])
def test_a_name_that_no_version_took_comes_in_with_no_log(
    lines: Lines, elsewhere: Recorder, restored: Recorder, name: str
) -> None:
    """The forger computes its commitment, so that it matches."""
    night, people, *rest = lines
    listed = json.loads(people)
    salt = bytes.fromhex(listed["people"][0]["salt"])
    listed["people"][0]["name"] = name
    log = forged([night, text_of(listed), *rest], 0, put("players", "p1", to=commitment(salt, name)))
    refused_by_all(log, elsewhere, restored)


def test_no_link_is_revoked_more_often_than_may_be(
    recorder: Recorder, elsewhere: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    table: Table = NightFactory.create(by=recorder, story="revoke watch \n revoke watch \n revoke watch")
    log = list(recorder.store.export_log(table.night))
    for module in ("events.people", "operations.audit"):
        monkeypatch.setattr(f"ledger.recorder.{module}.MOST_REVOCATIONS", 2)
    with pytest.raises(Unverified) as refused:
        import_log(elsewhere, log)
    assert refused.value.entry == 3


def test_the_log_has_every_kind_that_can_be_altered_here(lines: Lines) -> None:
    kinds = {body_of(line)["kind"] for line in lines[2:]}
    assert {kind for kind, _ in FORGED.values()} <= kinds | {"night"}
