"""Access control by the links that a request carries, as a bearer token or in cookies.

A cookie holds the token of one link, for one night and one holder (`keeper`, `watch`, `p2`), so that one phone can
hold several. A group's link has a cookie of its own.
"""

from collections.abc import Iterable, Iterator
from typing import NoReturn

from flask import Response, request

from ledger.recorder import KINDS, GroupLink, Link, Problem, ProblemCode, Role, Tokens, Visit
from ledger.web import cookies
from ledger.web.logs import note_role
from ledger.web.preferences import tag_phone
from ledger.web.recorder import recorder
from ledger.web.security import spend

COOKIE_SECONDS = 180 * 24 * 3600
MOST_COOKIES = 24
"""Keeps the `Cookie` header below what servers accept. A new cookie drops the oldest, watchers' links first."""

MOST_GROUPS = 8
"""The most group links that one phone keeps; a new one drops the oldest."""

_STRONGEST_FIRST = (Role.KEEPER, Role.SEAT, Role.WATCH)


def link_to(night: str) -> Link:
    """The link that this request acts by in a night. Raises a Problem as `visits_to` does."""
    return visit_to(night).link


def visit_to(night: str) -> Visit:
    """The visit to a night by the link that this request acts by. Raises a Problem as `visits_to` does."""
    return next(visits_to(night))


def visits_to(night: str) -> Iterator[Visit]:
    """One visit for each link to a night that this request carries: the bearer token's, then the strongest first.

    Never empty. Raises a Problem: 401 without such a link, 404 for a bearer token that does not open the night.
    """
    visits = _visits(night)
    if first := next(visits, None):
        yield _used(first)
        yield from visits
        return
    if _bearer() is not None:
        _refuse_token()
    if _sent(_prefix() + night):
        spend("wrong-token")
    raise Problem(ProblemCode.UNAUTHORIZED)


def recording_link(kind: str, link: Link) -> Link:
    """The link by which to record an event of this kind: a seat's link from the cookies if only a seat may record
    it, else `link`."""
    if KINDS[kind].recorded_by is not Role.SEAT or link.role is Role.SEAT or _bearer() is not None:
        return link
    link = next((one for one in links_held(link.night) if one.role is Role.SEAT), link)
    note_role(link.role)
    return link


def seat_link(night: str, player: str) -> Link:
    """The link to one player's seat that this request carries. Raises a Problem as `visits_to` does, and 403."""
    link = link_to(night)
    own = next((one for one in [link, *links_held(night)] if one.player == player), None)
    if own is None:
        raise Problem(ProblemCode.FORBIDDEN, player=player)
    note_role(own.role)
    return own


def seats_held(night: str) -> list[str]:
    """The players whose seats the cookies open."""
    return [link.player for link in links_held(night) if link.player is not None]


def keeper_link(night: str) -> Link:
    """The keeper's link to a night. Raises a Problem like `visits_to`, and 403 if this request acts by another."""
    link = link_to(night)
    if link.role is not Role.KEEPER:
        raise Problem(ProblemCode.FORBIDDEN)
    return link


def link_of_token(token: str) -> Link:
    """The link that the token of `/t/TOKEN` opens. Raises a Problem with status 404 for an unknown token."""
    visit = recorder().read_tokens([token]).get(token)
    return _used(visit).link if visit is not None else _refuse_token()


def links_held(night: str) -> list[Link]:
    """The links to a night in the cookies, the strongest first."""
    return [visit.link for visit in _held(night)]


def nights_held() -> dict[str, Link]:
    """The nights that the cookies open, the newest cookie first, each with the strongest of its links."""
    found: dict[str, Link] = {}
    for _, visit in reversed(list(_cookies())):
        link = visit.link
        found[link.night] = min(found.get(link.night, link), link, key=_strength)
    return found


def remember(response: Response, link: Link, token: str) -> None:
    """Store the token of a link in a cookie, and tag the phone."""
    held = sorted(_cookies(), key=lambda one: one[1].link.role is not Role.WATCH)
    _keep(response, _cookie_name(link), token, (name for name, _ in held), MOST_COOKIES)
    tag_phone(response)


