"""`tienlen verify`: checks an exact log against its hashes, a code noted by a phone, and the rules."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.store import event_hash, head_code, night_hash
from tests.cli.commands import RECORDS, says_one_line, tienlen

Line = dict[str, Any]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The exact log of a night scored by hand."""
    database = f"sqlite:///{tmp_path_factory.mktemp('verify') / 'ledger.db'}"
    assert tienlen("--database", database, "import", RECORDS / "southern-05.tln").status == 0
    night = tienlen("--database", database, "nights").out.split()[0]
    return tienlen("--database", database, "export", "--exact", night).out.splitlines()


@pytest.fixture
def file(log: list[str], tmp_path: Path) -> Path:
    return written(tmp_path / "night.ndjson", log)


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def code(lines: list[str], seq: int) -> str:
    """The code of an entry, computed from its line."""
    line = json.loads(lines[seq + 1] if seq else lines[0])
    return head_code(seq, bytes.fromhex(line["hash"]))


def edited(lines: list[str], seq: int, change: Callable[[Line], object], *, again: bool) -> list[str]:
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


def first(lines: list[str], kind: str) -> int:
    """The seq of the first event of a kind."""
    return next(
        seq
        for seq, line in enumerate(lines[2:], start=1)
        if json.loads(json.loads(line)["body"])["kind"] == kind
    )


def test_an_export_is_verified_without_an_installation(log: list[str], file: Path, home: Path) -> None:
    ran = tienlen("verify", file)
    assert (ran.status, ran.err) == (0, "")
    assert code(log, len(log) - 2) in ran.out
    assert json.loads(json.loads(log[0])["body"])["night"] in ran.out
    assert list(home.iterdir()) == []


def test_standard_input_will_do(log: list[str]) -> None:
    assert tienlen("verify", "-", input="\n".join(log).encode()).status == 0


@pytest.mark.parametrize("typed", [str, str.lower, lambda code: code.partition(" · ")[2].replace("-", "")])
def test_a_head_that_was_seen_is_found_however_it_is_typed(
    log: list[str], file: Path, typed: Callable[[str], str]
) -> None:
    for seq in (0, 1, 7, len(log) - 2):
        ran = tienlen("verify", file, "--head", typed(code(log, seq)))
        assert (ran.status, ran.err) == (0, "")
        assert f"continues what was seen: {code(log, seq)}" in ran.out


def test_a_later_head_than_the_export_has_says_that_the_tail_is_missing(
    log: list[str], tmp_path: Path
) -> None:
    head, cut = code(log, len(log) - 2), written(tmp_path / "cut.ndjson", log[:-3])
    assert tienlen("verify", cut).status == 0
    ran = tienlen("verify", cut, "--head", head)
    assert ran.status == 1
    assert says_one_line(ran)
    assert "the tail is missing" in ran.err
    assert f"entry {len(log) - 5}" in ran.err
    without_number = tienlen("verify", cut, "--head", head.partition(" · ")[2])
    assert without_number.status == 1
    assert "no entry has that code" in without_number.err


def test_another_history_than_was_seen_is_told_with_both_codes(log: list[str], tmp_path: Path) -> None:
    other = edited(log, 3, lambda body: body.update(at="2026-11-20T20:15:59.000Z"), again=True)
    path = written(tmp_path / "other.ndjson", other)
    assert tienlen("verify", path).status == 0
    assert tienlen("verify", path, "--head", code(log, 2)).status == 0
    ran = tienlen("verify", path, "--head", code(log, 5))
    assert ran.status == 1
    assert code(other, 5) in ran.err


def test_a_text_that_was_changed_is_told_with_its_entry(log: list[str], tmp_path: Path) -> None:
    path = written(tmp_path / "x.ndjson", edited(log, 4, lambda body: body.update(at="x"), again=False))
    ran = tienlen("verify", path)
    assert (ran.status, says_one_line(ran)) == (1, True)
    assert "entry 4: the hash is not that of the text" in ran.err


def test_a_net_that_is_not_the_sum_is_told_though_the_chain_holds(log: list[str], tmp_path: Path) -> None:
    def richer(body: Line) -> None:
        body["net"] |= {"p1": body["net"]["p1"] + 4, "p2": body["net"]["p2"] - 4}

    seq = first(log, "settle")
    ran = tienlen("verify", written(tmp_path / "net.ndjson", edited(log, seq, richer, again=True)))
    assert ran.status == 1
    assert f"entry {seq}: the net of the text is not the sum of the payments" in ran.err


def test_what_the_rules_would_not_have_written_is_told_though_chain_and_sums_hold(
    log: list[str], tmp_path: Path
) -> None:
    seq = first(log, "play")

    def another_card(body: Line) -> None:
        body["content"]["cards"] = ["2h"]

    ran = tienlen("verify", written(tmp_path / "rules.ndjson", edited(log, seq, another_card, again=True)))
    assert ran.status == 1
    assert f"entry {seq}: " in ran.err


def test_a_name_that_was_changed_is_told_and_an_erased_one_is_said(log: list[str], tmp_path: Path) -> None:
    people = json.loads(log[1])
    people["people"][0]["name"] = "Người khác"
    changed = tienlen("verify", written(tmp_path / "name.ndjson", [log[0], json.dumps(people), *log[2:]]))
    assert (changed.status, "entry 0: the name of p1" in changed.err) == (1, True)
    people["people"][0] |= {"name": None, "salt": None}
    erased = tienlen("verify", written(tmp_path / "erased.ndjson", [log[0], json.dumps(people), *log[2:]]))
    assert (erased.status, "names erased: p1" in erased.out) == (0, True)


@pytest.mark.parametrize("text", ["", "tienlen 1\n", "{}", '{"line":"night"}', "\xff"])
def test_what_is_no_export_is_unreadable(text: str, tmp_path: Path) -> None:
    path = tmp_path / "none.ndjson"
    path.write_bytes(text.encode("latin-1"))
    ran = tienlen("verify", path)
    assert (ran.status, says_one_line(ran)) == (2, True)


def test_what_cannot_be_asked_is_said(file: Path, tmp_path: Path) -> None:
    assert tienlen("verify", tmp_path / "nowhere").status == 2
    assert tienlen("verify").status == 2
    wrong = tienlen("verify", file, "--head", "7K3Q")
    assert (wrong.status, "sixteen characters" in wrong.err) == (2, True)


def test_the_page_that_verifies_offline_is_written_out() -> None:
    ran = tienlen("verify", "--page")
    assert ran.status == 0
    assert ran.out.startswith("<!doctype html>")
