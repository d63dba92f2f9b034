"""Commands that need no installation: they load no database, and tell the rules; and a corpus for other engines."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from ledger.cli import main
from ledger.cli.group import MODULES
from ledger.game.rulesets import PRESETS
from ledger.language import LANGUAGES, overviews, rules_text, speaker
from tests.cli.commands import tienlen, tienlen_process


def test_every_command_is_where_it_is_looked_for() -> None:
    context = click.Context(main)
    for module, commands in MODULES.items():
        for name in commands:
            found = main.get_command(context, name)
            assert found is not None
            assert found.callback is not None
            assert found.callback.__module__ == f"ledger.cli.{module}"
    assert sorted(main.commands) == main.list_commands(context)


def test_what_needs_no_installation_loads_no_database() -> None:
    program = """if True:
        import sys
        from ledger.cli import main
        main(["rules"], standalone_mode=False)
        sys.exit("sqlalchemy" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruleset_has_a_line(language: str) -> None:
    ran = tienlen("rules", "--language", language)
    lines = ran.out.splitlines()
    assert ran.status == 0
    assert [line.split()[0] for line in lines] == list(PRESETS)
    for line, preset in zip(lines, PRESETS, strict=True):
        assert speaker(language).ruleset(preset) in line
        assert speaker(language).ruleset_line(preset) in line


def test_a_ruleset_is_told_in_full_in_the_language_that_is_asked_for() -> None:
    english, vietnamese = (rules_text(PRESETS["northern"], speaker(language)) for language in ("en", "vi"))
    assert tienlen("rules", "northern").out == english
    assert tienlen("rules", "northern", "--language", "vi").out == vietnamese
    assert tienlen("--language", "vi", "rules", "northern").out == vietnamese


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruleset_is_told_side_by_side(language: str) -> None:
    ran = tienlen("rules", "--table", "--language", language)
    assert ran.status == 0
    tables = overviews(speaker(language))
    for table in tables:
        assert table.title in ran.out
        assert all(ran.out.count(f" {preset} ") == len(tables) for preset in PRESETS)


@pytest.mark.slow
def test_a_corpus_is_the_same_to_the_byte_whatever_sets_are_ordered_by(tmp_path: Path) -> None:
    made = []
    for number in ("0", "1"):
        folder = tmp_path / number
        ran = tienlen_process(
            "corpus", "240", "--seed", "3", "--into", folder, environment={"PYTHONHASHSEED": number}
        )
        assert ran.status == 0
        made.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert made[0] == made[1]
    assert len(made[0]) == 12
    assert tienlen("score", "--strict", tmp_path / "0").status == 0
