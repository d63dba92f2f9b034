"""The night as a story: every round in a line, and what is looked for among them."""

from flask import render_template

from ledger.game.statistics import Heading
from ledger.recorder import Link
from ledger.web.pages.blueprint import board_in, pages
from ledger.web.pages.once import written_once
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.schemas import RoundSearch, load_query

_SEARCH = RoundSearch()


@pages.get("/n/<night:night>/rounds")
@written_once()
def rounds(link: Link) -> str:
    """All rounds of the night, or those that the address asks for."""
    asked = load_query(_SEARCH)
    with recorder().night(link.night) as seen:
        board, told, agreement = board_in(seen, link), seen.stories(**asked), seen.agreement()
    words = speaker()
    paid = {*told.headings, asked["heading"]}
    return render_template(
        "rounds.html",
        place_here="rounds",
        board=board,
        names=board.names,
        asked=asked,
        headings={heading: words.capital(words.heading(heading)) for heading in Heading if heading in paid},
        rounds=told.rounds[::-1],
        agreement=agreement,
    )
