"""Installations by OPERATING.md: from a wheel, at home over HTTPS, and on a fresh Debian with ACME."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from tests import processes
from tests.servers import PROGRAM
from trying.files import Changed, as_it_is, blocks
from trying.image import RECORDS, record
from trying.roots import (
    DEPLOY,
    SOURCE,
    Missing,
    Network,
    Running,
    Site,
    Wrong,
    copy_checkout,
    copy_root,
    debian,
    network,
    require,
    run_in,
    running,
    until,
)

_AT_HOME = "192.0.2.10"
_NAME = "tienlen.example"
"""The server's name in scripts/deploy and OPERATING.md."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_CODE = """
import sys, urllib.request as web
class Stay(web.HTTPRedirectHandler):
    def redirect_request(self, *arguments): return None
try:
    answer = web.build_opener(Stay).open(sys.argv[1], timeout=10)
except web.HTTPError as error:
    answer = error
sys.stdout.write(f"{answer.status} {answer.headers.get('Location')} {answer.headers['Content-Type']}\\n")
sys.stdout.write(answer.read().decode())
"""
_HEALTHY = """
import ssl, sys, urllib.request as web
web.urlopen(sys.argv[1], context=ssl.create_default_context(cafile=sys.argv[2]), timeout=10)
"""


def wheel() -> Iterator[str]:
    """Build a wheel, and install it with pip, pipx and uvx, outside of the checkout."""
    with TemporaryDirectory(prefix="tienlen-try-") as folder:
        _run(
            sys.executable,
            "-m",
            "pip",
            "--quiet",
            "wheel",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            folder,
            SOURCE,
        )
        (made,) = Path(folder).glob("tienlen_ledger-*.whl")
        _run(sys.executable, "-m", "venv", f"{folder}/env")
        pinned: list[str | Path] = [
            "--no-deps",
            "--require-hashes",
            "--requirement",
            SOURCE / "requirements" / "run.txt",
        ]
        for what in (pinned, ["--no-deps", made]):
            _run(f"{folder}/env/bin/python", "-m", "pip", "--quiet", "install", *what)
        yield f"{made.name}: {_plays(f'{folder}/env/bin/tienlen', folder)}"
        _run(f"{folder}/env/bin/python", "-m", "pip", "--quiet", "install", "pipx", "uv")
        homes = {
            "PIPX_HOME": f"{folder}/pipx",
            "PIPX_BIN_DIR": f"{folder}/bin",
            "PIPX_MAN_DIR": f"{folder}/man",
        }
        _run(f"{folder}/env/bin/pipx", "install", "--quiet", made, **homes)
        yield f"pipx: {_plays(f'{folder}/bin/tienlen', folder)}"
        uvx = (
            f"{folder}/env/bin/uvx",
            "--quiet",
            "--native-tls",
            "--python",
            sys.executable,
            "--from",
            str(made),
        )
        yield f"uvx: {_plays(*uvx, 'tienlen', folder)}"


def _plays(*command: str) -> str:
    """Check that an installed program can use its resources outside of the checkout."""
    *program, folder = command
    database = ["--database", f"sqlite:///{folder}/{len(program)}.db"]
    links = _run(*program, *database, "demo", cwd=folder)
    if "/t/" not in links or _run(*program, *database, "audit", cwd=folder) != "ok\n":
        raise Wrong(f"{program}: {links}")
    return "records a night, and audits it"


def _run(*command: str | Path, cwd: str | None = None, **environment: str) -> str:
    done = subprocess.run(command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True)
    if done.returncode and "No matching distribution" in done.stderr:
        raise Missing("no package registry within reach")
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, command))[:120]}: {done.stderr.strip()[-600:]}")
    return done.stdout


@dataclass(frozen=True, slots=True)
class AtHome:
    """An installation at home, with Caddy's own root certificate, which phones get over HTTP."""

    site: Site
    server: processes.Process
    settings: Mapping[str, str]
    """The server's environment."""
    log: Path
    """Caddy's log."""

    def tienlen(self, *command: str, **environment: str) -> str:
        """Run a command of `tienlen` in the installation; returns its output."""
        return self.site.own.run(*PROGRAM, *command, **self.settings, **environment)


