"""Carrying debts from earlier nights of a group over into the settle-up of a later night.

Both nights record it as a transfer, in one transaction: the debt is cleared in the earlier one, and is owed in the
later one instead. No points and no payments change, so a season counts nothing twice. What a correction changes
afterwards in the earlier night is owed there, and can be carried over as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from uuid import UUID, uuid5

from ledger.game.settlement import Transfer
from ledger.game.terms import Stake
from ledger.recorder.drafts import EventRequest
from ledger.recorder.groups import Group, named, read_group
from ledger.recorder.members import Seat
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.recording import Recorder
from ledger.recorder.views.owed import Difference, Offer, offer_id, read_paid, view_owed
from ledger.recorder.views.season import members_in, terms_of
from ledger.store import GroupLink, Link, Reader, Role


@dataclass(frozen=True, slots=True)
class Debt:
    """A debt between players of this night from an earlier night."""

    night: str
    """The earlier night."""
    date: str
    payer: str
    payee: str
    points: int
    there: Offer
    """The transfer of the earlier night, with that night's tags."""


@dataclass(frozen=True, slots=True)
class EarlierNight:
    """What is still owed in an earlier night among the players of this one."""

    night: str
    date: str
    stake: Stake | None
    carries: bool
    """Whether it can be carried over: a point is worth the same in both nights."""
    debts: list[Debt]
    differences: list[Difference[str]]
    """What of it is owed because a round was corrected after money had changed hands."""


def earlier_nights(recorder: Recorder, group: str, night: str) -> list[EarlierNight]:
    """The earlier nights of a group in which players of a night still owe each other, the oldest first.

    Debts of or to people who are not in this night are left out. Problem (not found) if the night is not in the
    group.
    """
    with recorder.store.reading() as reader:
        return list(_earlier_nights(reader, read_group(reader, group), night))


def debts(recorder: Recorder, group: str, night: str) -> list[Debt]:
    """The debts of `earlier_nights` that can be carried over: those of nights with the same stake."""
    return [debt for one in earlier_nights(recorder, group, night) for debt in one.debts if one.carries]


def carry(recorder: Recorder, link: GroupLink, night: Link) -> int:
    """Carry all `debts` over into the night; returns their number. Problem (forbidden) unless both links are a
    keeper's."""
    _require_keeper_of_both(link, night)
    found = debts(recorder, link.group, night.night)
    for debt in found:
        name, there = _name_of_carrying(debt.there.id, night.night), debt.there
        cleared = _transfer(debt.night, name, there.payer, there.payee, there.points, carried_to=night.night)
        owed = _transfer(night.night, name, debt.payee, debt.payer, debt.points, carried_from=debt.night)
        recorder.record_together({_keeper(recorder, debt.night): [cleared], night: [owed]})
    return len(found)


def carry_back(recorder: Recorder, link: GroupLink, night: Link, id: str) -> None:
    """Take back one debt carried into a night, by the id of its event there: it is owed in the earlier night again,
    by the players who owed it there, whoever they are said to be by now.

    Raises the Problem of `carry`, and Problem (no such entry) if there is no such debt, if it was taken back, or if
    the group never had the earlier night.
    """
    _require_keeper_of_both(link, night)
    with recorder.night(night.night) as snapshot:
        carried = snapshot.settle_up().carried
    one = next((one for one in carried if one.id == id and one.owed_here and not one.taken_back), None)
    if one is None:
        raise Problem(ProblemCode.NO_SUCH_ENTRY)
    with recorder.store.reading() as reader:
        known = one.night in read_group(reader, link.group).ever
        found = _recorded_there(reader, one.night, night.night, one.id, one.points) if known else None
    if found is None:
        raise Problem(ProblemCode.NO_SUCH_ENTRY)
    name, there = f"back {one.id}", found.transfer
    taken = _transfer(night.night, name, one.payer, one.payee, one.points, carried_to=one.night)
    owed = _transfer(one.night, name, there.payee, there.payer, there.points, carried_from=night.night)
    recorder.record_together(
        {night: [taken]} | ({_keeper(recorder, one.night): [owed]} if found.kept else {})
    )


@dataclass(frozen=True, slots=True)
class _There:
    """The transfer by which the earlier night cleared a debt, and whether its event was recorded. Earlier versions
    recorded the two nights one after the other, and could be interrupted between them."""

    transfer: Transfer[str]
    kept: bool


def _recorded_there(reader: Reader, earlier: str, night: str, id: str, points: int) -> _There | None:
    """How the earlier night cleared a debt that a night recorded with this id; None if no carrying made that id."""
    paid = read_paid(reader, earlier)
    recorded = {one.id for one in paid}
    for last in (0, *(one.seq for one in paid)):
        for payer, payee in permutations(named(reader, earlier), 2):
            transfer = Transfer(payer, payee, points)
            name = _name_of_carrying(offer_id(earlier, last, transfer), night)
            if _id(night, name) == id:
                return _There(transfer, _id(earlier, name) in recorded)
    return None


def _earlier_nights(reader: Reader, group: Group, night: str) -> Iterator[EarlierNight]:
    if night not in group.nights:
        raise Problem(ProblemCode.NOT_FOUND)
    terms, _ = terms_of(reader, group)
    people = members_in(reader, group, terms)
    here = {people.of[Seat(night, player)]: player for player in named(reader, night)}
    order = list(terms)
    for other in (one for one in order[: order.index(night)] if one in group.nights):
        owed = view_owed(reader, other)
        there = {player: here.get(people.of[Seat(other, player)]) for player in owed.outstanding}
        found = [
            Debt(other, terms[other].date, payer, payee, one.points, one)
            for one in owed.transfers
            if (payer := there[one.payer]) and (payee := there[one.payee])
        ]
        if found:
            stake = terms[other].stake
            because = [late for one in owed.differences if (late := one.among(there))]
            yield EarlierNight(other, terms[other].date, stake, stake == terms[night].stake, found, because)


def _require_keeper_of_both(link: GroupLink, night: Link) -> None:
    if not link.keeps or night.role is not Role.KEEPER:
        raise Problem(ProblemCode.FORBIDDEN)


def _keeper(recorder: Recorder, night: str) -> Link:
    """The keeper's link of a night in the group: that keeper has consented by adding the night."""
    with recorder.store.reading() as reader:
        head = reader.night_head(night)
    assert head is not None, "a night of a group"
    return Link(night, Role.KEEPER, None, head.generations[Role.KEEPER, None])


def _name_of_carrying(offered: str, night: str) -> str:
    """The name of the two events that carry an offered transfer into a night; their ids are made from it."""
    return f"carried {offered} {night}"


def _id(night: str, name: str) -> str:
    return str(uuid5(UUID(night), name))


def _transfer(night: str, name: str, payer: str, payee: str, points: int, **other: str) -> EventRequest:
    """A request to record a transfer in a night; repeating it with the same `name` records it once."""
    content = {"payer": payer, "payee": payee, "points": points, **other}
    return EventRequest(_id(night, name), None, "paid", content)
