"""The commands do what their transcripts say (tests/cases/commands)."""

from pathlib import Path

import pytest

from tests.cli.transcripts import HERE, play, transcripts

FILES = ("score", "rules", "nights", "keeping", "doctor", "unusable")


@pytest.mark.parametrize("steps", [each for name in FILES for each in transcripts(name)])
def test_what_a_transcript_shows_is_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: list[str]
) -> None:
    monkeypatch.setenv("TIENLEN_DATABASE_URL", HERE)
    (tmp_path / "here").mkdir()
    play(steps, tmp_path / "here")
