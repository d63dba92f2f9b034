"""The tasks of "On a bad evening" in OPERATING.md, typed on a Debian that needs each of them."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

from trying.files import section
from trying.hosts import Debian
from trying.roots import Network, Running, Wrong, run_in, running

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_STATE = "var/lib/tienlen-ledger"
_BACKUPS = f"/{_STATE}/backups"
_TAMPER = f"""
import sqlite3, sys
database = sqlite3.connect("/{_STATE}/ledger.db", isolation_level=None)
triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
for name, _ in triggers:
    database.execute(f"DROP TRIGGER {{name}}")
database.execute("UPDATE event SET body = '{{broken' WHERE seq = 1 AND night = ?", sys.argv[1:])
for _, text in triggers:
    database.execute(text)
"""
_JOURNALCTL = '#!/bin/sh\necho "the journal, asked for $*"\n'
"""A substitute for journalctl: no journal is kept here."""


def tasks() -> Mapping[str, list[str]]:
    """The title of each task in OPERATING.md -> the commands of its block."""
    text = section("On a bad evening")
    found = re.findall(
        r"^\*\*(.+?)[.:]?\*\*(?:(?!^\*\*).)*?^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    )
    return {title: block.replace("\\\n", "").splitlines() for title, block in found}


class Evening:
    """A host who types the tasks."""

    def __init__(self, debian: Debian, held: ExitStack) -> None:
        self.debian, self._tasks = debian, dict(tasks())
        self.open_shell(held)

    def open_shell(self, held: ExitStack) -> None:
        """Open a root's shell on the machine."""
        root = self.debian.root
        self.shell: Running = held.enter_context(
            running(
                root,
                ["sleep", "infinity"],
                self.own,
                self.debian.folder / "shell.log",
                environment={"PATH": _PATH, "HOME": "/root", "SSL_CERT_FILE": "/srv/root.crt"},
                user="0",
                folder="/srv/tienlen-ledger",
                binds={root / _STATE: _STATE},
                memory=["tmp"],
                read_only=False,
            )
        )

    @property
    def own(self) -> Network:
        """The machine's network."""
        return self.debian.site.own

    def type(self, title: str, fails: str = "", **changed: str) -> str:
        """Type a task's commands; returns what they printed. `changed` are the words that stand for others; the
        commands with the word `fails` find something, and the others must succeed."""
        printed = ""
        for command in self._tasks.pop(title):
            for word, meant in {"018f4b1c": self.debian.night[:8], **changed}.items():
                command = command.replace(word, meant)
            status, said = self.answer_of(command)
            silent = command.startswith("systemctl") or command.endswith("crontab -")
            if bool(status) != bool(fails and fails in command) or not (said or silent):
                raise Wrong(f"{title}: {command} ends with {status}: {said[-800:]}")
            printed += said
        return printed

    def answer_of(self, command: str) -> tuple[int, str]:
        """The exit status of a command, and what it printed."""
        words = command.partition("#")[0].split()
        if words[0] == "systemctl":
            for name in words[2:]:
                self._unit(words[1], f"{name.removesuffix('.service')}.service")
            if words[1] != "stop":
                self.debian.wait()
            return 0, ""
        asked = "yes | " if "forget" in words else ""
        done = self.shell.execute("bash", "-c", f"cd /srv/tienlen-ledger; {asked}{command}")
        return done.returncode, done.stdout

    def _unit(self, verb: str, name: str) -> None:
        """Do what systemctl would do with a service."""
        if verb in ("stop", "restart") and self.debian.services[name].process.poll() is None:
            self.debian.services[name].stop()
        if verb in ("start", "restart"):
            self.debian.start(name)

    def say(self, *command: str) -> str:
        """The output of a command that is no part of a task. Raises Wrong if it fails."""
        return self.shell.say(*command)

    def newest_backup(self) -> str:
        """The name of the newest backup."""
        return self.say("bash", "-c", f"cd {_BACKUPS}; ls tienlen-*.db | tail -n 1").strip()

    def opens(self, token: str) -> bool:
        """Whether a token opens the night."""
        try:
            self.debian.site.get(f"/api/v1/nights/{self.debian.night}", token)
        except Wrong:
            return False
        return True

    def untyped(self) -> list[str]:
        """The tasks that were not typed."""
        return [*self._tasks]


