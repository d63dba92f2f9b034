"""`tienlen score`: statuses, lines, JSON, whatever the files."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.cli import group
from tests.cli.commands import RECORDS, Ran, says_one_line, tienlen, tienlen_process

HEAD = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\n"
REFUSED = f"{HEAD}\nround 1 opening\np1 3s\np2 5c\np1 4d ; not enough\n"
DISAGREES = (
    f"{HEAD}\nround 1 opening\np1 claims 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2s\n= p2 p1 3 instant-win\n"
)
SHORT = DISAGREES.replace("p1 3 instant", "p1 2 instant")
UNREADABLE = f"{HEAD}\nround 1 opening\np1 3s\nshuffle\n"
SKIPPING = f"{HEAD}p3 Chi\n\nround 1 opening\np1 3s\np3 5c\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Some replays, one of each kind."""
    folder = tmp_path / "replays"
    folder.mkdir()
    for name, text in {
        "b-scored": SHORT,
        "c-refused": REFUSED,
        "d-disagrees": DISAGREES,
        "e-unreadable": UNREADABLE,
    }.items():
        (folder / f"{name}.tln").write_text(text, encoding="utf-8")
    return folder


def scored(text: str | bytes, *options: str) -> Ran:
    """What is said of a text on standard input."""
    return tienlen("score", *options, "-", input=text if isinstance(text, bytes) else text.encode())


def test_every_record_is_scored_and_its_payments_agree() -> None:
    ran = tienlen("score", RECORDS)
    assert (ran.status, len(ran.out.splitlines())) == (0, len(list(RECORDS.glob("*.tln"))))


def test_every_refused_record_is_refused_at_the_move_and_with_the_code_that_it_names() -> None:
    ran = tienlen("score", "--strict", "--json", RECORDS / "refused")
    assert ran.status == 1
    assert len(ran.data) == len(list((RECORDS / "refused").glob("*.tln")))
    for report in ran.data:
        first, *_ = Path(report["file"]).read_text(encoding="utf-8").splitlines()
        move, round, code = re.findall(r"at move (\d+) of round (\d+) with ([a-z-]+)", first)[0]
        error = report["error"]
        assert (error["move"], error["round"], error["code"]) == (int(move), int(round), code), report["file"]


def test_a_night_is_summed_up_for_people() -> None:
    ran = tienlen("score", RECORDS / "southern-05.tln")
    assert ran.status == 0
    assert "Dũng → Bình 4" in ran.out
    assert "(S-CHOP)" in ran.out
    assert ran.out.splitlines()[-1].startswith("= An ")


def test_rounds_that_are_not_like_others_say_so() -> None:
    night = RECORDS / "by-hand-04-results-voids-and-a-newcomer.tln"
    lines = tienlen("score", night).out.splitlines()
    assert lines[:2] == ["1. void: misdealt, Dũng had fourteen cards", "2. settled: entered as its result"]
    beside = tienlen("score", night, "--under", "casual").out.splitlines()
    assert {"1.", "2. entered as its result"} <= set(beside)
    assert "   casual: void: An 0  Bình 0  Chi 0  Dũng 0" in beside


def test_json_is_exactly_what_the_notation_promises() -> None:
    text = f"""{HEAD}p3 Chi
round 1 opening
p2 4d
p1 5s 7s !
p2 -
p3 -
p1 claims 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2s !
= p2 p1 2 instant-win
= p3 p1 2 instant-win
pay p2 p3 5 đến muộn
"""
    ran = scored(text, "--json")
    (data,) = ran.data
    messages = [finding.pop("message") for finding in data["rounds"][0]["findings"]]
    assert all(messages)
    assert (ran.status, data) == (
        0,
        {
            "ruleset": "southern-classic",
            "players": ["An", "Bình", "Chi"],
            "rounds": [
                {
                    "number": 1,
                    "status": "instant-win",
                    "places": [],
                    "knocked_out": [],
                    "payments": [
                        {
                            "payer": payer,
                            "payee": "p1",
                            "points": 2,
                            "reason": "instant-win",
                            "clause": "S-INSTANT",
                            "move": 5,
                        }
                        for payer in ("p2", "p3")
                    ],
                    "net": {"p1": 4, "p2": -2, "p3": -2},
                    "hands": {},
                    "findings": data["rounds"][0]["findings"],
                }
            ],
            "adjustments": [{"payer": "p2", "payee": "p3", "points": 5, "reason": "đến muộn"}],
            "net": {"p1": 4, "p2": -7, "p3": 3},
            "sheet": {},
        },
    )
    assert [(each["code"], each["clause"], each["move"]) for each in data["rounds"][0]["findings"]] == [
        ("not-a-combination", "S-COMBO", 2),
        ("claim-too-late", "S-INSTANT", 5),
        ("opening-not-lowest", "S-OPEN", 5),
    ]
    assert list(data) == ["ruleset", "players", "rounds", "adjustments", "net", "sheet"]
    assert "đến muộn" in ran.out


