"""The ledger of a night: payments, balances, running totals; recording adjustments and the night's end."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from flask import (
    Response,
    get_template_attribute,
    redirect,
    url_for,
)
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Problem, RoundAccount
from ledger.recorder.views.ledger import PostedBy, RunningTotal
from ledger.recorder.views.night import Frame
from ledger.recorder.views.worth import Unit, Worths
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.charts import Step, line_chart
from ledger.web.pages.ledger.payment import PaymentLine, agreement_words, net_line, posted_lines
from ledger.web.pages.shared.blueprint import Notice, address, night_page, pages, refused, worth
from ledger.web.pages.shared.page_cache import cached_page, parts_by_round
from ledger.web.preferences import speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form


@pages.get("/n/<night:night>/ledger")
@cached_page
def ledger(visit: NightVisit) -> Response:
    """Every payment of the night, and the running totals."""
    return _answer(visit)


@pages.post("/n/<night:night>/ledger")
def record_adjustment(night: str) -> AnyResponse:
    """Record a payment by hand, end the night, or reopen it."""
    visit = visit_as_keeper(night)
    fields = read_form()
    try:
        visit.record(forms.event(fields, forms.kind_of(fields)))
    except Problem as problem:
        notice = refused(problem, "", "points", "reason", "payee")
        return _answer(visit, notice, fields, problem.facts.get("fields"))
    return redirect(url_for("pages.ledger", night=night), 303)


def _answer(
    visit: NightVisit,
    notice: Notice | None = None,
    fields: forms.Fields = forms.NOTHING,
    wrong: dict[str, list[str]] | None = None,
) -> Response:
    night = visit.night
    board, accounts, won = night.frame(visit.link), night.accounts, night.won
    release()
    names, worths = board.names, None if won.unit.is_point else won.worths
    shown = {
        number: (names, one, worths and (worths.of(number, night.head.seq) if number else worths.since))
        for number, one in accounts.items()
        if one.payments or one.disputes
    }
    rounds = parts_by_round(night, "ledger", shown, lambda number: _written(board, accounts[number], worths))
    totals = sorted(chain.from_iterable([round.totals for round in rounds]), key=itemgetter(0))
    sheet = sorted(chain.from_iterable([round.sheet for round in rounds]), reverse=True)
    steps = [step for _, step, _ in totals]
    return night_page(
        "ledger/ledger.html",
        board,
        notice,
        place_here="ledger",
        won=won,
        disputed=any(map(attrgetter("disputed"), rounds)),
        sections=_joined([round.section for round in reversed(rounds) if round.totals]),
        sheet=_joined([row for _, row in sheet]),
        total_lines=_joined([text for _, _, text in totals]),
        signs=not all(map(str.isdecimal, [step.mark for step in steps])),
        chart=line_chart(names, steps),
        wrong=wrong or {},
        typed={name: forms.one(fields, name) for name in ("payer", "payee", "points", "reason")},
    )


def _joined(lines: list[Markup]) -> Markup:
    return Markup("\n".join(lines))


_SIGNS = {"correct": "*", "void": "×"}


def _mark(line: RunningTotal) -> str:
    """The short title of a line of the totals: its round, `3*` a correction, `3×` a void, `±` a payment by hand."""
    if not line.round:
        return "±"
    return f"{line.round}{_SIGNS.get(line.posted_by.kind, '')}"


def chart_step(line: RunningTotal) -> Step:
    """A line of the totals as a step of the chart; corrections and voids are always marked."""
    return Step(_mark(line), line.posted_by.kind in _SIGNS, line.total)


class _Written(NamedTuple):
    """The rendered parts of the page about one round, or about payments by hand."""

    section: Markup
    sheet: Sequence[tuple[int, Markup]]
    """Its rows of the score sheet, each with the seq of the event that first posted it."""
    totals: Sequence[tuple[int, Step, Markup]]
    """Its lines in the running totals, each with the seq of its event, and as a step of the chart."""
    disputed: bool


def _written(board: Frame, round: RoundAccount, worths: Worths | None) -> _Written:
    """The parts of a round; with the worths of its night, if they differ, its money, too."""
    print_section, print_line, print_row = (
        get_template_attribute("ledger/_ledger_round.html", macro)
        for macro in ("section", "total_line", "sheet_row")
    )
    section = print_section(*section_of(board, round, worths))
    totals = [
        (
            line.posted_by.seq,
            chart_step(line),
            print_line(_mark(line), [speaker().plain(line.total[player]) for player in board.names]),
        )
        for line in round.totals
    ]
    sheet = [(seq, print_row(*row)) for seq, row in _sheet_rows(board, round, worths)]
    return _Written(section, sheet, totals, bool(round.disputes))


class SheetRow(NamedTuple):
    """A row of the score sheet: each player's points from a round or a payment by hand."""

    title: str
    """As `_mark` writes it."""
    address: str
    """The address of its explanation."""
    worth: str
    """What a point was worth, in a night whose points were worth different sums."""
    cells: Sequence[tuple[str, str, bool]]
    """For each player the points or a dash, the address of their explanation, and whether nobody won more."""