def group_link(group: str) -> GroupLink:
    """The link to a group in the cookies, the keeper's if there is one. Raises a Problem with status 401 without
    one."""
    if link := next((one for one in groups_held() if one.group == group), None):
        return link
    if _sent(f"{_prefix('group')}{group}-"):
        spend("wrong-token")
    raise Problem(ProblemCode.UNAUTHORIZED)


def group_of_token(token: str) -> GroupLink:
    """The link that the token of `/t/g/TOKEN` opens. Raises a Problem with status 404 for an unknown token."""
    return recorder().groups.opened([token]).get(token) or _refuse_token()


def groups_held() -> list[GroupLink]:
    """The links to groups in the cookies, keepers' links first."""
    sent = _sent(_prefix("group"))
    opened = recorder().groups.opened(sent.values()) if sent else {}
    links = [
        link for name, token in sent.items() if (link := opened.get(token)) and name == _group_cookie(link)
    ]
    return sorted(links, key=lambda link: not link.keeps)


def remember_group(response: Response, link: GroupLink, token: str) -> None:
    """Store the token of a group's link in a cookie."""
    _keep(response, _group_cookie(link), token, _sent(_prefix("group")), MOST_GROUPS)


def _keep(response: Response, name: str, token: str, held: Iterable[str], most: int) -> None:
    """Store a token in a cookie. Beyond `most` cookies the first of `held` are dropped."""
    others = [other for other in held if other != name]
    for outgrown in others[: max(0, len(others) + 1 - most)]:
        cookies.drop(response, outgrown)
    cookies.keep(response, name, token, COOKIE_SECONDS)


def keep_renewed(response: Response, held: Iterable[Link], tokens: Tokens) -> None:
    """Replace the tokens of `held` links by the renewed ones, so that the visitor who renews them keeps access."""
    for link in held:
        remember(response, link, tokens.of(link))


def _visits(night: str) -> Iterator[Visit]:
    """The visits to a night by the bearer token, then by cookies; none if the bearer token does not open it."""
    if (token := _bearer()) is not None:
        visit = recorder().read_tokens([token]).get(token)
        if visit is None or visit.link.night != night:
            return
        yield visit
    yield from _held(night)


def _held(night: str) -> list[Visit]:
    """The visits to a night that the cookies open, the strongest link first."""
    found = [visit for _, visit in _cookies(night)]
    return sorted(found, key=lambda visit: _strength(visit.link))


def _strength(link: Link) -> int:
    return _STRONGEST_FIRST.index(link.role)


def _cookies(night: str = "") -> Iterator[tuple[str, Visit]]:
    """The names of the valid cookies of one night or all, each with the visit that it opens; the oldest first."""
    sent = _sent(_prefix() + night)
    visits = recorder().read_tokens(sent.values())
    for name, token in sent.items():
        visit = visits.get(token)
        if visit is not None and name == _cookie_name(visit.link):
            yield name, visit


def _sent(prefix: str) -> dict[str, str]:
    """The cookies whose names begin with `prefix`, valid or not."""
    return {name: token for name, token in request.cookies.items() if name.startswith(prefix)}


def _prefix(kind: str = "") -> str:
    """The prefix of cookie names, of nights or of a `group`. Over HTTPS it is `__Host-`, which browsers accept only
    from this very host."""
    return f"{'__Host-' if request.is_secure else ''}tienlen{kind}-"


def _cookie_name(link: Link) -> str:
    return f"{_prefix()}{link.night}-{link.player or link.role}"


def _group_cookie(link: GroupLink) -> str:
    return f"{_prefix('group')}{link.group}-{'keeper' if link.keeps else 'watch'}"


def _used(visit: Visit) -> Visit:
    """The visit unchanged, after noting its role for the server's log."""
    note_role(visit.link.role)
    return visit


def _bearer() -> str | None:
    """The token of an `Authorization: Bearer` header, or None. Raises a Problem (401) for another scheme."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem(ProblemCode.UNAUTHORIZED)
    return token.strip()


def _refuse_token() -> NoReturn:
    spend("wrong-token")
    raise Problem(ProblemCode.NOT_FOUND)
