"""The players of a night and its links: share links as QR codes, renew them, add and rename players.

A link opens a page with one button, which stores it in the visitor's cookies. Opening the page changes nothing,
since chat apps open every link for a preview.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from flask import Response, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.notation import MOST_PLAYERS
from ledger.recorder import Link, Problem, ProblemCode, Role, Tokens
from ledger.web import forms
from ledger.web.access import NightVisit, link_of_token, remember, remember_renewed, visit_as_keeper
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import render, snapshot
from ledger.web.request_body import read_form, unreadable
from ledger.web.security import hold_secrets

_PICTURED = 8
"""The most players for whom one page shows the QR codes of all seats."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link to be shared."""

    role: Role
    title: str
    """The name of its holder."""
    url: str
    picture: str
    """Its QR code as SVG; empty if it is not shown."""


_LOOK: dict[str, Any] = {"border": 2, "svgclass": None, "lineclass": None, "omitsize": True}


@lru_cache(maxsize=64)
def picture(url: str) -> Markup:
    """The QR code of an address as inline SVG; cached."""
    return Markup(_code(url).svg_inline(**_LOOK))


def picture_file(url: str) -> bytes:
    """The QR code of an address as an SVG file."""
    file = BytesIO()
    _code(url).save(file, kind="svg", **_LOOK)
    return file.getvalue()


def _code(url: str) -> Any:
    import segno  # imported late, as `serve.preload` says

    return segno.make(url, error="l", micro=False)


@pages.get("/n/<night:night>/links")
def links(night: str) -> Response:
    """The links of a night as QR codes, for the keeper to share or print."""
    return _all_links(visit_as_keeper(night))


@pages.post("/n/<night:night>/links")
def join(night: str) -> AnyResponse:
    """Add a player; the next page is that player's link."""
    visit = visit_as_keeper(night)
    fields = read_form()
    try:
        request = forms.event(fields, _button(fields, "join"))
        visit.record(request)
    except Problem as problem:
        return _all_links(visit, refused(problem, "", "name"), fields)
    players = {name: player for player, name in visit.night.names.items()}
    newcomer = players.get(request.content["name"])
    if newcomer is None:  # the form was sent again after the player was renamed
        return redirect(url_for("pages.links", night=night), 303)
    return redirect(url_for("pages.holder", night=night, holder=newcomer), 303)


@pages.get("/n/<night:night>/links/<holder>")
def holder(night: str, holder: str) -> Response:
    """One link, with forms to renew it and to rename its player."""
    return _one_link(visit_as_keeper(night), holder)


@pages.post("/n/<night:night>/links/<holder>")
def change(night: str, holder: str) -> AnyResponse:
    """Rename a player, or renew a link; this phone's cookies get the renewed links that it held."""
    visit = visit_as_keeper(night)
    about = _link_of(night, holder, visit.night.names)
    fields = read_form()
    try:
        kind = _button(fields, "rename", "revoke")
        request = forms.event(fields, kind, role=about.role, player=about.player)
        visit.record(request)
    except Problem as problem:
        return _one_link(visit, holder, refused(problem, "", "name"), fields)
    response = make_response(redirect(url_for("pages.holder", night=night, holder=holder), 303))
    remember_renewed(response, visit.held, visit.night.tokens())
    return response


def _button(fields: forms.Fields, *kinds: str) -> str:
    """The button that was pressed. Raises a Problem if it is none of these."""
    kind = forms.kind_of(fields)
    if kind not in kinds:
        raise unreadable("a button of the form")
    return kind


def _every(night: str, players: Iterable[str]) -> Iterator[Link]:
    """All links of a night: the watchers', each seat's, and the keeper's."""
    yield Link(night, Role.WATCH)
    yield from (Link(night, Role.SEAT, player) for player in players)
    yield Link(night, Role.KEEPER)


def _link_of(night: str, holder: str, players: Iterable[str]) -> Link:
    """The link that an address names: `keeper`, `watch`, or a player's seat. Raises a Problem (404) for others."""
    for about in _every(night, players):
        if holder == (about.player or about.role):
            return about
    raise Problem(ProblemCode.NOT_FOUND)


def _all_links(
    visit: NightVisit, notice: Notice | None = None, fields: forms.Fields = forms.NOTHING
) -> Response:
    board, tokens = visit.board(), visit.night.tokens()
    names = board.names
    # Many QR codes would make a heavy page; each seat's is also on the page of its link.
    few = len(names) <= _PICTURED
    page = night_page(
        "people/links.html",
        board,
        notice,
        place_here="links",
        links={
            about.player or about.role: _invitation(about, names, tokens, pictured=few or not about.player)
            for about in _every(board.id, names)
        },
        id=uuid4(),
        may_join=not board.ended and len(names) < MOST_PLAYERS,
        typed=forms.one(fields, "name"),
    )
    return hold_secrets(page)


def _one_link(
    visit: NightVisit, holder: str, notice: Notice | None = None, fields: forms.Fields = forms.NOTHING
) -> Response:
    board, tokens = visit.board(), visit.night.tokens()
    names = board.names
    page = night_page(
        "people/holder.html",
        board,
        notice,
        place_here="links",
        link=_invitation(_link_of(board.id, holder, names), names, tokens),
        ids=(uuid4(), uuid4()),
        typed=forms.one(fields, "name"),
    )
    return hold_secrets(page)


def _invitation(link: Link, names: dict[str, str], tokens: Tokens, *, pictured: bool = True) -> Invitation:
    """A link with its title and QR code."""
    words = speaker()
    titles = {Role.KEEPER: words.gettext("Keeper"), Role.WATCH: words.gettext("Watchers")}
    url = url_for("pages.land", token=tokens.of(link), _external=True)
    title = names[link.player] if link.player else titles[link.role]
    return Invitation(link.role, title, url, picture(url) if pictured and not only_here() else "")


@pages.app_template_global()
def only_here() -> bool:
    """Whether the request's host is a loopback address, which other phones cannot open."""
    return urlsplit(request.host_url).hostname in ("127.0.0.1", "localhost", "::1")


@pages.get("/t/<token>")
def land(token: str) -> Response:
    """The page of a link: its holder, its night, and the button. Chats preview it for a watchers' link."""
    link = link_of_token(token)
    night = snapshot().night(link.night)
    board, day = night.board(link, say_finding), night.terms.date
    page = render("people/link.html", link=link, board=board, day=day)
    return secret_address(make_response(page))


@pages.post("/t/<token>")
def take(token: str) -> Response:
    """Store the link in a cookie, and go to its night."""
    link = link_of_token(token)
    place = "pages.mine" if link.role is Role.SEAT else "pages.table"
    response = make_response(redirect(url_for(place, night=link.night), 303))
    remember(response, link, token)
    return secret_address(response)


def addresses(tokens: Tokens) -> Tokens:
    """The addresses of tokens; without a host if the request has none."""
    path = f"{request.host_url if request.host else '/'}t/"
    seats = {player: path + token for player, token in tokens.seats.items()}
    return Tokens(path + tokens.keeper, path + tokens.watch, seats)


def secret_address(response: Response) -> Response:
    """An answer whose address is secret: browsers send no referrer, and nothing caches the page."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return hold_secrets(response)
