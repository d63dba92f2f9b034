"""`tienlen score` of arbitrary bytes; tests/cases/commands/score.txt has the other tests."""

import json
from pathlib import Path

import pytest

from ledger.cli import group
from tests.cli.commands import says_one_line, tienlen, tienlen_process

HEAD = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\n"
WON = f"{HEAD}\nround 1 opening\np1 claims 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2s\n= p2 p1 2 instant-win\n"
JUNK = {
    "nothing": b"",
    "blanks": b" \n\t\n",
    "zeros": bytes(1000),
    "no UTF-8": b"tienlen 1\nruleset southern-classic\np1 \xff\xfe\n",
    "UTF-16": "tienlen 1\n".encode("utf-16"),
    "a cut character": "tienlen 1\np1 Bì".encode()[:-1],
    "a surrogate": b"tienlen 1\np1 \xed\xa0\x80\n",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "one long line": b"tienlen 1\n" + b"p1 " * 100_000,
    "old line ends": HEAD.replace("\n", "\r").encode(),
    "many rounds": HEAD.encode() + b"round 1\n" * 1000,
    "a large number": HEAD.encode() + b"round " + b"9" * 5000 + b"\n",
    "points": HEAD.encode() + b"pay p1 p2 " + b"9" * 5000 + b" x\n",
    "a stake": b"tienlen 1\nruleset southern-classic\nstake 1e999999 VND\n",
    "digits of another script": (HEAD + "round ١ opening\np1 3s\n").encode(),
    "a player of another script": (HEAD + "round 1 opening\np１ 3s\n").encode(),
    "json": b'{"line":"night"}',
}


@pytest.mark.parametrize("raw", JUNK.values(), ids=JUNK)
def test_junk_is_unreadable_in_one_line(raw: bytes) -> None:
    ran = tienlen("score", "-", input=raw)
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert ran.err.startswith("-:")
    (data,) = tienlen("score", "--json", "-", input=raw).data
    assert data["error"]["code"] == "notation"


def test_a_file_that_people_cannot_have_made_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "LARGEST", len(WON.encode()) - 1)
    ran = tienlen("score", "-", input=WON.encode())
    assert (ran.status, says_one_line(ran)) == (2, True)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_name_that_is_no_text_is_no_obstacle(tmp_path: Path, options: tuple[str, ...]) -> None:
    """File names are bytes. With two files, each name is printed."""
    names = [bytes(tmp_path) + b"/b\xe1n-c\xfb.tln", bytes(tmp_path) + b"/\xff.tln"]
    Path(names[0].decode(errors="surrogateescape")).write_text(WON, encoding="utf-8")
    ran = tienlen_process("score", *options, *names)
    assert ran.status == 2
    assert "Traceback" not in ran.err
    if options:
        assert len([json.loads(line) for line in ran.out.splitlines()]) == 2
    else:
        assert len(ran.out.splitlines()) == len(ran.err.splitlines()) == 1


def test_a_terminal_that_knows_no_vietnamese_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "night.tln").write_text(WON, encoding="utf-8")
    ran = tienlen_process("score", tmp_path / "night.tln", environment={"PYTHONIOENCODING": "ascii"})
    assert (ran.status, ran.err) == (0, "")
