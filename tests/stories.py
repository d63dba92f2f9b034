"""Stories: entries of a night in the lines of the notation, one a line."""

import json
from collections.abc import Iterator
from typing import Any

from tests.game.table import run

SUITS = dict(zip(("p1", "p2", "p3", "p4"), "scdh", strict=True))
"""In stories of one suit each, the suit of each player."""


def whole(player: str) -> str:
    """All thirteen cards of a player's suit: a dragon."""
    return run(SUITS[player], "3", "2")


A_ROUND = f"""
    round opening p1 p2
    p1 3s
    p2 4c
    p1 2s
    p1 {run("s", "4")}
"""
"""A round of two players to its end; p2 has twelve clubs left."""

A_ROUND_OF_FOUR = f"""
    round opening
    p1 {run("s")}
    p1 2s
"""
"""A short round: p1 plays thirteen cards in two plays, and the others never get a turn."""

A_SETTLED_ROUND_OF_FOUR = (
    f"{A_ROUND_OF_FOUR} p2 declares none \n p3 declares 2c \n p4 declares 2d, 2h \n settle"
)
"""The same round, with the hands left declared, and settled."""

A_SETTLED_ROUND = f"{A_ROUND}\n p2 shows 3c {run('c', '5', '2')}\n settle"
"""The same round, settled: p2 pays 2 for the place and 1 for the 2♣."""


A_NIGHT = """
    round opening
    p1 claims 3d 4s 4c 5d 5h 6c 6d 8c 8h 9d 9h Qs Qc
    settle

    round opening
    p1 3s
    p2 2d
    p3 4s 4c 4d 4h
    p4 -
    p1 -
    p2 -
    p3 5s 6s 7s 8s 9s Ts Js Qs Ks
    p1 -
    p2 -
    p1 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac
    p2 -
    p1 6d 6h
    p2 declares none
    p4 declares 2s, 2c, 2h
    settle

    round lead p3
    p3 3s
    void 3 chia nhầm

    round lead p3
    result p2 p1 p3 knocked p4 bombed p2 p3 2h
    p3 declares none
    p4 declares none
    settle

    round lead p2
    p2 2s
    p3 4s 4c 4d 4h
"""
"""Round 1: An has an instant win. 2: Chi bombs Bình's 2♦ and is first. 3: a misdeal. 4: Bình is first and bombed
Chi's 2♥, recorded as a result. 5: Chi has just bombed Bình's 2♠."""
"""A night whose rounds end in different ways."""


def read_story(story: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries of a story: lines of the notation, others such as `settle 1`, `undo` or `end`, and JSON for
    everything else."""
    for line in filter(None, map(str.strip, story.splitlines())):
        if line.startswith("{"):
            content = json.loads(line)
            yield content.pop("kind"), content
            continue
        words = line.split()
        stood = {"stood": True} if words[-1] == "!" else {}
        words = words[: -1 if stood else None]
        yield _entry(words, stood)


def _entry(words: list[str], stood: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    match words:
        case ["round", *how, times] if times[0] == "x":
            return "round", _header(how) | {"times": int(times[1:])} | stood
        case ["round", *how]:
            return "round", _header(how) | stood
        case ["agree", *rules]:
            return "agree", {"rules": dict(rule.split("=", 1) for rule in rules)}
        case ["settle", *number]:
            return "settle", {"round": int(number[0])} if number else {}
        case ["pay", payer, payee, points, *reason]:
            return "adjust", {
                "payer": payer,
                "payee": payee,
                "points": int(points),
                "reason": " ".join(reason),
            }
        case ["undo" | "redo" | "end" as alone]:
            return alone, {}
        case ["reopen", *reason]:
            return "reopen", {"reason": " ".join(reason)}
        case ["of", number, *rest]:
            kind, content = _entry(rest, stood)
            return kind, content | {"round": int(number)}
        case ["join", *name]:
            return "join", {"name": " ".join(name)}
        case ["rename", player, *name]:
            return "rename", {"player": player, "name": " ".join(name)}
        case ["revoke", role, *whose]:
            return "revoke", {"role": role} | ({"player": whose[0]} if whose else {})
        case ["note", *words_of_it]:
            return "note", {"note": " ".join(words_of_it)}
        case [seat, "contract", name]:
            return "contract", {"seat": seat, "contract": name}
        case [seat, "covers", *covered, why]:
            return "cover", {"seat": seat, "covered": covered, "why": why}
        case ["correct", *changes]:
            changes_text, _, why = " ".join(changes).partition(" because ")
            return "correct", {"changes": list(map(_change, changes_text.split(" | "))), "reason": why}
        case ["result", *rest]:
            return "result", _result(" ".join(rest))
        case ["void", number, *why]:
            return "void", {"round": int(number), "reason": " ".join(why)}
        case [seat, "confirms", number]:
            return "confirm", {"player": seat, "round": int(number)}
        case [seat, "disputes", number, "payment", place, *why]:
            seq, idx = map(int, place.split("."))
            about = {"round": int(number), "payment": {"seq": seq, "idx": idx}}
            return "dispute", {"player": seat, **about, "reason": " ".join(why)}
        case [seat, "disputes", number, "move", address, *why]:
            return "dispute", {"player": seat, "round": int(number), "move": address, "reason": " ".join(why)}
        case ["decide", dispute, decision, *why]:
            return "decide", {"dispute": int(dispute), "decision": decision, "reason": " ".join(why)}
        case ["paid", payer, payee, points]:
            return "paid", {"payer": payer, "payee": payee, "points": int(points)}
        case [seat, "-"]:
            return "pass", {"seat": seat} | stood
        case [seat, "claims" | "shows" as verb, *cards]:
            return verb.removesuffix("s"), {"seat": seat, "cards": cards} | stood
        case [seat, "declares", *cards]:
            sets = [] if cards == ["none"] else [group.split() for group in " ".join(cards).split(",")]
            return "declare", {"seat": seat, "sets": sets}
        case [seat, *cards]:
            return "play", {"seat": seat, "cards": cards} | stood
    raise AssertionError(words)


def _result(text: str) -> dict[str, Any]:
    """The content of a result: `p1 p2 knocked p3 p4 bombed p1 p2 2d 2h`."""
    order, *bombs = text.split(" bombed ")
    places, _, knocked = order.partition(" knocked ")
    taken = [bomb.split() for bomb in bombs]
    return {
        "places": places.split(),
        "knocked_out": knocked.split(),
        "bombs": [{"seat": seat, "beat": beat, "captured": cards} for seat, beat, *cards in taken],
    }


def _change(text: str) -> dict[str, Any]:
    """One change of a correction: `3.0 = p2 7d`, `3.0 = struck`, `before 3.0 = p2 7d`, `after 3.0 = p2 7d`."""
    place, _, line = text.partition(" = ")
    put, _, address = place.rpartition(" ")
    if line == "struck":
        return {"target": address, "with": None}
    ((kind, content),) = read_story(line)
    return {put or "target": address, "with": {"kind": kind, **content}}


def _header(words: list[str]) -> dict[str, Any]:
    first, *seats = words
    header: dict[str, Any] = {"opening": True}
    if first == "lead":
        header = {"leader": seats.pop(0)}
    return header | ({"seats": seats} if seats else {})
