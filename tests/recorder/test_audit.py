"""The audit: clean on what was recorded, and whatever another program alters is found, with its place.

The other program owns the file: it takes the triggers away, does what it likes, and puts them back.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.game.round import Round
from ledger.game.rulesets.compiled import CompiledRules
from ledger.game.rulesets.model import Deal
from ledger.recorder import Difference, Recorder, audit, import_tln, verify
from ledger.recorder.logged import ENGINE
from ledger.store import Store, event_hash, head_code, night_hash
from ledger.store.event_codec import read_event, write_event
from tests.recorder.tables import (
    A_ROUND,
    KEY,
    RECORDS,
    Clock,
    Table,
    open_table,
    opened,
    run,
    whole,
)
from tests.recorder.test_transfers import read

A_NIGHT = f"""
    round opening p1 p2 p3
    p1 3s
    p2 5c
    undo
    p3 5d
    p1 2s
    p1 {run("s", "4")}
    p2 shows {run("c", "3", "2")}
    p3 shows {run("d", "3", "4")} {run("d", "6", "2")}
    settle
    pay p3 p2 5 đến muộn
    round lead p1
    p1 claims {whole("p1")}
    settle
    round opening
    p3 3d
    undo
    redo
"""
SETTLED, PAID, CLAIM = 10, 11, 13
"""The seq of the first settlement, of the adjustment, of the claim."""


class OtherProgram:
    """Raw SQL on a night's database."""

    def __init__(self, path: Path, night: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.night = night
        self.triggers = [
            (name, text)
            for name, text in self.run("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        ]
        for name, _ in self.triggers:
            self.run(f"DROP TRIGGER {name}")

    def run(self, sql: str, *values: object) -> list[Any]:
        return self.connection.execute(sql, values).fetchall()

    def put_triggers_back(self) -> None:
        for _, text in self.triggers:
            self.run(text)
        self.connection.close()

    def replace(self, seq: int, old: str, new: str) -> None:
        """Alter an event's text, and nothing else."""
        ((body,),) = self.run("SELECT body FROM event WHERE seq = ?", seq)
        assert old in body, body
        self.run("UPDATE event SET body = ? WHERE seq = ?", body.replace(old, new, 1), seq)

    def edit(self, seq: int, change: Callable[[dict[str, Any]], object]) -> None:
        """Alter an event's text, make the rows what it says, and chain everything again from there."""
        ((body,),) = self.run("SELECT body FROM event WHERE seq = ?", seq)
        data = json.loads(body)
        change(data)
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        payments = data["payments"]
        self.run(
            "UPDATE event SET body = ?, kind = ?, round = ?, payment_count = ?, payment_total = ? WHERE seq = ?",
            *(
                text,
                data["kind"],
                data["round"],
                len(payments),
                sum(each["points"] for each in payments),
                seq,
            ),
        )
        self.run("DELETE FROM payment WHERE seq = ?", seq)
        for idx, each in enumerate(payments):
            fields = [
                each[name] for name in ("payer", "payee", "points", "reason", "clause", "round", "cause")
            ]
            self.run(
                "INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                *(self.night, seq, idx, *fields),
            )
        self.chain_again()

    def chain_again(self) -> None:
        ((body,),) = self.run("SELECT body FROM night")
        head = night_hash(body)
        self.run("UPDATE night SET hash = ?", head)
        for seq, body in self.run("SELECT seq, body FROM event ORDER BY seq"):
            prev, head = head, event_hash(head, body)
            self.run("UPDATE event SET prev = ?, hash = ? WHERE seq = ?", prev, head, seq)

    def nets_again(self) -> None:
        """Make the nets of the texts the sums of the payments, and chain everything again."""
        net: dict[str, int] = {}
        for seq, body in self.run("SELECT seq, body FROM event ORDER BY seq"):
            data = json.loads(body)
            net = net or dict.fromkeys(data["net"], 0)
            for each in data["payments"]:
                net[each["payer"]] -= each["points"]
                net[each["payee"]] += each["points"]
            text = json.dumps(data | {"net": net}, ensure_ascii=False, separators=(",", ":"))
            self.run("UPDATE event SET body = ? WHERE seq = ?", text, seq)
        self.chain_again()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> tuple[Path, str]:
    """A database with a night in it, to be copied."""
    path = tmp_path_factory.mktemp("played") / "ledger.db"
    with opened(path, empty_database) as recorder:
        table = open_table(recorder, 3).tell(A_NIGHT)
        assert list(audit(recorder)) == []
        kinds = {entry["seq"]: entry["kind"] for entry in table.log()}
    assert (kinds[SETTLED], kinds[PAID], kinds[CLAIM]) == ("settle", "adjust", "claim")
    return path, table.night


@pytest.fixture
def night(path: Path, played: tuple[Path, str]) -> str:
    shutil.copyfile(played[0], path)
    return played[1]


@pytest.fixture
def other(path: Path, night: str) -> Iterator[OtherProgram]:
    program = OtherProgram(path, night)
    yield program
    program.connection.close()


Found = Callable[[], list[Difference]]


@pytest.fixture
def found(path: Path, other: OtherProgram) -> Iterator[Found]:
    """What the audit finds once the other program has left."""
    stores = []

    def look() -> list[Difference]:
        other.put_triggers_back()
        store = Store.open(f"sqlite:///{path}", web=False)
        stores.append(store)
        return list(audit(Recorder(store, KEY, Clock())))

    yield look
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Recorder]:
    """All recorded nights in one database."""
    with opened(tmp_path_factory.mktemp("all") / "ledger.db", empty_database) as recorder:
        for path in sorted(RECORDS.glob("*.tln")):
            import_tln(recorder, read(path.read_text(encoding="utf-8")))
        yield recorder


@pytest.mark.slow
def test_all_recorded_nights_are_clean(everything: Recorder) -> None:
    assert len(everything.nights()) >= 35
    assert list(audit(everything)) == []


def test_every_text_that_is_recorded_is_read_and_written_alike(everything: Recorder) -> None:
    for night in everything.nights():
        with everything.store.reading() as reader:
            texts = [event.body for event in reader.events(night.id)]
        for text in texts:
            assert write_event(read_event(text)) == text


def test_one_night_of_many_can_be_audited(everything: Recorder) -> None:
    for night in everything.nights()[:2]:
        assert list(audit(everything, night.id)) == []


def test_a_night_that_is_not_there_cannot_be_audited(recorder: Recorder) -> None:
    with pytest.raises(LookupError):
        list(audit(recorder, "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"))


BOMBED_AGAIN = """
    round opening
    result p3 p2 p1 p4 bombed p1 p4 2d bombed p2 p1 5s 5c 5d 5h
    settle
"""


def test_what_an_older_engine_wrote_is_reported_and_proves_nothing_wrong(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first engine fined every bomb of a result 1, a second one too."""
    table = open_table(recorder, ruleset="amsterdam")
    with monkeypatch.context() as once:
        once.setattr("ledger.recorder.judging.ENGINE", "1")
        once.setattr(CompiledRules, "bombs_of_pile", lambda ruleset, taken: 1)
        table.tell(BOMBED_AGAIN)
    assert table.board()["net"] == {"p1": 0, "p2": 1, "p3": 1, "p4": -2}
    differences = list(audit(recorder))
    assert [(each.seq, each.engine) for each in differences] == [(3, True), (3, True)]
    assert all("engine-differs" in each.what for each in differences)
    assert len(verify(recorder.store.export_log(table.night)).remarks) == 2
    table.tell(BOMBED_AGAIN)
    assert table.board()["net"] == {"p1": -1, "p2": 3, "p3": 2, "p4": -4}
    assert list(audit(recorder)) == differences


def test_an_older_engine_never_changed_the_direction(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(recorder, ruleset="casual")
    with monkeypatch.context() as once:
        once.setattr("ledger.recorder.judging.ENGINE", "1")
        once.setattr(Deal, "seats_after", lambda deal, seats: seats)
        table.tell("round opening \n result p2 p3 p4 p1 \n settle \n round opening \n p1 3s \n p2 4s")
    assert [(each.seq, each.engine) for each in audit(recorder)] == [(4, True)]
    assert table.round()["seats"] == ["p1", "p2", "p3", "p4"]
    assert len(verify(recorder.store.export_log(table.night)).remarks) == 1


def test_an_older_engine_let_nobody_come_in_late_where_a_pass_locks_nobody_out(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(recorder, rules=["passing-forfeits-nothing=yes"])
    with monkeypatch.context() as once:
        once.setattr("ledger.recorder.judging.ENGINE", "1")
        once.setattr(Round, "passed", Round.locked)
        table.tell("round opening \n p1 3s \n p2 - \n p3 2s \n p2 4s 4c 5s 5c 6s 6c 7d 7h !")
    assert [(each.seq, each.engine) for each in audit(recorder)] == [(5, True)]
    assert len(verify(recorder.store.export_log(table.night)).remarks) == 1
    table.tell("undo \n p2 4s 4c 5s 5c 6s 6c 7d 7h")
    assert [each.seq for each in audit(recorder)] == [5]


def test_an_untouched_copy_is_clean(other: OtherProgram, found: Found) -> None:
    assert found() == []


def test_that_the_triggers_are_gone_is_itself_a_difference(
    other: OtherProgram, found: Found, path: Path
) -> None:
    store = Store.open(f"sqlite:///{path}", web=False)
    differences = list(audit(Recorder(store, KEY, Clock())))
    store.close()
    assert len(differences) == len(other.triggers)
    assert {(each.night, each.seq) for each in differences} == {(None, 0)}


# One thing altered


def in_a_text(seq: int, old: str, new: str) -> Callable[[OtherProgram], object]:
    return lambda other: other.replace(seq, old, new)


def by(sql: str, *values: object) -> Callable[[OtherProgram], object]:
    return lambda other: other.run(sql, *values)


ALTERED: dict[str, tuple[int, Callable[[OtherProgram], object]]] = {
    # The night's own text and row
    "the ruleset": (0, by("UPDATE night SET body = replace(body, 'southern-classic', 'southern-classix')")),
    "a rule": (0, by("UPDATE night SET body = replace(body, '\"full_hand\":4', '\"full_hand\":5')")),
    "a blank": (0, by("UPDATE night SET body = body || ' '")),
    "the night's hash": (0, by("UPDATE night SET hash = zeroblob(32)")),
    "when it was opened": (0, by("UPDATE night SET created_at = '2026-01-01T00:00:00.000Z'")),
    "the night's format": (0, by("UPDATE night SET format = 2")),
    "a name": (0, by("UPDATE person SET name = 'Bính' WHERE player = 'p2'")),
    "a person more": (0, by("INSERT INTO person SELECT night, 'p9', name, salt FROM person LIMIT 1")),
    "a person less": (0, by("DELETE FROM person WHERE player = 'p3'")),
    # An event's text
    "a card": (2, in_a_text(2, '"3s"', '"3c"')),
    "a card of a part": (2, in_a_text(2, '"player":"p1","cards":["3s"]', '"player":"p1","cards":["3c"]')),
    "the server's time": (5, in_a_text(5, '"at":"2026', '"at":"2025')),
    "the actor": (5, in_a_text(5, '"actor":"keeper"', '"actor":"host"')),
    "the event before": (3, in_a_text(3, '"after":"', '"after":"0')),
    "the kind in the text": (4, in_a_text(4, '"kind":"undo"', '"kind":"redo"')),
    "what is undone": (4, in_a_text(4, '"corrects":"3.0"', '"corrects":"2.0"')),
    "points in the text": (SETTLED, in_a_text(SETTLED, '"points":2', '"points":3')),
    "a clause in the text": (SETTLED, in_a_text(SETTLED, "S-PLACE", "S-FULL")),
    "a net": (PAID, in_a_text(PAID, '"net":{"p1":', '"net":{"p1":1')),
    "the reason of an adjustment": (PAID, in_a_text(PAID, "đến muộn", "đến sớm!")),
    "the engine": (7, in_a_text(7, f'"engine":"{ENGINE}"', '"engine":"1"')),
    "the first byte": (6, in_a_text(6, "{", "[")),
    "the last byte": (6, by("UPDATE event SET body = substr(body, 1, length(body) - 1) WHERE seq = 6")),
    "nothing left": (6, by("UPDATE event SET body = '' WHERE seq = 6")),
    "no text any more": (6, by("UPDATE event SET body = CAST(x'7bff' AS TEXT) WHERE seq = 6")),
    "too deep": (6, by("UPDATE event SET body = ? WHERE seq = 6", "[" * 100_000)),
    "too long a number": (6, in_a_text(6, '"seq":6', f'"seq":{"6" * 5000}')),
    "a lone surrogate": (PAID, in_a_text(PAID, "đến muộn", "\\ud800")),
    "a key twice": (6, in_a_text(6, '"round":1', '"round":1,"round":1')),
    # An event's row
    "an event's hash": (9, by("UPDATE event SET hash = zeroblob(32) WHERE seq = 9")),
    "an event's prev": (9, by("UPDATE event SET prev = zeroblob(32) WHERE seq = 9")),
    "an event's kind": (7, by("UPDATE event SET kind = 'pass' WHERE seq = 7")),
    "an event's round": (7, by("UPDATE event SET round = 2 WHERE seq = 7")),
    "an event's id": (7, by("UPDATE event SET id = '018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11' WHERE seq = 7")),
    "a count of payments": (SETTLED, by("UPDATE event SET payment_count = 1 WHERE seq = ?", SETTLED)),
    "a total of payments": (SETTLED, by("UPDATE event SET payment_total = 99 WHERE seq = ?", SETTLED)),
    "an event less": (7, by("DELETE FROM event WHERE seq = 6")),
    "the first event": (2, by("DELETE FROM event WHERE seq = 1")),
    # Payments and corrections
    "points": (SETTLED, by("UPDATE payment SET points = points + 1 WHERE seq = ? AND idx = 0", SETTLED)),
    "a payer": (SETTLED, by("UPDATE payment SET payer = 'p3' WHERE seq = ? AND idx = 0", SETTLED)),
    "a payee": (SETTLED, by("UPDATE payment SET payee = 'p3' WHERE seq = ? AND idx = 0", SETTLED)),
    "a clause": (SETTLED, by("UPDATE payment SET clause = 'S-CHOP' WHERE seq = ? AND idx = 1", SETTLED)),
    "a reason": (SETTLED, by("UPDATE payment SET reason = 'bomb-bonus' WHERE seq = ? AND idx = 1", SETTLED)),
    "a cause": (SETTLED, by("UPDATE payment SET cause = '2.0' WHERE seq = ? AND idx = 1", SETTLED)),
    "a payment's round": (SETTLED, by("UPDATE payment SET round = 2 WHERE seq = ? AND idx = 1", SETTLED)),
    "a payment less": (SETTLED, by("DELETE FROM payment WHERE seq = ? AND idx = 1", SETTLED)),
    "the only payment": (PAID, by("DELETE FROM payment WHERE seq = ?", PAID)),
    "a payment more": (
        SETTLED,
        by(
            "INSERT INTO payment SELECT night, seq, 9, payee, payer, points, reason, clause, round, cause, NULL,"
            " NULL FROM payment WHERE seq = ? AND idx = 0",
            SETTLED,
        ),
    ),
    "a payment for a move": (
        2,
        by(
            "INSERT INTO payment SELECT night, 2, 0, payer, payee, 1, reason, clause, 1, NULL, NULL, NULL"
            " FROM payment LIMIT 1"
        ),
    ),
    "a correction more": (5, by("INSERT INTO correction SELECT night, 5, 0, 2, 0 FROM correction LIMIT 1")),
    "a correction less": (4, by("DELETE FROM correction WHERE seq = 4")),
    "what is corrected": (4, by("UPDATE correction SET target_seq = 2 WHERE seq = 4")),
}  # fmt: skip


@pytest.mark.parametrize("what", ALTERED)
def test_whatever_is_altered_is_found_and_named_first(other: OtherProgram, found: Found, what: str) -> None:
    seq, alter = ALTERED[what]
    alter(other)
    differences = found()
    assert differences, what
    first = differences[0]
    assert (first.night, first.seq, first.engine) == (other.night, seq, False)
    assert first.what


def test_a_payment_after_the_last_event_is_found(other: OtherProgram, found: Found) -> None:
    other.run(
        "INSERT INTO payment SELECT night, 99, 0, payer, payee, 1, reason, clause, 1, NULL, NULL, NULL"
        " FROM payment LIMIT 1"
    )
    differences = found()
    assert differences[0].night in (None, other.night)
    assert any((each.night, each.seq) == (other.night, 99) for each in differences)


def test_that_the_last_event_is_gone_is_known_to_who_saw_the_head(
    other: OtherProgram, found: Found, path: Path
) -> None:
    """The chain of what is left holds: only a later head in somebody's hands tells."""
    ((seq, head),) = other.run("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1")
    other.run("DELETE FROM event WHERE seq = ?", seq)
    other.run("DELETE FROM correction WHERE seq = ?", seq)
    assert found() == []
    store = Store.open(f"sqlite:///{path}", web=False)
    assert Table(Recorder(store, KEY), other.night).board()["code"] != head_code(seq, head)
    store.close()


# Altered and chained again: only the rules can tell


def set_in(*place: str | int, to: object) -> Callable[[dict[str, Any]], None]:
    """A change of a body: the field at this place."""

    def change(body: dict[str, Any]) -> None:
        *path, last = place
        for step in path:
            body = body[step]  # type: ignore[index]
        body[last] = to  # type: ignore[index]

    return change


def drop_payments(body: dict[str, Any]) -> None:
    body["payments"] = []


def one_more_payment(body: dict[str, Any]) -> None:
    body["payments"].append(body["payments"][0] | {"points": 7, "reason": "bomb-bonus"})


def another_card(old: str, new: str) -> Callable[[dict[str, Any]], None]:
    """Played and asked for: the text agrees with itself."""

    def change(body: dict[str, Any]) -> None:
        for data in (body["content"], body["parts"][-1]):
            data["cards"] = [new if card == old else card for card in data["cards"]]

    return change


def by_engine(engine: str) -> Callable[[dict[str, Any]], object]:
    """What no rules that there were would have paid."""

    def change(body: dict[str, Any]) -> None:
        body["engine"] = engine
        body["payments"][0]["points"] = 9

    return change


CHAINED_AGAIN: dict[str, tuple[int, int, str, Callable[[dict[str, Any]], object]]] = {
    "points": (SETTLED, SETTLED, "payments", set_in("payments", 0, "points", to=9)),
    "a payer": (SETTLED, SETTLED, "payments", set_in("payments", 0, "payer", to="p3")),
    "a clause": (SETTLED, SETTLED, "payments", set_in("payments", 0, "clause", to="S-CHOP")),
    "a cause": (SETTLED, SETTLED, "payments", set_in("payments", 0, "cause", to="2.0")),
    "no payments": (SETTLED, SETTLED, "payments", drop_payments),
    "one payment more": (SETTLED, SETTLED, "payments", one_more_payment),
    "an adjustment's points": (PAID, PAID, "payments", set_in("payments", 0, "points", to=50)),
    "what was asked": (2, 2, "moves", set_in("content", "cards", to=["3c"])),
    "what was made of it": (2, 2, "moves", set_in("parts", 0, "cards", to=["3c"])),
    "that it stood": (6, 6, "moves", set_in("parts", 0, "stood", to=True)),
    "who moved": (2, 2, "moves", set_in("parts", 0, "player", to="p2")),
    "a card that is played later": (2, 7, "card-already-played", another_card("3s", "4s")),
    "a card that is shown later": (2, 8, "shown-already-played", another_card("3s", "3c")),
    "a round": (PAID, PAID, "round", set_in("round", to=1)),
    "another kind": (6, 6, "rules", set_in("kind", to="claim")),
    "a kind that is none": (6, 6, "", set_in("kind", to="steal")),
    "what is undone": (4, 4, "moves", set_in("parts", 0, "corrects", to="2.0")),
    "who sits in": (1, 1, "moves", set_in("parts", 0, "seats", to=["p1", "p2"])),
    "who claims": (CLAIM, CLAIM, "moves", set_in("content", "seat", to="p2")),
    "a field less": (6, 6, "content.cards", lambda body: body["content"].pop("cards")),
    "no content": (6, 6, "content", set_in("content", to=None)),
    "a content of another shape": (6, 6, "", set_in("content", to=["p1", "2s"])),
    "a number for a seat": (6, 6, "content.seat", set_in("content", "seat", to=1)),
    "parts of another shape": (6, 6, "", set_in("parts", 0, to="p1 2s")),
    "an engine that never was": (SETTLED, SETTLED, "engine", by_engine("0")),
    "an older engine, under rules that were not mended since": (SETTLED, SETTLED, "payments", by_engine("1")),
}


@pytest.mark.parametrize("what", CHAINED_AGAIN)
def test_what_does_not_follow_by_the_rules_is_found_though_the_chain_holds(
    other: OtherProgram, found: Found, what: str
) -> None:
    altered, seq, word, change = CHAINED_AGAIN[what]
    other.edit(altered, change)
    other.nets_again()
    if what == "what is undone":
        other.run("UPDATE correction SET target_seq = 2 WHERE seq = 4")
    differences = found()
    assert differences, what
    assert (differences[0].night, differences[0].seq) == (other.night, seq), differences
    assert any(word in each.what for each in differences if each.seq == seq), differences


def test_a_plausible_card_can_be_flipped_only_by_changing_every_later_head(
    other: OtherProgram, found: Found, path: Path
) -> None:
    """Nobody can tell by the rules that p1 opened with another low card: whoever saw a later head can."""
    ((head,),) = other.run("SELECT hash FROM event ORDER BY seq DESC LIMIT 1")
    other.edit(2, another_card("3s", "3h"))
    assert other.run("SELECT hash FROM event ORDER BY seq DESC LIMIT 1") != [(head,)]
    assert found() == []


def test_a_ruleset_changed_and_chained_again_is_found_where_it_pays(
    other: OtherProgram, found: Found
) -> None:
    ((body,),) = other.run("SELECT body FROM night")
    data = json.loads(body)
    for row in data["ruleset"]["payments"]["places"]:
        row["points"] += 5
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    other.run("UPDATE night SET body = ?", text)
    other.chain_again()
    differences = found()
    assert (differences[0].night, differences[0].seq) == (other.night, SETTLED)
    assert "payments" in differences[0].what


def test_an_event_inserted_and_chained_again_is_found(other: OtherProgram, found: Found) -> None:
    """The settlement is said to have come a second time."""
    ((last,),) = other.run("SELECT max(seq) FROM event")
    ((body,),) = other.run("SELECT body FROM event WHERE seq = ?", SETTLED)
    data = json.loads(body) | {"seq": last + 1, "id": "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"}
    data["content"] = {"round": 1}
    other.run(
        "INSERT INTO event VALUES (?, ?, ?, 'settle', 1, 0, 0, '{}', zeroblob(32), zeroblob(32))",
        *(other.night, last + 1, data["id"]),
    )
    other.edit(last + 1, lambda body: body.update(data))
    other.nets_again()
    differences = found()
    assert (differences[0].night, differences[0].seq) == (other.night, last + 1)
    assert "round-settled" in differences[0].what


def test_every_difference_of_a_night_is_told_and_other_nights_stay_clean(
    recorder: Recorder, path: Path
) -> None:
    first, second = open_table(recorder).tell(A_ROUND), open_table(recorder).tell(A_ROUND)
    with_its_hands_on_it = OtherProgram(path, first.night)
    with_its_hands_on_it.run(
        "UPDATE event SET body = body || ' ' WHERE night = ? AND seq IN (2, 4)", first.night
    )
    with_its_hands_on_it.put_triggers_back()
    assert [(each.night, each.seq) for each in audit(recorder)] == [(first.night, 2), (first.night, 4)]
    assert list(audit(recorder, second.night)) == []
