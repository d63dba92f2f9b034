"""The nights of a phone's links on the first page: as a list, and the last one, to open the same again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from ledger.recorder import EntryUnreadable, Link, NightSnapshot, Role
from ledger.recorder.agreements import AgreedTerms
from ledger.recorder.groups import Group
from ledger.recorder.terms import Opening
from ledger.recorder.views.night import view_stake
from ledger.recorder.views.nights import NightOutline
from ledger.web import forms
from ledger.web.access import groups_held, nights_held, visit_night
from ledger.web.pages.help.newcomers import is_example
from ledger.web.preferences import speaker
from ledger.web.reading import snapshot
from ledger.web.terms_line import line_of_terms, money_typed, rules_of_terms

LONGEST = timedelta(hours=18)
"""How long after its opening a night is taken to be running, if nobody has ended it."""


@dataclass(frozen=True, slots=True)
class HeldNight:
    """A night of a visitor's links."""

    id: str
    names: str
    """The players' names; the id of the night if its log cannot be read."""
    rounds: int
    ended: bool
    date: str = ""
    leads: str = ""
    """The player who has won most, with the points."""
    opened: str = ""
    """When it was opened."""
    of_day: int = 0
    """Its number among nights of the same names on its day; 0 if it is the only one."""
    terms: str = ""
    """Its rules and its money, as it was opened; of the last night, as it agreed last."""
    changed: bool = False
    """Whether it agreed on others since it was opened."""
    is_keepers: bool = False
    """Whether the visitor holds the keeper's link."""

    @property
    def is_running(self) -> bool:
        """Whether it is likely to be still played, by its age."""
        if self.ended or not self.rounds:
            return False
        return timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(self.opened) < LONGEST


def held_nights() -> list[HeldNight]:
    """The nights of this visitor's links, the last one first."""
    links = {night: link for night, link in nights_held().items() if not is_example(night)}
    if not links:
        return []
    outlines = snapshot().nights(links).outlines()
    # The own page of a night that cannot be read reports what is wrong.
    nights = [
        HeldNight(night, night, 0, ended=False) if outline is None else _night(links[night], outline)
        for night, outline in ((night, outlines[night]) for night in links if night in outlines)
    ]
    alike: dict[tuple[str, str], list[str]] = {}
    for held in sorted(nights, key=lambda one: one.opened):
        alike.setdefault((held.names, held.date), []).append(held.id)
    same = {held.id: alike[held.names, held.date] for held in nights}
    return [
        replace(one, of_day=same[one.id].index(one.id) + 1) if same[one.id][1:] else one for one in nights
    ]


def _night(link: Link, outline: NightOutline) -> HeldNight:
    words, opening, net = speaker(), outline.opening, outline.net
    most = max(net, key=lambda player: net[player])
    points = net[most]
    return HeldNight(
        link.night,
        words.all_of(outline.names.values()),
        outline.rounds,
        ended=outline.ended,
        date=words.day(datetime.fromisoformat(opening.terms.date)),
        leads=f"{outline.names[most]} {words.signed(points)}" if points else "",
        opened=outline.opened,
        terms=line_of_terms(opening),
        changed=outline.changed,
        is_keepers=link.role is Role.KEEPER,
    )


def last_of(nights: Sequence[HeldNight]) -> HeldNight | None:
    """The night to open the same again, with the terms that it agreed on last: the last that this phone keeps, else
    the last that it has a link to."""
    readable = [night for night in nights if night.terms]
    last = next((night for night in readable if night.is_keepers), readable[0] if readable else None)
    if last is None or not last.changed:
        return last
    return replace(last, terms=line_of_terms(_agreed_last(snapshot().night(last.id))))


def _agreed_last(night: NightSnapshot) -> Opening | AgreedTerms:
    """The terms that a night agreed on last; those of its opening, if its log cannot be read."""
    try:
        return night.state.agreed
    except EntryUnreadable:
        return night.opening


def the_same_again(night: str) -> forms.Fields:
    """The fields of the form that open a night like another of this visitor's: its players, rules, money and group.
    Raises a Problem as `visit_night` does."""
    found = visit_night(night).night
    agreed, group = _agreed_last(found), group_kept_here(night)
    rules = rules_of_terms(agreed)
    amount, currency = money_typed(view_stake(agreed.terms.stake))
    return {
        "players": [*found.names.values()],
        "ruleset": [rules.ruleset],
        "rule": rules.rules,
        "amount": [amount],
        "currency": [currency],
        "group": [group.id if group else ""],
    }


def group_kept_here(night: str) -> Group | None:
    """A group of a night that this visitor keeps, if there is one."""
    kept = {link.group for link in groups_held() if link.keeps}
    return next((group for group in snapshot().groups_of(night) if group.id in kept), None) if kept else None
