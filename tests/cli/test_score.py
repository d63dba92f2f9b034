"""`tienlen score`: exit statuses, lines and JSON, for any file."""

import json
from pathlib import Path

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
    """A folder of replays, one of each kind."""
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
    """The output for a text on standard input."""
    return tienlen("score", *options, "-", input=text if isinstance(text, bytes) else text.encode())


def test_a_night_is_summed_up_for_people() -> None:
    ran = tienlen("score", RECORDS / "southern-05.tln")
    assert ran.status == 0
    assert "Dũng → Bình 4" in ran.out
    assert "(S-CHOP)" in ran.out
    assert ran.out.splitlines()[-1].startswith("= An ")


def test_a_refusal_says_file_line_code_clause_what_was_offered_and_what_lay_there(folder: Path) -> None:
    path = folder / "c-refused.tln"
    ran = tienlen("score", path)
    assert (ran.status, ran.out) == (1, "")
    assert says_one_line(ran)
    assert ran.err.startswith(f"{path}:9 does-not-beat S-COMPARE (round 1, move 3): ")
    assert ran.err.endswith("[4♦ → 5♣]\n")


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
    judged = tienlen("score", "--json", *paths)
    assert (judged.status, len(judged.data)) == (status, len(names))
    if len(names) > 1:
        assert [report["file"] for report in judged.data] == list(map(str, paths))
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


def test_a_folder_without_replays_has_nothing_to_say(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert tienlen("score", tmp_path / "empty") == Ran(0, "", "")


def test_no_file_at_all_is_a_wrong_use() -> None:
    ran = tienlen("score")
    assert (ran.status, ran.out) == (2, "")


@pytest.mark.parametrize("language", ["vi", "en"])
def test_messages_are_in_the_language_that_was_asked_for(language: str) -> None:
    ran = tienlen("--language", language, "score", "-", input=REFUSED.encode())
    assert "does-not-beat S-COMPARE" in ran.err
    other = tienlen("--language", "vi" if language == "en" else "en", "score", "-", input=REFUSED.encode())
    assert ran.err != other.err


# Arbitrary bytes

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
    """File names are bytes. With two files, each name is printed."""
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
    rule_lines = ["rule triple-beats-ace=yes", "rule passing.locks=no"]
    night = "\n".join(["tienlen 1", "ruleset thirteen", *rule_lines, "p1 An", "p2 Bình", "p3 Chi"])
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
