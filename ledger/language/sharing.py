"""A night in a few lines for the group's chat, which becomes a witness of its head."""

import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Any

from ledger.language.speaker import Speaker


def share_text(account: Mapping[str, Any], say: Speaker, address: str = "") -> str:
    """Who stands where, who has handed what to whom and who still does, the head of the chain, and the night's
    address if one is given.

    Rounds count that somebody still pays for; without a stake there is no money in it.
    """
    names = {f"p{number}": name for number, name in enumerate(account["players"], start=1)}
    handed = [each for each in account["handed_over"] if not each["given_back"]]
    lines = [_head(account, say), *_standings(names, account, say)]
    for key, transfers in (("share handed over", handed), ("share transfers", account["transfers"])):
        if transfers:
            told = (
                f"{names[each['payer']]} → {names[each['payee']]} {_worth(account, each['points'], say)}"
                for each in transfers
            )
            lines.append(say.say(key, transfers=" · ".join(told)))
    lines += [account["code"], *([address] if address else [])]
    return "\n".join(lines)


def _head(account: Mapping[str, Any], say: Speaker) -> str:
    paid = {
        row["round"]
        for row in account["payments"]
        if row["round"] and not row["reverses"] and not row["reversed_by"]
    }
    day = say.day(date.fromisoformat(account["date"]))
    head = say.say("share head", day=day, count=len(paid))
    if account["stake"]:
        head += " · " + say.say("share stake", money=_worth(account, 1, say))
    return head


def _standings(names: Mapping[str, str], account: Mapping[str, Any], say: Speaker) -> list[str]:
    """A line for each player, whoever won most first; columns that line up where letters are equally wide."""
    ranked = sorted(names, key=lambda player: -account["balances"][player])
    won = [account["balances"][player] for player in ranked]
    columns = [
        [f"{place}." for place in range(1, len(ranked) + 1)],
        [names[player] for player in ranked],
        [say.signed(points) for points in won],
        [f"({_worth(account, points, say, signed=True)})" if account["stake"] else "" for points in won],
    ]
    number, name, point, worth = (max(map(_width, column)) for column in columns)
    return [
        f"{place:>{number}} {who}{' ' * (name - _width(who))}  {points:>{point}}  {money:>{worth}}".rstrip()
        for place, who, points, money in zip(*columns, strict=True)
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
