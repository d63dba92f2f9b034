"""Commands about the nights of an installation; tests/cases/commands/nights.txt has the other tests."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder import EventRequest, Link, Recorder, Role, served_at
from ledger.recorder.exports import Format
from ledger.store import Store
from tests.cli.commands import RECORDS, Ran, refused, says_one_line, tamper, tienlen, tienlen_process
from tests.recorder.tables import SECRET

RECORD = RECORDS / "southern-05.tln"
NOWHERE = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
SOUTHERN = Terms(PRESETS["southern-classic"])


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of this installation's database, which does not exist yet."""
    path = tmp_path / "installation" / "ledger.db"
    path.parent.mkdir()
    monkeypatch.setenv("TIENLEN_DATABASE_URL", f"sqlite:///{path}")
    return path


@pytest.fixture
def night(database: Path) -> str:
    """An imported night."""
    return carried_in(tienlen("import", RECORD))


def carried_in(ran: Ran) -> str:
    """The id of the night that an import names."""
    assert (ran.status, ran.err) == (0, "")
    (found,) = re.findall(UUID, ran.out)
    return str(found)


def into(path: Path, *arguments: str | Path) -> Ran:
    """Run a command on another database."""
    return tienlen("--database", f"sqlite:///{path}", *arguments)


@contextmanager
def recording(database: Path) -> Iterator[Recorder]:
    """A recorder on a database, which may write what the command line would not."""
    store = Store.open(f"sqlite:///{database}", web=False)
    yield Recorder(store, bytes(32))
    store.close()


def changed(database: Path, night: str, *events: tuple[str, dict[str, object]]) -> None:
    """Record events as the keeper."""
    with recording(database) as recorder:
        for kind, content in events:
            with recorder.night(night) as snapshot:
                after = snapshot.state.after if kind == "adjust" else None
            request = EventRequest(str(uuid4()), after, kind, content)
            recorder.record(night, request, Link(night, Role.KEEPER))


def test_every_format_is_written_and_to_a_file_byte_by_byte_the_same(night: str, tmp_path: Path) -> None:
    for format in Format:
        file, run = tmp_path / format, tienlen_process if format is Format.CSV else tienlen
        shown = run("export", night, "--format", format)
        assert (shown.status, shown.err) == (0, "")
        assert tienlen("export", night, "--format", format, "-o", file).status == 0
        assert file.read_bytes().decode() == shown.out, format
        assert refused("export", NOWHERE, "--format", format)


def test_what_finds_no_room_is_one_line_and_leaves_no_half_of_a_night(night: str, tmp_path: Path) -> None:
    file = tmp_path / "night.tln"
    ran = tienlen_process("export", night, "-o", file, room=100)
    assert (ran.status, says_one_line(ran), file.exists()) == (2, True, False)
    with Path("/dev/full").open("w") as full:
        ran = tienlen_process("export", night, out=full)
    assert (ran.status, says_one_line(ran)) == (2, True)


def test_a_reason_may_hold_what_ends_lines_elsewhere(night: str, database: Path, tmp_path: Path) -> None:
    """A text keeps every character typed, including U+2028; only a line feed ends a line of the log."""
    content = {"payer": "p1", "payee": "p2", "points": 1, "reason": "một\u2028hai"}
    changed(database, night, ("adjust", content))
    log = tmp_path / "night.ndjson"
    assert tienlen("export", "--exact", night, "-o", log).status == 0
    assert carried_in(into(tmp_path / "other.db", "import", log)) == night


def test_names_that_no_door_of_ours_let_in_do_nothing_to_a_terminal(
    night: str, database: Path, tmp_path: Path
) -> None:
    """Nor can the log be imported into another database."""
    names = ["An\x1b]0;root\x07", "Bình\n0", "\u202eihC", "👨\u200d👩\u200d👧"]
    log, other = tmp_path / "night.ndjson", f"sqlite:///{tmp_path / 'other.db'}"
    with recording(database) as recorder:
        assert recorder.open_night(NOWHERE, secret=SECRET, terms=SOUTHERN, players=names).created
        log.write_text("".join(f"{line}\n" for line in recorder.store.export_log(NOWHERE)), encoding="utf-8")
    assert refused("--database", other, "import", log, status=1)
    replay = tienlen("export", NOWHERE).out
    assert "\np2 Bình 0\n" in replay  # a name cannot end or begin a line of a replay
    assert tienlen("score", "-", input=replay.encode()).status == 0
    (listed,) = (line for line in tienlen("nights").out.splitlines() if line.startswith(NOWHERE))
    assert listed.endswith("An�]0;root�, Bình�0, �ihC, 👨\u200d👩\u200d👧")