@contextmanager
def at_home(changed: Changed = as_it_is) -> Iterator[AtHome]:
    """Run the setup "HTTPS at home" of OPERATING.md for the block, with this machine's server and Caddy."""
    require("caddy", "ip", "nsenter", root=True)
    with TemporaryDirectory(prefix="tienlen-try-") as place, network(_AT_HOME) as own, ExitStack() as held:
        folder = Path(place)
        at = {
            "TIENLEN_SITE": _AT_HOME,
            "HOME": place,
            "XDG_DATA_HOME": place,
            "TIENLEN_AUTHORITY": f"{place}/caddy/pki/authorities/local",
        }
        (folder / "Caddyfile").write_text(changed((DEPLOY / "Caddyfile").read_text()))
        config = ("--config", folder / "Caddyfile", "--adapter", "caddyfile")
        log = folder / "caddy.log"
        settings = {"TIENLEN_DATABASE_URL": f"sqlite:///{folder / 'ledger.db'}", "TIENLEN_PROXIES": "1"}
        settings |= {"TIENLEN_HOSTS": _AT_HOME}
        site = Site(own, f"https://{_AT_HOME}", folder / "root.crt")
        held.enter_context(
            _serving(
                own.command("caddy", "run", *config),
                log,
                at,
                lambda: _got(own, f"http://{_AT_HOME}/root.crt", site.authority),
                "Caddy to give its certificate",
            )
        )
        serve = own.command(*PROGRAM, "serve")
        server = held.enter_context(
            _serving(serve, folder / "server.log", settings, site.answers, "the site to answer")
        )
        yield AtHome(site, server, settings, log)


@contextmanager
def _serving(
    command: Sequence[str | Path],
    log: Path,
    environment: Mapping[str, str],
    ready: Callable[[], bool],
    what: str,
) -> Iterator[processes.Process]:
    try:
        with processes.running(command, log, environment, ready=ready, what=what) as process:
            yield process
    except processes.DidNotStart as failure:
        raise Wrong(str(failure)) from None


def home(changed: Changed = as_it_is) -> Iterator[str]:
    """Check the Caddyfile at home: a phone gets the root certificate over HTTP, and trusts the site with it."""
    with at_home(changed) as found:
        site = found.site
        yield "a phone gets root.crt over HTTP, and trusts the site with it"
        _, token = record(site.own, site.address, site.authority)
        found.tienlen("doctor", "--url", f"{site.address}/", SSL_CERT_FILE=str(site.authority))
        yield "a night over HTTPS; doctor --url finds nothing wrong"
        for address in (
            f"http://{_AT_HOME}/t/{token}",
            f"http://{_AT_HOME}/root.key",
            f"http://{_AT_HOME}/../root.key",
        ):
            said = site.own.ask(_CODE, address)
            if not said.startswith(f"301 {site.address}/") or "KEY" in said:
                raise Wrong(f"{address} is answered {said[:80]}")
        found.server.terminate()
        found.server.wait(10)
        if site.answers(f"/t/{token}"):
            raise Wrong("Caddy answers without a server")
        if token in found.log.read_text():
            raise Wrong("a link stands in Caddy's log")
        yield "plain HTTP leads to HTTPS; no link in the log, not even of a server that is away"


def _got(own: Network, address: str, to: Path) -> bool:
    """Fetch a certificate to a file; returns whether it succeeded."""
    try:
        head, _, body = own.ask(_CODE, address).partition("\n")
    except Wrong:
        return False
    to.write_text(body)
    return head == "200 None application/x-x509-ca-cert" and "BEGIN CERTIFICATE" in body


_AUTHORITY = """
{
	admin off
	skip_install_trust
	http_port 8081
	https_port 8443
	auto_https disable_redirects
	storage file_system /srv/authority
}

https://authority.test:8443 {
	tls internal
	acme_server
}
"""
"""The Caddyfile of a certificate authority for ACME."""
_SYSTEMCTL = '#!/bin/sh\necho "$@" >> /srv/systemctl\n'
"""A substitute for systemctl that logs its arguments; the units are then started here."""


