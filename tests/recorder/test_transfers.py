"""Nights in and out: as replays, and as the exact log."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.game import notation, scoring
from ledger.game.night import Night
from ledger.game.notation import tag
from ledger.recorder import Recorder, audit, export_tln, import_tln
from ledger.store import LogUnreadable, NewEvent, NightExists, StoreError, Writer
from tests.recorder.tables import (
    A_ROUND,
    A_SETTLED_ROUND,
    RECORDS,
    Table,
    asked,
    open_table,
    opened,
    record_text,
    whole,
)

SOME_RECORDS = (1, 4, 5, 6, 7, 18, 33, 35)

TAKEN_BACK = f"""
    {A_ROUND}
    round lead p4 p4 p3 p2 p1 !
    p4 3h 3d 3s
    undo
    p4 4h
    p2 6c 8c !
    pay p4 p1 7 làm rơi bài
    undo
    redo
"""


def read(text: str) -> Night:
    return notation.replay(notation.read(text))


def imported(recorder: Recorder, text: str) -> Table:
    night = import_tln(recorder, read(text)).night
    return Table(recorder, night)


def paid(night: Night) -> list[tuple[int, str, str, int, str, str]]:
    """What the rules say of all settled rounds of a night."""
    return [
        (number, tag(each.payer), tag(each.payee), each.points, each.reason, each.clause)
        for number, round in enumerate(night.rounds, start=1)
        for each in scoring.payments(round)
        if scoring.status(round) in ("settled", "instant-win")
    ]


def posted(table: Table) -> list[tuple[int, str, str, int, str, str]]:
    return [
        (row.round, row.payer, row.payee, row.points, row.reason, row.clause)
        for row in table.ask.ledger().payments
        if row.round
    ]


@pytest.fixture
def elsewhere(tmp_path: Path, empty_database: Path) -> Iterator[Recorder]:
    """Another installation."""
    with opened(tmp_path / "elsewhere.db", empty_database) as recorder:
        yield recorder


@pytest.mark.parametrize("number", SOME_RECORDS)
def test_a_record_is_carried_in_with_the_payments_that_it_states(recorder: Recorder, number: int) -> None:
    script = notation.read(record_text(number))
    table = imported(recorder, record_text(number))
    stated = [
        (round, tag(payer), tag(payee), points, str(reason))
        for round, written in enumerate(script.rounds, start=1)
        for payer, payee, points, reason in written.paid or ()
    ]
    assert sorted(stated) == sorted(payment[:5] for payment in posted(table))
    assert posted(table) == paid(read(record_text(number)))
    assert table.board()["net"] == table.ask.ledger().balances


@pytest.mark.parametrize("number", SOME_RECORDS)
def test_what_is_exported_tells_the_same_night_and_is_canonical(recorder: Recorder, number: int) -> None:
    text = export_tln(recorder, imported(recorder, record_text(number)).night, with_payments=True)
    assert notation.write(read(text), with_payments=True) == text
    told, original = read(text), read(record_text(number))
    assert (told.names, replace(told.terms, date="")) == (original.names, replace(original.terms, date=""))
    assert [round.moves for round in told.rounds] == [round.moves for round in original.rounds]
    assert [round.header for round in told.rounds] == [round.header for round in original.rounds]
    assert told.adjustments == original.adjustments
    assert not list(notation.disagreements(notation.read(text), told))


@pytest.mark.parametrize("number", SOME_RECORDS)
def test_an_exported_text_carried_in_and_out_again_is_the_same_bytes(
    recorder: Recorder, elsewhere: Recorder, number: int
) -> None:
    """The clock of both installations says the same day."""
    text = export_tln(recorder, imported(recorder, record_text(number)).night)
    assert export_tln(elsewhere, imported(elsewhere, text).night) == text


def test_what_was_taken_back_is_not_in_the_replay(recorder: Recorder, elsewhere: Recorder) -> None:
    table = open_table(recorder).tell(TAKEN_BACK)
    text = export_tln(recorder, table.night)
    assert "3d" not in text
    assert "p2 6c 8c !" in text
    assert "round 2 lead p4 p4 p3 p2 p1 !" in text
    assert "pay p4 p1 7 làm rơi bài" in text
    again = imported(elsewhere, text)
    assert export_tln(elsewhere, again.night) == text
    assert (again.board()["unsettled"], again.board()["net"]) == ([1, 2], table.board()["net"])
    assert [finding["code"] for finding in again.round()["findings"]] == [
        finding["code"] for finding in table.round()["findings"]
    ]


def test_rounds_that_cannot_be_settled_are_named(recorder: Recorder) -> None:
    table = open_table(recorder).tell(f"{A_ROUND} \n round lead p1 p1 p2 \n p1 claims {whole('p1')}")
    found = import_tln(recorder, table.ask.whole())
    assert found.unsettled == (1,)
    assert found.events == len(Table(recorder, found.night).log())


def test_an_imported_night_can_be_played_on_and_is_audited_clean(recorder: Recorder) -> None:
    table = imported(recorder, record_text(1))
    table.after = table.board()["after"]
    table.tell("pay p1 p2 1 tiền xe \n end")
    assert list(audit(recorder, table.night)) == []


def test_what_the_host_carried_in_says_so(recorder: Recorder) -> None:
    table = imported(recorder, record_text(1))
    assert {row["actor"] for row in table.page(1)["moves"]} == {"host"}


# The exact log


@pytest.mark.parametrize(
    "story", ["", TAKEN_BACK, A_SETTLED_ROUND, f"{A_SETTLED_ROUND} \n end \n reopen vội quá"]
)
def test_an_exact_log_gives_the_same_heads_payments_and_board(
    recorder: Recorder, elsewhere: Recorder, story: str
) -> None:
    table = open_table(recorder).tell(story)
    night, head = elsewhere.store.import_log(recorder.store.export_log(table.night))
    other = Table(elsewhere, night)
    assert (night, head.hash.hex()) == (table.night, table.board()["hash"])
    carried = table.contents()
    carried["night"] = [(*row[:-1], None) for row in carried["night"]]  # the secret of its opener stays here
    assert other.contents() == carried
    assert other.board() == table.board()
    assert asked(elsewhere, night).ledger() == asked(recorder, night).ledger()
    assert list(elsewhere.store.export_log(night)) == list(recorder.store.export_log(night))
    assert export_tln(elsewhere, night) == export_tln(recorder, night)
    assert list(audit(elsewhere)) == []


def test_a_night_goes_on_where_its_exact_log_was_carried(recorder: Recorder, elsewhere: Recorder) -> None:
    table = open_table(recorder).tell("round opening \n p1 3s")
    elsewhere.store.import_log(recorder.store.export_log(table.night))
    moved = Table(elsewhere, table.night, table.after)
    assert moved.tell("p2 5c \n undo \n undo \n p1 3s 3c").round()["moves"][0]["cards"] == ["3s", "3c"]


def test_a_night_that_is_here_already_is_not_carried_in_again(recorder: Recorder) -> None:
    table = open_table(recorder).tell(A_SETTLED_ROUND)
    before = table.contents()
    with pytest.raises(NightExists):
        recorder.store.import_log(list(recorder.store.export_log(table.night)))
    assert table.contents() == before


def test_an_altered_exact_log_leaves_nothing_behind(recorder: Recorder, elsewhere: Recorder) -> None:
    """Whatever is altered in whatever line, that line is named."""
    lines = list(recorder.store.export_log(open_table(recorder).tell(A_SETTLED_ROUND).night))
    altered = 0
    for where, line in enumerate(lines):
        for old, new in (
            ("3s", "3c"),
            ('\\"seq\\":', '\\"seq\\":1'),
            ('"hash":"', '"hash":"0'),
            ("p2", "p3"),
            ("An", "Ân"),
        ):
            if old not in line:
                continue
            altered += 1
            with pytest.raises(LogUnreadable) as caught:
                elsewhere.store.import_log([*lines[:where], line.replace(old, new, 1), *lines[where + 1 :]])
            assert caught.value.line == where + 1
    assert altered > 20
    assert elsewhere.nights() == []


def test_a_log_without_its_middle_leaves_nothing_behind(recorder: Recorder, elsewhere: Recorder) -> None:
    lines = list(recorder.store.export_log(open_table(recorder).tell(A_SETTLED_ROUND).night))
    for cut in (lines[:1], [*lines[:4], *lines[5:]], lines[1:], [*lines, lines[-1]], []):
        with pytest.raises(LogUnreadable):
            elsewhere.store.import_log(cut)
    assert elsewhere.nights() == []


# Nothing half-recorded


def test_what_fails_in_the_middle_leaves_nothing_behind(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A night is carried in as a whole, however far it had come."""
    append, night = Writer.append, read(record_text(5))

    def full(writer: Writer, event: NewEvent) -> None:
        if event.row.seq == 100:
            raise StoreError("no room is left")
        append(writer, event)

    with ExitStack() as stack:
        patch = stack.enter_context(monkeypatch.context())
        patch.setattr(Writer, "append", full)
        with pytest.raises(StoreError):
            import_tln(recorder, night)
    assert recorder.nights() == []
    assert list(audit(recorder)) == []
    assert len(Table(recorder, import_tln(recorder, night).night).log()) > 100


@pytest.mark.parametrize("number", [4, 5])
def test_results_voids_and_newcomers_are_carried_in_and_out(recorder: Recorder, number: int) -> None:
    (path,) = RECORDS.glob(f"by-hand-0{number}-*.tln")
    night = read(path.read_text(encoding="utf-8"))
    imported = import_tln(recorder, night)
    dated = replace(night, terms=asked(recorder, imported.night).terms)
    text = export_tln(recorder, imported.night, with_payments=True)
    assert text == notation.write(dated, with_payments=True)
    assert list(audit(recorder)) == []
