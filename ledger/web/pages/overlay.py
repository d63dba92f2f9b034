"""The board over the picture of a stream."""

from flask import Response, make_response, render_template

from ledger.recorder import Link
from ledger.web.pages import table_view
from ledger.web.pages.blueprint import board_in, pages
from ledger.web.pages.once import written_once
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder


@pages.get("/n/<night:night>/overlay")
@written_once()
def overlay(link: Link) -> Response:
    """Totals, the pile and the seats in large, on nothing: what a program for streams lays over its picture."""
    with recorder().night(link.night) as seen:
        board = board_in(seen, link)
    words, names, round = speaker(), board.names, board.round
    running = round if round and not round.over else None
    page = render_template(
        "overlay.html",
        board=board,
        round=round,
        names=names,
        seats=table_view.seats(words, running, names, None) if running else [],
        say=table_view.saying(words, running, names) if running else "",
    )
    return make_response(page)
