"""Record a night through the package `tienlen` that openapi-python-client has made, and print as
JSON which night it is, the keeper's token, and its balances.

    python record_night.py SERVER NIGHT.json

NIGHT.json says who plays by which ruleset, and what is recorded: {"ruleset", "players", "events"}. An event that
comes after another one has an empty `after`.
"""

import json
import secrets
import sys
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from tienlen import AuthenticatedClient, Client, models  # type: ignore[import-not-found]
from tienlen.api.nights import (  # type: ignore[import-not-found]
    open_night,
    read_ledger,
    record_event,
    score_text,
)


def record(server: str, told: dict[str, Any]) -> dict[str, Any]:
    """The night that is recorded, as it is printed; raises RuntimeError where the server refuses."""
    night = uuid4()
    terms = models.NewNight(
        id=night,
        secret=secrets.token_hex(16),
        ruleset=models.NewNightRuleset(told["ruleset"]),
        players=told["players"],
    )
    opened = _done(open_night.sync(client=Client(server), body=terms))
    client = AuthenticatedClient(server, opened.tokens.keeper)
    after: UUID = night
    for content in told["events"]:
        asked = content | {"id": str(uuid4())} | ({"after": str(after)} if "after" in content else {})
        body = getattr(models, content["kind"].capitalize()).from_dict(asked)
        recorded = _done(record_event.sync(night, client=client, body=body))
        after = recorded.board.after
    score = score_text.sync(client=client, body=models.ScoredText(text="tienlen 1\n"))
    assert isinstance(score, models.NoScore)
    balances = _done(read_ledger.sync(night, client=client)).balances.to_dict()
    return {"night": str(night), "token": opened.tokens.keeper, "balances": balances}


def _done(answer: Any) -> Any:
    if answer is None or isinstance(answer, models.ProblemAnswer):
        raise RuntimeError(str(answer))
    return answer


if __name__ == "__main__":
    print(json.dumps(record(sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")))))
