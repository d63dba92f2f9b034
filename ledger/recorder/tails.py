"""The end of a night that a restored backup lacks, from an exact log that somebody kept."""

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.recorder.keeping import NotKept
from ledger.recorder.people import keep, named
from ledger.recorder.recording import Recorder
from ledger.recorder.verifying import Unverified, verify
from ledger.store import Head, LogUnlinked, missing_tail


@dataclass(frozen=True, slots=True)
class Tail:
    """What was added to a night: the entries past `before`, up to `after`."""

    night: str
    before: Head
    after: Head


def add_tail(recorder: Recorder, lines: Iterable[str]) -> Tail:
    """Append what an exact log has past the head of its night in this database, all of it or nothing.

    A hash is no signature: whoever can write a log can hash it. So the log is verified whole before, and to ask for
    it takes whoever runs the server. Raises NotKept if the log does not verify, does not link to the head, forks
    from it or adds nothing; LogUnreadable if it is none; StoreUnavailable.
    """
    try:
        log = verify(lines).log
    except Unverified as error:
        raise NotKept(f"entry {error.entry} of the log cannot be taken: {error.what}") from None
    night, people = log.night.id, {person.player: person for person in log.people}
    with recorder.store.reading() as reader:
        try:
            missing = missing_tail(reader, log)
        except LogUnlinked as error:
            raise NotKept(str(error)) from None
        before = reader.head(night)
    naming = [event.body.parts for event in missing if named(event.body.parts)]
    with recorder.store.writing(night, forgets=True, entries=len(missing)) as writer:
        if writer.head(night) != before:
            raise NotKept("somebody recorded in the night meanwhile: one is not the other's tail")
        for event in missing:
            writer.append(event)
        for parts in naming:
            for player in named(parts):
                keep(writer, people[player], parts)
    return Tail(night, before, log.head)
