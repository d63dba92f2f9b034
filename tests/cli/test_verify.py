"""`tienlen verify`: checks an exact log against its hashes, a code noted by a phone, and the rules."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.store import event_hash, head_code, night_hash
from tests.cli.commands import RECORDS, Ran, refused, tienlen

Line = dict[str, Any]
Log = list[str]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """The exact log of a night scored by hand."""
    database = f"sqlite:///{tmp_path_factory.mktemp('verify') / 'ledger.db'}"
    assert tienlen("--database", database, "import", RECORDS / "southern-05.tln").status == 0
    night = tienlen("--database", database, "nights").out.split()[0]
    return tienlen("--database", database, "export", "--exact", night).out.splitlines()


def verified(lines: Log, *options: str) -> Ran:
    """What is said of a log on standard input."""
    return tienlen("verify", "-", *options, input="\n".join(lines).encode())


def code(lines: Log, seq: int) -> str:
    """The code of an entry, computed from its line."""
    line = json.loads(lines[seq + 1] if seq else lines[0])
    return head_code(seq, bytes.fromhex(line["hash"]))


def edited(lines: Log, seq: int, change: Callable[[Line], object], *, again: bool) -> Log:
    """The log with an event altered; with `again`, rehashed from there on, as a forger would."""
    parts = [json.loads(line) for line in lines]
    body = json.loads(parts[seq + 1]["body"])
    change(body)
    parts[seq + 1]["body"] = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    head = night_hash(parts[0]["body"])
    for part in parts[2:] if again else ():
        head = event_hash(head, part["body"])
        part["hash"] = head.hex()
    return [json.dumps(part, ensure_ascii=False, separators=(",", ":")) for part in parts]


def first(lines: Log, kind: str) -> int:
    """The seq of the first event of a kind."""
    bodies = (json.loads(json.loads(line)["body"]) for line in lines[2:])
    return next(seq for seq, body in enumerate(bodies, start=1) if body["kind"] == kind)


def test_an_export_is_verified_without_an_installation(log: Log, tmp_path: Path, home: Path) -> None:
    file = tmp_path / "night.ndjson"
    file.write_text("".join(f"{line}\n" for line in log), encoding="utf-8")
    ran = tienlen("verify", file)
    assert ran == verified(log) == Ran(0, ran.out, "")
    assert code(log, len(log) - 2) in ran.out
    assert json.loads(json.loads(log[0])["body"])["night"] in ran.out
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("typed", [str, str.lower, lambda code: code.partition(" · ")[2].replace("-", "")])
def test_a_head_that_was_seen_is_found_however_it_is_typed(log: Log, typed: Callable[[str], str]) -> None:
    for seq in (0, 1, 7, len(log) - 2):
        ran = verified(log, "--head", typed(code(log, seq)))
        assert (ran.status, ran.err) == (0, "")
        assert f"continues what was seen: {code(log, seq)}" in ran.out


def test_a_later_head_than_the_export_has_says_that_the_tail_is_missing(log: Log) -> None:
    head, cut = code(log, len(log) - 2), "\n".join(log[:-3]).encode()
    assert tienlen("verify", "-", input=cut).status == 0
    line = refused("verify", "-", "--head", head, input=cut, status=1)
    assert "the tail is missing" in line
    assert f"entry {len(log) - 5}" in line
    without_number = tienlen("verify", "-", "--head", head.partition(" · ")[2], input=cut)
    assert (without_number.status, "no entry has that code" in without_number.err) == (1, True)


def test_another_history_than_was_seen_is_told_with_both_codes(log: Log) -> None:
    other = edited(log, 3, lambda body: body.update(at="2026-11-20T20:15:59.000Z"), again=True)
    assert verified(other).status == 0
    assert verified(other, "--head", code(log, 2)).status == 0
    ran = verified(other, "--head", code(log, 5))
    assert (ran.status, code(other, 5) in ran.err) == (1, True)


def richer(body: Line) -> None:
    body["net"] |= {"p1": body["net"]["p1"] + 4, "p2": body["net"]["p2"] - 4}


@pytest.mark.parametrize(
    ("kind", "change", "again", "found"),
    [
        ("play", lambda body: body.update(at="x"), False, "the hash is not that of the text"),
        ("settle", richer, True, "the net of the text is not the sum of the payments"),
        ("play", lambda body: body["content"].update(cards=["2h"]), True, ""),
    ],
    ids=["a text", "a net, though the chain holds", "a card, though chain and sums hold"],
)
def test_what_was_changed_is_told_with_its_entry(
    log: Log, kind: str, change: Callable[[Line], object], again: bool, found: str
) -> None:
    seq = first(log, kind)
    changed = "\n".join(edited(log, seq, change, again=again)).encode()
    assert f"entry {seq}: {found}" in refused("verify", "-", input=changed, status=1)


def test_a_name_that_was_changed_is_told_and_an_erased_one_is_said(log: Log) -> None:
    people = json.loads(log[1])
    people["people"][0]["name"] = "Người khác"
    changed = verified([log[0], json.dumps(people), *log[2:]])
    assert (changed.status, "entry 0: the name of p1" in changed.err) == (1, True)
    people["people"][0] |= {"name": None, "salt": None}
    erased = verified([log[0], json.dumps(people), *log[2:]])
    assert (erased.status, "names erased: p1" in erased.out) == (0, True)
