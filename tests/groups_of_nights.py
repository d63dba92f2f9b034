"""Groups of many nights, made quickly: as large as a group may be, for what is counted over sizes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid5

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder import EventRequest, GroupLink, Link, Recorder, Role
from ledger.recorder.groups import GroupEntryKind
from ledger.recorder.history import is_recording
from ledger.store import GroupEntry
from tests.stories import read_story

_MADE = UUID("2b1c5d3e-6f70-4c1a-9d5e-0a1b2c3d4e5f")
"""All ids are made from it, so that the same group is made again with the same ids."""
_FIRST_DAY = date(2024, 1, 1)


@dataclass(frozen=True, slots=True)
class GroupOfNights:
    """A group, and its nights, the oldest first, a day each."""

    id: str
    nights: tuple[str, ...]

    @property
    def keeper(self) -> GroupLink:
        """The link of the group's keeper."""
        return GroupLink(self.id, keeps=True)

    def keeper_of(self, number: int) -> Link:
        """The keeper's link of a night, numbered from 0; -1 is the newest."""
        return Link(self.nights[number], Role.KEEPER)


def group_of_nights(
    recorder: Recorder, nights: int, players: int = 12, *, regulars: int = 0, entries: int = 0
) -> GroupOfNights:
    """A group of so many nights with so many players each, of whom `regulars` come to every night, and the others
    to one.

    In every night, the first four play a settled round, all players are adjusted by some points, so that each owes
    or is owed, and as many `entries` more follow.
    """
    group = str(uuid5(_MADE, f"{nights} {players} {regulars} {entries}"))
    made = [str(uuid5(UUID(group), str(number))) for number in range(nights)]
    for number, night in enumerate(made):
        names = [
            f"Bạn {player}" if player < regulars else f"Khách {number}-{player}" for player in range(players)
        ]
        day = (_FIRST_DAY + timedelta(number)).isoformat()
        requests = _entries(night, players, number, entries)
        recorder.open_recorded(
            night, requests, terms=Terms(PRESETS["southern-classic"], date=day), players=names
        )
    at = datetime.combine(_FIRST_DAY, datetime.min.time(), UTC).isoformat(timespec="milliseconds")
    rows = [
        GroupEntry(group_id=group, seq=seq, kind=kind, body=body, night=night, at=at)
        for seq, (kind, body, night) in enumerate(
            [
                (GroupEntryKind.NAMED, '{"name": "Hội thứ sáu"}', None),
                *((GroupEntryKind.ADDED, "{}", one) for one in made),
            ],
            start=1,
        )
    ]
    with recorder.store.writing(group) as writer:
        for row in rows:
            writer.add_to_group(row)
    return GroupOfNights(group, tuple(made))


def _entries(night: str, players: int, number: int, more: int) -> Iterator[EventRequest]:
    seated = [f"p{player}" for player in range(1, min(players, 4) + 1)]
    lines = [
        f"round lead p1 {' '.join(seated)} !",
        f"result {' '.join(seated)}",
        *(f"{player} declares none" for player in seated[1:]),
        "settle",
        *(f"pay p{player} p1 {1 + (player * 7 + number * 13) % 31} bia" for player in range(2, players + 1)),
        *("note kneels p1 until-first" for _ in range(more)),
    ]
    after = night
    for place, (kind, content) in enumerate(read_story("\n".join(lines))):
        id = str(uuid5(UUID(night), str(place)))
        yield EventRequest(id, after if is_recording(kind) else None, kind, content)
        after = id if is_recording(kind) else after
