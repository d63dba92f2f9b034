"""A night at one moment, as every request needs it: its head, its names, and the links that were revoked."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ledger.store.errors import EntryUnreadable
from ledger.store.event_codec import BodyUnreadable, read_event
from ledger.store.links import Link


class Head(NamedTuple):
    """The newest entry of a chain: seq 0 and the night's own hash if there is no event."""

    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class NightHead:
    """What every request needs of a night: its head, names by player (p1 first; the tag if a name was erased), how
    often each link was revoked, by role and player, and how many names were not erased."""

    head: Head
    names: Mapping[str, str]
    generations: Counter[tuple[str, str | None]]
    named: int

    def holds(self, link: Link) -> bool:
        """Whether a link to this night is valid: not revoked."""
        return self.generations[link.role, link.player] == link.generation


class NightMark(NamedTuple):
    """What changes whenever a night does: its head, the greatest round number so far, and how many names were not
    erased. Names change at the same head only by being erased."""

    head: Head
    newest: int
    named: int


class NightNow(NamedTuple):
    """A night at one moment: (player, name, salt) of its people, (seq, text) of the events that revoked links."""

    head: Head
    people: Sequence[tuple[str, str | None, bytes | None]]
    revoked: Sequence[tuple[int, str]]

    @property
    def names(self) -> dict[str, str]:
        return {player: name or player for player, name, _ in self.people}

    def night_head(self, night: str) -> NightHead:
        named = sum(name is not None for _, name, _ in self.people)
        return NightHead(self.head, self.names, _generations(night, self.revoked), named)


def now_of(facts: Iterable[Sequence[Any]]) -> NightNow | None:
    """A night from the rows of `NOW`; None if there are none, since there is no such night."""
    heads: list[Head] = []
    people: list[tuple[str, str | None, bytes | None]] = []
    revoked: list[tuple[int, str]] = []
    for what, seq, secret, words, name in facts:
        match what:
            case "person":
                people.append((words, name, secret))
            case "event":
                revoked.append((seq, words))
            case _:
                heads.append(Head(seq, secret))
    if not heads:
        return None
    # The rows of a union come in no defined order; p2 sorts before p10.
    people.sort(key=lambda person: (len(person[0]), person[0]))
    return NightNow(max(heads), people, revoked)


def _generations(night: str, revoked: Iterable[tuple[int, str]]) -> Counter[tuple[str, str | None]]:
    """Count how often each link of a night was revoked, from the (seq, text) of the events that did so."""
    found = Counter[tuple[str, str | None]]()
    for seq, body in revoked:
        try:
            found.update(read_event(body).revoked)
        except BodyUnreadable as error:
            raise EntryUnreadable(night, seq, str(error)) from error
    return found
