"""A group of people who play together: its season, nights, members and links."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, TypeVar

from flask import Response, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import GroupLink, Link, Problem, ProblemCode, Role, SeatRef
from ledger.recorder.exports.tables import season_table
from ledger.recorder.group_snapshot import EarlierNight
from ledger.recorder.operations.carrying import carry, carry_back
from ledger.recorder.views.season import Season, Standing
from ledger.web import forms
from ledger.web.access import (
    NightVisit,
    group_link,
    group_of_token,
    groups_held,
    nights_held,
    remember,
    remember_group,
    visit_as_keeper,
)
from ledger.web.charts import Chart, Step, line_chart, pairs, sparkline
from ledger.web.heavy_work import costly
from ledger.web.pages.people import only_here, picture, secret_address
from ledger.web.pages.shared.blueprint import Notice, for_programs, night_page, pages, refused
from ledger.web.pages.shared.long_lists import ListPart, part_of
from ledger.web.preferences import speaker
from ledger.web.reading import release, render, snapshot
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable, whole_number
from ledger.web.security import hold_secrets

_Item = TypeVar("_Item")

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@pages.get("/groups/<night:group>")
def season(group: str) -> Response:
    """The season of a group, of all days or `from` and `to` some."""
    return _season_page(group_link(group))


@pages.post("/groups/<night:group>")
def change_group(group: str) -> AnyResponse:
    """Change a group as its keeper: rename it, remove a night, join two players as one person, renew its links. Any
    reader of the group can go to one of its nights."""
    link = group_link(group)
    fields = read_form()
    if night := forms.one(fields, "look"):
        return _look_on(link, night)
    try:
        _enter(link, fields)
    except Problem as problem:
        return _season_page(link, _refused(problem, "player"))
    response = make_response(redirect(url_for("pages.season", group=group), 303))
    if forms.kind_of(fields) == "renew":
        now = snapshot().group(group).group
        token = recorder().groups.tokens(now).keeps
        remember_group(response, GroupLink(group, True, now.generation), token)
    return response


def _enter(link: GroupLink, fields: forms.Fields) -> None:
    groups, about = recorder().groups, forms.one(fields, "about")
    release()
    match forms.kind_of(fields):
        case "rename":
            groups.rename(link, forms.one(fields, "name"))
        case "remove":
            groups.remove(link, about)
        case "join":
            player, same = (_seat(link, forms.one(fields, name)) for name in ("player", "same"))
            release()
            groups.join(link, player, same)
        case "part":
            groups.part(link, whole_number(about) or 0)
        case "renew":
            groups.renew(link, whole_number(about) or 0)
        case _:
            raise unreadable("a button of the form")


def _seat(link: GroupLink, typed: str) -> SeatRef:
    """A seat of the group, chosen as its text, or typed as the name of a person."""
    members = snapshot().group(link.group).members
    seat = SeatRef.read(typed)
    return seat if seat in members.own else members.named.get(" ".join(typed.split()), seat)


@pages.get("/groups/<night:group>/season.csv")
def season_file(group: str) -> Response:
    """The season as a table for a spreadsheet: a row for each player of each night."""
    voice = None if for_programs() else speaker()
    return _file(group_link(group), lambda found: season_table(found, voice), "text/csv", ".csv")


@pages.get("/groups/<night:group>/nights.ics")
def season_calendar(group: str) -> Response:
    """The nights of the season as an iCalendar file."""
    from ledger.recorder.exports.icalendar import calendar  # imported late, as `serve.preload` says

    return _file(group_link(group), lambda found: calendar(found, speaker()), "text/calendar", ".ics")


def _file(link: GroupLink, write: Callable[[Season], str], media_type: str, ending: str) -> Response:
    with costly("page"):
        found = snapshot().group(link.group).season(**_span())
        release()
        response = make_response(write(found).encode())
    response.content_type = f"{media_type}; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=f"tienlen-{link.group[:8]}{ending}")
    return response


def _look_on(link: GroupLink, night: str) -> AnyResponse:
    """Give the holder of a group's link the watch link of one of its nights."""
    if night not in snapshot().group(link.group).group.nights:
        raise Problem(ProblemCode.NOT_FOUND)
    response = make_response(redirect(url_for("pages.ledger", night=night), 303))
    if night not in nights_held():
        remember(response, Link(night, Role.WATCH), snapshot().night(night).tokens().watch)
    return response


