"""What a table agrees on during the night: other rules, another worth of a point, a round that counts more often.

Rounds of a night are drawn at random with agreements between them; each is compared with the same round in a night
that was opened under its rules.
"""

from collections.abc import Iterator
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from ledger.game.night import totals
from ledger.game.notation import read, replay, write
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import own_rules, with_further_rules, with_rules
from ledger.game.terms import Stake
from ledger.recorder import Problem, Recorder, audit, import_tln
from ledger.recorder.moves_file import as_replay
from ledger.recorder.moves_file import write as write_moves
from tests.recorder.tables import Table, open_table, plain
from tests.stories import A_SETTLED_ROUND, SUITS, whole

SEEDS = range(12)
CHANGES: tuple[dict[str, Any], ...] = (
    {"ruleset": "southern-winner-takes-all"},
    {"ruleset": "card-count", "rules": {"payments.card": "2"}},
    {"rules": {"payments.places": "5/2/-2/-5"}},
    {"rules": {"payments.hoarding": "no"}},
    {"rules": {"payments.left": "2"}},
    {"ruleset": "southern-classic"},
)


def a_round(chance: Random) -> list[tuple[str, dict[str, Any]]]:
    """A round of four players, entered as a result, with what is left in hands of a suit; some count more often."""
    places = chance.sample([*SUITS], 4)
    times = {"times": chance.randint(2, 10)} if chance.random() < 0.3 else {}
    shown = [(seat, chance.sample(whole(seat).split(), chance.randint(1, 12))) for seat in places[1:]]
    return [
        ("round", {"leader": places[0], "stood": True, **times}),
        ("result", {"places": places}),
        *(("show", {"seat": seat, "cards": cards}) for seat, cards in shown),
        ("settle", {}),
    ]


def record_round(table: Table, entries: list[tuple[str, dict[str, Any]]]) -> None:
    """Record a round; hands that its rules do not ask for are left out."""
    for kind, content in entries:
        if kind == "show" and content["seat"] not in table.round()["needed"]:
            continue
        table.record(kind, **content)


def agreements(chance: Random) -> Iterator[dict[str, Any]]:
    """What is agreed on between two rounds."""
    while chance.random() < 0.5:
        yield chance.choice(CHANGES)


def would_change(table: Table, change: dict[str, Any]) -> bool:
    """Whether an agreement leads to other rules than those that hold."""
    now = table.ask.ruleset
    if "ruleset" in change:
        return now != with_rules(PRESETS[change["ruleset"]], change.get("rules", {}).items())
    return now != with_further_rules(now, change["rules"].items())


def a_night(recorder: Recorder, seed: int) -> tuple[Table, list[Any]]:
    """A night with agreements between its rounds; and of each round its rules and its entries."""
    chance, table, rounds = Random(seed), open_table(recorder), []
    for _ in range(4):
        for change in agreements(chance):
            if would_change(table, change):
                table.record("agree", **change)
        entries = a_round(chance)
        rounds.append((table.ask.ruleset, entries))
        record_round(table, entries)
    return table, rounds


@pytest.mark.parametrize("seed", SEEDS)
def test_each_round_pays_what_it_pays_in_a_night_opened_under_its_rules(
    recorder: Recorder, seed: int
) -> None:
    table, rounds = a_night(recorder, seed)
    found = [line.net for line in table.ask.ledger().rounds]
    for net, (ruleset, entries) in zip(found, rounds, strict=True):
        (_, header), *rest = entries
        alone = open_table(recorder)
        if (change := as_opened(alone, ruleset)) is not None:
            alone.record("agree", **change)
        once = {name: value for name, value in header.items() if name not in ("times", "stood")}
        record_round(alone, [("round", once), *rest])
        (line,) = alone.ask.ledger().rounds
        assert line.net is not None
        assert net == {player: header.get("times", 1) * points for player, points in line.net.items()}


def as_opened(table: Table, ruleset: Any) -> dict[str, Any] | None:
    """The agreement that leads from the opening to these rules; None if they hold already."""
    if ruleset == table.ask.ruleset:
        return None
    return {"ruleset": ruleset.id, "rules": dict(own_rules(ruleset))}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_night_with_agreements_is_the_same_read_afresh_exported_and_imported(
    recorder: Recorder, seed: int
) -> None:
    table, _ = a_night(recorder, seed)
    ledger = table.ask.ledger()
    assert plain(table.restarted().ask.ledger()) == plain(ledger)
    assert [*audit(recorder, table.night)] == []
    text = table.replay_text()
    night = replay(read(text))
    assert write(night) == text
    assert write(replay(read(as_replay(write_moves(night)).text))) == text
    assert totals(night) == [*ledger.balances.values()]
    imported = Table(recorder, import_tln(recorder, night).night)
    assert imported.replay_text() == text
    assert imported.ask.ledger().balances == ledger.balances


def test_undo_takes_an_agreement_back_and_redo_brings_it_back(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    before = table.board()
    table.record("agree", rules={"payments.places": "9/0/0/-9"})
    agreed = table.board()["ruleset"]
    assert agreed != before["ruleset"]
    table.tell("undo")
    assert table.board()["ruleset"] == table.restarted().board()["ruleset"] == before["ruleset"]
    table.tell("redo")
    assert table.board()["ruleset"] == table.restarted().board()["ruleset"] == agreed
    table.record("round", leader="p1", seats=["p1", "p2"])
    table.tell("undo \n undo")
    assert table.board()["ruleset"] == before["ruleset"]


def test_a_correction_is_judged_by_the_rules_of_its_round(recorder: Recorder) -> None:
    table = open_table(recorder, 2)
    table.tell(A_SETTLED_ROUND)
    net = table.board()["net"]
    table.record("agree", ruleset="card-count", rules={"payments.card": "3"})
    table.record("round", leader="p1")
    seq = next(event["seq"] for event in table.log() if event["kind"] == "play")
    table.record(
        "correct",
        changes=[{"target": f"{seq}.0", "with": {"kind": "play", "seat": "p1", "cards": ["3s"]}}],
        reason="nhìn lại",
    )
    assert table.board()["net"] == net
    assert [*audit(recorder, table.night)] == []


@pytest.mark.parametrize(
    ("story", "change", "where"),
    [
        ("round opening p1 p2 \n p1 3s", {"rules": {"payments.left": "2"}}, "round-running"),
        ("", {"rules": {"no.such": "2"}}, "rules.no.such"),
        ("", {"ruleset": "no-such"}, "ruleset"),
        ("", {"ruleset": "southern-classic"}, "rules"),
        ("", {"stake": {"amount": "1000", "currency": "USD"}}, "stake"),
        ("", {"stake": {"amount": "2000", "currency": "VND"}, "all_rounds": True}, "all_rounds"),
        ("end", {"rules": {"payments.left": "2"}}, "night-ended"),
    ],
)
def test_what_cannot_be_agreed_on_is_refused_and_nothing_is_recorded(
    recorder: Recorder, story: str, change: dict[str, Any], where: str
) -> None:
    table = open_table(recorder, stake=Stake(Decimal(1000), "VND")).tell(story)
    before = table.contents()
    with pytest.raises(Problem) as caught:
        table.record("agree", **change)
    assert where in f"{caught.value.code} {caught.value.facts}"
    assert table.contents() == before
