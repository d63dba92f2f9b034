"""An entry is judged without locking its night, and recorded if the night has not changed meanwhile."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder import (
    EventRequest,
    Problem,
    ProblemCode,
    Recorder,
    StoreBusy,
    audit,
    import_log,
    import_tln,
    with_unrecorded,
)
from ledger.recorder.operations.backup import BackupRefused
from ledger.recorder.operations.transfer import add_tail
from ledger.store import Store, Writer, read_log
from tests.recorder.forged_logs import EVERYTHING
from tests.recorder.tables import CLASSIC, NAMES, SAY, SECRET, Table, asked, open_table, opened
from tests.stories import read_story

Before = Callable[[], object]
JUDGING = ("ledger.game.", "ledger.recorder.")
PUTS_NAMES_BESIDE = {"store_name", "joined", "named", "<genexpr>", "<listcomp>"}


class Held:
    """Watches the code that runs while a night is locked for writing."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.nights: list[str] = []
        self.judging: set[str] = set()
        """The functions of the rules and the recorder that were called under the lock."""
        self._before: list[Before] = []
        self._elsewhere = False
        writing = Store.writing

        @contextmanager
        def watched(store: Store, night: str, **how: bool) -> Iterator[Writer]:
            if self._before and not self._elsewhere:
                self._elsewhere = True
                self._before.pop(0)()
                self._elsewhere = False
            self.nights.append(night)
            with writing(store, night, **how) as writer:
                sys.setprofile(self._note)
                try:
                    yield writer
                finally:
                    sys.setprofile(None)

        patch.setattr(Store, "writing", watched)

    def before(self, *happens: Before) -> None:
        """Call these functions, one before each of the next writers gets its lock."""
        self._before = list(happens)
        self.nights.clear()

    def _note(self, frame: FrameType, what: str, _: object) -> None:
        module = str(frame.f_globals.get("__name__"))
        if what == "call" and module.startswith(JUDGING) and frame.f_code.co_name not in PUTS_NAMES_BESIDE:
            self.judging.add(f"{module}.{frame.f_code.co_name}")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


@pytest.fixture
def begun(table: Table) -> Table:
    """A night whose first round has begun."""
    return table.tell("round opening")


def play(table: Table, *cards: str) -> EventRequest:
    return table.request("play", {"seat": "p1", "cards": list(cards)})


def test_nothing_is_judged_while_a_night_is_held_whatever_is_recorded(recorder: Recorder, held: Held) -> None:
    table = open_table(recorder)
    for kind, content in read_story(EVERYTHING):
        table.restarted().send(table.request(kind, content))  # with empty caches
        table.after = table.board()["after"]
        assert held.judging == set(), kind
    again = recorder.open_night(table.night, secret=SECRET, terms=Terms(PRESETS[CLASSIC]), players=NAMES[:4])
    assert not again.created
    recorder.forget(table.night)
    assert held.judging == set()
    assert len(held.nights) > 40
    assert list(audit(recorder)) == []


def moved(table: Table) -> None:
    table.restarted().record("play", seat="p1", cards=["3s", "3c"])


def named(table: Table) -> None:
    table.restarted().record("rename", player="p2", name="Bính")


def revoked(table: Table) -> None:
    table.restarted().record("revoke", role="keeper")


@pytest.mark.parametrize(
    ("meanwhile", "refused"), [(moved, ProblemCode.STALE), (named, None), (revoked, ProblemCode.NOT_FOUND)]
)
def test_what_came_while_an_entry_was_judged_is_not_overlooked(
    begun: Table, held: Held, meanwhile: Callable[[Table], None], refused: ProblemCode | None
) -> None:
    request = play(begun, "3s")
    held.before(lambda: meanwhile(begun))
    if refused is None:
        recorded = begun.send(request)
        assert recorded.seq == 3
        assert recorded.board(begun.keeper, SAY) == begun.restarted().ask.board(begun.keeper, SAY)
    else:
        with pytest.raises(Problem) as problem:
            begun.send(request)
        assert problem.value.code is refused
    assert list(audit(begun.recorder)) == []


def test_of_two_copies_of_an_entry_that_come_at_once_one_is_recorded(begun: Table, held: Held) -> None:
    request = play(begun, "3s")
    held.before(lambda: begun.restarted().send(request))
    second = begun.send(request)
    assert (second.created, second.seq) == (False, 2)
    assert [event["seq"] for event in begun.log()] == [1, 2]
    assert second.board(begun.keeper, SAY) == begun.restarted().ask.board(begun.keeper, SAY)


def test_of_two_copies_of_an_opening_that_come_at_once_one_opens(recorder: Recorder, held: Held) -> None:
    opening = partial(
        recorder.open_night, str(uuid4()), secret=SECRET, terms=Terms(PRESETS[CLASSIC]), players=NAMES[:4]
    )
    first = []
    held.before(lambda: first.append(opening()))
    assert opening() == replace(first[0], created=False)
    assert first[0].created


def test_a_name_that_was_erased_while_another_was_given_stays_erased(begun: Table, held: Held) -> None:
    with begun.recorder.store.reading() as reader:
        salts = {person.salt for person in reader.people(begun.night)}
    held.before(lambda: begun.recorder.forget(begun.night))
    recorded = begun.record("rename", player="p2", name="Bính")
    names = [player.name for player in recorded.board(begun.keeper, SAY).players]
    assert names == ["p1", "Bính", "p3", "p4"]
    with begun.recorder.store.reading() as reader:
        assert not salts & {person.salt for person in reader.people(begun.night)}, (
            "no old commitment is opened"
        )
    assert list(audit(begun.recorder)) == []


