"""A night as a link that opens it in BG Stats, an app in which people keep what they have played."""

import json
from urllib.parse import quote

from ledger.recorder.views.ledger import LedgerView

_ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="


def play_link(ledger: LedgerView) -> str:
    """The address by which BG Stats takes the night as one play: who played, with how many points and which place;
    empty before the first round counts.

    It knows players of other nights by their names. A day is all that is said of the time: noon, which is on that
    day in every zone. No true or false may be missing, or the app fails.
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
