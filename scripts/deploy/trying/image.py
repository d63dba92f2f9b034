"""The image: the commands of the Dockerfile, and the server that they install, on a Debian root.

Docker's own builder is not tested."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory

from trying.roots import (
    DEPLOY,
    Network,
    Wrong,
    copy_checkout,
    copy_root,
    debian,
    network,
    require,
    run_in,
    running,
)

_PATH = "/opt/tienlen/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_HEALTHY = "import urllib.request as web; web.urlopen('http://127.0.0.1:8000/healthz', timeout=8)"
RECORDS = """
import json, ssl, sys, urllib.request as web, uuid
site, authority = sys.argv[1:3]
trusted = ssl.create_default_context(cafile=authority) if authority else None
def ask(path, data=None, token=""):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"} if data else {}
    body = data and json.dumps(data).encode()
    with web.urlopen(web.Request(site + path, body, headers), context=trusted, timeout=10) as answer:
        return answer.read()
night = str(uuid.uuid4())
terms = {"ruleset": "southern-classic", "players": ["An", "Bình"], "secret": uuid.uuid4().hex}
opened = json.loads(ask("/api/v1/nights", {"id": night, **terms}))
round = {"id": str(uuid.uuid4()), "after": night, "kind": "round", "opening": True}
ask(f"/api/v1/nights/{night}/events", round, opened["tokens"]["keeper"])
link = opened["links"]["keeper"]
assert link.startswith(site + "/t/"), link
assert b"</html>" in ask(link.removeprefix(site))
print(night, opened["tokens"]["keeper"])
"""
"""A script that records a night at a site over the network, and prints its id and the keeper's token."""


def record(at: Network, site: str, authority: Path | str = "") -> tuple[str, str]:
    """Record a night at a site; returns its id and the keeper's token."""
    night, token = at.ask(RECORDS, site, authority).split()
    return night, token


def image() -> Iterator[str]:
    """Run every RUN of the Dockerfile, with the sources in /source; then serve as its user on a read-only root."""
    require("mmdebstrap", "nsenter", "unshare", root=True)
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    steps = re.findall(r"^RUN (.+)$", text, re.MULTILINE)
    (user,) = re.findall(r"^USER (.+)$", text, re.MULTILINE)
    with TemporaryDirectory(prefix="tienlen-try-") as place, network() as own:
        root, data = Path(place) / "root", Path(place) / "data"
        copy_root(debian("debian:trixie-slim"), root)
        copy_checkout(root / "source")
        for step in steps:
            try:
                run_in(root, ["sh", "-euc", step], {"PATH": _PATH}, folder="/source")
            except CalledProcessError as error:
                raise Wrong(f"{step}: {error.stdout.strip()[-800:]}") from None
        yield f"{len(steps)} commands of the Dockerfile"
        data.mkdir()
        os.chown(data, *map(int, user.split(":")))
        environment = {"PATH": _PATH, "XDG_DATA_HOME": "/data"}
        log = Path(place) / "log"
        with running(
            root,
            ["tienlen", "serve"],
            own,
            log,
            environment=environment,
            user=user,
            binds={data: "data"},
            memory=["tmp"],
        ) as server:
            server.until(["python3", "-c", _HEALTHY])
            record(own, "http://127.0.0.1:8000")
            if server.status("Uid").split()[0] == "0" or int(server.status("CapEff"), 16):
                raise Wrong("it runs as root, or with rights of root's")
            if server.stop():
                raise Wrong(f"ends with an error: {log.read_text()[-400:]}")
        yield f"a night over HTTP, served by user {user}; ends when told to"
