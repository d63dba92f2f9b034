"""The image: run the Dockerfile's steps, and the result with the settings of compose.yaml."""

from collections.abc import Iterator
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

from trying.dockerfile import Image, build, read
from trying.files import composed
from trying.roots import DEPLOY, SOURCE, Network, Running, Wrong, copy_root, debian, network, require, running

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
    """Build it, and run it as the service `ledger`."""
    require("mmdebstrap", "nsenter", "unshare", root=True)
    with TemporaryDirectory(prefix="tienlen-try-") as folder, composed() as config, network() as own:
        service = config("")["services"]["ledger"]
        ignore = (DEPLOY / "Dockerfile.dockerignore").read_text()
        steps = read((DEPLOY / "Dockerfile").read_text())
        built = build(steps, SOURCE, ignore, Path(folder), debian)
        size = int(
            run(["du", "-sm", built.root], capture_output=True, text=True, check=True).stdout.split()[0]
        )
        yield f"{len(steps)} steps of the Dockerfile: a root of {size} MB"
        data = Path(folder) / "data"
        copy_root(built.root / built.volumes[0].lstrip("/"), data)
        yield from serves(built, service, data, own, Path(folder))


def serves(built: Image, service: dict[str, object], data: Path, own: Network, folder: Path) -> Iterator[str]:
    """Check the image as a service of compose.yaml, started twice on one volume."""
    environment = built.environment | {
        name: str(said) for name, said in _table(service["environment"]).items()
    }
    nights = list[str]()
    for _ in range(2):
        with running(
            built.root,
            [*built.entrypoint, *built.command],
            own,
            folder / "log",
            environment=environment,
            user=built.user,
            folder=built.folder,
            binds={data: built.volumes[0]},
            memory=[str(place) for place in _list(service["tmpfs"])],
            read_only=bool(service["read_only"]),
        ) as container:
            if not built.health:
                raise Wrong("the image has no HEALTHCHECK")
            container.until(built.health)
            if not nights:
                yield from confined(container)
            nights.append(record(own, "http://127.0.0.1:8000")[0])
            listed = container.say("tienlen", "nights")
            if not all(night in listed for night in nights):
                raise Wrong("a night is gone after the container was made anew")
            link = container.say("tienlen", "link", nights[-1][:13])
            if f"keeper  {environment['TIENLEN_ADDRESS'].rstrip('/')}/t/" not in link:
                raise Wrong(f"the container prints other addresses: {link}")
            container.say("tienlen", "backup", f"{built.volumes[0]}/backups")
            ledger = next(data.rglob("ledger.db"))
            away = ledger.rename(ledger.with_name("away"))
            if container.execute(*built.health).returncode == 0:
                raise Wrong("the health check finds a server well that has no database any more")
            away.rename(ledger)
            container.until(built.health)
            if container.stop(built.stop):
                raise Wrong(f"ends with an error: {container.log.read_text()[-400:]}")
    yield "healthy, and not without its database; a night over HTTP, a link, a backup; ends when told to"
    yield "made anew on its volume: the nights are there"


def confined(container: Running) -> Iterator[str]:
    """Check its user, its capabilities and what it may write."""
    if container.status("Uid").split()[0] == "0" or int(container.status("CapEff"), 16):
        raise Wrong("it runs as root, or with rights of root's")
    for place in ("/", "/opt/tienlen", "/usr/lib", "/etc"):
        if container.execute("touch", f"{place}/probe", user="0").returncode == 0:
            raise Wrong(f"{place} can be written")
    yield f"runs as {container.status('Uid').split()[0]} without rights, on a root that not even root can write"


def _table(found: object) -> dict[str, object]:
    assert isinstance(found, dict)
    return found


def _list(found: object) -> list[object]:
    assert isinstance(found, list)
    return found