def evening(debian: Debian) -> Iterator[str]:
    """Break what each task mends, type its commands, and check that it is well again."""
    stand_in = debian.root / "usr/local/sbin/journalctl"
    stand_in.write_text(_JOURNALCTL)
    stand_in.chmod(0o755)
    with ExitStack() as held:
        host = Evening(debian, held)
        for task in (
            _address,
            _elsewhere,
            _lost,
            _damaged,
            _phone,
            _key,
            _name,
            _version,
            _everything,
            _disk,
        ):
            said = task(host, held)
            yield f"evening: {said}"
        if left := host.untyped():
            raise Wrong(f"OPERATING.md: not tried: {', '.join(left)}")


def _require(well: object, wrong: str) -> None:
    if not well:
        raise Wrong(wrong)


def _address(host: Evening, held: ExitStack) -> str:
    host.debian.services["caddy.service"].stop()
    caddy = host.debian.services["caddy.service"].process
    _require(caddy.poll() is not None, "Caddy does not stop")
    status, said = host.answer_of(f"tienlen doctor --url {host.debian.site.address}/")
    _require(status == 1 and "✗ reached" in said, f"the doctor finds nothing wrong without Caddy: {said}")
    host.answer_of("systemctl start caddy")
    host.type("The address does not open, or browsers warn")
    return "an address that does not open is found by the doctor, and opens again"


def _elsewhere(host: Evening, held: ExitStack) -> str:
    """The other machine is root's own folder here, which reaches this machine by ssh."""
    root = host.debian.root
    getting = "apt-get -qq update && apt-get -qq install --yes openssh-server rsync cron"
    logging_in = (
        "mkdir -p /run/sshd /root/.ssh && ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519"
        " && cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys"
        " && echo 'StrictHostKeyChecking accept-new' > /root/.ssh/config && chmod -R go= /root/.ssh"
    )
    try:
        run_in(root, ["bash", "-euc", f"{getting} && {logging_in}"], {"PATH": _PATH, "HOME": "/root"})
    except subprocess.CalledProcessError as error:
        raise Wrong(f"ssh cannot be installed: {error.stdout[-800:]}") from None
    (root / "run/sshd").mkdir(parents=True, exist_ok=True)
    held.enter_context(
        running(
            root,
            ["/usr/sbin/sshd", "-D", "-e", "-o", "UsePAM=no"],
            host.own,
            host.debian.folder / "sshd.log",
            environment={"PATH": _PATH},
            user="0",
            binds={root / _STATE: _STATE},
            read_only=False,
        )
    )
    host.shell.until(["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/22"], 10)
    host.type("Backups in another place, every hour")
    host.say("tienlen", "backup")
    line = host.say("crontab", "-l")
    host.say("sh", "-c", line.partition("* * * * ")[2])
    kept, made = host.say("ls", "/root/tienlen"), host.say("ls", _BACKUPS)
    _require(kept == made, f"there are {kept} elsewhere, and {made} here")
    return "what is backed up here is fetched by the other machine's crontab line"


def _lost(host: Evening, held: ExitStack) -> str:
    host.answer_of("systemctl stop tienlen")
    host.say("bash", "-c", f"mkdir /{_STATE}/lost && mv /{_STATE}/ledger.db* /{_STATE}/lost")
    host.answer_of("systemctl start tienlen")
    _require(not host.opens(host.debian.token), "the night is not lost")
    backup = host.newest_backup()
    said = host.type("A night is lost, or lacks entries", **{"tienlen-20260101T200000Z.db": backup})
    _require(f"night {host.debian.night}: entries 1 to 1 were added" in said, said)
    _require(host.opens(host.debian.token), "the night's link does not open it")
    return "a lost night is brought back while the server runs, and its link opens it"


def _damaged(host: Evening, held: ExitStack) -> str:
    host.say("runuser", "-u", "tienlen", "--", "/opt/tienlen/bin/python", "-c", _TAMPER, host.debian.night)
    found = host.shell.execute("tienlen", "audit")
    _require(found.returncode == 1 and host.debian.night in found.stdout, f"no damage: {found.stdout}")
    host.say("tienlen", "demo")
    host.type("A night is damaged", fails="tienlen import")
    host.say("tienlen", "restore", "--night", host.debian.night, f"{_BACKUPS}/{host.newest_backup()}")
    _require(host.say("tienlen", "audit") == "ok\n", "the audit still finds damage")
    _require(host.opens(host.debian.token), "the night's link does not open it")
    _require(len(host.say("tienlen", "nights").splitlines()) == 2, "the other night is not there")
    return "a damaged night is taken out and brought back, the others keep their links"


