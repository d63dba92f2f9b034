"""Carrying debts from earlier nights of a group over into the settle-up of a later night.

Both nights record it as a transfer: the debt is cleared in the earlier one, and owed in the later one from then on.
No points and no payments change, so a season counts nothing twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID, uuid5

from ledger.recorder.drafts import EventRequest
from ledger.recorder.groups import Group, named, read_group
from ledger.recorder.members import Seat
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.recording import Recorder
from ledger.recorder.views.season import members_in, terms_of
from ledger.recorder.views.settle_up import Offer, standing_offers
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


def debts(recorder: Recorder, group: str, night: str) -> list[Debt]:
    """The debts between players of a night from earlier nights of its group, the oldest first.

    Nights with another stake are left out, and so are debts of or to people who are not in this night. Problem (not
    found) if the night is not in the group.
    """
    with recorder.store.reading() as reader:
        return list(_debts(reader, read_group(reader, group), night))


def carry(recorder: Recorder, link: GroupLink, night: Link) -> int:
    """Carry all `debts` over into the night; returns their number. Repeating it completes an interrupted run.
    Problem (forbidden) unless both links are a keeper's."""
    _require_keeper_of_both(link, night)
    found = debts(recorder, link.group, night.night)
    for debt in found:
        # Record it here first: if the second append fails, it is owed in both nights until `carry` runs again.
        name, there = f"carried {debt.there.id} {night.night}", debt.there
        _record(recorder, night, name, debt.payee, debt.payer, debt.points, carried_from=debt.night)
        keeper = _keeper(recorder, debt.night)
        _record(recorder, keeper, name, there.payer, there.payee, there.points, carried_to=night.night)
    return len(found)


def carry_back(recorder: Recorder, link: GroupLink, night: Link, id: str) -> None:
    """Take back one debt carried into a night, by the id of its event there. Raises the Problem of `carry`, and
    Problem (no such entry) if there is no such debt or it was taken back."""
    _require_keeper_of_both(link, night)
    with recorder.night(night.night) as snapshot:
        carried = snapshot.settle_up().carried
    one = next((one for one in carried if one.id == id and one.owed_here and not one.taken_back), None)
    if one is None:
        raise Problem(ProblemCode.NO_SUCH_ENTRY)
    with recorder.store.reading() as reader:
        group = read_group(reader, link.group)
        people = members_in(reader, group, terms_of(reader, group)[0])
    there = {member: seat.player for seat, member in people.of.items() if seat.night == one.night}
    payer, payee = (there[people.of[Seat(night.night, player)]] for player in (one.payer, one.payee))
    name, keeper = f"back {one.id}", _keeper(recorder, one.night)
    _record(recorder, keeper, name, payee, payer, one.points, carried_from=night.night)
    _record(recorder, night, name, one.payer, one.payee, one.points, carried_to=one.night)


def _debts(reader: Reader, group: Group, night: str) -> Iterator[Debt]:
    if night not in group.nights:
        raise Problem(ProblemCode.NOT_FOUND)
    terms, _ = terms_of(reader, group)
    people = members_in(reader, group, terms)
    here = {people.of[Seat(night, player)]: player for player in named(reader, night)}
    order = list(terms)
    for other in (one for one in order[: order.index(night)] if one in group.nights):
        if terms[other].stake != terms[night].stake:
            continue
        for offer in standing_offers(reader, other):
            payer, payee = (here.get(people.of[Seat(other, player)]) for player in (offer.payer, offer.payee))
            if payer and payee:
                yield Debt(other, terms[other].date, payer, payee, offer.points, offer)


def _require_keeper_of_both(link: GroupLink, night: Link) -> None:
    if not link.keeps or night.role is not Role.KEEPER:
        raise Problem(ProblemCode.FORBIDDEN)


def _keeper(recorder: Recorder, night: str) -> Link:
    """The keeper's link of a night in the group: that keeper has consented by adding the night."""
    with recorder.store.reading() as reader:
        head = reader.night_head(night)
    assert head is not None, "a night of a group"
    return Link(night, Role.KEEPER, None, head.generations[Role.KEEPER, None])


def _record(
    recorder: Recorder, actor: Link, name: str, payer: str, payee: str, points: int, **other: str
) -> None:
    """Record a transfer in a night; repeating it with the same `name` records it once."""
    content = {"payer": payer, "payee": payee, "points": points, **other}
    recorder.record(
        actor.night, EventRequest(str(uuid5(UUID(actor.night), name)), None, "paid", content), actor
    )
