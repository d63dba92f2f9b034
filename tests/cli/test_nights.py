"""Commands about the nights of an installation."""

import json
import re
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.game.night import Terms
from ledger.game.rulesets import PRESETS
from ledger.recorder import EventRequest, Link, Recorder, Role, served_at
from ledger.store import Store
from tests.cli.commands import RECORDS, Ran, says_one_line, tienlen, tienlen_process
from tests.ports import free_port
from tests.recorder.tables import SECRET

RECORD = RECORDS / "southern-05.tln"
NOWHERE = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"
HEAD = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\nround 1\n"
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


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


def test_a_record_is_carried_in_listed_and_written_out_again(night: str) -> None:
    listed = tienlen("nights").out
    assert re.match(rf"{night}  20\d\d-\d\d-\d\dT\d\d:\d\dZ  southern-classic  ", listed)
    assert "An, Bình, Chi, Dũng" in listed
    plain, paid = tienlen("export", night), tienlen("export", "--with-payments", night)
    assert (plain.status, paid.status) == (0, 0)
    assert "\n= " not in plain.out
    stated = re.findall("^= .*", RECORD.read_text(encoding="utf-8"), re.M)
    assert sorted(re.findall("^= .*", paid.out, re.M)) == sorted(stated)
    without = [line for line in paid.out.splitlines() if not line.startswith("= ")]
    assert plain.out.splitlines() == without
    lines = tienlen("export", "--with-payments", "--format", "jsonl", night)
    assert '{"kind":"payments","payments":[' in lines.out
    scored, again = (tienlen("score", "--json", "-", input=one.out.encode()) for one in (paid, lines))
    assert scored == again == Ran(0, scored.out, "")


def test_an_export_goes_to_a_new_file_and_never_over_another(night: str, tmp_path: Path) -> None:
    file = tmp_path / "night.tln"
    assert tienlen("export", night, "-o", file) == Ran(0, "", "")
    text = file.read_bytes()
    assert text.decode() == tienlen("export", night).out
    for options in ((), ("--exact",)):
        ran = tienlen("export", *options, night, "-o", file)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert str(file) in ran.err
    assert file.read_bytes() == text


@pytest.mark.parametrize("place", ["not-there/night.tln", "."])
def test_an_export_that_cannot_be_written_says_so(night: str, tmp_path: Path, place: str) -> None:
    ran = tienlen("export", night, "--output", tmp_path / place)
    assert ran.status == 2
    assert "Traceback" not in ran.err


def test_an_export_that_finds_no_room_leaves_no_half_of_a_night(night: str, tmp_path: Path) -> None:
    file = tmp_path / "night.tln"
    ran = tienlen_process("export", night, "-o", file, room=100)
    assert (ran.status, says_one_line(ran), file.exists()) == (2, True, False)


def test_what_finds_no_room_on_standard_output_is_one_line_too(night: str) -> None:
    with Path("/dev/full").open("w") as full:
        ran = tienlen_process("export", night, out=full)
    assert (ran.status, says_one_line(ran)) == (2, True)


@pytest.mark.parametrize(
    "option", [["--format", "csv"], ["--with-payments"], ["-o", "x"], ["--address", "x"], []]
)
def test_all_nights_are_exact_logs_and_nothing_else(night: str, tmp_path: Path, option: list[str]) -> None:
    folder = tmp_path / "nights"
    ran = tienlen("export", "--all", folder, *(option or [night]))
    assert (ran.status, folder.exists()) == (2, False)
    assert tienlen("export", "--exact", "--all", folder).status == 0
    assert [file.name for file in folder.iterdir()] == [f"{night}.ndjson"]


def test_an_exact_log_carries_a_night_elsewhere_with_the_same_head(night: str, tmp_path: Path) -> None:
    log, other = tmp_path / "night.ndjson", tmp_path / "other.db"
    assert tienlen("export", "--exact", night, "-o", log).status == 0
    assert carried_in(into(other, "import", log)) == night
    assert into(other, "export", "--exact", night).out == log.read_text(encoding="utf-8")
    assert into(other, "export", night).out == tienlen("export", night).out
    assert into(other, "audit") == Ran(0, "ok\n", "")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.removesuffix("\n"),
    ],
    ids=["a byte-order mark", "CRLF", "no last one"],
)
def test_an_exact_log_is_read_with_other_ends_of_lines(
    night: str, tmp_path: Path, change: Callable[[str], str]
) -> None:
    log = tmp_path / "night.ndjson"
    log.write_bytes(change(tienlen("export", "--exact", night).out).encode())
    assert carried_in(into(tmp_path / "other.db", "import", log)) == night


