"""The rounds of a night: a searchable list, and one round move by move."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Response, request, url_for

from ledger.game.counting import suspects
from ledger.game.notation import tag
from ledger.game.round import Round
from ledger.game.statistics import Heading
from ledger.recorder.views.payment import RoundExplained
from ledger.recorder.views.round import Position
from ledger.recorder.views.round_page import PileView
from ledger.web.access import NightVisit
from ledger.web.agreed_lines import agreed_lines
from ledger.web.pages.rounds.pile_lines import print_piles
from ledger.web.pages.shared.blueprint import Notice, night_page, pages
from ledger.web.pages.shared.page_cache import cached_page
from ledger.web.pages.table import table_view
from ledger.web.preferences import speaker
from ledger.web.reading import release
from ledger.web.request_body import unreadable, whole_number
from ledger.web.schemas import RoundSearch, load_query

_SEARCH = RoundSearch()
_SUSPECTS = 6
"""The most suspect moves listed if a player does not hold as many cards as recorded."""
_MINUTE = len("2026-01-01T00:00")
"""The length of a time up to its minute."""


@pages.get("/n/<night:night>/rounds")
@cached_page
def rounds(visit: NightVisit) -> Response:
    """All rounds of the night, or those that match the query."""
    asked = load_query(_SEARCH)
    board, night, words = visit.board(), visit.night, speaker()
    found, agreement = night.stories(**asked), night.agreement()
    paid = {*found.headings, asked["heading"]}
    return night_page(
        "rounds/rounds.html",
        board,
        place_here="rounds",
        asked=asked,
        headings={heading: words.capital(words.heading(heading)) for heading in Heading if heading in paid},
        rounds=found.rounds[::-1],
        agreed=[] if any(asked.values()) else agreed_lines(night, words)[::-1],
        agreement=agreement,
    )


@pages.get("/n/<night:night>/rounds/<int:number>")
@cached_page
def round(visit: NightVisit, number: int) -> Response:
    """One round: the position after a move (`?move=`, 0 is the beginning), and all moves."""
    return round_page(visit, number)


def round_page(
    visit: NightVisit, number: int, notice: Notice | None = None, voiding: str | None = None
) -> Response:
    """The page of a round, with the notice of a refused form: agreement, or voiding with its reason."""
    night, board = visit.night, visit.board()
    page = night.why(number, speaker())
    played = night.round(number) if request.args.get("holds") else None
    release()
    at, asks = _move(len(page.steps)), "move" in request.args
    own_seats = [player for player in visit.seats if player in page.seats]
    lines = print_piles(night, board, page, at if asks else None, disputes=bool(own_seats))
    position: Position = page.steps[at - 1] if at else table_view.beginning(page)
    show = request.args.get("show", "")
    times = [row.at for row in page.moves]
    began, ended = min(times, default=""), max(times, default="")
    return night_page(
        "rounds/round.html",
        board,
        notice,
        # Its forms are sent to addresses that have no page.
        back=url_for("pages.round", night=board.id, number=number, move=request.args.get("move")),
        place_here="rounds",
        round=page,
        at=at,
        asks=asks,
        position=position,
        states={player: table_view.state(position, page.seats, player) for player in page.seats},
        piles=[
            (pile, text) for pile, text in zip(page.piles, lines, strict=True) if _shows(page, pile, show)
        ],
        show=show,
        filters=_filters(page, board.names, own_seats, show),
        count=_count(played) if played else None,
        began=began,
        ended="" if ended[:_MINUTE] == began[:_MINUTE] else ended,
        own_seats=own_seats,
        voiding=voiding,
        findings=[finding for finding in page.findings if not finding.move],
    )


@dataclass(frozen=True, slots=True)
class Count:
    """The number of cards that a player holds, the recorded number, and moves that may explain a difference."""

    player: str
    held: int
    recorded: int
    suspects: list[int]


def _count(played: Round) -> Count | None:
    """The count in the address (`?seat=p2&holds=3`); None if it is missing or invalid."""
    seat, held = request.args.get("seat", ""), whole_number(request.args.get("holds", ""), 2)
    seats = {tag(player): player for player in played.header.seats}
    if seat not in seats or held is None:
        return None
    player = seats[seat]
    return Count(seat, held, played.cards_left[player], suspects(played, player, held)[:_SUSPECTS])


def _move(last: int) -> int:
    """The number of the move in the address; the last one if it has none."""
    asked = whole_number(request.args.get("move", str(last)), 4)
    if asked is None:
        raise unreadable("the number of a move")
    return min(asked, last)


def _filters(
    page: RoundExplained, names: Mapping[str, str], own_seats: list[str], show: str
) -> dict[str, str]:
    """The filters of piles: the value of `?show=`, and its label."""
    words = speaker()
    found = {"": words.gettext("All")}
    if any(pile.bombs for pile in page.piles):
        found["points"] = words.gettext("With points")
    if changed := sum(pile.corrected for pile in page.piles):
        found["corrected"] = words.gettext("Corrected %(count)s") % {"count": changed}
    for player in page.seats:
        if player in (*own_seats, show):
            found[player] = words.gettext("Of %(name)s") % {"name": names[player]}
    return found


def _shows(page: RoundExplained, pile: PileView, show: str) -> bool:
    """Whether a filter shows a pile: all, those with points, those with corrections, or those of a player."""
    match show:
        case "points":
            return bool(pile.bombs)
        case "corrected":
            return pile.corrected
        case player if player in page.seats:
            return pile.concerns(player)
    return True
