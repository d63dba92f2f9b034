"""The links that people open: a page with one button, which takes the link into the visitor's cookies.

Opening one changes nothing, since chat apps open whatever is sent to them.
"""

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for

from ledger.recorder import Tokens
from ledger.web.access import link_of_token, remember
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.server.compression import hold_secrets

blueprint = Blueprint("links", __name__)


@blueprint.get("/t/<token>")
def land(token: str) -> Response:
    """Whose link it is, of which night, and the button."""
    link = link_of_token(token)
    with recorder().night(link.night) as seen:
        board = seen.board(link, speaker().finding)
    return _secret(make_response(render_template("link.html", link=link, board=board)))


@blueprint.post("/t/<token>")
def take(token: str) -> Response:
    """Keep the link and go on to its night."""
    link = link_of_token(token)
    with recorder().night(link.night):
        pass  # it is there
    response = make_response(redirect(url_for("pages.table", night=link.night), 303))
    remember(response, link, token)
    return _secret(response)


def addresses(tokens: Tokens) -> Tokens:
    """Tokens as addresses for people; without the host if nobody said which one it is."""
    path = f"{request.host_url if request.host else '/'}t/"
    seats = {player: path + token for player, token in tokens.seats.items()}
    return Tokens(path + tokens.keeper, path + tokens.watch, seats)


def _secret(response: Response) -> Response:
    """The address is the secret: it goes nowhere."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return hold_secrets(response)
