"""`tienlen export`: every format, on standard output or in a new file."""

import json
from pathlib import Path

import pytest

from ledger.recorder.exports import Format
from tests.cli.commands import says_one_line, tienlen, tienlen_process
from tests.cli.test_nights import NOWHERE, database, night

__all__ = ["database", "night"]


def test_every_format_is_written_and_to_a_file_byte_by_byte_the_same(night: str, tmp_path: Path) -> None:
    for format in Format:
        file, run = tmp_path / format, tienlen_process if format is Format.CSV else tienlen
        shown = run("export", night, "--format", format)
        assert (shown.status, shown.err) == (0, "")
        assert tienlen("export", night, "--format", format, "-o", file).status == 0
        assert file.read_bytes().decode() == shown.out, format


def test_a_replay_is_written_unless_something_else_is_asked_for(night: str) -> None:
    assert tienlen("export", night).out == tienlen("export", night, "--format", "tln").out
    assert tienlen("export", night, "--exact").out == tienlen("export", night, "--format", "exact").out


def test_the_share_text_speaks_the_language_that_was_asked_for_and_ends_with_the_address(night: str) -> None:
    text = tienlen(
        "--language", "vi", "export", night, "--format", "share", "--address", "https://so.example/n/1"
    ).out
    assert "Trả: " in text
    assert text.endswith("\nhttps://so.example/n/1\n")
    assert "Pay: " in tienlen("export", night, "--format", "share").out


@pytest.mark.parametrize(
    ("language", "head"), [((), "address,"), (("vi",), "Mã khoản,"), (("en",), "Payment,")]
)
def test_a_table_is_for_programs_unless_a_language_is_asked_for(
    night: str, language: tuple[str, ...], head: str
) -> None:
    spoken = ("--language", *language) if language else ()
    assert tienlen(*spoken, "export", night, "--format", "csv").out.startswith(f"\ufeff{head}")


def test_the_findings_in_json_speak_the_language_too(database: Path, tmp_path: Path) -> None:
    stood = tmp_path / "stood.tln"
    stood.write_text(
        "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\nround 1\np1 3s\np2 4s 5s !\n", encoding="utf-8"
    )
    night = tienlen("import", stood).out.split()[2].rstrip(",")
    findings = [
        json.loads(tienlen("--language", language, "export", night, "--format", "json").out)["rounds"][0][
            "findings"
        ]
        for language in ("vi", "en")
    ]
    assert findings[0][0]["code"] == findings[1][0]["code"]
    assert findings[0][0]["message"] != findings[1][0]["message"]


def test_a_night_that_is_not_there_is_said_in_one_line(night: str) -> None:
    for format in Format:
        ran = tienlen("export", NOWHERE, "--format", format)
        assert (ran.status, says_one_line(ran)) == (2, True), format
