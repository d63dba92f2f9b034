"""The lines of a round's piles, printed once while the round stands."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import current_app
from markupsafe import Markup

from ledger.recorder import NightSnapshot
from ledger.recorder.views.night import Frame
from ledger.recorder.views.payment import RoundExplained
from ledger.recorder.views.round import FindingView
from ledger.web.pages.shared.blueprint import address
from ledger.web.pages.shared.page_cache import parts_by_round
from ledger.web.preferences import different_phones, speaker


def print_piles(
    night: NightSnapshot, board: Frame, page: RoundExplained, at: int | None, *, disputes: bool
) -> list[Markup]:
    """The lines of each pile, with the move `at` marked: those without the mark are kept. With `disputes`, each
    line offers to dispute its move."""
    printer = partial(_printer, board, page, disputes=disputes)
    shown = {page.number: (board.names, page)}
    (kept,) = parts_by_round(
        night,
        "lines",
        shown,
        lambda _: list(map(printer(), page.piles)),
        variant=(board.role, board.ended, disputes),
    )
    return [
        printer()(pile, at) if at in pile.moves else lines
        for pile, lines in zip(page.piles, kept, strict=True)
    ]


def _printer(board: Frame, page: RoundExplained, *, disputes: bool) -> Callable[..., Markup]:
    """The macro that prints a pile."""
    words, where = speaker(), {"night": board.id, "number": page.number}
    mends = not page.posted and page.void is None
    mending = f"{address('pages.mend' if mends else 'pages.correct', **where)}?target="
    offers = (
        [(f"{address('pages.dispute_form', **where)}?move=", words.gettext("dispute"))] if disputes else []
    )
    offers += [(mending, words.gettext("correct"))] if board.role == "keeper" and not board.ended else []
    disputed = {one.move: one for one in page.disputes if one.move}
    findings, paid, unpaid = _findings(page), _paid(page), _unpaid(page)
    move_name = words.gettext("move %(number)s")
    shown = {
        "board": board,
        "names": board.names,
        "round": page,
        "here": address("pages.round", **where),
        "offers": offers,
        "disputed": disputed,
        "findings": findings,
        "paid": paid,
        "unpaid": unpaid,
        "phones": different_phones(row.phone for row in page.lines),
        "move_names": [move_name % {"number": number} for number in range(len(page.moves) + 1)],
        "remarked": {*findings, *paid, *unpaid, *(row.move for row in page.moves if row.address in disputed)},
    }
    current_app.update_template_context(shown)
    module: Any = current_app.jinja_env.get_template("rounds/_pile_lines.html").make_module(shown)
    print_pile: Callable[..., Markup] = module.pile_lines
    return print_pile


def _findings(page: RoundExplained) -> dict[int, list[FindingView]]:
    """The findings by the move that showed them."""
    found: dict[int, list[FindingView]] = {}
    for finding in page.findings:
        found.setdefault(finding.move, []).append(finding)
    return found


def _paid(page: RoundExplained) -> dict[int, list[int]]:
    """Move -> the payments that it caused, by their numbers in the list, from 1."""
    caused: dict[int, list[int]] = {}
    for place, payment in enumerate(page.payments, start=1):
        caused.setdefault(payment.move, []).append(place)
    return caused


def _unpaid(page: RoundExplained) -> dict[int, int]:
    """Move -> the first reason why it was not paid, by its number in the list, from 1."""
    reasons: dict[int, int] = {}
    for place, one in enumerate(page.why_not, start=1):
        if one.move:
            reasons.setdefault(one.move, place)
    return reasons
