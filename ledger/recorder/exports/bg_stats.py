"""A link that imports a night into BG Stats, an app for logging games played."""

import json
from urllib.parse import quote

from ledger.recorder.views.ledger import LedgerView

_ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="


def play_link(ledger: LedgerView) -> str:
    """The URL by which BG Stats imports the night as one play with the players' points and places; empty before
    the first round counts.

    BG Stats matches players across nights by name. The time is always noon, since only the date is known. Every
    boolean must be present, or the app fails.
    """
    if not ledger.counted:
        return ""
    balances = ledger.balances
    play = {
        "sourceName": "Tiến lên ledger",
        "sourcePlayId": ledger.night,
        "playDate": f"{ledger.date} 12:00:00",
        "game": {
            "name": "Tiến lên",
            "sourceGameId": "tien-len",
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "score": balances[player],
                "rank": 1 + sum(other > balances[player] for other in balances.values()),
                "winner": balances[player] == max(balances.values()),
                "startPlayer": False,
            }
            for player, name in ledger.names.items()
        ],
    }
    return _ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")
