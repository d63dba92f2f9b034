"""A night as a link for BG Stats. The app runs only on phones: what it accepts is known from other programs that
make such links."""

import json
from urllib.parse import parse_qs, urlsplit

from ledger.recorder.exports.bg_stats import play_link
from tests.recorder.exports.accounts import ODD_NAMES, account, row


def test_any_names_come_through_and_a_player_of_another_night_is_known_again() -> None:
    """What a link says of a night, and where it leads, is in tests/golden/answers."""
    address = urlsplit(play_link(account(ODD_NAMES, [row("p1", "p2", 3)])))
    assert address.query.isascii()
    (data,) = parse_qs(address.query, strict_parsing=True)["data"]
    players = json.loads(data)["players"]
    assert [one["name"] for one in players] == [one["sourcePlayerId"] for one in players] == list(ODD_NAMES)
    # Equal results share a place.
    assert [one["rank"] for one in players[1:4]] == [1, 2, 2]
