"""A night in every export format, and imported again from the complete ones."""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.notation import tag
from ledger.game.report import Outcome, as_data, score
from ledger.game.terms import Stake
from ledger.language import speaker
from ledger.recorder import Problem, Recorder, StoreError, audit, import_tln, verify
from ledger.recorder.exports import Exported, Format, export
from ledger.store import night_hash, read_event, write_event
from tests.recorder.tables import RECORDS, Table, open_table, opened
from tests.soaking import further
from tests.stories import A_ROUND, A_SETTLED_ROUND

SAY = speaker("vi")
NOWHERE = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"
TOLD = sorted(RECORDS.glob("*.tln"))
OF_EACH_KIND = (
    *("southern-05", "by-hand-01", "by-hand-04", "double-deck-01"),
    *("draw-pile-01", "family-01", "pro-play-01", "viet-cong-01"),
)
"""Records of moves, results, contracts, two packs, and a pile to draw from."""
FIRST_OF_EACH_KIND = sorted(TOLD, key=lambda path: not path.stem.startswith(OF_EACH_KIND))


def exported(table: Table, format: Format, *, with_payments: bool = False) -> Exported:
    return export(
        table.recorder, table.night, format, SAY, address="https://so.example/", with_payments=with_payments
    )


@pytest.fixture
def settled_table(recorder: Recorder) -> Table:
    """A night with a settled round, an adjustment, and a running round with an undone move."""
    table = open_table(recorder, stake=Stake(Decimal("5000"), "VND"))
    return table.tell(f"{A_SETTLED_ROUND} \n pay p3 p4 7 tiền xe \n round lead p1 p1 p2 \n p1 3s \n undo")


@pytest.fixture
def elsewhere(tmp_path: Path, empty_database: Path) -> Iterator[Recorder]:
    """Another installation."""
    with opened(tmp_path / "elsewhere.db", empty_database) as recorder:
        yield recorder


def test_everything_has_a_name_of_its_own_that_any_system_takes(settled_table: Table) -> None:
    names = [exported(settled_table, format).name for format in Format]
    assert len(set(names)) == len(Format)
    start = f"tienlen-2026-11-20-{settled_table.night[:8]}"
    assert all(name.startswith(start) and name.isascii() for name in names)


def test_json_has_what_scoring_the_replay_prints(settled_table: Table) -> None:
    """The rest of it is in tests/golden/answers."""
    data = json.loads(exported(settled_table, Format.JSON).text)
    scored = score(exported(settled_table, Format.TLN).text, SAY.words)
    assert scored.outcome is Outcome.SCORED
    assert as_data(scored.answer).items() <= data.items()


def test_rounds_are_told_that_count_whether_anybody_pays_or_not(recorder: Recorder) -> None:
    table = open_table(recorder, ruleset="thirteen")
    table.tell(f"{A_SETTLED_ROUND} \n {A_SETTLED_ROUND} \n void 2 chia nhầm \n {A_ROUND}")
    assert exported(table, Format.SHARE).text.startswith("Tiến lên 20/11 · 1 ván\n")


def test_payments_are_written_into_a_replay_if_asked_for(settled_table: Table) -> None:
    assert "\n= p2 p1 2 placement" in exported(settled_table, Format.TLN, with_payments=True).text
    assert "\n= " not in exported(settled_table, Format.TLN).text


@pytest.mark.parametrize("format", Format)
def test_a_night_that_is_not_there_is_not_written(recorder: Recorder, format: Format) -> None:
    with pytest.raises(Problem) as caught:
        exported(Table(recorder, NOWHERE), format)
    assert caught.value.status == 404


@pytest.mark.parametrize("format", Format)
def test_a_night_of_nothing_yet_can_be_written(recorder: Recorder, format: Format) -> None:
    assert exported(open_table(recorder), format).text


@pytest.mark.parametrize("date", ["../../etc", 'x"; filename="y', "2026-02-30", "a\nb"])
def test_a_date_that_is_none_names_no_file(recorder: Recorder, elsewhere: Recorder, date: str) -> None:
    """An imported log may contain any date."""
    night, people = map(json.loads, recorder.store.export_log(open_table(recorder).night))
    body = json.dumps(json.loads(night["body"]) | {"date": date}, ensure_ascii=False)
    made_up = night | {"body": body, "hash": night_hash(body).hex()}
    id, _ = elsewhere.store.import_log([json.dumps(made_up), json.dumps(people)])
    for format in Format:
        with pytest.raises(StoreError):
            exported(Table(elsewhere, id), format)


@pytest.mark.slow
@pytest.mark.parametrize(
    "record",
    further(FIRST_OF_EACH_KIND, "further records", plain=len(OF_EACH_KIND)),
    ids=lambda path: path.stem,
)
def test_every_record_carried_in_out_and_in_again_pays_the_same(
    recorder: Recorder, elsewhere: Recorder, record: Path
) -> None:
    """The resulting log passes the audit and verifies."""
    script = notation.read(record.read_text(encoding="utf-8"))
    night = notation.replay(script)
    first = Table(recorder, import_tln(recorder, night).night)
    text = exported(first, Format.TLN).text
    assert text == notation.write(replace(night, terms=first.ask.terms))
    second = Table(elsewhere, import_tln(elsewhere, notation.replay(notation.read(text))).night)
    assert payments(first) == payments(second)
    posted = sorted(payment[:5] for payment in payments(second) if payment[0])
    stated = [
        (round, tag(payer), tag(payee), points, str(reason))
        for round, written in enumerate(script.rounds, start=1)
        for payer, payee, points, reason in written.paid or ()
    ]
    settled = {payment[0] for payment in posted}
    assert posted == sorted(payment for payment in stated if payment[0] in settled)
    assert exported(second, Format.TLN).text == text
    assert list(audit(recorder)) == []
    assert verify(recorder.store.export_log(first.night)).night == first.night
    for event in first.log():
        assert write_event(read_event(event["body"])) == event["body"]


def payments(table: Table) -> list[tuple[object, ...]]:
    """The posted payments without their addresses in the log."""
    named = ("round", "payer", "payee", "points", "reason", "clause", "move", "note")
    return [tuple(getattr(row, name) for name in named) for row in table.ask.ledger().payments]
