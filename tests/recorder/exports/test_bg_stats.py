"""A night as a link for BG Stats. The app runs only on phones: what it accepts is known from other programs that
make such links."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ledger.recorder.exports.bg_stats import play_link
from ledger.recorder.views.ledger import LedgerView
from tests.recorder.exports.accounts import ODD_NAMES, TAKEN_BACK, account, row


def play(ledger: LedgerView) -> dict[str, Any]:
    """The play in a link."""
    address = urlsplit(play_link(ledger))
    assert (address.scheme, address.netloc, address.path) == (
        "https",
        "app.bgstatsapp.com",
        "/createPlay.html",
    )
    assert address.query.isascii()
    (data,) = parse_qs(address.query, strict_parsing=True)["data"]
    read: dict[str, Any] = json.loads(data)
    return read


def test_a_night_is_one_play_with_points_and_places() -> None:
    read = play(TAKEN_BACK)
    assert (read["sourcePlayId"], read["playDate"]) == (TAKEN_BACK.night, "2026-11-20 12:00:00")
    assert read["game"]["name"] == "Tiến lên"
    scores = [(one["name"], one["score"], one["rank"], one["winner"]) for one in read["players"]]
    assert scores == [("Ba", 2, 2, False), ("Tú", 7, 1, True), ("Mẹ", -9, 3, False)]


def test_what_the_app_does_without_is_not_left_out() -> None:
    read = play(TAKEN_BACK)
    truths = [read["game"].get(name) for name in ("highestWins", "noPoints")]
    truths += [one.get(name) for one in read["players"] for name in ("winner", "startPlayer")]
    assert all(isinstance(truth, bool) for truth in truths)
    assert all(type(one[name]) is int for one in read["players"] for name in ("score", "rank"))


def test_any_names_come_through_and_a_player_of_another_night_is_known_again() -> None:
    players = play(account(ODD_NAMES, [row("p1", "p2", 3)]))["players"]
    assert [one["name"] for one in players] == [one["sourcePlayerId"] for one in players] == list(ODD_NAMES)
    # Equal results share a place.
    assert [one["rank"] for one in players[1:4]] == [1, 2, 2]
