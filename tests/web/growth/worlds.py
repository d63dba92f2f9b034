"""Installations in which one thing has grown to a size, and in which every route has something to do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from operator import itemgetter
from typing import Final

from ledger.game.night import MOST_ROUNDS
from ledger.game.notation import MOST_PLAYERS
from ledger.recorder import KINDS, EventRequest, GroupLink, Link, Role
from ledger.recorder.groups import MOST_ENTRIES, MOST_NIGHTS, Entry, GroupEntryKind
from ledger.recorder.history import is_recording
from ledger.store import make_group_token, make_token
from ledger.web.access import MOST_COOKIES, MOST_GROUPS
from ledger.web.recorder import recorder
from tests.groups_of_nights import group_of_nights
from tests.nights import Data, new_id
from tests.stories import read_story
from tests.web.asking import Place
from tests.web.phones import NAMES, Table
from tests.web.routes import VALUES, Asked, Route, asked

KEY: Final = bytes(32)
"""The key of a `Place`."""
_ROUND: Final = (
    *("round lead p1", "result p1 p2 p3 p4", *(f"p{player} declares none" for player in (2, 3, 4))),
    *("undo", "redo", "settle"),
)
"""A round that its leader wins, so that it can follow itself."""
_CHANGES: Final = 50
"""The entries that one correction inserts."""
_NOW: Final = "2026-11-20T20:15:03.123Z"


@dataclass(frozen=True, slots=True)
class World:
    """A night and a group of which something has grown, and the cookies of a phone that keeps both."""

    place: Place
    table: Table
    group: str
    cookies: Mapping[str, str]

    @property
    def headers(self) -> Data:
        """The headers of a request of the phone."""
        held = "; ".join(f"{name}={token}" for name, token in self.cookies.items())
        return {"Cookie": held, "Sec-Fetch-Site": "same-origin"}

    def asked(self, route: Route) -> Asked:
        """A valid request of the phone to a route."""
        token = _group_token(self.group) if "/t/g/" in route.rule else self.table.token("keeper")
        one, named = asked(self.place.app, route, self.table, token=token), VALUES["group"]
        body = one.body.replace(named, self.group)
        if route.rule.endswith("/mine"):
            body = body.replace("seat=p1", "seat=p2")  # p1 has agreed to the same round
        return one._replace(path=one.path.replace(named, self.group), body=body)


# What grows


def rounds(place: Place, size: int) -> World:
    """So many settled rounds of a night, with other kinds of entries beside each."""
    table = place.played()
    tell(place, table, "void 3 chia nhầm")
    seq, lines, disputed = int(table.keeper.board()["seq"]), list[str](), list[str]()
    numbers = range(4, 4 + size)
    for number in numbers:
        beside = ["pay p1 p2 5 bia", "paid p2 p1 1", "note deals p2", f"rename p2 {NAMES[1]} {number}"]
        lines += [*_ROUND, *beside]
        if number % 8 == 0:
            lines.append(f"correct {seq + 2}.0 = result p1 p3 p2 p4 because nhầm")
        else:
            disputed.append(f"p2 disputes {number} payment {seq + len(_ROUND)}.0 sai")
        seq += len(_ROUND) + len(beside) + (number % 8 == 0)
    decided = [f"decide {seq + place} kept đúng" for place, _ in enumerate(disputed, start=1)]
    agreed = [f"p1 confirms {number}" for number in numbers]
    tell(place, table, "\n".join([*lines, *disputed, *decided, *agreed, "round lead p1"]))
    return _world(place, table)


def entries(place: Place, size: int) -> World:
    """So many entries of the round that is played, most of them inserted by corrections."""
    table = place.played()
    tell(place, table, "p1 4s\np2 - !\np2 - !")
    before = f"before {table.keeper.board()['seq']}.0 = p2 - !"
    change = f"correct {' | '.join([before] * _CHANGES)} because nhầm"
    tell(place, table, "\n".join([change] * (size // _CHANGES)) + "\np3 -\np4 -")
    return _world(place, table)


def players(place: Place, size: int) -> World:
    """So many players of a night, of whom four play each round."""
    table = place.played()
    for number in range(5, size + 1):
        tell(place, table, f"join Khách {number}\npay p{number} p1 {number} bia")
    return _world(place, table)


def nights(place: Place, size: int) -> World:
    """So many nights of a group, of which all but the last have twelve guests."""
    return _world(place, place.played(), _nights(place, size - 1))


def transfers(place: Place, size: int) -> World:
    """So many transfers of money within a night, among which its debts are carried and carried back."""
    table = place.played()
    tell(place, table, "\n".join(["paid p2 p1 1", "paid p1 p2 1"] * (size // 2)))
    return _world(place, table, [place.far.night])


def memberships(place: Place, size: int) -> World:
    """So many entries of a group that say who is the same person, that they are not, and what it is called."""
    table, (other,) = place.played(), _nights(place, 1)
    joined = {"player": f"{table.night}/p1", "same": f"{other}/p1"}
    entries = list[tuple[GroupEntryKind, Data]]()
    for seq in range(4, 4 + size, 4):  # after its name and two nights
        entries += [(GroupEntryKind.JOINED, joined), (GroupEntryKind.PARTED, {"seq": seq})]
        entries += [(GroupEntryKind.NAMED, {"name": name}) for name in ("Hội thứ năm", "Hội")]
    return _world(place, table, [other], entries)


def cookies(place: Place, size: int) -> World:
    """So many nights, and a third as many groups, of which a phone has the links."""
    table, others = place.played(), _nights(place, size - 1)
    groups = [_grouped(place, [*others[:6], table.night]) for _ in range(size * MOST_GROUPS // MOST_COOKIES)]
    held = night_cookies([*others, table.night]) | _seats(table) | _group_cookies(groups)
    return World(place, table, groups[-1], held)


@dataclass(frozen=True, slots=True)
class Thing:
    """What grows, the sizes at which it is measured in every run, and the largest that the program allows.

    It is measured for the routes of nights and groups, or for all."""

    make: Callable[[Place, int], World]
    sizes: tuple[int, ...]
    most: int
    everywhere: bool = False

    def concerns(self, route: Route) -> bool:
        """Whether a route can depend on it."""
        return self.everywhere or "<night:" in route.rule


THINGS: Final[Mapping[str, Thing]] = {
    thing.make.__name__: thing
    for thing in (
        Thing(rounds, (16, 32, 48), MOST_ROUNDS - 4),  # a call answers with the events of thirty
        Thing(entries, (200, 400), 800),  # a correction counts as several of MOST_ENTRIES
        Thing(players, (5, 10), MOST_PLAYERS - 1),  # one more joins
        Thing(transfers, (100, 200), 1_000),
        Thing(nights, (MOST_NIGHTS // 8, MOST_NIGHTS // 4), MOST_NIGHTS),
        Thing(memberships, (200, 400), MOST_ENTRIES - 4),
        Thing(cookies, (MOST_COOKIES // 2, MOST_COOKIES), MOST_COOKIES, everywhere=True),
    )
}


def tell(place: Place, table: Table, story: str) -> None:
    """Record the lines of a story, in one transaction for all that follow each other by one link."""
    requests = _requests(story, table.caught_up().after)
    with place.app.app_context():
        for seat, some in groupby(requests, itemgetter(0)):
            link = Link(table.night, Role.SEAT if seat else Role.KEEPER, seat)
            recorder().record_all(table.night, [one for _, one in some], link)


def _requests(story: str, after: str) -> Iterator[tuple[str | None, EventRequest]]:
    """The entries of a story, each with the seat that records it; None is the keeper."""
    for kind, content in read_story(story):
        seat = content.pop("player") if KINDS[kind].recorded_by is Role.SEAT else None
        id, recording = new_id(), is_recording(kind)
        yield seat, EventRequest(id, after if recording else None, kind, content)
        after = id if recording else after


def _nights(place: Place, count: int) -> tuple[str, ...]:
    """So many nights with twelve guests each; those that a place has already, if they are enough."""
    nights: tuple[str, ...] = place.app.extensions.get(__name__, ())
    if len(nights) < count:
        with place.app.app_context():
            nights = group_of_nights(recorder(), count).nights
        place.app.extensions[__name__] = nights
    return nights[:count]


def _world(
    place: Place,
    table: Table,
    others: Sequence[str] = (),
    entries: Sequence[tuple[GroupEntryKind, Data]] = (),
) -> World:
    group = _grouped(place, [*others, table.night], entries)
    held = night_cookies([table.night]) | _seats(table) | _group_cookies([group])
    return World(place, table, group, held)


def _grouped(place: Place, nights: Sequence[str], more: Sequence[tuple[GroupEntryKind, Data]] = ()) -> str:
    """A group of some nights, and further entries of it; returns its id."""
    group, seq = new_id(), count(1)
    entries = [Entry(next(seq), GroupEntryKind.NAMED, None, {"name": "Hội"}, _NOW)]
    entries += [Entry(next(seq), GroupEntryKind.ADDED, night, {}, _NOW) for night in nights]
    entries += [Entry(next(seq), kind, None, content, _NOW) for kind, content in more]
    with place.app.app_context():
        recorder().groups.take(group, entries)
    return group


def night_cookies(nights: Sequence[str]) -> Data:
    """The cookies of a phone that keeps some nights."""
    return {f"tienlen-{night}-keeper": make_token(KEY, Link(night, Role.KEEPER)) for night in nights}


def _seats(table: Table) -> Data:
    """The cookies of two seats of a night."""
    return {f"tienlen-{table.night}-{player}": table.token(player) for player in ("p1", "p2")}


def _group_cookies(groups: Sequence[str]) -> Data:
    return {f"tienlengroup-{group}-keeper": _group_token(group) for group in groups}


def _group_token(group: str) -> str:
    return make_group_token(KEY, GroupLink(group, keeps=True))
