"""Replays that are built to be as expensive as possible, each of one kind and of the largest size allowed.

scripts/soak nasty        prints the CPU time that scoring each takes
"""

import time
from collections.abc import Iterator
from itertools import count, cycle
from random import Random

from ledger.game.night import MOST_ROUNDS
from ledger.game.report import as_data, score
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.language import LANGUAGES, speaker

MOST = 1024 * 1024
"""The largest size in bytes (POST /api/v1/score)."""
CARDS = [rank + suit for rank in "3456789TJQKA2" for suit in "scdh"]

ALL_TAKEN = (
    "tienlen 1\nruleset pro-play\nrule deal.packs=2\nrule deal.equal=yes\np1 An\np2 Bình\nround 1\nresult p1 p2\n"
    f"bombed p1 p2 {' '.join(CARDS * 2)}\n"
)
"""A bomb that beat all cards of two packs."""


def head(ruleset: str = "southern-classic", *rules: str, players: int = 4) -> str:
    return "\n".join(
        ["tienlen 1", f"ruleset {ruleset}", *(f"rule {rule}" for rule in rules)]
        + [f"p{player} Name" for player in range(1, players + 1)]
    )


WORST = (
    "rounds",
    "bombs of pro-play deal.equal=yes deal.packs=2",
    "rounds of bombs of a result",
    "bombs of northern deal.equal=yes scheme=loser-pays-winner",
    "payments of many rounds",
    "adjustments",
    "every rule",
    "empty lines",
)
"""Of rounds, bombs, payments, header lines and lines without meaning, the texts that take longest."""


def names() -> list[str]:
    """What the texts repeat; the WORST first."""
    return [*WORST, *(name for name in _kinds() if name not in WORST)]


def text(name: str) -> str:
    """The text that repeats this, of almost MOST bytes."""
    return filled(_kinds()[name])


def filled(lines: Iterator[str]) -> str:
    """As many of the lines as fit into MOST bytes."""
    kept, size = [], 0
    for line in lines:
        size += len(line.encode()) + 1
        if size > MOST:
            break
        kept.append(line)
    return "\n".join(kept)


