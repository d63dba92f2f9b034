"""Independent readers, which share no code with the program, compute every total of a corpus from its moves."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.prices import PLACES, PREFIX, SHEETS, order, prices_of
from tests.cli.commands import tienlen

READERS = Path(__file__).parents[2] / "scripts" / "readers"


def own_prices(preset: str) -> list[str]:
    """Options that give every named price of a preset that is paid a value of its own; the last place pays the
    first alone."""
    options = []
    for points, path in enumerate(sorted(prices_of(PRESETS[preset]), key=order), start=3):
        places = int(path.removeprefix(PLACES)) if path.startswith(PLACES) else 0
        text = "/".join(map(str, [points, *[0] * (places - 2), -points])) if places else points
        if not (path.startswith(SHEETS) or path.removeprefix(PREFIX)[0].isdigit()):
            options.append(f"--rule={path}={text}")
    return options


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """For every preset, as it is and with a table's own prices, what the readers read: its rules, and a night."""
    folder, files = tmp_path_factory.mktemp("corpus"), []
    for preset in PRESETS:
        for own, options in (("", []), ("-own", own_prices(preset))):
            rules, night = folder / f"{preset}{own}.rules", folder / f"{preset}{own}.tln"
            rules.write_text(tienlen("rules", preset, "--lines", *options).out)
            night.write_text(tienlen("corpus", "5", "--seed", "6", "--under", preset, *options).out)
            files += [rules, night]
    return files


