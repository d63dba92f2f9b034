"""The turn that a page proposes while moves are queued is the engine's, or nobody's, under any rules."""

import json
import os
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.game.corpus import at_random, greedy, patient
from ledger.game.moves import NOBODY, Bid, Pass, Play
from ledger.game.notation import tag
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overrides import with_rules
from tests.game.generator import play_round
from tests.javascript.conftest import run

MOST_WAITING = 12
ROUNDS = int(os.environ.get("ROUNDS", "1"))
"""Rounds for each ruleset and number of players."""


def tables() -> dict[str, Ruleset]:
    """Every preset; and one preset with each house rule and each way of passing."""
    presets = list(PRESETS.values())
    changes = [(rule.name, choice) for rule in HOUSE_RULES.values() for choice in rule.choices]
    changes += [("passing.locks", "no"), ("passing.forward", "yes")]
    found = dict(PRESETS)
    for number, change in enumerate(changes):
        for preset in presets[number % len(presets) :] + presets:
            with suppress(ValueError):
                found[f"{preset.id} {'='.join(change)}"] = with_rules(preset, [change])
                break
    return found


TABLES = tables()


@pytest.mark.slow
def test_nobody_is_proposed_whom_the_rules_do_not_name(node: str, scripts: Path) -> None:
    southern: list[str] = []
    for seed in range(ROUNDS):
        cases = [case for name, ruleset in TABLES.items() for case in cases_of(name, ruleset, seed)]
        turns = counted(node, scripts, [{"table": table, "moves": moves} for _, table, moves, _ in cases])
        wrong = [
            (name, moves, turn, expected)
            for (name, _, moves, expected), turn in zip(cases, turns, strict=True)
            if turn not in ("", expected)
        ]
        assert not wrong, wrong[:3]
        southern += [
            turn for (name, *_), turn in zip(cases, turns, strict=True) if name == "southern-classic"
        ]
    # If nobody is out and passes lock, the turn can usually be known: a page must propose one in most cases.
    assert sum(map(bool, southern)) > len(southern) / 2


def test_a_page_that_took_every_pass_for_a_lock_would_be_found(node: str, scripts: Path) -> None:
    cases = cases_of("akita", PRESETS["akita"], 0)
    believed = [{"table": table | {"counts": True}, "moves": moves} for _, table, moves, _ in cases]
    turns = counted(node, scripts, believed)
    assert any(turn not in ("", case[3]) for case, turn in zip(cases, turns, strict=True))


Case = tuple[str, dict[str, Any], list[dict[str, Any]], str]


def cases_of(name: str, ruleset: Ruleset, seed: int) -> list[Case]:
    """Rounds as a page may show them, moves that may be queued there, and whose turn it is then by the engine."""
    cases = []
    for players in ruleset.deal.players:
        chance = Random(f"{name} {players} {seed}")
        header = Header(tuple(chance.sample(range(players), players)), chance.choice((None, 0)))
        choose = chance.choice((greedy, at_random, patient))
        dealt = play_round(chance, ruleset, header, choose, bombs=chance.random() < 0.5)
        rounds = [each.round for each in dealt if not each.round.over]
        for shown in chance.sample(range(len(rounds)), min(8, len(rounds))):
            later = min(shown + chance.randint(1, MOST_WAITING), len(rounds) - 1)
            moves = [tapped(before, after) for before, after in pairwise(rounds[shown : later + 1])]
            if chance.random() < 0.5:
                moves = without_implied_passes(moves)
            cases.append((name, table_of(rounds[shown]), moves, tag_of(rounds[later].turn)))
    return cases


def table_of(round: Round) -> dict[str, Any]:
    """A round as the page knows it."""
    seats = round.header.seats
    gone = [tag(player) for player in seats if not round.active >> player & 1]
    return {
        "order": list(map(tag, seats)),
        "turn": tag_of(round.turn),
        "last": tag(round.pile[-1].player) if round.pile else "",
        "leading": round.leading,
        "left": {tag(player): round.cards_left[player] for player in seats},
        "gone": gone,
        "passed": [tag(player) for player in seats if round.locked(player) and tag(player) not in gone],
        "counts": round.ruleset.counts_turns,
    }


def tapped(before: Round, after: Round) -> dict[str, Any]:
    """The queued entry for the last move."""
    move = after.moves[len(before.moves)]
    match move:
        case Play(player, cards):
            return {"kind": "play", "seat": tag(player), "cards": list(before.ruleset.deck.write(cards))}
        case Pass(player):
            return {"kind": "pass", "seat": tag(player)}
        case Bid(player):
            return {"kind": "contract", "seat": tag(player)}
        case _:
            raise AssertionError(move)


def without_implied_passes(moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same moves without passes that choosing a later seat implies."""
    kept: list[dict[str, Any]] = []
    for move in moves:
        while (
            move["kind"] == "play"
            and kept
            and kept[-1]["kind"] == "pass"
            and kept[-1]["seat"] != move["seat"]
        ):
            kept.pop()
        kept.append(move)
    return kept


def tag_of(turn: int) -> str:
    return "" if turn == NOBODY else tag(turn)


def counted(node: str, scripts: Path, cases: list[dict[str, Any]]) -> list[str]:
    """The turn that `turns.js` proposes for each case: a tag, or an empty text if it cannot know."""
    answers: list[str] = json.loads(run(node, scripts, "table/turns.mjs", told=json.dumps(cases)).stdout)
    return answers
