"""The moves file: nights as JSON lines, what is read from them, and how a wrong line is refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from ledger.game import notation
from ledger.game.notation import Unreadable
from ledger.game.report import Outcome, score
from ledger.language import speaker
from ledger.recorder import moves_file
from ledger.recorder.moves_file import LINES, as_replay, is_moves_file, scored
from tests.case_files import lines_below_headings
from tests.cli.commands import tienlen
from tests.game.test_records import NIGHTS, name

Data = dict[str, Any]

NIGHT: Data = {"kind": "night", "ruleset": "southern-classic", "players": ["An", "Bình", "Chi", "Dũng"]}
ROUND: Data = {"kind": "round", "opening": True}
PLAY: Data = {"kind": "play", "seat": "p1", "cards": ["3s"]}
WORDS = speaker("en").words
VALIDATOR = Draft202012Validator(json.loads(tienlen("schema").out))


def lines(*records: Data | str) -> str:
    return "\n".join(one if isinstance(one, str) else json.dumps(one) for one in records)


@pytest.mark.parametrize("path", NIGHTS, ids=name)
def test_a_record_written_as_lines_and_read_again_is_the_same_night(path: Path) -> None:
    night = notation.replay(notation.read(path.read_text(encoding="utf-8")))
    for with_payments in (False, True):
        text = moves_file.write(night, with_payments=with_payments)
        assert is_moves_file(text)
        script = notation.read(as_replay(text).text)
        again = notation.replay(script, strict=True)
        assert notation.write(again) == notation.write(night)
        assert moves_file.write(again, with_payments=with_payments) == text
        assert [one.paid is not None for one in script.rounds] == [with_payments] * len(night.rounds)
        assert not list(notation.disagreements(script, again))
        assert [line for line in text.splitlines() if not VALIDATOR.is_valid(json.loads(line))] == []


def test_names_and_reasons_that_a_replay_has_are_read_again() -> None:
    """Longer than people may type, or with characters that are not seen."""
    text = f"tienlen 1\nruleset southern-classic\np1 An\u200b\np2 {'B' * 80}\n"
    moves = f"round 1 opening\np1 3s\nvoid x\u200b {'y' * 900}\npay p1 p2 3 \u200bz\np3 Chi\u200b\n"
    night = notation.replay(notation.read(text + moves))
    again = notation.replay(notation.read(as_replay(moves_file.write(night)).text))
    assert notation.write(again) == notation.write(night)


def test_every_kind_of_line_is_in_some_record() -> None:
    texts = (
        moves_file.write(notation.replay(notation.read(path.read_text(encoding="utf-8"))), with_payments=True)
        for path in NIGHTS
    )
    assert {json.loads(line)["kind"] for text in texts for line in text.splitlines()} == LINES.keys()


def test_lines_may_say_less_than_is_written_and_otherwise() -> None:
    """Omitted passes and seats, cards as people type them, a hand as one list, blank lines."""
    replay = as_replay(
        "\ufeff\n"
        + lines(
            NIGHT | {"rules": {"passing.locks": "no"}, "stake": {"amount": "0.50", "currency": "EUR"}},
            "",
            ROUND | {"stood": True},
            PLAY | {"cards": ["3♠"]},
            {"kind": "play", "seat": "p4", "cards": ["10H"], "forward": True, "locks": False, "stood": True},
            {"kind": "declare", "seat": "p2", "cards": ["2h"]},
        )
        + "\n"
    )
    assert replay.text.splitlines()[2:4] == ["rule passing.locks=no", "stake 0.50 EUR"]
    assert replay.text.splitlines()[-4:] == [
        "round 1 opening !",
        "p1 3s",
        "p4 forward unlocks Th !",
        "p2 declares 2h",
    ]
    assert replay.lines[-4:] == (4, 5, 6, 7)


def stated(**changes: object) -> Data:
    """A line with a payment of the preceding round."""
    payment: Data = {"payer": "p1", "payee": "p2", "points": 3, "reason": "placement"}
    return {"kind": "payments", "payments": [payment | changes]}


NAMED = {"night": NIGHT, "round": ROUND, "play": PLAY, "join": {"kind": "join"}}
WRONG = [line for _, line in lines_below_headings("moves-file.txt")]


def read_record(text: str) -> Data | str:
    """A line of a case: a name with the fields that are set in it, or the line itself."""
    name, _, changes = text.partition(" ")
    fields = json.loads(changes) if changes.startswith("{") else {}
    if name == "paid":
        return stated(**fields)
    return NAMED[name] | fields if name in NAMED else text.removeprefix("blank")


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_line_is_named_with_what_was_expected(case: str) -> None:
    number, expected, records = re.fullmatch(r"(\d+) (.*) <= (.*)", case).groups()  # type: ignore[union-attr]
    text = lines(*map(read_record, records.split(" / ")))
    report = scored(text, WORDS, lambda text: score(text, WORDS))
    assert report.outcome is Outcome.UNREADABLE
    error = report.answer.error  # type: ignore[union-attr]
    assert (error.line, error.code) == (int(number), "notation")
    assert expected in error.message


def test_what_the_rules_refuse_is_refused_at_its_line() -> None:
    played = (NIGHT, "", ROUND, PLAY, {"kind": "play", "seat": "p2", "cards": ["3s"]})
    report = scored(lines(*played), WORDS, lambda text: score(text, WORDS))
    assert report.outcome is Outcome.REFUSED
    error = report.answer.error  # type: ignore[union-attr]
    assert (error.line, error.round, error.move, error.code) == (5, 1, 2, "card-already-played")


@pytest.mark.parametrize("record", [stated(), {"kind": "payments", "payments": []}])
def test_payments_that_do_not_follow_from_the_moves_are_told_at_their_line(record: Data) -> None:
    result = {"kind": "result", "places": ["p1", "p2", "p3", "p4"]}
    shown = [{"kind": "declare", "seat": f"p{number}", "sets": []} for number in (2, 3, 4)]
    report = scored(lines(NIGHT, "", ROUND, result, *shown, record), WORDS, lambda text: score(text, WORDS))
    assert report.outcome is Outcome.REFUSED
    error: Any = report.answer.error  # type: ignore[union-attr]
    assert (error.line, error.round, error.code) == (8, 1, "payments-disagree")
    assert {(one.payer, one.payee, one.points) for one in error.missing} == {("p4", "p1", 2), ("p3", "p2", 1)}
    assert len(error.unexpected) == len(record["payments"])


def test_neither_a_replay_nor_an_exact_log_is_a_moves_file() -> None:
    assert not is_moves_file("tienlen 1\n{")
    assert not is_moves_file('{ "line": "night"}')
    with pytest.raises(Unreadable):
        as_replay("tienlen 1")