def joined(nights: Iterable[tuple[str, str]]) -> str:
    """One night with the rounds of several, each below what the table agrees on before them; every third round
    counts more often, and its `=` lines state as much."""
    text, number = "", 0
    for agreed, night in nights:
        head, *rounds = night.split("\nround ")
        text += f"\n{agreed}\n" if agreed else head
        for at, round in enumerate(rounds):
            number += 1
            header, below = round.partition("\n")[::2]
            seats = [] if at else re.findall(r"^p\d", head, re.MULTILINE)
            begins = " ".join([header.partition(" ")[2], *seats])
            times = 1 if number % 3 else 2 + number % 9
            paid = re.sub(
                r"(?<=^= )(p\d p\d )(\d+)",
                lambda found, times=times: f"{found[1]}{times * int(found[2])}",  # type: ignore[misc]
                below,
                flags=re.MULTILINE,
            )
            text += (
                f"\nround {number} {begins}{f' x{times}' if times > 1 else ''}{'' if at else ' !'}\n{paid}"
            )
    return text


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Rules of two presets, and a night of the last that changes to the first, and back, with rules of its own."""
    folder = tmp_path_factory.mktemp("changing")
    presets = ["card-count", "southern-classic"]
    files = [folder / f"{preset}.rules" for preset in presets]
    for file, preset in zip(files, presets, strict=True):
        file.write_text(tienlen("rules", preset, "--lines").out)
    rules = ["payments.places=5/2/-2/-5,2/0/-2,1/-1", "payments.hoard_payee=winner"]
    parts = [
        ("", presets[1], []),
        ("\n".join(f"rule {rule}" for rule in rules), presets[1], rules),
        ("stake 1000 VND all\nruleset card-count\nrule payments.card=2", presets[0], ["payments.card=2"]),
        (
            "rule payments.unplayed=30\nrule passing.locks=no",
            presets[0],
            ["payments.card=2", "payments.unplayed=30", "passing.locks=no"],
        ),
        ("ruleset southern-classic", presets[1], []),
    ]
    nights = []
    for agreed, preset, own in parts:
        options = [f"--rule={rule}" for rule in own]
        nights.append((agreed, tienlen("corpus", "6", "--seed", "6", "--under", preset, *options).out))
    night = folder / "night.tln"
    night.write_text(joined(nights))
    return [*files, night]


def test_rounds_under_other_rules_and_with_a_factor_follow_from_the_moves_too(
    reader: tuple[list[str], str], changing: list[Path]
) -> None:
    scored = tienlen("score", "--json", changing[-1])
    net = json.loads(scored.out)["net"]
    ran = read(reader, changing)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split()[1:] == [word for seat, points in net.items() for word in (seat, f"{points:+}")]


FORGOTTEN = {
    ".py": [
        ("points * times", "points"),
        ("fields = known[what]", "pass"),
        ('fields += f"\\n{line}"', "pass"),
    ],
    ".mjs": [
        ("points * times", "points"),
        ("fields = known[what]", "fields += ''"),
        ("fields += `\\n${line}`", "fields += ''"),
    ],
}
"""By suffix, what a reader may forget: how often a round counts, another preset, other rules."""


def test_a_reader_that_forgets_what_was_agreed_on_is_noticed(
    reader: tuple[list[str], str], changing: list[Path], tmp_path: Path
) -> None:
    suffix = reader[1]
    for right, wrong in FORGOTTEN[suffix]:
        shutil.copytree(READERS, tmp_path, dirs_exist_ok=True)
        script = tmp_path / f"totals{suffix}"
        text = script.read_text()
        assert text.count(right) == 1, right
        script.write_text(text.replace(right, wrong))
        ran = read(reader, changing, tmp_path)
        assert (ran.returncode, "by the moves" in ran.stderr) == (1, True), right


def test_what_a_reader_does_not_know_is_refused(
    reader: tuple[list[str], str], changing: list[Path], tmp_path: Path
) -> None:
    text = changing[-1].read_text()
    for line in ("rule price.red-two=6", "rule triple-beats-ace=yes", "ruleset thirteen"):
        other = tmp_path / "other.tln"
        other.write_text(text.replace("ruleset card-count", line))
        ran = read(reader, [*changing[:-1], other])
        assert (ran.returncode, ran.stderr) == (1, f"{line} is not read here\n")


@pytest.fixture(params=[".py", ".mjs"])
def reader(request: pytest.FixtureRequest, node: str) -> tuple[list[str], str]:
    """The command that runs a reader, and the suffix of its files."""
    return [sys.executable, "-B"] if request.param == ".py" else [node], request.param


def read(
    reader: tuple[list[str], str], files: Iterable[Path], readers: Path = READERS
) -> subprocess.CompletedProcess[str]:
    run, suffix = reader
    command = [*run, str(readers / f"totals{suffix}"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_corpus_holds_what_the_readers_are_asked(corpus: list[Path]) -> None:
    text = "".join(night.read_text() for night in corpus[1::2])
    assert all(
        word in text for word in ("claims", "shows", "contract", "forward", "bomb-bonus", "got-to-get-in")
    )
    assert all(f"\n= p{payer} " in text for payer in range(1, 9))


def test_every_total_follows_from_the_moves_alone(reader: tuple[list[str], str], corpus: list[Path]) -> None:
    ran = read(reader, corpus)
    assert (ran.returncode, ran.stderr) == (0, "")
    scored = tienlen("score", "--json", *corpus[1::2]).out.splitlines()
    expected = [
        [word for seat, net in json.loads(one)["net"].items() for word in (seat, f"{net:+}")]
        for one in scored
    ]
    assert [line.split()[1:] for line in ran.stdout.splitlines()] == expected


WRONG = {
    ".py": [
        ("totals", "untouched or ", ""),
        ("totals", "payer.out and ", ""),
        ("totals", '.get("points", rules["points"])', '.get("points", 0)'),
        ("totals", "stock > 0)", "0)"),
        ("rules", "reversed(due)", "due"),
        ("rules", "points + best(rest)", "points"),
    ],
    ".mjs": [
        ("totals", "untouched || left", "left"),
        ("totals", "payer.out && ", ""),
        ("totals", ".points ?? rules.points", ".points ?? 0"),
        ("totals", "left[seat] += stock > 0", "left[seat] += 0"),
        ("rules", ".toReversed()", ""),
        ("rules", "points + best(left", "points + 0 * best(left"),
    ],
}
"""By suffix, the name of a reader's file, a text in it, and a replacement that gets a rule wrong: full hands,
players who are out, prices of instant wins, drawn cards, the order of payers, several special sets."""


def test_a_reader_that_has_a_rule_wrong_is_noticed(
    reader: tuple[list[str], str], corpus: list[Path], tmp_path: Path
) -> None:
    suffix = reader[1]
    for name, right, wrong in WRONG[suffix]:
        shutil.copytree(READERS, tmp_path, dirs_exist_ok=True)
        script = tmp_path / f"{name}{suffix}"
        text = script.read_text()
        assert text.count(right) == 1, right
        script.write_text(text.replace(right, wrong))
        ran = read(reader, corpus, tmp_path)
        assert (ran.returncode, "by the moves" in ran.stderr) == (1, True), wrong


def test_a_payment_that_was_changed_is_noticed(
    reader: tuple[list[str], str], corpus: list[Path], tmp_path: Path
) -> None:
    rules, night = corpus[:2]
    changed = tmp_path / "changed.tln"
    text = night.read_text()
    payment = re.search(r"(?<=\n= )(p\d p\d )(\d+)", text)
    assert payment is not None
    before = text[: payment.start()]
    changed.write_text(f"{before}{payment[1]}{int(payment[2]) + 1}{text[payment.end() :]}")
    ran = read(reader, [rules, changed])
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"changed.tln: round {before.count('round ')}: " in ran.stderr


def test_rules_that_no_preset_pays_by_are_refused(reader: tuple[list[str], str], tmp_path: Path) -> None:
    rules = tmp_path / "doubling.rules"
    rules.write_text(tienlen("rules", "southern-classic", "--lines", "--rule=payments.chain=doubling").out)
    ran = read(reader, [rules])
    assert (ran.returncode, ran.stderr) == (1, "chain=d is not read here\n")