def test_a_name_that_was_erased_is_not_told_once_more(begun: Table, held: Held) -> None:
    held.before(lambda: begun.restarted().recorder.forget(begun.night))
    board = begun.record("play", seat="p1", cards=["3s"]).board(begun.keeper, SAY)
    assert [player.name for player in board.players] == ["p1", "p2", "p3", "p4"]


def test_a_night_that_goes_on_each_time_is_busy_and_says_so_in_the_end(begun: Table, held: Held) -> None:
    held.before(*[lambda: named(begun)] * 200)
    with pytest.raises(StoreBusy):
        begun.send(play(begun, "3s"))
    assert 2 < len(held.nights) < 400
    assert [event["seq"] for event in begun.log() if event["kind"] == "play"] == []
    held.before()
    assert begun.send(play(begun, "3s")).created


@pytest.fixture
def restored(recorder: Recorder, tmp_path: Path, empty_database: Path) -> Iterator[tuple[Table, Recorder]]:
    """A night, and an installation that has only its opening."""
    table = open_table(recorder)
    beginning = read_log(recorder.store.export_log(table.night))
    with opened(tmp_path / "restored.db", empty_database) as elsewhere:
        elsewhere.store.append_log(beginning)
        yield table.tell(EVERYTHING), elsewhere


def test_a_whole_night_is_judged_before_a_database_is_held_for_it(
    restored: tuple[Table, Recorder], tmp_path: Path, empty_database: Path, held: Held
) -> None:
    table, elsewhere = restored
    lines = list(table.recorder.store.export_log(table.night))
    held.before()
    add_tail(elsewhere, lines)
    assert asked(elsewhere, table.night).head == table.ask.head
    assert import_tln(elsewhere, table.ask.whole()).events > 20
    with opened(tmp_path / "another.db", empty_database) as another:
        import_log(another, lines)
    assert len(held.nights) == 5  # two of them to verify, in private databases
    assert held.judging == set()
    assert list(audit(elsewhere)) == []


def test_what_is_recorded_while_a_tail_is_looked_at_is_not_cut_through(
    restored: tuple[Table, Recorder], held: Held
) -> None:
    table, elsewhere = restored
    there = Table(elsewhere, table.night)
    lines = list(table.recorder.store.export_log(table.night))
    held.before(lambda: None, lambda: there.tell("round opening"))  # the first one verifies
    with pytest.raises(BackupRefused):
        add_tail(elsewhere, lines)
    assert [event["kind"] for event in there.log()] == ["round"]
    assert list(audit(elsewhere)) == []


def in_a_row(table: Table, *asked: tuple[str, dict[str, Any]]) -> list[EventRequest]:
    """Requests each of which follows the one before."""
    requests: list[EventRequest] = []
    for kind, content in asked:
        after = requests[-1].id if requests else table.after
        requests.append(table.request(kind, content, after=after))
    return requests


RESULT = list(read_story("round opening \n result p1 p2 p3 p4 \n of 1 p4 declares none \n settle 1"))


def test_several_entries_are_recorded_in_one_transaction_and_once(table: Table, held: Held) -> None:
    requests = in_a_row(table, *RESULT)
    held.before()
    recorded = table.recorder.record_all(table.night, requests, table.keeper)
    assert [(one.created, one.seq) for one in recorded] == [(True, seq) for seq in (1, 2, 3, 4)]
    assert len(held.nights) == 1
    assert held.judging == set()
    again = table.recorder.record_all(table.night, requests, table.keeper)
    assert [(one.created, one.seq, one.hash) for one in again] == [
        (False, one.seq, one.hash) for one in recorded
    ]
    assert [event["kind"] for event in table.log()] == [kind for kind, _ in RESULT]
    assert list(audit(table.recorder)) == []


@pytest.mark.parametrize("wrong", range(1, 4))
def test_of_several_entries_none_is_recorded_where_one_is_refused(table: Table, wrong: int) -> None:
    asked = [*RESULT]
    asked[wrong] = ("play", {"seat": "p9", "cards": ["3s"]})
    with pytest.raises(Problem):
        table.recorder.record_all(table.night, in_a_row(table, *asked), table.keeper)
    assert table.log() == []
    assert table.restarted().board()["round"] is None


def test_what_comes_while_several_entries_are_judged_refuses_all_of_them(table: Table, held: Held) -> None:
    requests = in_a_row(table, *RESULT)
    held.before(lambda: table.restarted().record("round", opening=True))
    with pytest.raises(Problem) as problem:
        table.recorder.record_all(table.night, requests, table.keeper)
    assert problem.value.code is ProblemCode.STALE
    assert [event["kind"] for event in table.log()] == ["round"]


def test_supposing_entries_records_nothing(table: Table) -> None:
    with table.recorder.night(table.night) as snapshot:
        then = with_unrecorded(snapshot, in_a_row(table, *RESULT), table.keeper)
        assert then.round_page(1, SAY).net == {"p1": 2, "p2": 1, "p3": -1, "p4": -2}
        assert then.board(table.keeper, SAY).round is not None
        assert snapshot.board(table.keeper, SAY).round is None
    assert table.log() == []