@dataclass
class Debian:
    """A Debian that was set up by OPERATING.md, and its services."""

    site: Site
    root: Path
    folder: Path
    """For logs."""
    held: ExitStack
    services: dict[str, Running]
    night: str = ""
    token: str = ""
    """The keeper's token for the night."""

    def start(self, name: str) -> None:
        """Run a service's unit. Raises Wrong if it ends."""
        asked = "ca https://authority.test:8443/acme/local/directory\nca_root /srv/root.crt"
        told = {"TIENLEN_TLS": f"you@{_NAME} {{\n{asked}\n}}"}
        own = self.site.own
        self.services[name] = self.held.enter_context(_service(self.root, name, own, self.folder, told))
        sleep(1)
        if self.services[name].process.poll() is not None:
            raise Wrong(f"{name} ends: {self.services[name].log.read_text()[-600:]}")

    def wait(self) -> None:
        """Wait until the site answers over HTTPS."""
        well = ["python3", "-c", _HEALTHY, f"https://{_NAME}/healthz", "/srv/root.crt"]
        self.services["tienlen.service"].until(well)


def fresh_debian(visited: Callable[[Debian], Iterator[str]] = lambda found: iter(())) -> Iterator[str]:
    """Run the commands of "On a Debian server" in OPERATING.md on a fresh Debian; then the checks of `visited`."""
    with TemporaryDirectory(prefix="tienlen-try-") as place, network() as own, ExitStack() as held:
        folder, root = Path(place), Path(place) / "debian"
        copy_root(debian("debian:trixie-slim"), root)
        copy_checkout(root / "srv" / "tienlen-ledger")
        stand_in = root / "usr/local/sbin/systemctl"
        stand_in.write_text(_SYSTEMCTL)
        stand_in.chmod(0o755)
        *typed, looked = blocks("On a Debian server")
        for block in typed:
            try:
                run_in(
                    root,
                    ["bash", "-euo", "pipefail", "-c", block],
                    {"PATH": _PATH},
                    folder="/srv/tienlen-ledger",
                )
            except subprocess.CalledProcessError as error:
                raise Wrong(f"OPERATING.md: {block[:200]}\n{error.stdout[-800:]}") from None
        yield f"{len(typed)} blocks of OPERATING.md typed"
        (root / "etc/hosts").write_text(f"127.0.0.1 localhost {_NAME} authority.test\n")
        own.name(root / "etc/hosts")
        _start_authority(held, own, root, folder)
        site = Site(own, f"https://{_NAME}", root / "srv/root.crt")
        found = Debian(site, root, folder, held, {})
        said = (root / "srv/systemctl").read_text().split()
        for name in [word for word in said if word.endswith(".service")]:
            if name == "tienlen-backup.service":
                _once(root, name, own, folder)
            else:
                found.start(name)
        found.wait()
        server = found.services["tienlen.service"]
        yield f"https://{_NAME}/ with a certificate that an authority gave over ACME"
        recorded = server.say("python3", "-c", RECORDS, f"https://{_NAME}", "/srv/root.crt")
        found.night, found.token = recorded.split()
        trusting = ("env", "SSL_CERT_FILE=/srv/root.crt", f"PATH={_PATH}")
        done = server.execute(*trusting, "bash", "-euc", looked, user="0")
        if done.returncode or f"keeper  https://{_NAME}/t/" not in done.stdout:
            raise Wrong(f"OPERATING.md: {looked}\n{done.stdout[-1200:]}")
        yield "a night over HTTPS; doctor finds nothing wrong; demo prints links with the name"
        yield from visited(found)
        server = found.services["tienlen.service"]
        if (
            int(server.status("CapEff"), 16)
            or server.execute("touch", "/etc/probe", user="0").returncode == 0
        ):
            raise Wrong("the service may do more than its unit says")
        log = found.services["caddy.service"].log
        if server.stop() or found.token in log.read_text():
            raise Wrong("the server does not end well, or a link stands in Caddy's log")
        yield "no link in Caddy's log; the server ends within ten seconds"


def _start_authority(held: ExitStack, own: Network, root: Path, folder: Path) -> None:
    """Start the certificate authority; its root certificate is then in /srv/root.crt."""
    (root / "srv/Caddyfile").write_text(_AUTHORITY)
    data = root / "srv/authority"
    data.mkdir()
    command = ["/usr/bin/caddy", "run", "--config", "/srv/Caddyfile", "--adapter", "caddyfile"]
    env = {"PATH": _PATH, "HOME": "/srv/authority"}
    log = folder / "authority.log"
    held.enter_context(
        running(
            root, command, own, log, environment=env, user="0", binds={data: "srv/authority"}, memory=["tmp"]
        )
    )
    made = data / "pki/authorities/local/root.crt"
    until(made.exists, f"no authority: {log.read_text()[-400:]}", 20)
    Path(shutil.copy(made, root / "srv/root.crt")).chmod(0o644)


def _unit(root: Path, name: str) -> Mapping[str, list[str]]:
    """The settings of a unit with its drop-ins: name -> all values, with `%S` replaced."""
    texts = [
        path.read_text(encoding="utf-8")
        for path in (
            root / "usr/lib/systemd/system" / name,
            root / "etc/systemd/system" / name,
            *sorted((root / f"etc/systemd/system/{name}.d").glob("*.conf")),
        )
        if path.exists()
    ]
    found = dict[str, list[str]]()
    for key, value in re.findall(r"^(\w+)=(.*)$", "\n".join(texts), re.MULTILINE):
        found.setdefault(key, []).append(value.replace("%S", "/var/lib"))
    return found


@contextmanager
def _service(
    root: Path, name: str, own: Network, folder: Path, more: Mapping[str, str], command: str = ""
) -> Iterator[Running]:
    """Run a unit's command with its unit's user, capabilities, environment and writable folders."""
    unit = _unit(root, name)
    (user,) = unit["User"]
    ids = [line.split(":") for line in (root / "etc/passwd").read_text().splitlines()]
    ((uid, gid, at),) = [(fields[2], fields[3], fields[5]) for fields in ids if fields[0] == user]
    environment = {"PATH": _PATH, "HOME": at}
    for file in unit.get("EnvironmentFile", ()):
        lines = (root / file.lstrip("-/")).read_text().splitlines()
        environment |= dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    environment |= dict(line.strip('"').split("=", 1) for line in unit.get("Environment", ()))
    binds = {}
    for state in unit.get("StateDirectory", [at.removeprefix("/var/lib/")]):
        (root / "var/lib" / state).mkdir(exist_ok=True)
        os.chown(root / "var/lib" / state, int(uid), int(gid))
        binds[root / "var/lib" / state] = f"var/lib/{state}"
    with running(
        root,
        (command or unit["ExecStart"][-1]).split(),
        own,
        folder / f"{name}.log",
        environment={**environment, **more},
        user=f"{uid}:{gid}",
        binds=binds,
        memory=["tmp"],
        rights=[
            right.lower().removeprefix("cap_")
            for right in " ".join(unit.get("AmbientCapabilities", ())).split()
        ],
        read_only=unit.get("ProtectSystem", ["no"])[-1] in ("strict", "full"),
    ) as service:
        yield service


def _once(root: Path, name: str, own: Network, folder: Path) -> None:
    """Run a oneshot unit's commands to their end."""
    unit = _unit(root, name)
    for command in (*unit["ExecStart"], *unit.get("ExecStartPost", ())):
        with _service(root, name, own, folder, {}, command) as service:
            if service.process.wait(60):
                raise Wrong(f"{name}: {service.log.read_text()[-600:]}")
    if not list((root / "var/lib").rglob("backups/tienlen-*.db")):
        raise Wrong(f"{name} leaves no backup")