def test_a_reason_may_hold_what_ends_lines_elsewhere(database: Path, tmp_path: Path) -> None:
    """A text keeps every character typed, including U+2028; only a line feed ends a line of the log."""
    night = carried_in(tienlen("import", RECORD))
    store = Store.open(f"sqlite:///{database}")
    recorder, keeper = Recorder(store, bytes(32)), Link(night, Role.KEEPER)
    with recorder.night(night) as snapshot:
        after = snapshot.state.after
    content = {"payer": "p1", "payee": "p2", "points": 1, "reason": "một\u2028hai"}
    recorder.record(night, EventRequest(NOWHERE, after, "adjust", content), keeper)
    store.close()
    log = tmp_path / "night.ndjson"
    assert tienlen("export", "--exact", night, "-o", log).status == 0
    assert carried_in(into(tmp_path / "other.db", "import", log)) == night


def test_names_that_no_door_of_ours_let_in_do_nothing_to_a_terminal(database: Path, tmp_path: Path) -> None:
    """Nor can the log be imported into another database."""
    tienlen("import", RECORD)
    store = Store.open(f"sqlite:///{database}", web=False)
    names = ["An\x1b]0;root\x07", "Bình\n0", "\u202eihC", "👨\u200d👩\u200d👧"]
    opened = Recorder(store, bytes(32)).open_night(
        NOWHERE, secret=SECRET, terms=Terms(PRESETS["southern-classic"]), players=names
    )
    log = tmp_path / "night.ndjson"
    log.write_text("".join(f"{line}\n" for line in store.export_log(NOWHERE)), encoding="utf-8")
    store.close()
    assert opened.created
    refused = into(tmp_path / "other.db", "import", log)
    assert (refused.status, says_one_line(refused)) == (1, True)
    replay = tienlen("export", NOWHERE).out
    assert "\np2 Bình 0\n" in replay  # a name cannot end or begin a line of a replay
    assert tienlen("score", "-", input=replay.encode()).status == 0
    (listed,) = (line for line in tienlen("nights").out.splitlines() if line.startswith(NOWHERE))
    assert listed.endswith("An�]0;root�, Bình�0, �ihC, 👨\u200d👩\u200d👧")


def test_an_import_that_was_broken_off_can_be_repeated(database: Path, tmp_path: Path) -> None:
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    records = ("by-hand-02-declared.tln", "by-hand-03-five-players.tln")
    assert tienlen("--database", elsewhere, "import", *(RECORDS / name for name in records)).status == 0
    logs = tienlen("--database", elsewhere, "export", "--all", tmp_path / "nights").out.split()
    assert tienlen("import", logs[0]).status == 0
    again = tienlen("import", *logs)
    assert (again.status, again.err.count("\n")) == (1, 1)
    assert Path(logs[0]).stem in again.err
    assert tienlen("nights").out.count("\n") == 2
    assert tienlen("audit").out == "ok\n"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 2),
        ("tienlen 2\n", 2),
        ("{}", 2),
        ('{"line":"night"}', 2),
        ("{" * 100_000, 2),
        ("\x00", 2),
        (f"{HEAD}p1 3s\np2 3s\n", 1),
        (
            f"{HEAD}p1 claims 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2s\n= none\n",
            1,
        ),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    database: Path, tmp_path: Path, text: str, status: int
) -> None:
    file = tmp_path / "refused"
    file.write_text(text, encoding="utf-8")
    ran = tienlen("import", file)
    assert (ran.status, says_one_line(ran)) == (status, True)
    assert str(file) in ran.err
    assert tienlen("nights") == Ran(0, "", "")


