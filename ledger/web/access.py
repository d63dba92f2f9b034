"""Access control by the links that a request carries, as a bearer token or in cookies.

A cookie holds the token of one link, for one night and one holder (`keeper`, `watch`, `p2`), so that one phone can
hold several. A group's link has a cookie of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NoReturn

from flask import Response, request

from ledger.recorder import (
    KINDS,
    EventRequest,
    GroupLink,
    Link,
    NightSnapshot,
    Problem,
    ProblemCode,
    Recorded,
    Role,
    Tokens,
)
from ledger.recorder.views.night import Board
from ledger.web import cookies
from ledger.web.logs import note_role
from ledger.web.preferences import say_finding, tag_phone
from ledger.web.reading import last_reading, snapshot
from ledger.web.recorder import recorder
from ledger.web.security import spend

COOKIE_SECONDS = 180 * 24 * 3600
MOST_COOKIES = 24
"""Keeps the `Cookie` header below what servers accept. A new cookie drops the oldest, watchers' links first."""

MOST_GROUPS = 8
"""The most group links that one phone keeps; a new one drops the oldest."""

_STRONGEST_FIRST = (Role.KEEPER, Role.SEAT, Role.WATCH)


@dataclass(frozen=True, slots=True)
class NightVisit:
    """A request's visit to a night: the links that it carries, and what they open."""

    link: Link
    """The link that the request acts by: the bearer token, else the strongest link of the cookies."""
    held: Sequence[Link]
    """The links of the cookies, the strongest first."""

    @property
    def night(self) -> NightSnapshot:
        """The night in the snapshot of this request, which is a later one after `release`."""
        return snapshot().night(self.link.night)

    @property
    def seats(self) -> list[str]:
        """The players whose seats the cookies open."""
        return [link.player for link in self.held if link.player is not None]

    def board(self) -> Board:
        """The board of the night, as the holder of the link sees it."""
        return self.night.board(self.link, say_finding)

    def etag(self, language: str) -> str:
        """The ETag of the board: a digest of head, names, role, player and language."""
        night, link = self.night, self.link
        shown = (night.head.hash.hex(), sorted(night.names.items()), link.role, link.player, language)
        return sha256(repr(shown).encode()).hexdigest()[:32]

    def seat(self, player: str) -> Link:
        """The link to one player's seat that the request carries; Problem (403) if there is none."""
        own = next((link for link in (self.link, *self.held) if link.player == player), None)
        if own is None:
            raise Problem(ProblemCode.FORBIDDEN, player=player)
        note_role(own.role)
        return own

    def link_for(self, kind: str) -> Link:
        """The link by which to record an event of this kind: a seat's link from the cookies if only a seat may
        record it, else the one that the request acts by."""
        if KINDS[kind].recorded_by is not Role.SEAT or self.link.role is Role.SEAT or _bearer() is not None:
            return self.link
        link = next((link for link in self.held if link.role is Role.SEAT), self.link)
        note_role(link.role)
        return link

    def record(self, *requests: EventRequest, link: Link | None = None) -> list[Recorded]:
        """Record events in order, all of them or none, by the link that the request acts by or by another one. They
        are first judged on the request's snapshot, which is released before they are written."""
        return recorder().record_all(self.link.night, requests, link or self.link, last_reading)


def visit_night(night: str) -> NightVisit:
    """Visit a night. Raises a Problem: 401 without a link to it, 404 for a bearer token that does not open it."""
    token, sent = _bearer(), _sent(_prefix() + night) if request.cookies else {}
    held = sorted([link for _, link in _valid(sent)], key=_strength) if sent else []
    if token is not None:
        acting = snapshot().read_tokens([token]).get(token)
        if acting is None or acting.night != night:
            _refuse_token()
    elif held:
        acting = held[0]
    else:
        if sent:
            spend("wrong-token")
        raise Problem(ProblemCode.UNAUTHORIZED)
    note_role(acting.role)
    return NightVisit(acting, held)


def visit_as_keeper(night: str) -> NightVisit:
    """Visit a night as its keeper. Raises a Problem like `visit_night`, and 403 if the request acts by another
    link."""
    visit = visit_night(night)
    if visit.link.role is not Role.KEEPER:
        raise Problem(ProblemCode.FORBIDDEN)
    return visit


def link_of_token(token: str) -> Link:
    """The link that the token of `/t/TOKEN` opens. Raises a Problem with status 404 for an unknown token."""
    link = snapshot().read_tokens([token]).get(token) or _refuse_token()
    note_role(link.role)
    return link


def nights_held() -> dict[str, Link]:
    """The nights that the cookies open, the newest cookie first, each with the strongest of its links."""
    found: dict[str, Link] = {}
    for _, link in reversed(_valid(_sent(_prefix()))):
        found[link.night] = min(found.get(link.night, link), link, key=_strength)
    return found


def remember(response: Response, link: Link, token: str) -> None:
    """Store the token of a link in a cookie, and tag the phone."""
    held = sorted(_valid(_sent(_prefix())), key=lambda one: one[1].role is not Role.WATCH)
    _store_token(response, _cookie_name(link), token, (name for name, _ in held), MOST_COOKIES)
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
    return snapshot().read_group_tokens([token]).get(token) or _refuse_token()


def groups_held() -> list[GroupLink]:
    """The links to groups in the cookies, keepers' links first."""
    sent = _sent(_prefix("group"))
    opened = snapshot().read_group_tokens(sent.values()) if sent else {}
    links = [
        link for name, token in sent.items() if (link := opened.get(token)) and name == _group_cookie(link)
    ]
    return sorted(links, key=lambda link: not link.keeps)


def remember_group(response: Response, link: GroupLink, token: str) -> None:
    """Store the token of a group's link in a cookie."""
    _store_token(response, _group_cookie(link), token, _sent(_prefix("group")), MOST_GROUPS)


def _store_token(response: Response, name: str, token: str, held: Iterable[str], most: int) -> None:
    """Store a token in a cookie. Beyond `most` cookies the first of `held` are dropped."""
    others = [other for other in held if other != name]
    for outgrown in others[: max(0, len(others) + 1 - most)]:
        cookies.drop(response, outgrown)
    cookies.put(response, name, token, COOKIE_SECONDS)


def remember_renewed(response: Response, held: Iterable[Link], tokens: Tokens) -> None:
    """Replace the tokens of `held` links by the renewed ones, so that the visitor who renews them keeps access."""
    for link in held:
        remember(response, link, tokens.of(link))


def _strength(link: Link) -> int:
    return _STRONGEST_FIRST.index(link.role)


def _valid(sent: Mapping[str, str]) -> list[tuple[str, Link]]:
    """The names of those cookies of nights that are valid, each with its link."""
    links = snapshot().read_tokens(sent.values()) if sent else {}
    return [
        (name, link)
        for name, token in sent.items()
        if (link := links.get(token)) and name == _cookie_name(link)
    ]


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
