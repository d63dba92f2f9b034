"""A group of people who play together: its season, nights, members and links."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import GroupLink, Link, Problem, ProblemCode, Role, Seat
from ledger.recorder.exports.tables import season_table
from ledger.recorder.group_snapshot import EarlierNight
from ledger.recorder.operations.carrying import carry, carry_back, earlier_nights
from ledger.recorder.views.season import Season
from ledger.web import forms
from ledger.web.access import (
    group_link,
    group_of_token,
    groups_held,
    keeper_link,
    nights_held,
    remember,
    remember_group,
)
from ledger.web.charts import Chart, Step, line_chart, pairs, sparkline
from ledger.web.heavy_work import costly
from ledger.web.pages.people import only_here, picture, secret_address
from ledger.web.pages.shared.blueprint import Notice, board_of, for_programs, night_page, pages, refused
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable, whole_number
from ledger.web.security import hold_secrets

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
        groups = recorder().groups
        now = groups.group(group)
        remember_group(response, GroupLink(group, True, now.generation), groups.tokens(now).keeps)
    return response


def _enter(link: GroupLink, fields: forms.Fields) -> None:
    groups, about = recorder().groups, forms.one(fields, "about")
    match forms.kind_of(fields):
        case "rename":
            groups.rename(link, forms.one(fields, "name"))
        case "remove":
            groups.remove(link, about)
        case "join":
            groups.join(link, Seat.read(forms.one(fields, "player")), Seat.read(forms.one(fields, "same")))
        case "part":
            groups.part(link, whole_number(about) or 0)
        case "renew":
            groups.renew(link, whole_number(about) or 0)
        case _:
            raise unreadable("a button of the form")


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
        response = make_response(write(recorder().season(link.group, **_span())).encode())
    response.content_type = f"{media_type}; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=f"tienlen-{link.group[:8]}{ending}")
    return response


def _look_on(link: GroupLink, night: str) -> AnyResponse:
    """Give the holder of a group's link the watch link of one of its nights."""
    if night not in recorder().groups.group(link.group).nights:
        raise Problem(ProblemCode.NOT_FOUND)
    response = make_response(redirect(url_for("pages.ledger", night=night), 303))
    if night not in nights_held():
        with recorder().night(night) as snapshot:
            remember(response, Link(night, Role.WATCH), snapshot.tokens().watch)
    return response


def _season_page(link: GroupLink, notice: Notice | None = None) -> Response:
    with costly("page"):
        found = recorder().season(link.group, **_span())
    addresses = {}
    if link.keeps:
        tokens = recorder().groups.tokens(found.group)
        addresses = {
            role: (url, picture(url) if not only_here() else "")
            for role, token in (("watch", tokens.reads), ("keeper", tokens.keeps))
            for url in [url_for("pages.land_group", token=token, _external=True)]
        }
    page = render_template(
        "seasons/season.html",
        season=found,
        read_seat=Seat.read,
        group=found.group,
        link=link,
        span=_span(),
        names=found.names,
        course=_course(found),
        against=pairs({(one.winner, one.loser): one.points for one in found.pairs}),
        held=nights_held(),
        links=addresses,
        refusal=notice,
    )
    response = make_response(page, notice.status if notice else 200)
    return hold_secrets(response) if link.keeps else response


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
    lines: dict[Seat, str]
    """Each member's own line, all on one scale."""
    zero: str
    """The line of 0 on that scale."""


def _course(found: Season) -> Course:
    runs, steps = {member: [0] for member in found.names}, []
    for night in found.nights:
        for member, run in runs.items():
            run.append(run[-1] + night.net.get(member, 0))
        steps.append(
            Step(str(night.number), always_marked=False, total={str(one): runs[one][-1] for one in runs})
        )
    reached = {*chain.from_iterable(runs.values())}
    lines = {member: sparkline(run[1:], reached) for member, run in runs.items()}
    chart = line_chart({str(member): name for member, name in found.names.items()}, steps)
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
    return _group_of_night(keeper_link(night))


@pages.post("/n/<night:night>/group")
def add_to_group(night: str) -> AnyResponse:
    """Start a group with a night, or add the night to a group whose keeper's link this phone has."""
    link = keeper_link(night)
    fields = read_form()
    groups = recorder().groups
    try:
        if group := forms.one(fields, "group"):
            groups.add(group_link(group), link)
            return redirect(url_for("pages.season", group=group), 303)
        made = groups.open(link, forms.one(fields, "id"), forms.one(fields, "name"))
    except Problem as problem:
        return _group_of_night(link, _refused(problem), forms.one(fields, "name"))
    response = make_response(redirect(url_for("pages.season", group=made.id), 303))
    remember_group(response, GroupLink(made.id, True, made.generation), groups.tokens(made).keeps)
    return response


@pages.post("/n/<night:night>/carried")
def carried_over(night: str) -> AnyResponse:
    """Carry debts from earlier nights of a group over into this night's settle-up, or take one back."""
    link = keeper_link(night)
    fields = read_form()
    group = group_link(forms.one(fields, "group"))
    if entry := forms.one(fields, "entry"):
        carry_back(recorder(), group, link, entry)
    else:
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


def groups_with(link: Link) -> list[GroupOfNight]:
    """The groups of this phone's links that have a night."""
    found = {}
    for held in groups_held():
        group = recorder().groups.group(held.group)
        if link.night in group.nights and held.group not in found:
            keeps = held.keeps and link.role is Role.KEEPER
            owed = earlier_nights(recorder(), held.group, link.night) if keeps else []
            found[held.group] = GroupOfNight(group.id, group.name, group.ever, owed)
    return list(found.values())


def _group_of_night(link: Link, notice: Notice | None = None, typed: str = "") -> Response:
    groups = [recorder().groups.group(one.group) for one in groups_held() if one.keeps]
    board = board_of(link)
    return night_page(
        "seasons/group_of_night.html", board, notice, place_here="links", groups=groups, typed=typed
    )


# The address that is shared


@pages.get("/t/g/<token>")
def land_group(token: str) -> Response:
    """The page of a group's link: its holder, and the button."""
    link = group_of_token(token)
    group = recorder().groups.group(link.group)
    return secret_address(make_response(render_template("seasons/group_link.html", link=link, group=group)))


@pages.post("/t/g/<token>")
def take_group(token: str) -> Response:
    """Store the link in a cookie, and go to the group."""
    link = group_of_token(token)
    response = make_response(redirect(url_for("pages.season", group=link.group), 303))
    remember_group(response, link, token)
    return secret_address(response)
