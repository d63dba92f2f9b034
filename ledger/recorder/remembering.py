"""What was made of rounds, remembered by a process while they are as they were.

The log only grows: a round stays what it is until something of it, or of a round before it, is appended. What is
remembered was made at a head, and counts only where that head is still in the chain.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from ledger.store import Head, Reader

Made = TypeVar("Made")


class _Known(NamedTuple, Generic[Made]):
    head: Head
    rounds: dict[int, Made]


class Remembered(Generic[Made]):
    """Of the nights lately in use, what was made of each round. Values, so that threads may share them.

    So many rounds at the most, unless one night has more: a round is a few kilobytes.
    """

    def __init__(self, most: int = 2000) -> None:
        self._most = most
        self._nights: OrderedDict[str, _Known[Made]] = OrderedDict()
        self._lock = Lock()

    def load(
        self,
        reader: Reader,
        night: str,
        head: Head,
        wanted: Iterable[int],
        make: Callable[[Sequence[int]], dict[int, Made]],
    ) -> dict[int, Made]:
        """What is made of some rounds of a night at its head; `make` is asked for those that are not known."""
        with self._lock:
            known = self._nights.get(night)
        rounds = {} if known is None else _still(reader, night, head, known)
        wanted = sorted(wanted)
        missing = [number for number in wanted if number not in rounds]
        if missing:
            rounds = rounds | make(missing)
        self._keep(night, _Known(head, rounds))
        return {number: rounds[number] for number in wanted}

    def _keep(self, night: str, known: _Known[Made]) -> None:
        with self._lock:
            self._nights[night] = known
            self._nights.move_to_end(night)
            while len(self._nights) > 1 and self._held() > self._most:
                self._nights.popitem(last=False)

    def _held(self) -> int:
        return sum(len(known.rounds) for known in self._nights.values())


def _still(reader: Reader, night: str, head: Head, known: _Known[Made]) -> dict[int, Made]:
    """What is as it was: the rounds before the first one that an entry since then belongs to."""
    if known.head == head:
        return known.rounds
    if not reader.passed(night, known.head):
        return {}
    changed = reader.first_round_after(night, known.head.seq)
    if changed is None:
        return known.rounds
    return {number: made for number, made in known.rounds.items() if number < changed}
