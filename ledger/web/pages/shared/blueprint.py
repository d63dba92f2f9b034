"""The blueprint of the pages, the globals of their templates, and the answer to a refused form."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache, partial
from typing import Any, Protocol

from flask import (
    Blueprint,
    Response,
    get_template_attribute,
    make_response,
    request,
    url_for,
)
from markupsafe import Markup, escape

from ledger.game.cards import Card
from ledger.game.errors import Verdict
from ledger.game.round import MOST_TIMES
from ledger.game.terms import Stake
from ledger.language import Speaker
from ledger.language.voice import face
from ledger.recorder import Problem
from ledger.recorder.events.moves import Instead
from ledger.recorder.views.night import Frame, StakeInUse
from ledger.recorder.views.worth import Unit
from ledger.resources import parts_digest
from ledger.web.chats import chat_app, own_browser
from ledger.web.logs import note_code
from ledger.web.preferences import phone, speaker
from ledger.web.problems import page_detail
from ledger.web.reading import render

STATIC = f"/static/{parts_digest()}"
"""The path of scripts and styles. It has their digest, so that no page gets those of another version."""

pages = Blueprint("pages", __name__, static_folder="../../static", static_url_path=STATIC)


@pages.app_context_processor
def everywhere() -> dict[str, object]:
    """The variables of every page's frame, also of error pages; `back` is the page's own path."""
    words, root = speaker(), request.script_root
    return {
        "language": words.language,
        "words": words,
        "cards": partial(cards, words),
        "drawn": partial(drawn, words),
        "phone": phone(),
        "url_for": partial(_address, root),  # faster than `address`
        "unchanging": partial(_unchanging, words.language, root),
        "back": request.full_path.removesuffix("?") if request.method == "GET" else request.path,
    }


pages.add_app_template_global(chat_app)
pages.add_app_template_global(own_browser)


@pages.app_template_global("url_for")
def address(endpoint: str, **values: Any) -> str:
    """The address of a view. Cached, since pages repeat most of theirs: see DECISIONS.md."""
    return _address(request.script_root, endpoint, **values)


@lru_cache(maxsize=512)
def _address(_root: str, endpoint: str, **values: Any) -> str:
    return url_for(endpoint, **values)


@lru_cache(maxsize=32)
def _unchanging(_language: str, _root: str, part: str) -> Markup:
    """A part that is the same on every page in a language; rendered once."""
    return Markup(get_template_attribute("shared/_unchanging.html", part)())


@pages.app_template_filter("suit")
def suit_of(card: str) -> str:
    """The letter of a card's suit, for its style: `d`."""
    return card.rstrip("'")[-1]


def cards(words: Speaker, texts: Iterable[str]) -> Markup:
    """Cards in a line; screen readers read their names."""
    return _cards(words, tuple(texts))


@lru_cache(maxsize=512)
def _cards(words: Speaker, texts: tuple[str, ...]) -> Markup:
    shown = Markup().join(map(_card, texts))
    return Markup('<span class="cards" role="img" aria-label="{}">{}</span>').format(
        words.card_names(texts), shown
    )


@lru_cache(maxsize=128)
def _card(card: str) -> Markup:
    return Markup('<span class="suit-{}">{}</span>').format(suit_of(card), face(Card.read(card)))


def drawn(words: Speaker, texts: Iterable[str]) -> Markup:
    """Cards in a row, drawn by pictures.css; screen readers read their names."""
    return _drawn(words, tuple(texts))


@lru_cache(maxsize=512)
def _drawn(words: Speaker, texts: tuple[str, ...]) -> Markup:
    fan = " fan" if len(texts) > 6 else ""
    shown = Markup().join(
        Markup('<span class="card suit-{}"><b>{}</b>{}</span>').format(
            suit_of(card), words.corner(card), words.glyph(card)
        )
        for card in texts
    )
    return Markup('<span class="hand{}" role="img" aria-label="{}">{}</span>').format(
        fan, words.card_names(texts), shown
    )


@pages.app_template_global()
@lru_cache
def options_of_factors(least: int, chosen: str) -> Markup:
    """The options of a round's factor, from the least on; the chosen one is selected."""
    return Markup().join(
        Markup('<option value="{0}"{1}>×{0}</option>').format(
            times, Markup(" selected") if str(times) == chosen else ""
        )
        for times in range(least, MOST_TIMES + 1)
    )


