"""Carrying debts from earlier nights of a group over into the settle-up of a later night.

Both nights record it as a transfer, in one transaction: the debt is cleared in the earlier one, and is owed in the
later one instead. No points and no payments change, so a season counts nothing twice. What a correction changes
afterwards in the earlier night is owed there, and can be carried over as well.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, permutations
from typing import Final
from uuid import UUID, uuid5

from ledger.game.settlement import Transfer
from ledger.game.terms import Stake
from ledger.recorder.drafts import EventRequest
from ledger.recorder.group_snapshot import Debt, EarlierNight
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.reading import Snapshot
from ledger.recorder.recording import Plan, Recorder
from ledger.recorder.terms import STAKE
from ledger.recorder.views.owed import Paid, back, in_pairs, offer_id, read_paid
from ledger.store import GroupLink, Link, Reader, Role, in_parts

_TOGETHER: Final = 8
"""Of so many earlier nights debts are carried in one transaction."""
_OFFERED_BEFORE: Final = 24
"""How many transfers an earlier night may have between the offer of a debt and its carrying: those carried with it,
fewer than it has players, and a few of other phones, which earlier versions let come in between."""


def debts(recorder: Recorder, group: str, night: str) -> list[Debt]:
    """The debts of earlier nights that can be carried over: those of nights in the same currency."""
    with recorder.snapshot() as snapshot:
        return _carried(snapshot.group(group).earlier_nights(night))


def carry(recorder: Recorder, link: GroupLink, night: Link) -> int:
    """Carry all `debts` over into the night; returns their number. Problem (forbidden) unless both links are a
    keeper's.

    The debts of an earlier night are judged on the moment that they are appended to: what another phone has carried
    or settled since is not carried again.
    """
    _require_keeper_of_both(link, night)
    nights = [debt.night for debt in debts(recorder, link.group, night.night)]
    carried = 0
    for some in in_parts(nights, _TOGETHER):
        plan = partial(_carrying, link, night, some)
        carried += len(recorder.record_planned(plan)[night])
    return carried


def _carrying(link: GroupLink, night: Link, earlier: Sequence[str], snapshot: Snapshot) -> Plan:
    """What carries the debts of some earlier nights over into a night."""
    group, reader = snapshot.group(link.group), snapshot.reader
    reader.look_up([*earlier, night.night])
    asked: dict[Link, list[EventRequest]] = {}
    here: list[EventRequest] = []
    for debt in _carried(group.earlier_nights(night.night, among=earlier)):
        name, there = _name_of_carrying(debt.there.id, night.night), debt.there
        paid = Transfer(there.payer, there.payee, there.points)
        owed = Transfer(debt.payee, debt.payer, debt.points)
        cleared = _transfer(debt.night, name, paid, there.worth, carried_to=night.night)
        asked.setdefault(_keeper(reader, debt.night), []).append(cleared)
        here.append(_transfer(night.night, name, owed, debt.worth, carried_from=debt.night))
    return Plan({**asked, night: here}, group.group)


def carry_back(recorder: Recorder, link: GroupLink, night: Link, id: str) -> None:
    """Take back one debt carried into a night, by the id of its event there: it is owed in the earlier night again,
    by the players who owed it there, whoever they are said to be by now.

    Raises the Problem of `carry`, and Problem (no such entry) if there is no such debt, if it was taken back, or if
    the group never had the earlier night.
    """
    _require_keeper_of_both(link, night)
    recorder.record_planned(partial(_carrying_back, link, night, id))


def _carrying_back(link: GroupLink, night: Link, id: str, snapshot: Snapshot) -> Plan:
    """What takes back a debt carried into a night."""
    group, reader = snapshot.group(link.group).group, snapshot.reader
    lines = in_pairs(snapshot.nights([night.night]).accounts([night.night])[night.night].paid)
    here = next((one for one, came_back in lines if one.id == id and one.since and not came_back), None)
    if here is None or here.since is None or here.since not in group.ever:
        raise Problem(ProblemCode.NO_SUCH_ENTRY)
    there, worth, is_recorded = _cleared(reader, here.since, night.night, here)
    name = f"back {here.id}"
    taken = _transfer(night.night, name, back(here.transfer), here.stated, carried_to=here.since)
    owed = _transfer(here.since, name, back(there), worth, carried_from=night.night)
    return Plan({night: [taken]} | ({_keeper(reader, here.since): [owed]} if is_recorded else {}), group)


def _cleared(
    reader: Reader, earlier: str, night: str, here: Paid
) -> tuple[Transfer[str], Stake | None, bool]:
    """The transfer by which the earlier night cleared a debt that a night has, what it says that one is worth, and
    whether its event was recorded: earlier versions recorded the two nights one after the other, and could be
    interrupted between them. Problem (no such entry) if no carrying made the id of the night's event.

    The id is made from the transfer, and from the last one that was recorded when it was offered.
    """
    paid, points = read_paid(reader, [earlier])[earlier], here.transfer.points
    recorded = [
        (one.transfer, before)
        for place, one in enumerate(paid)
        if one.to == night and one.transfer.points == points
        for before in (0, *(other.seq for other in paid[max(0, place - _OFFERED_BEFORE) : place]))
    ]
    last = [one.seq for one in paid if one.at <= here.at][-_OFFERED_BEFORE:]
    players = [person.player for person in reader.people(earlier)]
    interrupted = (
        (Transfer(payer, payee, points), before)
        for payer, payee in permutations(players, 2)
        for before in (0, *last)
    )
    for transfer, before in chain(dict.fromkeys(recorded), interrupted):
        name = _name_of_carrying(offer_id(earlier, before, transfer), night)
        if _id(night, name) == here.id:
            id = _id(earlier, name)
            found = next((one for one in paid if one.id == id), None)
            return transfer, found and found.stated, found is not None
    raise Problem(ProblemCode.NO_SUCH_ENTRY)


def _carried(nights: Iterable[EarlierNight]) -> list[Debt]:
    """The debts of some earlier nights that can be carried over."""
    return [debt for one in nights if one.carries for debt in one.debts]


def _require_keeper_of_both(link: GroupLink, night: Link) -> None:
    if not link.keeps or night.role is not Role.KEEPER:
        raise Problem(ProblemCode.FORBIDDEN)


def _keeper(reader: Reader, night: str) -> Link:
    """The keeper's link of a night in the group: that keeper has consented by adding the night."""
    head = reader.night_head(night)
    assert head is not None, "a night of a group"
    return Link(night, Role.KEEPER, None, head.generations[Role.KEEPER, None])


def _name_of_carrying(offered: str, night: str) -> str:
    """The name of the two events that carry an offered transfer into a night; their ids are made from it."""
    return f"carried {offered} {night}"


def _id(night: str, name: str) -> str:
    return str(uuid5(UUID(night), name))


def _transfer(
    night: str, name: str, transfer: Transfer[str], worth: Stake | None, **other: str
) -> EventRequest:
    """A request to record a transfer in a night; repeating it with the same `name` records it once."""
    stated = {} if worth is None else {"worth": STAKE.dump(worth)}
    content = {**transfer._asdict(), **stated, **other}
    return EventRequest(_id(night, name), None, "paid", content)