_AT_ONCE: Final = 20
"""So many of a list are on one page."""
_IN_ADDRESS: Final = ("from", "to", "people", "pairs", "late", "owed", "nights", "entries")
"""The parameters of a season's address: days, and which part of each list is shown."""
_MOST_CHOSEN: Final = 60
"""Of so many people at most, two are chosen from lists; otherwise their names are typed."""


def _season_page(link: GroupLink, notice: Notice | None = None) -> Response:
    with costly("page"):
        found = snapshot().group(link.group).season(**_span())
    held = nights_held()
    release()
    addresses = {}
    if link.keeps:
        tokens = recorder().groups.tokens(found.group)
        addresses = {
            role: (url, picture(url) if not only_here() else "")
            for role, token in (("watch", tokens.reads), ("keeper", tokens.keeps))
            for url in [url_for("pages.land_group", token=token, _external=True)]
        }
    people = _shown(_ranked(found.standings), "people")
    against = _shown(found.pairs, "pairs")
    late = [night for night in reversed(found.nights) if night.due.differences]
    page = render(
        "seasons/season.html",
        season=found,
        group=found.group,
        link=link,
        span=_span(),
        names=found.members.names,
        people=people,
        course=_course(found, [one for one, _ in people.items]),
        against=against,
        against_cells=pairs(
            {(one.winner, one.loser): one.points for one in against.items},
            most=found.pairs[0].points if found.pairs else 0,
        ),
        open=_shown([night for night in reversed(found.nights) if night.due.transfers], "owed"),
        late=_shown(late, "late"),
        nights=_shown(found.nights[::-1], "nights"),
        held=held,
        entries=_shown(found.group.entries[::-1], "entries"),
        called=lambda seat: found.members.own.get(SeatRef.read(seat), "–"),
        choices=_choices(found),
        links=addresses,
        refusal=notice,
    )
    response = make_response(page, notice.status if notice else 200)
    return hold_secrets(response) if link.keeps else response


def _shown(whole: Sequence[_Item], name: str) -> ListPart[_Item]:
    return part_of(whole, name, _AT_ONCE, _IN_ADDRESS)


def _ranked(standings: Sequence[Standing]) -> list[tuple[Standing, int]]:
    """Members with their ranks, the first first: equal points have the same rank. Guests come last, without one."""
    regulars = [one for one in standings if not one.guest]
    ranked: list[tuple[Standing, int]] = []
    for place, one in enumerate(regulars, start=1):
        same = bool(ranked) and ranked[-1][0].points == one.points
        ranked.append((one, ranked[-1][1] if same else place))
    return ranked + [(one, 0) for one in standings if one.guest]


def _choices(found: Season) -> dict[SeatRef, str]:
    """The people of a group of whom two may be one: whoever came most often first; of many, only the first."""
    names = found.members.names
    often = sorted(found.standings, key=lambda one: -one.nights)[:_MOST_CHOSEN]
    if len(names) <= _MOST_CHOSEN:
        return names
    return {one.member: names[one.member] for one in often}


def _span() -> dict[str, str]:
    """The days `from` and `to` in the address; an invalid day sets no bound."""
    return {"since": _day("from"), "until": _day("to")}


def _day(name: str) -> str:
    text = request.args.get(name, "")
    try:
        return date.fromisoformat(text).isoformat() if _DAY.fullmatch(text) else ""
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class Course:
    """How a season went: everybody's running total."""

    chart: Chart | None
    lines: dict[SeatRef, str]
    """Each member's own line, all on one scale."""
    zero: str
    """The line of 0 on that scale."""


_MOST_STEPS: Final = 40
"""Nights that a line has a corner for."""