def test_a_moves_file_is_scored_and_carried_in_as_the_replay_is_and_a_wrong_line_is_named(
    night: str, tmp_path: Path
) -> None:
    moves, other = tmp_path / "night.jsonl", tmp_path / "other.db"
    moves.write_text(tienlen("export", night, "--format", "jsonl").out, encoding="utf-8")
    assert tienlen("score", "--json", moves).data == tienlen("score", "--json", RECORD).data
    carried = carried_in(into(other, "import", moves))
    assert into(other, "export", carried).out == tienlen("export", night).out
    lines = moves.read_text(encoding="utf-8").splitlines()
    moves.write_text(
        "\n".join([*lines[:9], lines[9].replace('"seat":"p', '"seat":"q'), *lines[10:]]), encoding="utf-8"
    )
    for refused in (into(other, "import", moves), tienlen("score", moves)):
        assert (refused.status, says_one_line(refused)) == (2, True)
        assert "10" in refused.err
        assert "seat: a player (p1 to p12)" in refused.err
    assert len(into(other, "nights").out.splitlines()) == 1


@pytest.mark.parametrize("name", ["not-there.tln", "."])
def test_a_file_that_cannot_be_read_is_unreadable(database: Path, tmp_path: Path, name: str) -> None:
    ran = tienlen("import", tmp_path / name)
    assert (ran.status, says_one_line(ran)) == (2, True)


