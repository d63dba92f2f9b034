"""The rules of a night, clause by clause."""

from flask import render_template

from ledger.game.rulesets import PRESETS
from ledger.language import rules_page
from ledger.web.access import link_to
from ledger.web.pages.blueprint import board_of, names_of, pages
from ledger.web.recording import recorder
from ledger.web.speaking import speaker


@pages.get("/n/<night:night>/rules")
def rules(night: str) -> str:
    """What the table agreed on, in words made from the ruleset itself."""
    link = link_to(night)
    board = board_of(link)
    return render_template(
        "rules.html",
        place_here="rules",
        board=board,
        names=names_of(board),
        sections=rules_page(recorder().ruleset(link.night), speaker()),
        presets=[
            preset for preset in PRESETS if preset != board["ruleset"]["id"] or board["ruleset"]["rules"]
        ],
    )