def _course(found: Season, people: Sequence[Standing]) -> Course:
    """The course of some members: after each night, or after as many of them, at equal distances."""
    run = dict.fromkeys([one.member for one in people], 0)
    runs: list[dict[SeatRef, int]] = []
    for night in found.nights:
        run = run | {member: run[member] + points for member, points in night.net.items() if member in run}
        runs.append(run)
    last, most = len(runs) - 1, min(len(runs), _MOST_STEPS)
    chosen = [last * step // (most - 1) for step in range(most)] if most > 1 else range(most)
    steps = [
        Step(
            str(found.nights[place].number),
            always_marked=False,
            total={str(one): points for one, points in runs[place].items()},
        )
        for place in chosen
    ]
    reached = {points for place in chosen for points in runs[place].values()} | {0}
    lines = {member: sparkline([runs[place][member] for place in chosen], reached) for member in run}
    chart = line_chart({str(one.member): one.name for one in people}, steps)
    return Course(chart, lines, sparkline([0], reached))


def _refused(problem: Problem, *fields: str) -> Notice:
    """The notice of a group's refused form. A problem that the form cannot fix is raised again."""
    notice = refused(problem, "", "name", *fields)
    if "name" in problem.facts.get("fields", {}):
        return replace(notice, words=speaker().gettext("A name of 1 to 40 letters, please."))
    return notice


# On the pages of a night


@pages.get("/n/<night:night>/group")
def group_of_night(night: str) -> Response:
    """The page where a night's keeper starts a group with it, or adds it to one."""
    return _group_of_night(visit_as_keeper(night))


@pages.post("/n/<night:night>/group")
def add_to_group(night: str) -> AnyResponse:
    """Start a group with a night, or add the night to a group whose keeper's link this phone has."""
    visit = visit_as_keeper(night)
    fields = read_form()
    groups = recorder().groups
    try:
        if group := forms.one(fields, "group"):
            kept = group_link(group)
            release()
            groups.add(kept, visit.link)
            return redirect(url_for("pages.season", group=group), 303)
        release()
        made = groups.open(visit.link, forms.one(fields, "id"), forms.one(fields, "name"))
    except Problem as problem:
        return _group_of_night(visit, _refused(problem), forms.one(fields, "name"))
    response = make_response(redirect(url_for("pages.season", group=made.id), 303))
    remember_group(response, GroupLink(made.id, True, made.generation), groups.tokens(made).keeps)
    return response


@pages.post("/n/<night:night>/carried")
def carried_over(night: str) -> AnyResponse:
    """Carry debts from earlier nights of a group over into this night's settle-up, or take one back."""
    link = visit_as_keeper(night).link
    fields = read_form()
    group = group_link(forms.one(fields, "group"))
    release()
    if entry := forms.one(fields, "entry"):
        carry_back(recorder(), group, link, entry)
    else:
        with costly("page"):
            carry(recorder(), group, link)
    return redirect(url_for("pages.settle_up", night=night), 303)


@dataclass(frozen=True, slots=True)
class GroupOfNight:
    """A group that has a night, with what the keeper of both can carry over into the night."""

    id: str
    name: str
    ever: list[str]
    """Every night that it ever had."""
    earlier: list[EarlierNight]
    """What is still owed in earlier nights; empty for who does not keep both."""


def groups_with(visit: NightVisit) -> list[GroupOfNight]:
    """The groups of this phone's links that have a night."""
    links, found = groups_held(), dict[str, GroupOfNight]()
    if not links:
        return []
    groups, night = snapshot().groups(held.group for held in links), visit.link.night
    for held in links:
        group = groups[held.group]
        if night in group.nights and group.id not in found:
            keeps = held.keeps and visit.link.role is Role.KEEPER
            owed = snapshot().group(group.id).earlier_nights(night) if keeps else []
            found[group.id] = GroupOfNight(group.id, group.name, group.ever, owed)
    return list(found.values())


def _group_of_night(visit: NightVisit, notice: Notice | None = None, typed: str = "") -> Response:
    groups = snapshot().groups(one.group for one in groups_held() if one.keeps)
    board = visit.board()
    return night_page(
        "seasons/group_of_night.html", board, notice, place_here="links", groups=groups.values(), typed=typed
    )


# The address that is shared


@pages.get("/t/g/<token>")
def land_group(token: str) -> Response:
    """The page of a group's link: its holder, and the button."""
    link = group_of_token(token)
    group = snapshot().group(link.group).group
    return secret_address(make_response(render("seasons/group_link.html", link=link, group=group)))


@pages.post("/t/g/<token>")
def take_group(token: str) -> Response:
    """Store the link in a cookie, and go to the group."""
    link = group_of_token(token)
    response = make_response(redirect(url_for("pages.season", group=link.group), 303))
    remember_group(response, link, token)
    return secret_address(response)
