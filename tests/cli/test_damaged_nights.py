"""An installation with damaged nights: every command names them and continues with the others."""

import json
from pathlib import Path

import pytest

from ledger.recorder import Recorder
from ledger.recorder.exports import Format
from ledger.store import Store, migrate, read_log
from tests.cli.commands import Ran, refused, says_one_line, tienlen
from tests.recorder.forged_logs import Change, forged, put
from tests.recorder.tables import KEY, Clock, open_table
from tests.soaking import further
from tests.stories import A_SETTLED_ROUND

DAMAGED: dict[str, tuple[int, Change]] = {
    "a time that is none": (2, put("at", to="<b>never</b>")),
    "a clause that is false": (7, put("payments", 0, "clause", to="S-CHOP")),
    "a stake beyond all measure": (0, put("stake", to={"amount": "1e999999999", "currency": "VND"})),
    "a ruleset for nobody": (0, put("ruleset", "deal", "players", to=[0, 2, 3, 4])),
    "a date that is a path": (0, put("date", to="../../etc")),
}


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "ledger.db"
    monkeypatch.setenv("TIENLEN_DATABASE_URL", f"sqlite:///{path}")
    (tmp_path / "server.key").write_text(KEY.hex() + "\n")
    migrate(f"sqlite:///{path}")
    return path


def fill(database: Path, seq: int, change: Change) -> tuple[list[str], str]:
    """Store two sound nights, and between them a night with one entry altered, bypassing all checks."""
    store = Store.open(f"sqlite:///{database}", web=False)
    recorder = Recorder(store, KEY, Clock())
    sound = [open_table(recorder, 2).tell(A_SETTLED_ROUND).night for _ in range(2)]
    lines = list(store.export_log(sound[1]))
    id = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"
    altered = forged(forged(lines, 0, put("night", to=id)), seq, change)
    night = json.loads(json.loads(altered[0])["body"])["night"]
    store.append_log(read_log(altered))
    sound.append(open_table(recorder, 2).tell(A_SETTLED_ROUND).night)
    store.close()
    return sound, night


@pytest.mark.parametrize("what", further(DAMAGED, "further damage", plain=3))
def test_every_command_goes_on_with_the_others_and_says_which_is_damaged(
    database: Path, tmp_path: Path, what: str
) -> None:
    seq, change = DAMAGED[what]
    sound, damaged = fill(database, seq, change)

    listed = tienlen("nights")
    assert {line.split()[0] for line in (listed.out + listed.err).splitlines()} == {*sound, damaged}
    assert listed.status == (0 if seq else 1)

    exported = tienlen("export", "--all", tmp_path / "out")
    assert exported.status == 0
    assert {path.stem for path in (tmp_path / "out").iterdir()} == {*sound, damaged}

    assert refused("audit", status=1).startswith(damaged)

    backed = tienlen("backup", tmp_path / "backups")
    assert backed.status == 1
    assert damaged in backed.err
    assert {line.split()[1] for line in backed.out.splitlines()[1:]} == set(sound)
    (made,) = (tmp_path / "backups").glob("*.db")
    again = f"sqlite:///{tmp_path / 'again' / 'ledger.db'}"
    assert tienlen("--database", again, "restore", made).status == 1
    assert len(tienlen("--database", again, "nights").out.splitlines()) >= len(sound)

    for night in sound:
        assert tienlen("export", night).status == 0
        assert tienlen("verify", tmp_path / "out" / f"{night}.ndjson").status == 0
    assert refused("verify", tmp_path / "out" / f"{damaged}.ndjson", status=1)
    for form in Format:
        ran = tienlen("export", damaged, "--format", form)
        assert ran.status == 0 or says_one_line(ran), form


def test_every_damaged_night_is_told_once(database: Path) -> None:
    nights = [fill(database, 2, put("at", to="never"))[1]]
    store = Store.open(f"sqlite:///{database}", web=False)
    lines = list(store.export_log(nights[0]))
    nights.append("018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e12")
    store.append_log(read_log(forged(lines, 0, put("night", to=nights[1]))))
    store.close()
    for processes in (1, 3):
        audited = tienlen("audit", f"--processes={processes}")
        assert audited.status == 1
        assert sorted(line.split()[0] for line in audited.err.splitlines()) == sorted(nights)
    parts = [tienlen("audit", f"--part={part}/5", "--processes=2") for part in range(1, 6)]
    assert [part.status for part in parts].count(1) == 2
    assert sorted(line.split()[0] for part in parts for line in part.err.splitlines()) == sorted(nights)


@pytest.mark.parametrize("part", ["0/2", "3/2", "1/0", "2", "", "-1/2", "1/2/3", "a/b"])
def test_what_is_no_part_is_refused_in_words(part: str) -> None:
    ran = tienlen("audit", f"--part={part}")
    assert (ran.status, f"parts, not {part}\n" in ran.err) == (2, True)


def test_no_file_is_written_outside_of_the_folder(database: Path, tmp_path: Path) -> None:
    sound, _ = fill(database, 0, put("night", to="../../x"))
    ran = tienlen("export", "--all", tmp_path / "out" / "deep")
    assert ran.status == 1
    assert "../../x" in ran.err
    assert {path.stem for path in tmp_path.rglob("*.ndjson")} == set(sound)


def test_of_several_logs_those_that_verify_are_taken(database: Path, tmp_path: Path) -> None:
    sound, damaged = fill(database, *DAMAGED["a clause that is false"])
    assert tienlen("export", "--all", tmp_path / "out").status == 0
    files = [tmp_path / "out" / f"{night}.ndjson" for night in (sound[0], damaged, *sound[1:])]
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    ran = tienlen("--database", elsewhere, "import", *files)
    assert (ran.status, len(ran.err.splitlines())) == (1, 1)
    assert damaged in ran.err
    listed = tienlen("--database", elsewhere, "nights")
    assert listed == Ran(0, listed.out, "")
    assert {line.split()[0] for line in listed.out.splitlines()} == set(sound)