@pages.app_template_filter("listed")
def listed(key: Any) -> list[str]:
    """A key of the grid as a script needs it: its card, text and name."""
    return [key.card, key.text, key.name]


@pages.app_template_test("red")
def is_red(card: str) -> bool:
    """Whether a card's suit is a red one."""
    return suit_of(card) in "dh"


@pages.app_template_global()
def clock(at: str) -> Markup:
    """A recorded time, to the second, in the server's zone; scripts show it in the phone's own."""
    here = _here(at)
    return _time(here, f"{here:%H:%M:%S}")


@pages.app_template_global()
def minute(at: str) -> Markup:
    """A recorded time, to the minute."""
    here = _here(at)
    return _time(here, f"{here:%H:%M}", " data-minute")


@pages.app_template_global()
def moment(at: str, *, today: bool = False) -> Markup:
    """A recorded time, to the second, with its day, for entries that may come days later. Scripts omit the current
    day unless `today` is set, as for print."""
    here = _here(at)
    mark = ' data-day="today"' if today else " data-day"
    return _time(here, f"{here:%H:%M:%S}, {speaker().day(here)}", mark)


@pages.app_template_global()
def on_day(day: str) -> str:
    """A day (`2026-11-26`) as people write it, with its year."""
    return speaker().full_day(date.fromisoformat(day))


def _here(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone()


def _time(at: datetime, shown: str, mark: str = "") -> Markup:
    exact = at.isoformat(timespec="milliseconds")
    return Markup(f'<time datetime="{exact}"{mark}>{escape(shown)}</time>')


def way_back(path: str) -> str:
    """A path of this site to redirect to; the first page in place of one that could lead to another site."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain and path.isascii() else url_for("pages.open_table")


class HasStake(Protocol):
    """What has points that may be worth something."""

    @property
    def stake(self) -> Stake | StakeInUse | None:
        """What one of them is worth."""


@dataclass(frozen=True, slots=True)
class InMoney:
    """Words amounts that are counted in money, as a `Speaker` words points."""

    where: HasStake

    def signed(self, count: int) -> str:
        """An amount with its sign."""
        return worth(self.where, count, signed=True)

    def plain(self, count: int) -> str:
        """An amount."""
        return worth(self.where, count)


@pages.app_template_global()
def counting(unit: Unit) -> Speaker | InMoney:
    """What words amounts that are counted in a unit: points, or else money."""
    return speaker() if unit.is_point else InMoney(unit)


@pages.app_template_global()
def worth(where: HasStake, points: int, *, signed: bool = False) -> str:
    """Points of a night, a round or an account in money; empty if they are worth nothing there."""
    stake = where.stake
    return speaker().money(points, stake.amount, stake.currency, signed=signed) if stake else ""


def for_programs() -> bool:
    """Whether a table is to have the same column names in every language (`?columns=codes`)."""
    return request.args.get("columns") == "codes"


@dataclass(frozen=True, slots=True)
class Notice:
    """The message of a refused form, shown on the form's page."""

    words: str
    status: int = 422
    code: str = ""
    clause: str | None = None
    may_stand: str = ""
    """The kind of a refused move that the table may have accepted; empty if none."""
    instead: Sequence[Instead] = ()
    """By whom a refused play would be legal, the likeliest first."""


def refused(problem: Problem, kind: str = "", *fields: str) -> Notice:
    """The notice of a problem for the form that sent an event of this kind. A problem that the form cannot fix is
    raised again: it can fix a refusal (409, 422) and errors in `fields`."""
    if problem.status not in (409, 422) and not set(fields) & set(problem.facts.get("fields", {})):
        raise problem
    note_code(problem.code)
    stands = problem.refusal is not None and problem.refusal.verdict is Verdict.IRREGULAR
    instead = problem.facts.get("instead", ())
    may_stand = kind if stands else ""
    return Notice(page_detail(problem), problem.status, problem.code, problem.clause, may_stand, instead)


def night_page(
    template: str, board: Frame, notice: Notice | None = None, *, status: int = 200, **shown: Any
) -> Response:
    """A page of a night. With a notice it answers a refused form and has the notice's status."""
    page = render(template, board=board, names=board.names, refusal=notice, **shown)
    return make_response(page, notice.status if notice else status)