def test_the_hands_that_were_left_are_in_the_json() -> None:
    (data,) = tienlen("score", "--json", RECORDS / "southern-05.tln").data
    assert data["rounds"][3]["hands"] == {
        "p1": {"source": "shown", "cards": ["5h"]},
        "p3": data["rounds"][3]["hands"]["p3"],
    }
    assert data["rounds"][3]["hands"]["p3"]["source"] == "deduced"
    assert [round["status"] for round in data["rounds"]] == ["settled"] * 4


def test_a_refusal_says_file_line_code_clause_what_was_offered_and_what_lay_there(folder: Path) -> None:
    path = folder / "c-refused.tln"
    ran = tienlen("score", path)
    assert (ran.status, ran.out) == (1, "")
    assert says_one_line(ran)
    assert ran.err.startswith(f"{path}:9 does-not-beat S-COMPARE (round 1, move 3): ")
    assert ran.err.endswith("[4♦ → 5♣]\n")


def test_a_refusal_in_json(folder: Path) -> None:
    ran = tienlen("score", "--json", folder / "c-refused.tln")
    (data,) = ran.data
    assert data["error"].pop("message")
    assert (ran.status, ran.err) == (1, "")
    assert data == {
        "error": {
            "line": 9,
            "round": 1,
            "move": 3,
            "code": "does-not-beat",
            "clause": "S-COMPARE",
            "offered": ["4d"],
            "top": ["5c"],
        }
    }


def test_a_refused_header_is_move_0() -> None:
    ran = scored(f"{SHORT}round 2 lead p1\n", "--json")
    (data,) = ran.data
    assert (ran.status, data["error"]["code"], data["error"]["move"], data["error"]["round"]) == (
        1,
        "wrong-leader",
        0,
        2,
    )


def test_a_disagreement_lists_what_is_missing_and_what_is_unexpected(folder: Path) -> None:
    ran = tienlen("score", "--json", folder / "d-disagrees.tln")
    (data,) = ran.data
    error = data["error"]
    assert (ran.status, error["code"], error["line"], error["round"]) == (1, "payments-disagree", 8, 1)
    paid = {"payer": "p2", "payee": "p1", "reason": "instant-win"}
    assert (error["missing"], error["unexpected"]) == ([paid | {"points": 2}], [paid | {"points": 3}])
    assert tienlen("score", folder / "d-disagrees.tln").err.startswith(
        f"{folder / 'd-disagrees.tln'}:8 payments-disagree"
    )


def test_what_cannot_be_read_says_where_and_what_was_expected(folder: Path) -> None:
    path = folder / "e-unreadable.tln"
    ran = tienlen("score", path)
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert ran.err.startswith(f"{path}:8 notation: ")
    (data,) = tienlen("score", "--json", path).data
    assert set(data["error"]) == {"line", "code", "message"}
    assert (data["error"]["line"], data["error"]["code"]) == (8, "notation")


def test_passes_may_be_left_out_but_not_when_strict() -> None:
    assert scored(SKIPPING).status == 0
    ran = scored(SKIPPING, "--strict")
    assert ran.status == 1
    assert "not-your-turn S-PASS" in ran.err


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["b-scored"], 0),
        (["b-scored", "c-refused"], 1),
        (["d-disagrees", "b-scored"], 1),
        (["e-unreadable", "b-scored", "c-refused"], 2),
        (["b-scored", "not-there"], 2),
    ],
)
def test_of_several_files_all_are_judged_and_the_highest_status_wins(
    folder: Path, names: list[str], status: int
) -> None:
    paths = [folder / f"{name}.tln" for name in names]
    ran = tienlen("score", *paths)
    assert ran.status == status
    said = tienlen("score", "--json", *paths)
    assert (said.status, len(said.data)) == (status, len(names))
    if len(names) > 1:
        assert [report["file"] for report in said.data] == list(map(str, paths))
        assert all(str(path) in ran.out + ran.err for path in paths)


