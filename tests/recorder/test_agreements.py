"""What a table agrees on during the night: other rules, another worth of a point, a round that counts more often.

Rounds of a night are drawn at random with agreements between them; each is compared with the same round in a night
that was opened under its rules.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from ledger.game.night import Night, totals
from ledger.game.notation import read, replay, write, writer
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overrides import own_rules, with_further_rules, with_rules
from ledger.game.rulesets.serialization import to_data
from ledger.game.terms import Stake
from ledger.recorder import Problem, Recorder, Unverified, audit, import_tln, moves_file, verify
from ledger.recorder.agreements import Agreements
from ledger.recorder.moves_file import as_replay
from ledger.recorder.moves_file import write as write_moves
from tests.game.table import run
from tests.recorder.forged_logs import body_of, forged, put
from tests.recorder.tables import Table, open_table, plain
from tests.stories import A_ROUND, A_SETTLED_ROUND, SUITS, whole

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


def test_undo_takes_back_what_was_recorded_last_where_a_round_runs_again_after_an_agreement(
    table: Table,
) -> None:
    table.tell(A_ROUND)
    target = table.page(1)["moves"][-1]["address"]
    table.record("agree", rules={"payments.places": "9/0/0/-9"})
    agreed, states = table.board()["ruleset"], []
    shorter = {"kind": "play", "seat": "p1", "cards": run("s", "4", "K").split()}
    for kind, content in (
        ("correct", {"changes": [{"target": target, "with": shorter}], "reason": "nhìn lại"}),
        ("pass", {"seat": "p2"}),
        ("play", {"seat": "p1", "cards": ["As"]}),
    ):
        states.append(table.board()["round"])
        table.record(kind, **content)
    for state in reversed(states):
        table.tell("undo")
        assert (table.board()["ruleset"], table.board()["round"]) == (agreed, state)
    table.tell("undo")
    assert table.board()["ruleset"] != agreed


def test_a_correction_is_judged_by_the_rules_of_its_round(recorder: Recorder) -> None:
    correct_an_earlier_round(recorder)


def test_a_correction_by_the_rules_of_today_is_noticed(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted defect: all rounds are folded under the last agreement."""
    monkeypatch.setattr(
        Agreements, "of_round", lambda agreed, header: agreed.at(max(agreed.since, default=0))
    )
    with pytest.raises((AssertionError, Problem)):
        correct_an_earlier_round(recorder)


def correct_an_earlier_round(recorder: Recorder) -> None:
    """Correct a round to what it was, after the table has agreed on other rules: it pays what it paid."""
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


def test_a_correction_of_a_beginning_keeps_its_agreement_and_changes_how_often_it_counts(
    recorder: Recorder,
) -> None:
    table = open_table(recorder, 2)
    table.record("agree", rules={"payments.places": "3/-3"})
    table.tell(A_SETTLED_ROUND)
    once = table.board()["net"]["p1"]
    table.record("agree", ruleset="card-count")
    seq = next(event["seq"] for event in table.log() if event["kind"] == "round")
    header = {"kind": "round", "opening": True, "seats": ["p1", "p2"], "times": 3}
    table.record("correct", changes=[{"target": f"{seq}.0", "with": header}], reason="gấp ba")
    assert table.restarted().board()["net"]["p1"] == 3 * once
    assert [*audit(recorder, table.night)] == []


EXPORTS: dict[str, tuple[Any, str, Callable[[Night], str]]] = {
    "a replay": (writer, "_round_lines", lambda night: write(night)),
    "a moves file": (moves_file, "_header", lambda night: as_replay(write_moves(night)).text),
}
"""How a night is written -> the module and function that write a round's beginning, and what reads it again."""


def twice(recorder: Recorder) -> Night:
    """A night with a round that counts twice."""
    table = open_table(recorder, 2)
    table.record("round", opening=True, times=2)
    return table.tell("result p1 p2 \n p2 declares 2h \n settle").ask.whole()


@pytest.mark.parametrize("what", EXPORTS)
def test_a_factor_that_an_export_forgets_is_noticed(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A planted defect: the beginning of a round is written as if the round counted once."""
    module, name, written = EXPORTS[what]
    night = twice(recorder)
    assert totals(replay(read(written(night)))) == totals(night) == [8, -8]
    whole = getattr(module, name)

    def once(round: Round, *more: Any) -> Any:
        return whole(replace(round, header=round.header._replace(times=1)), *more)

    monkeypatch.setattr(module, name, once)
    assert totals(replay(read(written(night)))) == [4, -4]


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


ANOTHER_PRESET = replace(
    PRESETS["card-count"], payments=replace(PRESETS["card-count"].payments, card=7, unplayed=30)
)
"""What a version before this one may have called `card-count`."""


def test_an_agreement_keeps_the_rules_of_its_day_when_a_preset_changes(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(recorder)
    with monkeypatch.context() as once:
        for module in ("ledger.recorder.agreements", "ledger.game.rulesets.overrides"):
            once.setattr(f"{module}.PRESETS", {**PRESETS, "card-count": ANOTHER_PRESET})
        table.record("agree", ruleset="card-count", rules={"payments.left": "2"})
        table.record("agree", rules={"payments.left": "3"})
        record_round(table, a_round(Random(1)))
        before = plain(table.ask.ledger())
    assert plain(table.restarted().ask.ledger()) == before
    assert table.ask.ruleset.payments.card == 7
    (difference,) = audit(recorder, table.night)
    assert (difference.seq, difference.engine) == (1, True)
    (remark,) = verify(recorder.store.export_log(table.night)).remarks
    assert "card-count" in remark


def tampered(part: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Parts of an agreement on `card-count` with payments.left=2 that the request did not ask for."""
    paid = part["ruleset"]["payments"]
    yield "another value of a rule", {"ruleset": {**part["ruleset"], "payments": {**paid, "left": 9}}}
    yield "another preset", {"ruleset": to_data(PRESETS["southern-classic"])}
    yield "a worth", {"stake": {"amount": "9", "currency": "VND"}}
    yield "for all rounds", {"all_rounds": True}
    yield "an agreement before it", {"agreed": 1}
    yield "a round that is open", {"open": [1]}
    yield "rules that are none", {"ruleset": "card-count"}
    yield "rules that nobody can play by", {"ruleset": {**part["ruleset"], "deal": {"hand": 99}}}
    yield "an amount that is none", {"stake": {"amount": "x", "currency": "VND"}}


@pytest.mark.parametrize("number", range(9))
def test_an_agreement_that_somebody_altered_and_hashed_again_is_found(
    recorder: Recorder, number: int
) -> None:
    table = open_table(recorder)
    table.record("agree", ruleset="card-count", rules={"payments.left": "2"})
    lines = [*recorder.store.export_log(table.night)]
    assert not verify(lines).remarks
    what, altered = [*tampered(body_of(lines[2])["parts"][0])][number]
    forgery = forged(lines, 1, lambda body: body["parts"][0].update(altered))
    with pytest.raises(Unverified) as refused:
        pytest.fail(f"{what}: {verify(forgery)}")
    assert refused.value.entry == 1


def test_a_further_rule_that_somebody_altered_is_found(recorder: Recorder) -> None:
    """Its preset explains nothing: the rules before it are in the log."""
    table = open_table(recorder)
    table.record("agree", rules={"payments.left": "2"})
    lines = [*recorder.store.export_log(table.night)]
    forgery = forged(lines, 1, put("parts", 0, "ruleset", "payments", "full_hand", to=9))
    with pytest.raises(Unverified):
        verify(forgery)