def _sheet_rows(board: Frame, round: RoundAccount, worths: Worths | None) -> Iterator[tuple[int, SheetRow]]:
    """The row of a settled round, or the rows of payments by hand, each with the seq of its first posting."""
    line = round.line
    if not round.number:
        for total in round.totals:
            paid = [player for player, points in total.net.items() if points]
            cells = _cells(board, total.net, paid, lambda _: "#round-0")
            yield total.posted_by.seq, SheetRow(_mark(total), "#round-0", _point(worths, total), cells)
    elif line and line.net and round.totals:
        where = address("pages.round", night=board.id, number=round.number)
        sat = round.seats if line.void is None else ()
        cells = _cells(board, line.net, sat, lambda player: f"{where}?show={player}")
        last = round.totals[-1]
        title = f"{_mark(last)}{_factor(round)}"
        yield round.totals[0].posted_by.seq, SheetRow(title, where, _point(worths, last), cells)


def _factor(round: RoundAccount) -> str:
    """How many times a round counts, if more than once."""
    return f" ×{round.times}" if round.times > 1 else ""


def _point(worths: Worths | None, line: RunningTotal) -> str:
    """What a point was worth in a line of the totals; empty if all points of the night were worth the same."""
    return worth(Unit(worths.of(line.posted_by.round, line.posted_by.seq)), 1) if worths else ""


def _cells(
    board: Frame, net: Mapping[str, int], players: Collection[str], where: Callable[[str], str]
) -> list[tuple[str, str, bool]]:
    most = max(net.values())
    return [
        (speaker().signed(net[player]), where(player), net[player] == most > 0)
        if player in players
        else ("–", "", False)
        for player in board.names
    ]


class Section(NamedTuple):
    """The payments of one round, or those by hand, ready to be printed."""

    number: int
    address: str
    title: str
    payments: int
    """The number of standing payments."""
    agreed: str
    """How many agree; empty while nobody does."""
    by_result: bool
    void: bool
    entries: list[tuple[PostedBy, list[PaymentLine], str]]
    """The postings, each with its lines: the settling, then each correction. The last also has the net points."""


def section_of(board: Frame, round: RoundAccount, worths: Worths | None = None) -> Section:
    """The section of a round, with its money if the `worths` of its night are given."""
    words, number, line = speaker(), round.number, round.line
    posted = [(by, list(some)) for by, some in groupby(round.payments, key=attrgetter("posted_by"))]
    brought = (line and line.net) or {}
    unit = Unit(worths.of(number, 0)) if worths and number else None
    net = net_line(board.names, {player: points for player, points in brought.items() if points}, unit)
    return Section(
        number,
        address("pages.round", night=board.id, number=number) if number else "",
        words.gettext("Round %(number)s") % {"number": number} + _factor(round)
        if number
        else words.gettext("By hand"),
        sum(not (payment.reverses or payment.reversed_by) for payment in round.payments),
        agreement_words(round.agreed, round.seats) if round.agreed else "",
        bool(line and line.result),
        line is not None and line.void is not None,
        [
            (by, posted_lines(board, some), net if at == len(posted) else "")
            for at, (by, some) in enumerate(posted, start=1)
        ],
    )