def test_a_folder_stands_for_its_replays_in_order_and_not_for_its_sub_folders(folder: Path) -> None:
    (folder / "a-sub.tln").mkdir()
    (folder / "a-sub.tln" / "inside.tln").write_text(UNREADABLE, encoding="utf-8")
    (folder / "notes.txt").write_text("not a replay", encoding="utf-8")
    ran = tienlen("score", "--json", folder)
    assert [Path(report["file"]).name for report in ran.data] == [
        "b-scored.tln",
        "c-refused.tln",
        "d-disagrees.tln",
        "e-unreadable.tln",
    ]
    assert ran.status == 2


def test_a_folder_of_one_replay_is_one_file(folder: Path) -> None:
    for path in list(folder.iterdir())[1:]:
        path.unlink()
    (data,) = tienlen("score", "--json", folder).data
    assert "file" not in data


def test_a_folder_without_replays_has_nothing_to_say(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert tienlen("score", tmp_path / "empty") == Ran(0, "", "")


def test_no_file_at_all_is_a_wrong_use() -> None:
    ran = tienlen("score")
    assert (ran.status, ran.out) == (2, "")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.replace(" -", " –"),
        lambda text: text.replace("T", "10"),
        lambda text: f"; from a chat\n\n   {text}  \n\n",
        lambda text: text.removesuffix("\n"),
    ],
    ids=["a byte-order mark", "CRLF", "both", "en dashes", "10 for T", "a comment and blanks", "no last end"],
)
def test_whatever_else_is_read_gives_the_same_night(change: Any) -> None:
    text = (RECORDS / "southern-05.tln").read_text(encoding="utf-8")
    assert scored(change(text), "--json").data == scored(text, "--json").data


@pytest.mark.parametrize("language", ["vi", "en"])
def test_messages_are_in_the_language_that_was_asked_for(language: str) -> None:
    ran = tienlen("--language", language, "score", "-", input=REFUSED.encode())
    assert "does-not-beat S-COMPARE" in ran.err
    other = tienlen("--language", "vi" if language == "en" else "en", "score", "-", input=REFUSED.encode())
    assert ran.err != other.err


# Whatever the bytes

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
    ran = scored(raw)
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert ran.err.startswith("-:")
    (data,) = scored(raw, "--json").data
    assert data["error"]["code"] == "notation"


def test_the_line_that_is_no_text_is_named() -> None:
    assert scored(JUNK["no UTF-8"]).err.startswith("-:3 notation")


def test_a_damaged_replay_is_always_answered() -> None:
    """Bytes changed, dropped, doubled anywhere in a good replay."""
    chance = Random(5)
    original = (RECORDS / "southern-05.tln").read_bytes()[:1500]
    for _ in range(150):
        raw = bytearray(original)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(raw))
            match chance.randrange(3):
                case 0:
                    raw[place] = chance.randrange(256)
                case 1:
                    del raw[place : place + chance.randint(1, 30)]
                case _:
                    raw[place:place] = raw[place : place + chance.randint(1, 30)]
        ran = scored(bytes(raw), "--json")
        assert ran.status in (0, 1, 2)
        (data,) = ran.data
        assert ("error" in data) == bool(ran.status)


@pytest.mark.parametrize("name", ["not-there.tln", "not-there/inside.tln"])
def test_a_file_that_is_not_there_is_unreadable(tmp_path: Path, name: str) -> None:
    ran = tienlen("score", tmp_path / name)
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert ran.err.startswith(f"{tmp_path / name}:0 notation: ")


