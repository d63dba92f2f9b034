"""Replays that are built to be as expensive as possible, each of one kind and of the largest size allowed."""

import time
import tomllib
from collections.abc import Iterator
from itertools import count, cycle, repeat
from pathlib import Path
from random import Random
from typing import Any, Final

from ledger.game.night import MOST_ROUNDS
from ledger.game.report import as_data, score
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.language import LANGUAGES, speaker
from tests.soak.running import Tally, progress, row

MOST: Final = 1024 * 1024  # the largest size in bytes (POST /api/v1/score)
CARDS: Final = [rank + suit for rank in "3456789TJQKA2" for suit in "scdh"]

ALL_TAKEN: Final = (
    "tienlen 1\nruleset pro-play\nrule deal.packs=2\nrule deal.equal=yes\np1 An\np2 Bình\nround 1\nresult p1 p2\n"
    f"bombed p1 p2 {' '.join(CARDS * 2)}\n"
)
"""A bomb that beat all cards of two packs."""

_TEXTS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WORST: Final[list[str]] = _TEXTS.pop("worst")


def names() -> list[str]:
    """What the texts repeat; the WORST first."""
    return [*WORST, *(name for name in _kinds() if name not in WORST)]


def text(name: str) -> str:
    """The text that repeats this, of almost MOST bytes."""
    kept, size = [], 0
    for line in _kinds()[name]:
        size += len(line.encode()) + 1
        if size > MOST:
            break
        kept.append(line)
    return "\n".join(kept)


def _kinds() -> dict[str, Iterator[str]]:
    alike = "\n".join([_head(players=0), *(f"p{n} {'a ' * 30}{n}" for n in range(1, 13))])
    names = [name for rule in HOUSE_RULES.values() for name in (rule.name, rule.number)]
    suits = [[rank + suit for rank in "3456789TJQKA2"] for suit in "scdh"]
    played = [
        f"p{player} {card} !" for cards in zip(*suits, strict=True) for player, card in enumerate(cards, 1)
    ]
    return {
        **{name: _results(name, **kind) if "bombs" in kind else _of(**kind) for name, kind in _TEXTS.items()},
        "every rule": _of("core", 0, repeat=cycle(f"rule {name}=no" for name in names)),
        "names that begin alike": iter(
            [alike, *repeat(f"pay {'a ' * 30}1 {'a ' * 30}2 1 {'a ' * 300}", 3000)]
        ),
        "one long line of names": iter([alike, f"round 1 lead {'a ' * 500_000}"]),
        "rounds of bombs of a result": _of(
            rounds="{n}", lines=["result p1 p2 p3 p4", *(f"bombed p1 p2 {card}" for card in CARDS)]
        ),
        "rounds that were played": _of(rounds="{n} !", lines=played[:-2]),
    }


def _head(ruleset: str = "southern-classic", *rules: str, players: int = 4) -> str:
    lines = ["tienlen 1", f"ruleset {ruleset}", *(f"rule {rule}" for rule in rules)]
    return "\n".join([*lines, *(f"p{player} Name" for player in range(1, players + 1))])


def _of(ruleset: str = "southern-classic", players: int = 4, before: str = "", **what: Any) -> Iterator[str]:
    """The parts of a text as the file describes it."""
    yield _head(ruleset, players=players)
    if before:
        yield before
    if "long" in what:
        line, _, word = what["long"].partition("|")
        yield line + word * (MOST // len(word) - 60)
        yield from [what["after"]] if "after" in what else []
    elif "rounds" in what:
        counted = (line.rpartition(" * ") for line in what["lines"])
        lines = "".join(f"\n{line}" * int(times or 1) for times, _, line in counted)
        for number in range(1, MOST_ROUNDS + 1):
            yield from (f"round {what['rounds'].format(n=number)}{lines}").split("\n")
    elif isinstance(what["repeat"], str):
        yield from (what["repeat"].format(n=number) for number in count(what.get("from", 1)))
    else:
        yield from what["repeat"]


def _results(name: str, bombs: int) -> Iterator[str]:
    """Results of two players. The second shows a hand of few ranks; or a bomb beat so many cards, or almost all
    cards of a few ranks."""
    ruleset, *rules = name.split()[2:]
    yield _head(ruleset, *rules, players=2)
    packs, chance = 2 if "deal.packs=2" in rules else 1, Random(ruleset)
    held = (packs * 26 if "deal.equal=yes" in rules else 13) - 1
    for number in range(1, MOST_ROUNDS + 1):
        ranks = 7 if not bombs else 13 if bombs > 24 and number % 2 else 6
        low = chance.randrange(14 - ranks)
        pool = CARDS[low * 4 : (low + ranks) * 4] * packs
        size = min(bombs, len(pool)) - chance.randrange(8) if bombs else min(held, len(pool))
        yield from (f"round {number} !", "result p1 p2")
        yield ("bombed p1 p2 " if bombs else "p2 shows ") + " ".join(chance.sample(pool, size))


def soak() -> Tally:
    """Score each of the texts, and print the processor time that it takes."""
    words, slowest = speaker(LANGUAGES[0]).words, 0.0
    texts = [("all cards taken", ALL_TAKEN), *((name, text(name)) for name in names())]
    for name, asked in progress(texts, len(texts), "texts"):
        began = time.process_time()
        report = score(asked, words)
        taken = time.process_time() - began
        error = as_data(report.answer).get("error", {})
        row(name, f"{taken:.2f} s", report.outcome.name.lower(), error.get("line", ""), error.get("code", ""))
        slowest = max(slowest, taken)
    return Tally({"texts": len(texts), "ms of processor time at most": round(1000 * slowest)})
