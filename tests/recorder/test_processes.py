"""Several processes read one database: told in order, ended with whoever waits for them, never waited for in
vain."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing.popen_spawn_posix import Popen
from pathlib import Path

import pytest

from ledger.recorder import Recorder, audit
from ledger.recorder.processes import side_by_side
from ledger.store import Store, StoreBusy, StoreFailing
from tests.processes import is_running
from tests.recorder.tables import A_ROUND, open_table
from tests.recorder.test_audit import OtherProgram

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
"""The tests' own runner has a thread beside this one."""


def its_number(store: Store, number: int) -> Iterator[tuple[int, int]]:
    """A number, and the process that told it; the first is the last to be done."""
    if not number:
        list(store.damages())
    yield number, os.getpid()


def its_process(store: Store) -> list[int]:
    return [os.getpid()]


def busy(store: Store) -> list[int]:
    raise StoreBusy("no place")


def killed(store: Store) -> list[int]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def without_end(store: Store) -> list[int]:
    signal.pause()
    return []


def test_what_several_processes_tell_comes_in_the_order_of_the_work(recorder: Recorder) -> None:
    works = [partial(its_number, number=number) for number in range(20)]
    told = list(side_by_side(recorder.store.url, works, jobs=2))
    assert [number for number, _ in told] == list(range(20))
    assert os.getpid() not in {process for _, process in told}


@pytest.fixture
def another_thread() -> Iterator[None]:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.usefixtures("another_thread")
def test_beside_other_threads_processes_start_anew(recorder: Recorder) -> None:
    (process,) = side_by_side(recorder.store.url, [its_process], jobs=1)
    assert process != os.getpid()


def test_what_the_work_raises_is_raised_and_the_rest_is_not_waited_for(recorder: Recorder) -> None:
    with pytest.raises(StoreBusy, match="no place"):
        list(side_by_side(recorder.store.url, [busy, without_end], jobs=2))


def test_a_process_that_somebody_kills_is_told_of(recorder: Recorder) -> None:
    with pytest.raises(StoreFailing, match="ended before its work"):
        list(side_by_side(recorder.store.url, [without_end, killed], jobs=2))


@pytest.mark.usefixtures("another_thread")
def test_one_that_was_slow_to_start_and_is_killed_is_told_of(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Popen._launch  # type: ignore[attr-defined]

    def start_slowly(self: Popen, process: object) -> None:
        time.sleep(0.3)  # so that the pool has looked before it is there
        start(self, process)

    monkeypatch.setattr(Popen, "_launch", start_slowly)
    with pytest.raises(StoreFailing, match="ended before its work"):
        list(side_by_side(recorder.store.url, [without_end, killed], jobs=2))


def test_whoever_wants_no_more_leaves_no_process_behind(recorder: Recorder) -> None:
    told = side_by_side(recorder.store.url, [its_process, without_end, without_end], jobs=2)
    process = next(told)
    assert is_running(process)
    told.close()
    assert not is_running(process)


@pytest.mark.parametrize("night", [0, 1, 2])
def test_several_processes_find_what_one_finds(
    recorder: Recorder, path: Path, monkeypatch: pytest.MonkeyPatch, night: int
) -> None:
    monkeypatch.setattr("ledger.recorder.auditing._WORTH_A_PROCESS", 0)
    nights = [open_table(recorder).tell(A_ROUND).night for _ in range(3)]
    other = OtherProgram(path, nights[night])
    other.run("UPDATE event SET body = body || ' ' WHERE night = ? AND seq IN (2, 4)", nights[night])
    other.put_triggers_back()
    found = list(audit(recorder, jobs=2))
    assert [(each.night, each.seq) for each in found] == [(nights[night], 2), (nights[night], 4)]
    assert found == list(audit(recorder))