def test_a_file_that_people_cannot_have_made_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "LARGEST", len(SHORT.encode()) - 1)
    ran = scored(SHORT)
    assert (ran.status, says_one_line(ran)) == (2, True)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_name_that_is_no_text_is_no_obstacle(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Files have names of bytes; two of them, so that the name is printed."""
    names = [bytes(tmp_path) + b"/b\xe1n-c\xfb.tln", bytes(tmp_path) + b"/\xff.tln"]
    Path(tmp_path / "x.tln").write_text(SHORT, encoding="utf-8")
    (tmp_path / "x.tln").rename(Path(names[0].decode(errors="surrogateescape")))
    ran = tienlen_process("score", *options, *names)
    assert ran.status == 2
    assert "Traceback" not in ran.err
    if options:
        assert len([json.loads(line) for line in ran.out.splitlines()]) == 2
    else:
        assert len(ran.out.splitlines()) == len(ran.err.splitlines()) == 1


def test_a_process_of_its_own_ends_with_the_same_status(folder: Path) -> None:
    for name, status in (("b-scored", 0), ("c-refused", 1), ("e-unreadable", 2)):
        assert tienlen_process("score", folder / f"{name}.tln").status == status


def test_a_terminal_that_knows_no_vietnamese_is_no_obstacle(folder: Path) -> None:
    ran = tienlen_process("score", folder / "b-scored.tln", environment={"PYTHONIOENCODING": "ascii"})
    assert (ran.status, ran.err) == (0, "")


def test_a_night_is_told_beside_itself_under_other_rules() -> None:
    ran = scored(SHORT, "--under", "thirteen-points")
    assert ran.status == 0
    assert "= southern-classic: An +2  Bình −2" in ran.out
    assert "= thirteen-points: An +1  Bình −1" in ran.out
    assert "Both sets of rules rule alike on every move that was recorded." in ran.out


def test_what_was_laid_over_a_ruleset_is_named_beside_that_ruleset() -> None:
    laid = ["rule triple-beats-ace=yes", "rule passing.locks=no"]
    night = "\n".join(["tienlen 1", "ruleset thirteen", *laid, "p1 An", "p2 Bình", "p3 Chi"])
    ran = scored(f"{night}\nround 1 opening\np1 3s\np2 Ah\np3 4s 4c 4d\n", "--under", "thirteen")
    assert "   thirteen + triple-beats-ace=yes, passing.locks=no: Allowed." in ran.out
    assert "= thirteen + triple-beats-ace=yes, passing.locks=no: An 0" in ran.out
    assert "= thirteen: An 0" in ran.out


def test_where_rules_differ_the_move_stands_before_what_follows_from_it() -> None:
    ran = tienlen("score", "--under", "casual", RECORDS / "by-hand-05-results-where-the-winner-takes-all.tln")
    assert "First difference: round 1, move 1: result p2. The comparison ends there: by" in ran.out


def test_the_comparison_as_json_is_one_object() -> None:
    ran = scored(SHORT, "--json", "--under", "thirteen-points")
    (data,) = ran.data
    assert (data["ruleset"], data["under"]) == ("southern-classic", "thirteen-points")
    assert data["net"] == {"here": {"p1": 2, "p2": -2}, "there": {"p1": 1, "p2": -1}}


def test_a_night_is_told_beside_itself_under_rules_of_a_tables_own() -> None:
    ran = scored(SHORT, "--under", "thirteen-points", "--rule", "price.red-two=6")
    assert ran.status == 0
    assert "thirteen-points + price.red-two=6" in ran.out
    assert scored(SHORT, "--under", "thirteen-points", "--rule", "price.red-two=x").status == 2
    assert scored(SHORT, "--rule", "price.red-two=6").status == 2


def test_several_nights_under_other_rules_are_lines_with_their_files(folder: Path) -> None:
    ran = tienlen("score", "--under", "casual", folder / "b-scored.tln", RECORDS / "southern-01.tln")
    assert ran.status == 0
    assert all(line.startswith(str(path)) for path in (folder,) for line in ran.out.splitlines()[:3])


def test_a_text_that_cannot_be_scored_is_refused_under_other_rules_too() -> None:
    assert scored(REFUSED, "--under", "casual").status == 1
    assert scored(UNREADABLE, "--under", "casual").status == 2


def test_rules_that_nobody_knows_are_an_error_of_usage() -> None:
    assert scored(SHORT, "--under", "western").status == 2
