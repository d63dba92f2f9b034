"""A night for the group's chat, which becomes a witness of its head: in a few lines, and as a picture shows it."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from ledger.game.notation import by_tag
from ledger.language.speaker import Speaker


def share_text(account: Mapping[str, Any], say: Speaker, address: str = "") -> str:
    """Who stands where, who has handed what to whom and who still does, the head of the chain, and the night's
    address if one is given.

    Without a stake there is no money in it.
    """
    lines = [" · ".join(_head(account, say)), *_standings(account, say)]
    for key, transfers in (
        ("share handed over", _handed(account, say)),
        ("share transfers", _due(account, say)),
    ):
        if transfers:
            told = (f"{each['payer']} → {each['payee']} {each['worth']}" for each in transfers)
            lines.append(say.say(key, transfers=" · ".join(told)))
    lines += [account["code"], *([address] if address else [])]
    return "\n".join(lines)


def share_picture(account: Mapping[str, Any], say: Speaker) -> dict[str, Any]:
    """The same as texts to be drawn, without an address: of the `head` one line or two, a row for each player, what
    was `handed` over and what is `due`, and the `code`."""
    return {
        "head": _head(account, say),
        "rows": list(_rows(account, say)),
        "handed": _handed(account, say),
        "due": _due(account, say),
        "code": account["code"],
    }


def _head(account: Mapping[str, Any], say: Speaker) -> list[str]:
    day = say.day(date.fromisoformat(account["date"]))
    head = [say.say("share head", day=day, count=account["counted"])]
    if account["stake"]:
        head.append(say.say("share stake", money=_worth(account, 1, say)))
    return head


def _rows(account: Mapping[str, Any], say: Speaker) -> Iterator[dict[str, Any]]:
    """What stands in a player's row, whoever won most first; equals share a place, as they were named."""
    names, balances = by_tag(account["players"]), account["balances"]
    for player, points in sorted(balances.items(), key=lambda balance: -balance[1]):
        yield {
            "place": 1 + sum(other > points for other in balances.values()),
            "name": names[player],
            "points": say.signed(points),
            "worth": _worth(account, points, say, signed=True) if account["stake"] else "",
            "side": "won" if points > 0 else "lost" if points else "even",
        }


def _standings(account: Mapping[str, Any], say: Speaker) -> list[str]:
    """A line for each player; columns that line up where letters are equally wide."""
    rows = list(_rows(account, say))
    columns = [
        [f"{row['place']}." for row in rows],
        [row["name"] for row in rows],
        [row["points"] for row in rows],
        [row["worth"] and f"({row['worth']})" for row in rows],
    ]
    number, name, point, worth = (max(map(_width, column)) for column in columns)
    return [
        f"{place:>{number}} {who}{' ' * (name - _width(who))}  {points:>{point}}  {money:>{worth}}".rstrip()
        for place, who, points, money in zip(*columns, strict=True)
    ]


def _handed(account: Mapping[str, Any], say: Speaker) -> list[dict[str, str]]:
    """What was handed over, and has not come back."""
    return _transfers(account, (each for each in account["handed_over"] if not each["given_back"]), say)


def _due(account: Mapping[str, Any], say: Speaker) -> list[dict[str, str]]:
    return _transfers(account, account["transfers"], say)


def _transfers(
    account: Mapping[str, Any], transfers: Iterable[Mapping[str, Any]], say: Speaker
) -> list[dict[str, str]]:
    names = by_tag(account["players"])
    return [
        {
            "payer": names[each["payer"]],
            "payee": names[each["payee"]],
            "worth": _worth(account, each["points"], say),
        }
        for each in transfers
    ]


def _worth(account: Mapping[str, Any], points: int, say: Speaker, *, signed: bool = False) -> str:
    """Some points in money, or as points where they are worth none; as people type it: `90.000 đ`."""
    stake = account["stake"]
    if not stake:
        return say.points(points)
    return say.money(points, stake["amount"], stake["currency"], signed=signed).replace("\xa0₫", " đ")


def _width(text: str) -> int:
    """How many letters wide a text is shown: marks and joiners take no room, wide letters and emoji two."""
    return sum(
        0
        if unicodedata.category(letter) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )
