"""Check each file with the tool that reads it: compose.yaml, the units, the Caddyfile."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from trying.roots import DEPLOY, SOURCE, Wrong, copy_root, debian, require, run_in

Changed = Callable[[str], str]


def as_it_is(text: str) -> str:
    """A file without a planted defect."""
    return text


PROFILES = {
    "": {"ledger"},
    "https": {"ledger", "caddy"},
    "postgresql": {"ledger", "ledger-2", "postgresql"},
    "postgresql,https": {"ledger", "ledger-2", "postgresql", "caddy"},
}
"""Profiles -> the services that they start."""
_EXPOSURE = 20
"""The highest exposure by `systemd-analyze security`, in tenths; it calls up to 44 OK."""


def section(heading: str) -> str:
    """A section of OPERATING.md, to the next heading of its level."""
    text = (SOURCE / "OPERATING.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise Wrong(f"OPERATING.md has no section {heading!r}")
    return found[1]


def blocks(heading: str, language: str = "sh") -> list[str]:
    """The blocks of one language in a section of OPERATING.md, as printed."""
    return re.findall(rf"^```{language}\n(.*?)^```", section(heading), re.MULTILINE | re.DOTALL)


def settings() -> dict[str, str]:
    """Profiles -> the text of .env for them, from running the blocks of OPERATING.md that write it."""
    found = dict[str, str]()
    for block in blocks("With Docker"):
        if "<<END" in block:
            with TemporaryDirectory() as folder:
                subprocess.run(["bash", "-euc", block.replace("scripts/deploy/", "")], cwd=folder, check=True)
                text = (Path(folder) / ".env").read_text()
            profiles = re.search(r"^COMPOSE_PROFILES=(.*)$", text, re.MULTILINE)
            found[profiles[1] if profiles else ""] = text
    return found


def _has_compose() -> bool:
    asking = ["docker", "compose", "version"]
    return shutil.which("docker") is not None and not subprocess.run(asking, capture_output=True).returncode


@contextmanager
def composed() -> Iterator[Any]:
    """A function: the text of .env -> compose.yaml as resolved by `docker compose config`, of this machine or of
    Debian's package in a root folder."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        if _has_compose():
            root, tool = Path("/"), ["docker", "compose"]
        else:
            base = debian("debian:trixie-slim")
            root, tool = base.with_name(f"{base.name}-compose"), ["docker-compose"]
            if not (root / "usr/bin/docker-compose").exists():
                shutil.rmtree(root, ignore_errors=True)
                copy_root(base, root)
                getting = (
                    "apt-get -qq update && apt-get -qq install --yes --no-install-recommends docker-compose"
                )
                run_in(root, ["sh", "-c", getting], {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
            place = root / "srv"
            place.mkdir(exist_ok=True)
        deploy = place / "scripts" / "deploy"
        shutil.rmtree(deploy, ignore_errors=True)
        shutil.copytree(DEPLOY, deploy, ignore=shutil.ignore_patterns("trying", "__pycache__", ".env"))
        inside = f"/{deploy.relative_to(root)}"

        def config(env: str) -> dict[str, Any]:
            (deploy / ".env").write_text(env)
            asking = [*tool, "--file", f"{inside}/compose.yaml", "config", "--format", "json"]
            environment = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
            if root == Path("/"):
                done = subprocess.run(asking, env=environment, capture_output=True, text=True)
                if done.returncode:
                    raise Wrong(f"compose.yaml: {done.stderr.strip()}")
                text = done.stdout
            else:
                try:
                    text = run_in(root, asking, environment)
                except subprocess.CalledProcessError as error:
                    raise Wrong(f"compose.yaml: {error.stdout.strip()}") from None
            found: dict[str, Any] = json.loads(text)
            return found

        yield config


def compose() -> Iterator[str]:
    """Check compose.yaml with its own tool, for all combinations of profiles."""
    said = {"": ""} | settings()
    both = [
        line
        for text in said.values()
        for line in text.splitlines()
        if not line.startswith("COMPOSE_PROFILES")
    ]
    said["postgresql,https"] = "\n".join(["COMPOSE_PROFILES=postgresql,https", *both])
    with composed() as config:
        for profiles, wanted in PROFILES.items():
            if profiles not in said:
                raise Wrong(f'OPERATING.md, "With Docker", writes no .env for {profiles}')
            services = config(said[profiles])["services"]
            if {*services} != wanted:
                raise Wrong(f"profiles {profiles!r}: {sorted(services)} are started, not {sorted(wanted)}")
            for name in sorted(wanted & {"ledger", "ledger-2", "caddy"}):
                contained(name, services[name])
            if wanted > {"postgresql"}:
                shared(services)
        yield f"{len(PROFILES)} choices of profiles, each with the .env of OPERATING.md"


def contained(name: str, service: Mapping[str, Any]) -> None:
    """Raise Wrong for a service that has more rights than it needs."""
    if not service.get("read_only"):
        raise Wrong(f"{name}: its root can be written")
    if service.get("cap_drop") != ["ALL"] or "no-new-privileges:true" not in service.get("security_opt", ()):
        raise Wrong(f"{name}: has rights that it does not need")
    open_to_all = [
        port["published"] for port in service.get("ports", ()) if port.get("host_ip") != "127.0.0.1"
    ]
    if open_to_all and name != "caddy":
        raise Wrong(f"{name}: its port is open to the network, over plain HTTP")


def shared(services: Mapping[str, Any]) -> None:
    """Raise Wrong if the two servers would not be one installation."""
    one, other = (services[name]["environment"] for name in ("ledger", "ledger-2"))
    if one != other:
        raise Wrong("ledger and ledger-2 are told different things")
    roles = services["postgresql"]["environment"]
    for role, url in (("OWNER", "TIENLEN_OWNER_URL"), ("WEB", "TIENLEN_DATABASE_URL")):
        if f":{roles[f'TIENLEN_{role}_PASSWORD']}@postgresql/tienlen" not in one[url]:
            raise Wrong(f"{url} has another password than the role is given")
    if not re.fullmatch("[0-9a-f]{64}", one["TIENLEN_KEY"]):
        raise Wrong("both need one TIENLEN_KEY")


def units(changed: Changed = as_it_is) -> Iterator[str]:
    """Check the units with `systemd-analyze`: errors, and exposure."""
    require("systemd-analyze")
    names = [path.name for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer")]
    with TemporaryDirectory() as folder:
        for name in names:
            # The program is not installed on this machine.
            text = (
                (DEPLOY / name).read_text(encoding="utf-8").replace("/opt/tienlen/bin/tienlen", "/bin/true")
            )
            (Path(folder) / name).write_text(changed(text), encoding="utf-8")
        files = [str(Path(folder) / name) for name in names]
        said = _systemd("verify", "--man=no", *files)
        if said.strip():
            raise Wrong(f"systemd-analyze verify: {said.strip()}")
        yield f"systemd-analyze verify: {', '.join(sorted(names))}"
        for file in files:
            if file.endswith(".service"):
                _systemd("security", "--offline=true", f"--threshold={_EXPOSURE}", "--no-pager", file)
    yield f"systemd-analyze security: exposed {_EXPOSURE / 10} of 10 at the most"


def _systemd(*arguments: str) -> str:
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Wrong(f"systemd-analyze {arguments[0]}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stderr


def caddyfile() -> Iterator[str]:
    """Check the Caddyfile with Caddy, for a home and for a public name, and its formatting."""
    require("caddy")
    said: tuple[dict[str, str], ...] = (
        {},
        {"TIENLEN_SITE": "192.0.2.10"},
        {
            "TIENLEN_SITE": "tienlen.example",
            "TIENLEN_TLS": "you@tienlen.example",
            "TIENLEN_UPSTREAMS": "a:8000 b:8000",
        },
    )
    for environment in said:
        checked = _caddy(
            "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"), **environment
        )
        if checked.returncode:
            raise Wrong(f"caddy validate: {checked.stderr.strip()[-600:]}")
    if _caddy("fmt", str(DEPLOY / "Caddyfile")).stdout != (DEPLOY / "Caddyfile").read_text():
        raise Wrong("caddy fmt writes the Caddyfile otherwise")
    yield "valid at home, with an address, and with a public name"


def _caddy(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    with TemporaryDirectory() as home:
        env = {"PATH": "/usr/bin:/usr/local/bin", "HOME": home, **environment}
        return subprocess.run(["caddy", *arguments], env=env, capture_output=True, text=True)
