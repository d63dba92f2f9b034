"""The command line on PostgreSQL: two roles, and nights imported from SQLite."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.store import migrate
from tests.cli.commands import RECORDS, says_one_line, tienlen
from tests.postgresql import OWNER, STANDBY, Cluster, running_cluster


@pytest.fixture
def database(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of an empty database, configured in the environment for both roles."""
    name = cluster.new_database()
    monkeypatch.setenv("TIENLEN_DATABASE_URL", cluster.url(name))
    monkeypatch.setenv("TIENLEN_OWNER_URL", cluster.url(name, OWNER))
    monkeypatch.setenv("TIENLEN_KEY", "00" * 32)
    yield name
    cluster.drop(name)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_every_night_is_carried_from_sqlite_with_equal_heads(
    database: str, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite = f"sqlite:///{tmp_path / 'ledger.db'}"
    for record in ("southern-01.tln", "by-hand-05-results-where-the-winner-takes-all.tln"):
        assert tienlen("--database", sqlite, "import", RECORDS / record).status == 0
    carried = tienlen("--database", sqlite, "export", "--all", tmp_path / "nights").out.split()
    assert len(carried) == 2
    assert tienlen("migrate").out.endswith(": up to date\n")
    assert tienlen("import", *carried).status == 0
    assert tienlen("export", "--all", tmp_path / "again").status == 0
    for path in map(Path, carried):
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    assert tienlen("audit").out == "ok\n"
    assert tienlen("nights").out.count("\n") == 2
    assert tienlen("link", Path(carried[0]).stem).status == 0


def test_what_is_not_migrated_is_one_line_that_says_who_must(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TIENLEN_OWNER_URL")
    for command in ("migrate", "serve", "demo"):
        ran = tienlen(command)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert "its owner must migrate it: set TIENLEN_OWNER_URL and run tienlen migrate" in ran.err
    ran = tienlen("nights")
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert "tienlen migrate" in ran.err


def test_an_owner_of_no_database_that_was_named_migrates_none(
    database: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TIENLEN_DATABASE_URL")
    ran = tienlen("migrate")
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert "TIENLEN_DATABASE_URL must say which" in ran.err
    assert list(home.iterdir()) == []


def test_the_owner_s_address_is_of_the_same_database(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIENLEN_OWNER_URL", cluster.url("postgres", OWNER).replace("owner@", "owner:secret@"))
    ran = tienlen("migrate")
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert "TIENLEN_OWNER_URL is the same database" in ran.err
    assert "secret" not in ran.err


def test_a_database_of_another_program_is_left_alone(database: str, cluster: Cluster) -> None:
    with cluster.connect(database) as connection:
        connection.execute("CREATE TABLE bookmark (id int)")
        ran = tienlen("migrate")
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert "another program's database (it holds bookmark)" in ran.err
        assert connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone() == (1,)


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    for command in (["nights"], ["migrate"], ["serve"], ["audit"]):
        ran = tienlen("--database", f"postgresql://somebody:secret@/nights?host={tmp_path}", *command)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert "PostgreSQL: " in ran.err
        assert "secret" not in ran.err


def test_copies_are_postgresql_s_own_affair(database: str, tmp_path: Path) -> None:
    assert tienlen("migrate").status == 0
    (tmp_path / "old.db").touch()
    for command, path in (("backup", tmp_path / "backups"), ("restore", tmp_path / "old.db")):
        ran = tienlen(command, path)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert "PostgreSQL's own programs" in ran.err


def test_a_doctor_tells_what_the_store_says_of_postgresql(database: str, cluster: Cluster) -> None:
    before = tienlen("doctor")
    assert before.status == 1
    assert "✗ schema" in before.out
    assert "    tienlen migrate\n" in before.out
    assert tienlen("migrate").status == 0
    ran = tienlen("doctor")
    assert (ran.status, "✓ writing" in ran.out, "PostgreSQL" in ran.out) == (0, True, True)
    with cluster.connect(database) as connection:
        connection.execute("GRANT DELETE ON event TO tienlen_web")
    altered = tienlen("doctor")
    assert (altered.status, "✗ schema" in altered.out, "✓ schema" in altered.out) == (1, True, False)
    assert "REVOKE" in altered.out
    assert "tienlen restore" not in altered.out  # on PostgreSQL restoring is left to its own tools
    assert tienlen("status", "--json").data[0]["system"].startswith("PostgreSQL")


def test_a_doctor_finds_that_commits_wait_for_a_standby_that_is_away(database: str, cluster: Cluster) -> None:
    assert tienlen("migrate").status == 0
    alone = tienlen("doctor")
    assert (alone.status, "✓ standby" in alone.out) == (0, True)
    cluster.wait_for(STANDBY)
    try:
        ran = tienlen("doctor")
    finally:
        cluster.wait_for("")
    assert (ran.status, "✗ standby" in ran.out, "✗ writing" in ran.out) == (1, True, True)
    assert "an entry could be recorded" not in ran.out
    assert STANDBY in ran.out
    assert "synchronous_standby_names" in ran.out


def test_a_doctor_says_what_to_do_about_a_standby_and_about_one_that_was_promoted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TIENLEN_KEY", "00" * 32)
    with running_cluster() as primary, running_cluster(follows=primary) as standby:
        primary.wait_for(STANDBY)
        name = primary.new_database()
        migrate(primary.url(name, OWNER))
        monkeypatch.setenv("TIENLEN_DATABASE_URL", primary.url(name))
        assert f"✓ standby      whatever is acknowledged is there, too: {STANDBY}" in tienlen("doctor").out
        monkeypatch.setenv("TIENLEN_DATABASE_URL", standby.url(name))
        with standby.connect() as following:
            while following.execute("SELECT FROM pg_database WHERE datname = %s", [name]).rowcount == 0:
                time.sleep(0.02)
        with standby.connect(name) as following:
            while following.execute("SELECT to_regclass('rate')").fetchone() == (None,):
                time.sleep(0.02)
        mistaken = tienlen("doctor")
        assert (mistaken.status, "REVOKE" in mistaken.out) == (1, False)
        assert "pg_ctl promote" in mistaken.out
        primary.crash()
        standby.promote()
        promoted = tienlen("doctor")
        assert (promoted.status, "! standby" in promoted.out, "✓ writing" in promoted.out) == (0, True, True)
        assert "synchronous_standby_names" in promoted.out


def test_no_key_is_made_that_other_hosts_would_not_have(
    database: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TIENLEN_KEY")
    assert tienlen("migrate").status == 0
    assert tienlen("import", RECORDS / "southern-01.tln").status == 0
    assert tienlen("audit").out == "ok\n"
    night = tienlen("nights").out.split()[0]
    for command in (["serve"], ["link", night]):
        ran = tienlen(*command)
        assert (ran.status, says_one_line(ran)) == (2, True)
        assert "openssl rand -hex 32" in ran.err
    ran = tienlen("doctor")
    assert (ran.status, "✗ key" in ran.out) == (1, True)
    assert not list(home.rglob("server.key"))


def test_a_host_with_another_key_than_the_first_is_told(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tienlen("migrate").status == 0
    monkeypatch.setenv("TIENLEN_KEY", "11" * 32)
    assert tienlen("migrate").status == 0
    ran = tienlen("doctor")
    assert (ran.status, "✗ key" in ran.out, "made with another" in ran.out) == (1, True, True)
    assert tienlen("migrate", "--new-key").status == 0
    assert "✓ key" in tienlen("doctor").out
    monkeypatch.delenv("TIENLEN_OWNER_URL")
    ran = tienlen("migrate", "--new-key")
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert "its owner must migrate it" in ran.err
