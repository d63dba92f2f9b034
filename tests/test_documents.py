"""The documents: their links resolve, their programs run, and their lists are complete."""

import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pytest

from ledger.web.api.calls import CALLS, PREFIX
from tests import declared_rows
from tests.cli.commands import tienlen
from tests.servers import Served

ROOT = Path(__file__).parent.parent
DOCUMENTS = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("*.md")}
INTERFACE = DOCUMENTS["INTERFACE.md"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_link_to_a_file_or_a_heading_leads_there(name: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", DOCUMENTS[name])
    for target in targets:
        if "://" in target:
            continue
        path, _, heading = target.partition("#")
        assert (ROOT / path).exists(), target
        assert not heading or heading in _headings(DOCUMENTS[path or name]), target


def _headings(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_file_that_is_named_is_there(name: str) -> None:
    named = re.findall(r"`((?:ledger|tests|scripts|templates|migrations)/[\w./-]*\w)`", DOCUMENTS[name])
    # Files that CONTRIBUTING.md tells the reader to write:
    new = re.findall(r"`([\w/]+[.](?:py|html|txt))`:\n\n```", DOCUMENTS[name])
    assert [path for path in named if path not in new and not (ROOT / path).exists()] == []


COMMANDS = re.compile(r"`(?:[.]venv/bin/)?(?:[.]/)?(scripts/\w+(?:/\w+)?|python -m [\w.]+|tienlen \w+)[^`]*`")


@pytest.mark.parametrize("name", ["TESTING.md", "OPERATING.md"])
def test_figures_that_were_measured_stand_where_their_command_does(name: str) -> None:
    for section in DOCUMENTS[name].split("\n## ")[1:]:
        rows = re.findall(r"^\|.*\d.*\|$", section, re.MULTILINE)
        assert not rows or COMMANDS.search(section), section.splitlines()[0]
        for command in COMMANDS.findall(section):
            if command.startswith("scripts/"):
                assert (ROOT / command).exists(), command
            elif command.startswith("python"):
                assert find_spec(command.split()[-1]), command


def test_every_call_is_listed() -> None:
    listed = dict(re.findall(r"^\| `(\S+ \S+)` \| `(\w+)`:", INTERFACE, re.MULTILINE))
    calls = ((call, f"{PREFIX}{call.rule}".replace("<night:night>", "{night}")) for call in CALLS)
    assert listed == {f"{call.method} {path}": call.described["operationId"] for call, path in calls}


def programs() -> dict[str, str]:
    """The programs in INTERFACE.md, by the name in their first line."""
    return {
        re.findall(r"python (\w+)[.]py", text)[0]: text
        for text in re.findall(r"```python\n(.+?)```", INTERFACE, re.DOTALL)
    }


def run(program: str, argument: object, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(programs()[program], encoding="utf-8")
    command = [sys.executable, str(folder / "program.py"), str(argument)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_program_that_records_a_night_runs(server: Served, tmp_path: Path) -> None:
    ran = run("night", server.address, tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "{'p1': 2, 'p2': -2}\n"), ran.stderr


@pytest.fixture
def exported(tmp_path: Path) -> tuple[str, list[str]]:
    """The exact log of the example night, and what `tienlen verify` prints of it."""
    database = ("--database", f"sqlite:///{tmp_path / 'ledger.db'}")
    night = tienlen(*database, "demo").out.split()[1]
    log = tmp_path / "night.ndjson"
    assert tienlen(*database, "export", "--exact", night, "-o", log).status == 0
    return tienlen("verify", log).out, log.read_text(encoding="utf-8").splitlines()


def test_the_program_that_verifies_a_log_finds_its_code(
    exported: tuple[str, list[str]], tmp_path: Path
) -> None:
    printed, _ = exported
    ran = run("verify", tmp_path / "night.ndjson", tmp_path)
    assert ran.returncode == 0, ran.stderr
    code, _, net = ran.stdout.partition(" {")
    assert code in printed.splitlines()
    assert len([line for line in programs()["verify"].splitlines() if line]) <= 40
    assert net


def test_the_program_that_verifies_a_log_finds_what_was_changed(
    exported: tuple[str, list[str]], tmp_path: Path
) -> None:
    _, lines = exported
    log = tmp_path / "night.ndjson"
    for place in (0, 1, 2, len(lines) // 2, len(lines) - 1):
        line = lines[place]
        changed = re.sub(r"\d(?=[^\d]*$)", lambda one: str((int(one[0]) + 1) % 10), line)
        assert changed != line
        log.write_text("\n".join([*lines[:place], changed, *lines[place + 1 :]]), encoding="utf-8")
        assert run("verify", log, tmp_path).returncode == 1, line


def test_the_program_verifies_a_log_with_agreements_and_finds_one_that_was_changed(tmp_path: Path) -> None:
    database = ("--database", f"sqlite:///{tmp_path / 'ledger.db'}")
    record = ROOT / "tests" / "records" / "by-hand-10-another-preset.tln"
    night = re.findall(r"[0-9a-f-]{36}", tienlen(*database, "import", record).out)[0]
    log = tmp_path / "night.ndjson"
    assert tienlen(*database, "export", "--exact", night, "-o", log).status == 0
    ran = run("verify", log, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith(" {'p1': -9, 'p2': -25, 'p3': 62, 'p4': -28}\n")
    assert ran.stdout.partition(" {")[0] in tienlen("verify", log).out.splitlines()
    text = log.read_text(encoding="utf-8")
    for right, wrong in (
        ('\\"agree\\"', '\\"agreed\\"'),
        ('\\"payments.card\\":\\"2', '\\"payments.card\\":\\"3'),
    ):
        assert right in text
        log.write_text(text.replace(right, wrong, 1), encoding="utf-8")
        assert run("verify", log, tmp_path).returncode == 1


def grammar() -> dict[str, re.Pattern[str]]:
    """The patterns of a replay's lines from INTERFACE.md."""
    block = re.findall(r"```\n(version .+?)```", INTERFACE, re.DOTALL)[0]
    patterns = dict(line.split(None, 1) for line in block.splitlines())
    tag, card = patterns.pop("TAG"), patterns.pop("CARD")
    return {
        name: re.compile(text.replace("TAG", tag).replace("CARD", card), re.ASCII)
        for name, text in patterns.items()
    }


def test_every_line_of_every_record_is_one_of_the_grammar() -> None:
    forms = grammar()
    used = set()
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "records").glob("*.tln")]
    for line in chain.from_iterable(text.splitlines() for text in texts):
        words = " ".join(line.partition(";")[0].replace(",", ", ").split())
        found = [name for name, form in forms.items() if form.fullmatch(words)]
        assert found or not words, line
        used.update(found)
    assert used == forms.keys()


def test_the_declared_rows_are_made_from_their_declarations(capsys: pytest.CaptureFixture[str]) -> None:
    assert declared_rows.main("--check") == 0, capsys.readouterr().out