def _kinds() -> dict[str, Iterator[str]]:
    one, two = head(), head(players=2)
    alike = "\n".join([*head(players=0).split("\n"), *(f"p{n} {'a ' * 30}{n}" for n in range(1, 13))])
    return {
        "a rule": _after("tienlen 1\nruleset southern-classic", cycle(["rule triple-beats-ace=no"])),
        "every rule": _after(
            "tienlen 1\nruleset core",
            cycle(f"rule {name}=no" for rule in HOUSE_RULES.values() for name in (rule.name, rule.number)),
        ),
        "names that begin alike": _after(alike, cycle([f"pay {'a ' * 30}1 {'a ' * 30}2 1 {'a ' * 300}"])),
        "one long line of names": _after(f"{alike}\nround 1 lead {'a ' * 500_000}", iter(())),
        "passes that stood": _after(f"{one}\nround 1 opening\np1 3s", cycle(["p2 - !"])),
        "passes that stood on nothing": _after(f"{one}\nround 1 lead p1", cycle(["p1 - !"])),
        "rounds of passes that stood": _rounds(
            one, "{n} lead p1 !", lambda: ["p1 3s", *["p2 - !"] * 998, "void x"]
        ),
        "rounds of passes that stood and ended": _rounds(
            two, "{n} lead p1 !", lambda: ["p1 3s", *["p2 - !"] * 900, *_out()]
        ),
        "bombs of a result": _after(f"{one}\nround 1\nresult p1 p2 p3 p4", cycle(["bombed p1 p2 2d"])),
        "rounds of bombs of a result": _rounds(
            one, "{n}", lambda: ["result p1 p2 p3 p4", *(f"bombed p1 p2 {card}" for card in CARDS)]
        ),
        "payments": _after(f"{one}\nround 1\nresult p1 p2 p3 p4", cycle(["= p4 p1 2 placement"])),
        "payments of many rounds": _rounds(
            one, "{n}", lambda: ["result p1 p2 p3 p4", *["= p4 p1 9 placement"] * 100]
        ),
        "notes": _after(one, cycle(["note owes p1 p2 2 any-two"])),
        "adjustments": _after(one, cycle(["pay p1 p2 5 late again"])),
        "joins": _after(f"{one}\nround 1", (f"p{number} X" for number in count(5))),
        "comments": _after(one, cycle([";"])),
        "empty lines": _after(one, cycle([""])),
        "headers": _after("tienlen 1\nruleset southern-classic", cycle(["stake 1 VND", "date 2026-11-20"])),
        "rounds": _after(one, (f"round {number}\nvoid x" for number in count(1))),
        "rounds without end": _rounds(one, "{n}", list),
        "results": _rounds(one, "{n} !", lambda: ["result p1 p2 p3 p4", "p4 declares none"]),
        "shows": _after(f"{one}\nround 1\nresult p1 p2 p3 p4", cycle(["p4 shows 2s"])),
        "declarations": _after(f"{one}\nround 1\nresult p1 p2 p3 p4", cycle(["p4 declares none"])),
        "claims": _after(f"{one}\nround 1", cycle(["p1 claims 3s 3h 4c 4d 5s 5c 6s 6h 7c 7d Qs Qh 2c"])),
        "contracts": _after(f"{head('pro-play')}\nround 1", cycle(["p1 contract guaransheed"])),
        "one long line": _after(f"{one}\nround 1", iter(["p1 " + "3s " * (MOST // 3 - 60)])),
        "one long declaration": _after(
            f"{one}\nround 1\nresult p1 p2 p3 p4", iter(["p4 declares " + "2s," * (MOST // 3 - 60)])
        ),
        "one long name": _after("tienlen 1\nruleset core", iter(["p1 " + "x " * (MOST // 2 - 60), "p2 Y"])),
        "one long reason": _after(one, iter(["pay p1 p2 1 " + "x " * (MOST // 2 - 60)])),
        "one long void": _after(f"{one}\nround 1", iter(["void " + "x " * (MOST // 2 - 60)])),
        "lines that differ": _after(
            f"{one}\nround 1 opening\np1 3s", (f"p2 - ! ;{number}" for number in count())
        ),
        "rounds that were played": _rounds(one, "{n} !", _played),
        **{
            f"hands of {ruleset} {' '.join(rules)}".strip(): _hands(ruleset, *rules)
            for ruleset, *rules in (
                ("southern-classic",),
                ("northern", "deal.equal=yes"),
                ("northern", "deal.equal=yes", "scheme=thirteen-points"),
                ("card-count", "deal.equal=yes", "deal.packs=2"),
                ("northern", "deal.equal=yes", "deal.packs=2", "scheme=thirteen-points"),
            )
        },
        **{
            f"bombs of {' '.join(rules)}": _bombs(most, *rules)
            for most, *rules in (
                (100, "pro-play", "deal.equal=yes", "deal.packs=2"),
                (100, "northern", "deal.equal=yes", "deal.packs=2"),
                (48, "northern", "deal.equal=yes", "scheme=thirteen-points"),
                (24, "northern", "deal.equal=yes", "scheme=loser-pays-winner"),
            )
        },
    }


def _after(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield from first.split("\n")
    yield from lines


def _rounds(first: str, header: str, lines: object) -> Iterator[str]:
    yield from first.split("\n")
    for number in range(1, MOST_ROUNDS + 1):
        yield f"round {header.format(n=number)}"
        yield from lines()  # type: ignore[operator]


def _out() -> list[str]:
    return ["p1 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As !", "p1 2h !", "p2 shows " + " ".join(CARDS[1:52:4])]


def _played() -> list[str]:
    hand = {
        f"p{player}": [rank + suit for rank in "3456789TJQKA2"] for player, suit in enumerate("scdh", start=1)
    }
    lines = []
    for cards in zip(*hand.values(), strict=True):
        lines += [f"{player} {card} !" for player, card in zip(hand, cards, strict=True)]
    return lines[:-2]


def _hands(ruleset: str, *rules: str) -> Iterator[str]:
    """Results of two players; the second shows a hand of few ranks."""
    yield from head(ruleset, *rules, players=2).split("\n")
    packs, chance = 2 if "deal.packs=2" in rules else 1, Random(ruleset)
    most = packs * 26 if "deal.equal=yes" in rules else 13
    for number in range(1, MOST_ROUNDS + 1):
        low = chance.randrange(14 - 7)
        pool = CARDS[low * 4 : (low + 7) * 4] * packs
        yield f"round {number} !"
        yield "result p1 p2"
        yield "p2 shows " + " ".join(chance.sample(pool, min(most - 1, len(pool))))


def _bombs(most: int, ruleset: str, *rules: str) -> Iterator[str]:
    """Results in which a bomb beat as many cards as possible, or almost all cards of a few ranks."""
    yield from head(ruleset, *rules, players=2).split("\n")
    packs, chance = 2 if "deal.packs=2" in rules else 1, Random(ruleset)
    for number in range(1, MOST_ROUNDS + 1):
        ranks = 13 if most > 24 and number % 2 else 6
        low = chance.randrange(14 - ranks)
        pool = CARDS[low * 4 : (low + ranks) * 4] * packs
        yield f"round {number} !"
        yield "result p1 p2"
        yield "bombed p1 p2 " + " ".join(chance.sample(pool, min(most, len(pool)) - chance.randrange(8)))


def main() -> None:
    words = speaker(LANGUAGES[0]).words
    for name, asked in [("all cards taken", ALL_TAKEN), *((name, text(name)) for name in names())]:
        began = time.process_time()
        report = score(asked, words)
        taken = time.process_time() - began
        error = as_data(report.answer).get("error", {})
        result = f"{report.outcome.name.lower()} {error.get('line', '')} {error.get('code', '')}"
        print(f"{taken:7.2f} s  {name}: {result}", flush=True)
