"""The command line on PostgreSQL: two roles, and nights imported from SQLite."""

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.store import migrate
from ledger.web import Settings, create_app
from tests.cli.commands import RECORDS, refused, tienlen
from tests.cli.transcripts import play, transcripts
from tests.postgresql import OWNER, STANDBY, WEB, Cluster, programs, running_cluster
from tests.servers import PROGRAM

ROOT = Path(__file__).parents[2]


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
@pytest.mark.parametrize("steps", transcripts("postgresql"))
def test_what_a_transcript_shows_is_what_happens(database: str, tmp_path: Path, steps: list[str]) -> None:
    (tmp_path / "here").mkdir()
    play(steps, tmp_path / "here")


def test_the_owner_s_address_is_of_the_same_database(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIENLEN_OWNER_URL", cluster.url("postgres", OWNER).replace("owner@", "owner:secret@"))
    ran = refused("migrate")
    assert "TIENLEN_OWNER_URL is the same database" in ran
    assert "secret" not in ran


def test_a_database_of_another_program_is_left_alone(database: str, cluster: Cluster) -> None:
    with cluster.connect(database) as connection:
        connection.execute("CREATE TABLE bookmark (id int)")
        assert "another program's database (it holds bookmark)" in refused("migrate")
        assert connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone() == (1,)


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


def test_what_each_host_does_is_told_while_no_primary_is_there_and_when_that_is_over(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with running_cluster() as primary, running_cluster(follows=primary) as standby:
        name = primary.new_database()
        migrate(primary.url(name, OWNER))
        _wait_for_schema(standby, name)
        hosts = f"{primary.folder},{standby.folder}"
        url = f"postgresql://{WEB}@/{name}?host={hosts}&target_session_attrs=read-write"
        monkeypatch.setenv("TIENLEN_DATABASE_URL", url)
        monkeypatch.setenv("TIENLEN_KEY", "00" * 32)
        client = create_app(Settings(database_url=url, key=bytes(32))).test_client()
        well, healthy = tienlen("doctor"), client.get("/healthz")
        assert (well.status, "✓ hosts" in well.out, healthy.status_code) == (0, True, 200)
        primary.crash()
        lost, unhealthy = tienlen("doctor"), client.get("/healthz")
        assert (lost.status, "✗ hosts" in lost.out, unhealthy.status_code) == (1, True, 503)
        logged = next(vars(line)["says"] for line in caplog.records if line.message == "hosts")
        for said in (lost.out, logged):
            assert "no primary" in said
            assert f"{primary.folder} does not answer" in said
        said = unhealthy.get_json()["database"]
        assert "no primary" in said
        assert "host 1 does not answer; host 2 is a standby" in said
        assert not any(str(place) in unhealthy.text for place in (primary.folder, standby.folder))
        standby.promote()
        over, healthy = tienlen("doctor"), client.get("/healthz")
        assert (over.status, "! hosts" in over.out, healthy.status_code) == (0, True, 200)
        assert f"{standby.folder} is the primary" in over.out


def _wait_for_schema(standby: Cluster, database: str) -> None:
    """Wait until a standby has the last table of a database."""
    with standby.connect() as following:
        while following.execute("SELECT FROM pg_database WHERE datname = %s", [database]).rowcount == 0:
            time.sleep(0.02)
    with standby.connect(database) as following:
        while following.execute("SELECT to_regclass('rate')").fetchone() == (None,):
            time.sleep(0.02)


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
        _wait_for_schema(standby, name)
        mistaken = tienlen("doctor")
        assert (mistaken.status, "REVOKE" in mistaken.out) == (1, False)
        assert "pg_ctl promote" in mistaken.out
        primary.crash()
        standby.promote()
        promoted = tienlen("doctor")
        assert (promoted.status, "! standby" in promoted.out, "✓ writing" in promoted.out) == (0, True, True)
        assert "synchronous_standby_names" in promoted.out


def test_a_night_is_brought_back_from_a_dump_as_operating_md_says(
    database: str, cluster: Cluster, tmp_path: Path
) -> None:
    """Its blocks are typed in a shell that reaches the server as its superuser, and that has a host's settings."""
    making, restoring = re.findall(
        r"^```sh\n((?:pg_dump|createdb).*?)^```",
        (ROOT / "OPERATING.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    (tmp_path / "tienlen").write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    (tmp_path / "tienlen").chmod(0o700)
    found = programs()
    assert found is not None
    environment = os.environ | {
        "PATH": f"{tmp_path}:{found}:{os.environ['PATH']}",
        "PGHOST": str(cluster.folder),
        "PGUSER": "postgres",
        "PYTHONPATH": str(ROOT),
    }
    del environment["TIENLEN_OWNER_URL"]

    def type_block(block: str, **instead: str) -> str:
        for shown, real in instead.items():
            block = block.replace(shown, real)
        shell = ["bash", "-euo", "pipefail", "-c", block]
        done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for record in ("southern-01.tln", "southern-05.tln"):
        assert tienlen("migrate").status == 0
        assert tienlen("import", RECORDS / record).status == 0
    before = tienlen("nights").out.splitlines()
    lost = before[0].split()[0]
    type_block(making.replace(" tienlen\n", f" {database}\n"))
    cluster.drop(database)
    cluster.run(f"CREATE DATABASE {database} OWNER {OWNER}")
    assert tienlen("migrate").status == 0
    restored = f"'{cluster.url('restored')}'"
    type_block(restoring, **{"018f4b1c": lost, "postgresql://tienlen_web:…@db/restored": restored})
    assert tienlen("nights").out.splitlines() == before[:1]
    assert tienlen("audit").status == 0