def test_a_file_that_is_too_large_is_not_carried_in_in_part(
    night: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exact log cut after a line would still be a valid log."""
    log, other = tmp_path / "night.ndjson", tmp_path / "other.db"
    text = tienlen("export", "--exact", night).out
    log.write_text(text, encoding="utf-8")
    monkeypatch.setattr("ledger.cli.group.LARGEST", len("\n".join(text.splitlines()[:-1]).encode()))
    assert refused("--database", f"sqlite:///{other}", "import", log)
    assert into(other, "nights").out == ""


def test_links_begin_with_the_address_of_the_server_that_runs_and_of_no_other(
    night: str, database: Path
) -> None:
    url = f"sqlite:///{database}"
    with served_at("https://so.example/", url):
        assert "keeper  https://so.example/t/" in tienlen("link", night).out
        assert "keeper  https://so.example/t/" in tienlen("demo").out
        assert tienlen("--database", f"{url}2", "demo").out.count("http://127.0.0.1:8000/t/") == 6
    assert not list(database.parent.glob("*.address"))
    (database.parent / "ledger.db.address").write_text("https://gone.example/")  # left by a killed server
    assert "keeper  http://127.0.0.1:8000/t/" in tienlen("link", night).out


@pytest.mark.parametrize("command", [("link",), ("export",), ("audit", "--night"), ("forget", "--yes")])
def test_a_night_is_named_by_as_much_of_its_id_as_no_other_has(
    database: Path, command: tuple[str, ...]
) -> None:
    one, third = (f"018f4b1{letter}-7d1e-7c3a-9a51-3f0c5f2b8e11" for letter in "ab")
    other = f"{one[:-1]}2"
    assert tienlen("migrate").status == 0
    with recording(database) as recorder:
        for id in (one, other, third):
            recorder.open_night(id, secret=SECRET, terms=SOUTHERN, players=["An", "Bình"])
    whole = tienlen(*command, third)
    assert (whole.status, whole.err) == (0, "")
    assert tienlen(*command, "018f4b1b") == whole
    several = refused(*command, "018f4b1a")
    assert one in several
    assert other in several
    for short_or_none in ("018", "018f4b1c", "018f____", "%%%%"):
        assert third not in refused(*command, short_or_none)


def links_of(night: str) -> dict[str, str]:
    return dict(line.split() for line in tienlen("link", night).out.splitlines())


def test_the_links_that_are_printed_are_those_of_now_and_of_everyone(night: str, database: Path) -> None:
    before = links_of(night)
    changed(database, night, ("join", {"name": "Em Thảo"}), ("revoke", {"role": "watch"}))
    changed(database, night, ("revoke", {"role": "seat", "player": "p2"}))
    now = links_of(night)
    assert list(now) == ["night", "keeper", "watch", "p1", "p2", "p3", "p4", "p5"]
    assert {who for who, link in before.items() if now[who] != link} == {"watch", "p2"}


def events_of(night: str) -> list[str]:
    """The lines of an exact log that are events."""
    lines = tienlen("export", "--exact", night).out.splitlines()
    return [line for line in lines if '"line":"event"' in line]


def test_a_forgotten_night_keeps_its_head_its_points_and_its_proof(night: str, database: Path) -> None:
    changed(database, night, ("join", {"name": "Em Thảo"}))
    events = events_of(night)
    ran = tienlen("forget", "--yes", night)
    assert (ran.status, ran.err) == (0, "")
    fields = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert list(fields) == ["night", "head", "p1", "p2", "p3", "p4", "p5"]
    assert sum(int(points) for who, points in fields.items() if who.startswith("p")) == 0
    assert tienlen("audit") == Ran(0, "ok\n", "")
    exported = tienlen("export", night).out
    assert {"p1 p1", "p5 p5"} <= set(exported.splitlines())
    assert tienlen("score", "-", input=exported.encode()).status == 0
    assert tienlen("nights").out.endswith("p1, p2, p3, p4, p5\n")
    assert events_of(night) == events
    assert b"Em Th" not in database.read_bytes()


def test_the_demonstration_holds_a_correction_with_its_reason_and_that_it_is_agreed_with(
    database: Path,
) -> None:
    (night,) = re.findall(f"night +({UUID})", tienlen("demo").out)
    correction, agreement = (json.loads(json.loads(line)["body"]) for line in events_of(night)[-2:])
    assert (correction["kind"], agreement["kind"]) == ("correct", "confirm")
    assert (agreement["round"], agreement["actor"]) == (correction["round"], "p3")
    # Lan is left with the 2♦ instead of the 2♣: 2 points to the first, not 1.
    paid = [(one["payer"], one["payee"], one["points"]) for one in correction["payments"]]
    assert paid == [("p1", "p3", 1), ("p3", "p1", 2)]
    assert correction["content"]["reason"]


def test_without_an_address_the_nights_are_the_users_own(home: Path) -> None:
    assert tienlen("demo").status == 0
    folder = home / ".local" / "share" / "tienlen-ledger"
    assert {"ledger.db", "server.key"} <= {path.name for path in folder.iterdir()}
    assert (folder / "server.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "sql",
    [
        "event SET body = CAST(x'00ff' AS TEXT)",
        "event SET body = ''",
        "event SET body = '[' || replace(hex(zeroblob(50000)), '0', '[')",
        "event SET id = CAST(x'0aff' AS TEXT) || seq",
        "event SET kind = 'a' || char(10) || 'b'",
        "night SET body = '{}'",
        "night SET body = CAST(x'ff' AS TEXT)",
        "night SET created_at = CAST(x'ff' AS TEXT)",
        "person SET name = CAST(x'ff' AS TEXT)",
        "person SET player = 'p' || char(10) || player",
        "payment SET points = 9223372036854775807",
        "payment SET payer = CAST(x'ff' AS TEXT)",
    ],
)
def test_whatever_is_in_the_database_no_command_ends_in_a_traceback(
    night: str, database: Path, sql: str
) -> None:
    tamper(database, f"UPDATE {sql}")
    assert refused("audit", status=1)
    for arguments in (("nights",), ("export", night), ("export", "--exact", night), ("link", night)):
        ran = tienlen(*arguments)
        assert ran.status in (0, 1, 2)
        assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "arguments", [("export",), ("export", "--exact"), ("link",), ("audit", "--night"), ("forget", "--yes")]
)
def test_a_night_that_never_was_is_not_found(night: str, arguments: tuple[str, ...]) -> None:
    """The last id is how Python passes a byte that is not UTF-8."""
    for id in (NOWHERE, "?", "", "đêm nào đó", "\udcff"):
        assert refused(*arguments, id)


def test_a_port_that_is_taken_is_one_line(database: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "--port" in refused("serve", "--port", str(taken.getsockname()[1]))


def test_processes_do_what_this_one_does(database: Path) -> None:
    assert tienlen_process("demo").status == 0
    missing = tienlen_process("export", b"\xff\xfe")
    assert (missing.status, says_one_line(missing)) == (2, True)


def test_help_and_version_need_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1.2.3")
    helped = tienlen("--help")
    for command in ("serve", "score", "audit", "export", "import", "demo", "nights", "link", "migrate"):
        assert f"  {command} " in helped.out
        assert tienlen(command, "--help").status == 0
    assert tienlen("--version").out == "tienlen, version 1.2.3\n"


def test_an_audit_waits_for_whoever_records(night: str) -> None:
    ran = tienlen("audit", "--night", night)
    assert ran == Ran(0, "ok\n", "")
    assert ran.niceness == 19


def test_an_address_that_is_no_text_is_one_line() -> None:
    for command in (["nights"], ["audit"], ["backup", "backups"], ["migrate"], ["demo"], ["serve"]):
        assert refused("--database", "sqlite:///\udcff/ledger.db", *command)
