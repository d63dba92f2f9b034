"""The blueprint of the pages, what every template may use, and how a form that was refused is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from flask import (
    Blueprint,
    Response,
    get_template_attribute,
    make_response,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup

from ledger.game.errors import Verdict
from ledger.game.night import Terms
from ledger.recorder import Link, NightSnapshot, Problem
from ledger.recorder.views.night import Board, Frame
from ledger.resources import parts_digest
from ledger.web.observability.logs import note_code
from ledger.web.preferences import phone, speaker
from ledger.web.problems import page_detail
from ledger.web.recorder import recorder

STATIC = f"/static/{parts_digest()}"
"""Where the scripts and styles of this version are: no page ever gets those of another."""

pages = Blueprint("pages", __name__, static_folder="../static", static_url_path=STATIC)


@pages.app_context_processor
def everywhere() -> dict[str, object]:
    """What the frame of every page needs, the error pages' included; `back` is where the page is asked for."""
    return {
        "language": speaker().language,
        "words": speaker(),
        "phone": phone(),
        "back": request.full_path.removesuffix("?") if request.method == "GET" else request.path,
    }


@pages.app_template_global("url_for")
def address(endpoint: str, **values: Any) -> str:
    """Where a page's link leads on this site. Most are those of the page before, and kept: see DECISIONS.md."""
    return _address(request.script_root, endpoint, tuple(values.items()))


@lru_cache(maxsize=128)
def _address(_root: str, endpoint: str, values: tuple[tuple[str, Any], ...]) -> str:
    return url_for(endpoint, **dict(values))


@pages.app_template_global()
def unchanging(part: str) -> Markup:
    """A part of a page that is the same on every one in a language."""
    return _unchanging(speaker().language, part)


@lru_cache(maxsize=16)
def _unchanging(_language: str, part: str) -> Markup:
    return Markup(get_template_attribute("parts/unchanging.html", part)())


@pages.app_template_filter("suit")
def suit_of(card: str) -> str:
    """The letter of a card's suit, by which a page marks it: `d`."""
    return card.rstrip("'")[-1]


@pages.app_template_filter("listed")
def listed(key: Any) -> list[str]:
    """A key of the grid by what a script needs to make it: its card, its text, its name."""
    return [key.card, key.text, key.name]


@pages.app_template_test("red")
def is_red(card: str) -> bool:
    """Whether a card's suit is a red one."""
    return suit_of(card) in "dh"


@pages.app_template_global()
def clock(at: str) -> Markup:
    """When it was recorded, to the second, by the server's clock; a phone with scripts tells it in its own zone."""
    here = _here(at)
    return Markup('<time datetime="{}">{:%H:%M:%S}</time>').format(_exact(here), here)


@pages.app_template_global()
def minute(at: str) -> Markup:
    """When it was recorded, to the minute."""
    here = _here(at)
    return Markup('<time datetime="{}" data-minute>{:%H:%M}</time>').format(_exact(here), here)


@pages.app_template_global()
def moment(at: str, *, today: bool = False) -> Markup:
    """When it was recorded, to the second, and the day: for what may come days after the night. A phone leaves out
    the day that it is there now, unless `today` asks for it, as on what is printed."""
    here = _here(at)
    day = Markup('data-day="today"' if today else "data-day")
    element = Markup('<time datetime="{}" {}>{:%H:%M:%S}, {}</time>')
    return element.format(_exact(here), day, here, speaker().day(here))


@pages.app_template_global()
def on_day(day: str) -> str:
    """A day (`2026-11-26`) as people write it, with its year."""
    return speaker().full_day(date.fromisoformat(day))


def _here(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone()


def _exact(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


def way_back(path: str) -> str:
    """A path of this site to go back to; the first page in place of anything that could lead elsewhere."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain and path.isascii() else url_for("pages.open_table")


@pages.app_template_global()
def worth(board: Frame | Terms, points: int, *, signed: bool = False) -> str:
    """What some points are in money; empty for a night that plays for none."""
    stake = board.stake
    return speaker().money(points, stake.amount, stake.currency, signed=signed) if stake else ""


def for_programs() -> bool:
    """Whether a table is asked for by columns that are the same in every language (`?columns=codes`)."""
    return request.args.get("columns") == "codes"


def board_of(link: Link) -> Board:
    """The board of the night that a link leads to, where nothing else of the night is needed."""
    with recorder().night(link.night) as snapshot:
        return board_in(snapshot, link)


def board_in(night: NightSnapshot, link: Link) -> Board:
    """The board of a snapshot, as whoever comes by a link sees it."""
    return night.board(link, speaker().finding)


@dataclass(frozen=True, slots=True)
class Notice:
    """Why a form was refused, and what to do, on the page that it came from."""

    words: str
    status: int = 422
    code: str = ""
    clause: str | None = None
    may_stand: str = ""
    """The kind of a move that the table may have let stand."""


def refused(problem: Problem, kind: str = "", *fields: str, names: Mapping[str, str] | None = None) -> Notice:
    """A problem in words, for the form that asked for an event of this kind. It is raised again where that form
    cannot put it right. It can where the rules or the state of the night refuse, and where one of the `fields` is
    wrong. Give the `names` of the players where a snapshot of the night is open."""
    if problem.status not in (409, 422) and not set(fields) & set(problem.facts.get("fields", {})):
        raise problem
    note_code(problem.code)
    stands = problem.refusal is not None and problem.refusal.verdict is Verdict.IRREGULAR
    words = page_detail(problem, dict(enumerate(names.values())) if names else None)
    return Notice(words, problem.status, problem.code, problem.clause, kind if stands else "")


def night_page(
    template: str, board: Frame, notice: Notice | None = None, *, status: int = 200, **shown: Any
) -> Response:
    """A page of a night. With a notice it answers a form that was refused, by the status of that."""
    page = render_template(template, board=board, names=board.names, refusal=notice, **shown)
    return make_response(page, notice.status if notice else status)
