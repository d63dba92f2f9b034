"""The files and scripts of scripts/deploy work, and its trials notice when they do not."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from trying.__main__ import ALL, PARTS
from trying.databases import databases
from trying.evening import tasks
from trying.files import contained, section, settings, shared, units
from trying.hosts import at_home, home
from trying.roots import DEPLOY, Missing, Site, Wrong
from trying.walk import walked

from tests.clients.generated import NIGHTS
from tests.postgresql import OWNER, WEB, running_cluster
from tests.servers import Served
from tests.soaking import PLANTED, further
from tests.web.streams import Night

pytestmark = pytest.mark.slow
QUICK = ["units", "caddy", "databases"]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "part",
    further(
        sorted(ALL, key=lambda part: part not in QUICK),
        "Debian unpacked, an image and a wheel built",
        plain=len(QUICK),
    ),
)
def test_what_is_deployed_does_what_it_is_to_do(part: str) -> None:
    assert tried(PARTS[part])


def tried(part: Callable[..., Any], *arguments: object) -> list[str]:
    """What a part of scripts/deploy reports as tried; skips if something that it needs is missing."""
    try:
        return list(part(*arguments))
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(
    "planted",
    further(
        [
            (units, "Restart=always", "Restart=sometimes"),
            (home, "request>uri delete", ""),
            (units, "ProtectSystem=strict", "Protected=strict"),
            (units, "\nSystemCallFilter=", "\n;"),
            (home, "handle /root.crt", "handle /root.*"),
            (home, "redir https", "respond https"),
            (databases, "synchronous_mode_strict: true", "synchronous_mode_strict: false"),
            (databases, "ttl: 20", "ttl: 14"),
            (databases, "ETCD_ENABLE_V2=true", ""),
            (databases, "scope: tienlen", ""),
            (home, "lb_try_duration 5s", "header_up X-Forwarded-Proto http"),
        ],
        PLANTED,
    ),
)
def test_a_defect_is_noticed(planted: tuple[Callable[..., Any], str, str]) -> None:
    part, right, wrong = planted
    with pytest.raises(Wrong):
        tried(part, lambda text: text.replace(right, wrong))


def test_a_task_of_a_bad_evening_takes_five_commands_at_most() -> None:
    found = tasks()
    assert len(found) == section("On a bad evening").count("```sh\n")
    assert {title: len(commands) for title, commands in found.items() if len(commands) > 5} == {}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """An installation on a home network."""
    try:
        with at_home() as found:
            yield found.site
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.mark.soak("a stranger's visit")
def test_a_stranger_finds_an_installation_as_it_is_to_be(site: Site) -> None:
    assert len(tried(walked, site, NIGHTS[:1])) == 3


@pytest.mark.soak(PLANTED)
@pytest.mark.parametrize(
    "defect",
    [
        ("takes back the last thing", "", "two clicks: I tapped something wrong"),
        ("/nights/{night}/events", "/nights/{night}/entries", "record_night.py"),
        ("players:An  -2 điểm", "players:An  -3 điểm", "hledger comes to"),
        ('href="/documents/SECURITY.md"', "", "two clicks: What is it not safe against"),
        ("balance Assets:Players:An  -1", "balance Assets:Players:An  -2", "beancount: .*Balance failed"),
        ('"amount": 2.0', '"amount": 3.0', "ihatemoney comes to"),
    ],
)
def test_a_stranger_notices(site: Site, defect: tuple[str, str, str]) -> None:
    """An answer, or a link to it, is removed; a client refused; a balance changed."""
    right, wrong, found = defect
    with pytest.raises(Wrong, match=f"(?s){found}"):
        tried(walked, site, NIGHTS[:1], lambda text: text.replace(right, wrong))


SERVICE: dict[str, Any] = {
    "read_only": True,
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
    "ports": [{"published": "8000", "host_ip": "127.0.0.1"}],
}


@pytest.mark.parametrize(
    "change",
    [{"read_only": False}, {"cap_drop": []}, {"security_opt": []}, {"ports": [{"published": "8000"}]}],
)
def test_a_service_that_may_do_more_than_it_needs_is_noticed(change: dict[str, Any]) -> None:
    contained("ledger", SERVICE)
    with pytest.raises(Wrong):
        contained("ledger", SERVICE | change)


def test_two_processes_of_the_web_share_the_postgresql_that_is_set_up_for_them(tmp_path: Path) -> None:
    """Both start at once, and one of them migrates."""
    if shutil.which("psql") is None:
        pytest.skip("no psql found: install Debian's postgresql package")
    said = dict(line.split("=", 1) for line in settings()["postgresql"].splitlines())
    shared({name: {"environment": said} for name in ("ledger", "ledger-2", "postgresql")})
    with ExitStack() as held:
        cluster = held.enter_context(running_cluster())
        cluster.run(f"DROP ROLE {OWNER}")
        cluster.run(f"DROP ROLE {WEB}")
        environment = os.environ | said | {"PGHOST": str(cluster.folder)}
        subprocess.run([DEPLOY / "postgresql-roles.sh"], env=environment, check=True)
        settings_of_web = {"TIENLEN_KEY": said["TIENLEN_KEY"]} | {
            name: said[name].replace("@postgresql/tienlen", f"@/tienlen?host={cluster.folder}")
            for name in ("TIENLEN_DATABASE_URL", "TIENLEN_OWNER_URL")
        }

        def start(name: str) -> Served:
            (tmp_path / name).mkdir()
            return held.enter_context(Served(tmp_path / name, environment=settings_of_web))

        with ThreadPoolExecutor(2) as at_once:
            one, other = at_once.map(start, ["ledger", "ledger-2"])
        night = Night(one)
        assert other.get(night.path, night.keeper).data["seq"] == 0