def _renewed(host: Evening, printed: str) -> None:
    """Take the keeper's token from what was printed. Raises Wrong unless it replaces the one of before."""
    _require(not host.opens(host.debian.token), "the link of before still opens the night")
    found = re.search(r"keeper  https://\S+/t/(\S+)", printed)
    _require(found, f"no link is printed: {printed}")
    host.debian.token = found[1] if found else ""
    _require(host.opens(host.debian.token), "the new link does not open the night")


def _phone(host: Evening, held: ExitStack) -> str:
    _renewed(host, host.type("A phone is lost"))
    return "the links of a lost phone are void, and the new ones open the night"


def _key(host: Evening, held: ExitStack) -> str:
    _renewed(host, host.type("The key became known to others"))
    return "links of the old key are void, and those of the new one open the night"


def _name(host: Evening, held: ExitStack) -> str:
    _require("Bình" in host.say("tienlen", "nights"), "no names to forget")
    host.type("A name is to be forgotten")
    left = host.say("tienlen", "nights")
    _require("Bình" not in left and "An" in left, f"not that name alone is gone: {left}")
    newest = host.debian.root / _STATE / "backups" / host.newest_backup()
    _require("Bình".encode() not in newest.read_bytes(), "the name is in the new backup")
    return "a name is erased, and is not in the new backup"


def _version(host: Evening, held: ExitStack) -> str:
    project = host.debian.root / "srv/tienlen-ledger/pyproject.toml"
    project.write_text(
        re.sub(r'^version = ".*"', 'version = "99.0"', project.read_text(), flags=re.MULTILINE)
    )
    said = host.type("A new version is to be installed")
    _require(re.search(r"^version +99\.0$", said, re.MULTILINE), f"another version: {said[-600:]}")
    _require(host.opens(host.debian.token), "the night's link does not open it")
    return "a new version serves the nights of the one before"


def _everything(host: Evening, held: ExitStack) -> str:
    """The new machine is this one, without what the server had."""
    host.say("tienlen", "backup")
    host.say("sh", "-c", host.say("crontab", "-l").partition("* * * * ")[2])
    backup = host.newest_backup()
    host.answer_of("systemctl stop tienlen")
    host.say("bash", "-c", f"mkdir /srv/lost && mv /{_STATE}/* /srv/lost")
    host.answer_of("systemctl start tienlen")
    said = host.type("Everything is lost", **{"tienlen-20260101T200000Z.db": backup})
    _require(f"night {host.debian.night}" in said, said)
    _require(host.opens(host.debian.token), "the night's link does not open it")
    return "a new machine gets all nights from the other place, and their links open them"


def _disk(host: Evening, held: ExitStack) -> str:
    """The nights are moved to a small disk in memory, which a file like an old backup fills."""
    host.answer_of("systemctl stop tienlen")
    state = host.debian.root / _STATE
    before = host.debian.folder / "before"
    host.own.run("cp", "--archive", state, before)
    host.own.run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", state)
    host.own.run("cp", "--archive", f"{before}/.", state)
    host.open_shell(held)
    host.answer_of("systemctl start tienlen")
    size = host.say("df", "--block-size=1M", "--output=size", f"/{_STATE}").split()[-1]
    _require(size == "64", f"the disk to be filled is not the small one, but has {size} MB")
    old = f"{_BACKUPS}/tienlen-20260101T200000Z.db"
    host.shell.execute("bash", "-c", f"head --bytes 64M /dev/zero > {old}; touch --date '10 days ago' {old}")
    full = host.shell.execute("tienlen", "demo")
    _require(full.returncode, "something is recorded on a full disk")
    _require(not host.debian.site.answers("/healthz"), "/healthz is well on a full disk")
    _require(host.opens(host.debian.token), "nights cannot be read on a full disk")
    said = host.type("The disk is full")
    _require(old in said and "room " in said, said)
    _require(host.debian.site.answers("/healthz"), "/healthz is not well again")
    host.say("tienlen", "demo")
    _require(host.say("tienlen", "audit") == "ok\n", "something is to be repaired")
    return (
        "on a full disk nights can be read; once there is room, entries are recorded, and nothing is damaged"
    )
