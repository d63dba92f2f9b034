"""The night under other rules than its own."""

from flask import render_template

from ledger.game.comparison import compare
from ledger.game.rulesets import PRESETS
from ledger.game.side_by_side import report_comparison
from ledger.recorder import Problem, ProblemCode
from ledger.web.access import link_to
from ledger.web.pages.blueprint import board_in, pages
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.server.heavy_work import costly_page


@pages.get("/n/<night:night>/under/<preset>")
@costly_page
def under(night: str, preset: str) -> str:
    """The payments of the night beside those under a preset, and where the two first differ."""
    link = link_to(night)
    if preset not in PRESETS:
        raise Problem(ProblemCode.NOT_FOUND)
    with recorder().night(link.night) as seen:
        board, whole = board_in(seen, link), seen.whole()
    comparison = compare(whole, PRESETS[preset])
    return render_template(
        "under.html",
        place_here="rules",
        board=board,
        names=board.names,
        compared=report_comparison(comparison, speaker().ruling),
        presets=list(PRESETS),
        preset=preset,
    )