def test_a_file_that_is_too_large_is_not_carried_in_in_part(
    night: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exact log cut after a line would still be a valid log."""
    log = tmp_path / "night.ndjson"
    text = tienlen("export", "--exact", night).out
    log.write_text(text, encoding="utf-8")
    monkeypatch.setattr("ledger.cli.group.LARGEST", len("\n".join(text.splitlines()[:-1]).encode()))
    ran = into(tmp_path / "other.db", "import", log)
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert into(tmp_path / "other.db", "nights").out == ""


def test_a_round_that_could_not_be_settled_is_named(database: Path, tmp_path: Path) -> None:
    file = tmp_path / "open.tln"
    file.write_text(f"{HEAD}p1 3s\n", encoding="utf-8")
    ran = tienlen("import", file)
    assert ran.status == 0
    assert "round 1" in ran.err


def test_links_can_be_printed_again(night: str) -> None:
    ran = tienlen("link", night)
    assert ran == tienlen("link", night)
    lines = dict(line.split() for line in ran.out.splitlines())
    assert list(lines) == ["night", "keeper", "watch", "p1", "p2", "p3", "p4"]
    assert lines["night"] == night
    assert len(set(lines.values())) == 7
    assert all(lines[who].startswith("http://127.0.0.1:8000/t/") for who in list(lines)[1:])


def test_links_begin_with_the_address_at_which_the_server_is_reached(night: str) -> None:
    elsewhere = tienlen("link", "--address", "https://so.example/", night).out
    assert elsewhere == tienlen("link", night).out.replace("http://127.0.0.1:8000", "https://so.example")


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
    one, other, third = (f"018f4b1{number}-7d1e-7c3a-9a51-3f0c5f2b8e11" for number in "aab")
    other = f"{other[:-1]}2"
    assert tienlen("migrate").status == 0
    recorder = Recorder(Store.open(f"sqlite:///{database}"), bytes(32))
    for id in (one, other, third):
        recorder.open_night(
            id, secret=SECRET, terms=Terms(PRESETS["southern-classic"]), players=["An", "Bình"]
        )
    recorder.store.close()
    whole = tienlen(*command, third)
    assert (whole.status, whole.err) == (0, "")
    assert tienlen(*command, "018f4b1b") == whole
    several = tienlen(*command, "018f4b1a")
    assert (several.status, says_one_line(several)) == (2, True)
    assert one in several.err
    assert other in several.err
    for short_or_none in ("018", "018f4b1c", "018f____", "%%%%"):
        ran = tienlen(*command, short_or_none)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert third not in ran.err


def changed(database: Path, night: str, *events: tuple[str, dict[str, str]]) -> None:
    """Record events as the keeper."""
    recorder = Recorder(Store.open(f"sqlite:///{database}"), bytes(32))
    for kind, content in events:
        recorder.record(night, EventRequest(str(uuid4()), None, kind, content), Link(night, Role.KEEPER))
    recorder.store.close()


def test_the_links_that_are_printed_are_those_of_now_and_of_everyone(night: str, database: Path) -> None:
    before = dict(line.split() for line in tienlen("link", night).out.splitlines())
    revoked = [("revoke", {"role": "watch"}), ("revoke", {"role": "seat", "player": "p2"})]
    changed(database, night, ("join", {"name": "Em Thảo"}), *revoked)
    now = dict(line.split() for line in tienlen("link", night).out.splitlines())
    assert list(now) == ["night", "keeper", "watch", "p1", "p2", "p3", "p4", "p5"]
    assert {who for who, link in before.items() if now[who] != link} == {"watch", "p2"}


def test_a_forgotten_night_keeps_its_head_its_points_and_its_proof(night: str, database: Path) -> None:
    changed(database, night, ("join", {"name": "Em Thảo"}))
    *log, _ = reversed(tienlen("export", "--exact", night).out.splitlines())
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
    assert [line for line in log if '"line":"event"' in line] == [
        line
        for line in reversed(tienlen("export", "--exact", night).out.splitlines())
        if '"line":"event"' in line
    ]
    assert b"Em Th" not in database.read_bytes()


def test_nothing_is_forgotten_without_a_yes(night: str) -> None:
    ran = tienlen("forget", night[:8], input=b"n\n")
    assert ran.status == 1
    assert f"{night}  An, Bình, Chi, Dũng\n" in ran.out
    assert "An, Bình, Chi, Dũng" in tienlen("nights").out
    assert tienlen("forget", night, input=b"y\n").status == 0
    assert "An" not in tienlen("nights").out


def test_a_demonstration_is_a_played_night_with_its_links(database: Path) -> None:
    ran = tienlen("demo")
    assert (ran.status, ran.err) == (0, "")
    (night,) = re.findall(f"night +({UUID})", ran.out)
    assert ran.out == tienlen("link", night).out
    assert tienlen("audit") == Ran(0, "ok\n", "")
    exported = tienlen("export", "--with-payments", night).out
    (data,) = tienlen("score", "--json", "-", input=exported.encode()).data
    assert {round["status"] for round in data["rounds"]} <= {"settled", "instant-win"}
    assert len(data["rounds"]) >= 2


def test_the_demonstration_holds_a_correction_with_its_reason_and_that_it_is_agreed_with(
    database: Path,
) -> None:
    (night,) = re.findall(f"night +({UUID})", tienlen("demo").out)
    lines = tienlen("export", "--exact", night).out.splitlines()
    events = [json.loads(json.loads(line)["body"]) for line in lines if '"line":"event"' in line]
    correction, agreement = events[-2:]
    assert (correction["kind"], agreement["kind"]) == ("correct", "confirm")
    assert (agreement["round"], agreement["actor"]) == (correction["round"], "p3")
    # Lan is left with the 2♦ instead of the 2♣: 2 points to the first, not 1.
    paid = [(one["payer"], one["payee"], one["points"]) for one in correction["payments"]]
    assert paid == [("p1", "p3", 1), ("p3", "p1", 2)]
    assert correction["content"]["reason"]


def test_migrating_makes_a_database_and_then_does_nothing(database: Path) -> None:
    first = tienlen("migrate")
    raw = database.read_bytes()
    assert (first.status, first.err) == (0, "")
    assert tienlen("migrate") == first
    assert database.read_bytes() == raw
    assert tienlen("audit") == Ran(0, "ok\n", "")


def test_without_an_address_the_nights_are_the_users_own(home: Path) -> None:
    assert tienlen("demo").status == 0
    folder = home / ".local" / "share" / "tienlen-ledger"
    assert {"ledger.db", "server.key"} <= {path.name for path in folder.iterdir()}
    assert (folder / "server.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("variable", ["TIENLEN_DATABASE_URL", "TIENLEN_KEY"])
def test_an_empty_variable_is_none(home: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "")
    assert tienlen("demo").status == 0
    assert (home / ".local" / "share" / "tienlen-ledger" / "ledger.db").is_file()


def test_a_home_without_room_for_nights_is_one_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    ran = tienlen("demo")
    assert (ran.status, says_one_line(ran)) == (2, True)


# The audit


def test_an_audit_names_the_place_of_the_first_difference(night: str, database: Path) -> None:
    assert tienlen("audit") == tienlen("audit", "--night", night) == Ran(0, "ok\n", "")
    second = carried_in(tienlen("import", RECORDS / "southern-04.tln"))
    connection = sqlite3.connect(database, isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(
        "UPDATE event SET body = replace(body, '3s', '3c') WHERE seq IN (2, 5) AND night = ?", (night,)
    )
    connection.execute("UPDATE payment SET points = points + 1 WHERE night = ?", (night,))
    without_triggers = tienlen("audit")
    for _, text in triggers:
        connection.execute(text)
    connection.close()
    assert without_triggers.status == 1
    assert without_triggers.err.startswith("database: trigger ")
    for arguments in ((), ("--night", night)):
        ran = tienlen("audit", *arguments)
        assert (ran.status, says_one_line(ran)) == (1, True)
        assert ran.err.startswith(f"{night} #2: ")
    assert tienlen("audit", "--night", second) == Ran(0, "ok\n", "")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE event SET body = CAST(x'00ff' AS TEXT)",
        "UPDATE event SET body = ''",
        "UPDATE event SET body = '[' || replace(hex(zeroblob(50000)), '0', '[')",
        "UPDATE event SET id = CAST(x'0aff' AS TEXT) || seq",
        "UPDATE event SET kind = 'a' || char(10) || 'b'",
        "UPDATE night SET body = '{}'",
        "UPDATE night SET body = CAST(x'ff' AS TEXT)",
        "UPDATE night SET created_at = CAST(x'ff' AS TEXT)",
        "UPDATE person SET name = CAST(x'ff' AS TEXT)",
        "UPDATE person SET player = 'p' || char(10) || player",
        "UPDATE payment SET points = 9223372036854775807",
        "UPDATE payment SET payer = CAST(x'ff' AS TEXT)",
    ],
)
def test_whatever_is_in_the_database_no_command_ends_in_a_traceback(
    night: str, database: Path, sql: str
) -> None:
    connection = sqlite3.connect(database, isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(sql)
    for _, text in triggers:
        connection.execute(text)
    connection.close()
    ran = tienlen("audit")
    assert (ran.status, says_one_line(ran)) == (1, True)
    for arguments in (("nights",), ("export", night), ("export", "--exact", night), ("link", night)):
        ran = tienlen(*arguments)
        assert ran.status in (0, 1, 2)
        assert "Traceback" not in ran.err


# Invalid arguments


@pytest.mark.parametrize(
    "arguments",
    [("export",), ("export", "--exact"), ("link",), ("audit", "--night"), ("forget", "--yes")],
)
def test_a_night_that_never_was_is_not_found(night: str, arguments: tuple[str, ...]) -> None:
    """The last id is how Python passes a byte that is not UTF-8."""
    for id in (NOWHERE, "?", "", "đêm nào đó", "\udcff"):
        ran = tienlen(*arguments, id)
        assert (ran.status, says_one_line(ran)) == (2, True), id


def test_a_port_that_is_taken_is_one_line(database: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = tienlen("serve", "--port", str(taken.getsockname()[1]))
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert "--port" in ran.err


def test_metrics_have_a_port_of_their_own(database: Path) -> None:
    port = str(free_port())
    ran = tienlen("serve", "--port", port, "--metrics-port", port)
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert "--metrics-port" in ran.err
    assert not database.exists()


def test_an_audit_that_would_never_be_due_is_refused(database: Path) -> None:
    ran = tienlen("serve", "--audit-every", "nan")
    assert (ran.status, "--audit-every" in ran.err) == (2, True)
    assert not database.exists()


@pytest.mark.parametrize("command", [["serve"], ["demo"]])
@pytest.mark.parametrize(
    "address", ["so.example", "ftp://so.example/", "https://", "https://[", "https://a/?b", ""]
)
def test_an_address_that_leads_to_no_server_is_refused(
    database: Path, command: list[str], address: str
) -> None:
    ran = tienlen(*command, "--address", address)
    assert (ran.status, "https://HOST/" in ran.err) == (2, True)
    assert not database.exists()


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


def test_an_audit_waits_for_whoever_records(night: str, priority: list[tuple[int, ...]]) -> None:
    assert tienlen("audit", "--night", night) == Ran(0, "ok\n", "")
    assert [niceness for *_, niceness in priority] == [19]
