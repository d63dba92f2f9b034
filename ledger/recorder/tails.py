"""The end of a night that a restored backup lacks, from an exact log that somebody kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ledger.recorder.auditing import UNREADABLE, judged
from ledger.recorder.bodies import read_event
from ledger.recorder.keeping import NotKept
from ledger.recorder.people import keep, named
from ledger.recorder.recording import Recorder
from ledger.recorder.state import NightState, in_sight, load
from ledger.store import Head, LogUnlinked, NewEvent, Person, Writer, missing_tail, read_log


@dataclass(frozen=True, slots=True)
class Tail:
    """What was added to a night: the entries past `before`, up to `after`."""

    night: str
    before: Head
    after: Head


def add_tail(recorder: Recorder, lines: Iterable[str]) -> Tail:
    """Append what an exact log has past the head of its night in this database, all of it or nothing.

    A hash is no signature: whoever can write a log can hash it. So each entry is judged by the rules as it is
    appended, and to ask for it takes whoever runs the server. Raises NotKept if the log does not link to the head,
    forks from it, adds nothing or breaks a rule; LogUnreadable if it is none; StoreUnavailable.
    """
    log = read_log(lines)
    night = log.night.id
    with recorder.store.writing(night, forgets=True) as writer:
        try:
            missing = missing_tail(writer, log)
        except LogUnlinked as error:
            raise NotKept(str(error)) from None
        row = writer.night(night)
        assert row is not None
        state = load(writer, row)
        before = state.head
        people = {person.player: person for person in log.people}
        for event in missing:
            state = _appended(writer, state, event, people)
    return Tail(night, before, state.head)


def _appended(writer: Writer, state: NightState, event: NewEvent, people: Mapping[str, Person]) -> NightState:
    state = in_sight(writer, state, event.round)
    row = writer.append(event)
    try:
        logged = read_event(row)
        _, differences = judged(state, logged, row)
        for found in differences:
            if not found.engine:
                raise NotKept(f"entry {event.seq} of the log is not what the rules make of it: {found.what}")
        for player in named(logged.parts):
            keep(writer, event.night, people[player], logged.parts)
        return state.with_event(logged)
    except UNREADABLE as error:
        raise NotKept(f"entry {event.seq} of the log cannot be replayed: {error!r}") from error
