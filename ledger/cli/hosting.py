"""Commands for hosts: backup, restore, status, and doctor, which checks an installation, also from outside: through
its proxy and over HTTPS."""

import json
import ssl
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from gzip import decompress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from time import monotonic
from typing import Final
from urllib.parse import SplitResult, urlsplit

import click

from ledger.cli.group import (
    Failed,
    Unusable,
    explained,
    give_way,
    harmless,
    leads_to_a_server,
    lines_of,
    main,
    read_text,
    recorder_of,
)
from ledger.recorder import BACKUPS_VARIABLE, Installation, LogUnreadable, Recorder, server_address
from ledger.recorder.installation import located
from ledger.recorder.operations.backup import Backup, BackupRefused, back_up, thin
from ledger.recorder.operations.backup import restore as put_back
from ledger.recorder.operations.checks import Check, State, doubtful, fine, wrong
from ledger.recorder.operations.damaged_logs import HOW_TO_FIX, tell_log
from ledger.recorder.operations.doctor import examine, examine_places
from ledger.recorder.operations.transfer import Tail, add_tail, restore_night


@main.command()
@click.argument("folder", metavar="DIR", envvar=BACKUPS_VARIABLE, type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="DAYS",
    help="Then delete backups in DIR older than so many days; and of each day before the last 24 hours, all but the"
    " last.",
)
@click.pass_context
def backup(context: click.Context, folder: Path, keep: int | None) -> None:
    """Write a backup of all nights into DIR ($TIENLEN_BACKUPS), also while a server runs. It is audited before it
    is kept.

    A damaged night is copied unchanged and listed; the exit status is then 1, and no backup is deleted, which may
    have what is missing.
    """
    give_way()
    with explained():
        try:
            made = back_up(Installation.find(context.obj[0], make=False), folder, datetime.now(UTC))
        except BackupRefused as error:
            raise Failed(str(error)) from None
    click.echo(made.file)
    _tell(made)
    incomplete = bool(made.damaged or made.logs)
    if keep and not incomplete:
        with explained():
            for old in thin(folder, datetime.now(UTC), keep):
                click.echo(f"deleted {old}")
    if made.key_file is None:
        click.echo("the key is in the environment, and not in the backup: keep it, too", err=True)
    context.exit(int(incomplete))


@main.command()
@click.argument("backup", required=False, type=click.Path(path_type=Path))
@click.option("--night", metavar="NIGHT", help="Only what is missing here of this night.")
@click.option(
    "--tail", metavar="FILE", help="Add what an exact log (.ndjson) has past the head of its night here."
)
@click.pass_context
def restore(context: click.Context, backup: Path | None, night: str | None, tail: str | None) -> None:
    """Restore the nights and the key of BACKUP to this installation, where nothing may be yet.

    With --night, bring back one night of BACKUP: all of it, or its entries after those that are here. With --tail,
    add to a night that is here the further entries of an exact log of it. Both change no other night.
    """
    if (backup is None) == (tail is None) or (tail is not None and night is not None):
        raise click.UsageError("Name a BACKUP, or a log with --tail.")
    try:
        if backup is not None and night is not None:
            with recorder_of(context) as recorder:
                _tell_added(
                    restore_night(recorder, backup.absolute(), night, located(context.obj[0])[1].parent)
                )
        elif backup is not None:
            _restore_all(context, backup.absolute())
        elif tail is not None:
            _restore_tail(context, tail)
    except BackupRefused as error:
        raise Failed(str(error)) from None


def _restore_all(context: click.Context, backup: Path) -> None:
    with explained():
        restored = put_back(backup, context.obj[0])
    _tell(restored)
    if restored.key_file is None:
        click.echo(
            "no key was put back: the links of before need the key of before, in TIENLEN_KEY", err=True
        )
    context.exit(int(bool(restored.damaged)))


def _restore_tail(context: click.Context, path: str) -> None:
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise Unusable(f"{path} cannot be read: {error}") from None
    with recorder_of(context) as recorder:
        try:
            added = add_tail(recorder, lines_of(text))
        except LogUnreadable as error:
            raise Unusable(f"{path}: {error}") from None
    _tell_added(added)


def _tell_added(added: Tail) -> None:
    click.echo(f"night {added.night}: entries {added.before.seq + 1} to {added.after.seq} were added")


def _tell(backup: Backup) -> None:
    for night, head in backup.heads.items():
        click.echo(f"night {night}  {head['code']}")
    for night, what in backup.damaged.items():
        click.echo(harmless(f"night {night}  is damaged, and was copied as it is: {what}"), err=True)
    for log in backup.logs:
        click.echo(harmless(f"{tell_log(log)}: {HOW_TO_FIX}"), err=True)


_BACKUPS = click.option(
    "--backups",
    envvar=BACKUPS_VARIABLE,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where backups are written; otherwise $TIENLEN_BACKUPS.",
)
_SIGNS = {State.FINE: "✓", State.DOUBTFUL: "!", State.WRONG: "✗"}


@main.command()
@click.option(
    "--url",
    metavar="https://HOST/",
    callback=leads_to_a_server,
    help="Look at it from outside, too: HTTPS, proxy, streams.",
)
@_BACKUPS
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a check.")
@click.pass_context
def doctor(context: click.Context, url: str | None, backups: Path | None, as_json: bool) -> None:
    """Tell what is wrong with this installation, and how to mend it; exit 0 if nothing is, 1 if something is,
    2 if it cannot be checked."""
    worst = False
    with explained():
        for check in _checks(context.obj[0], url, backups):
            worst = worst or check.state is State.WRONG
            click.echo(json.dumps(asdict(check), ensure_ascii=False) if as_json else _line(check))
    context.exit(int(worst))


def _checks(database: str | None, url: str | None, backups: Path | None) -> Iterator[Check]:
    now = datetime.now(UTC)
    yield from examine(database, now, backups=backups)
    if address := server_address(database):
        yield _running(address)
    if url is not None:
        recorder = Installation.find(database, make=False).open()
        with closing(recorder.store):
            yield from examine_site(url, recorder)


def _line(check: Check) -> str:
    mend = f"\n    {check.mend}" if check.mend else ""
    return f"{_SIGNS[check.state]} {check.name:12} {check.found}{mend}"


@main.command()
@_BACKUPS
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(context: click.Context, backups: Path | None, as_json: bool) -> None:
    """Show what goes on at this installation, in one screen: its size, its server's last ten minutes, backups,
    standbys and disk. It shows no names, cards or links."""
    with recorder_of(context) as recorder:
        found = recorder.status()
        found |= _recent(context.obj[0], recorder)
        for check in examine_places(context.obj[0], recorder.store, datetime.now(UTC), backups):
            found[check.name] = check.found
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        click.echo(f"{name.replace('_', ' '):20} {_value(value)}")


def _value(value: object) -> str:
    if isinstance(value, dict):
        value = [f"{name} {count}" for name, count in value.items()]
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return "none" if value in ("", None) else str(value)


def _recent(database: str | None, recorder: Recorder) -> dict[str, object]:
    """What this machine's server says of its last minutes, if one runs."""
    address = server_address(database)
    if address is None:
        return {"server": "none runs on this machine"}
    try:
        status, _, body = _ask(urlsplit(address), "/setup", Authorization=f"Bearer {recorder.host_token()}")
        recent: dict[str, object] = json.loads(body)["recent"] if status == 200 else {}
    except (OSError, HTTPException, ValueError, KeyError) as error:
        return {"server": f"{address} does not answer: {error}"}
    return {"server": address if recent else f"{address} answers {status}"} | recent


# Checks of a server from outside

_PATIENCE: Final = 5.0
_STREAM_SECONDS: Final = 2.0
_UNBUFFERED: Final = "let the proxy not buffer it (nginx: proxy_buffering off)"
_NOBODY: Final = "192.0.2.77"
"""An address that no machine has, sent as a forged `X-Forwarded-For`."""
_FOR: Final = "let the proxy set X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $remote_addr)"
_PROXIES: Final = "let the proxy send X-Forwarded-Proto and X-Forwarded-Host, and set TIENLEN_PROXIES=1"


def examine_site(url: str, recorder: Recorder) -> Iterator[Check]:
    """Run every check of a server at its address. Changes nothing there."""
    site = urlsplit(url)
    try:
        yield from _answers(site)
        if site.scheme == "http":
            yield doubtful(
                "https",
                "without HTTPS links can be read on the way, and phones keep nothing without network",
                "put a proxy with a certificate in front (Caddy does so by itself)",
            )
        yield from _setup(site, recorder)
        yield from _stream(site, recorder)
    except (OSError, HTTPException) as error:
        why = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else str(error)
        yield wrong("reached", f"{url}: {why}", "is it served, and does the name lead here?")


def _running(address: str) -> Check:
    """Check whether the server of this machine can record."""
    try:
        status, well = _health(urlsplit(address))
    except (OSError, HTTPException) as error:
        return doubtful("server", f"{address} does not answer: {error}", "does its address lead here?")
    if well:
        return fine("server", f"{address} can record")
    return wrong(
        "server", f"its /healthz answers {status}", "its log says why; if it cannot record, restart it"
    )


def _health(site: SplitResult) -> tuple[int, bool]:
    """The status of a server's health check, and whether all is well."""
    status, _, body = _ask(site, "/healthz")
    try:
        return status, status == 200 and json.loads(body)["status"] == "ok"
    except (ValueError, KeyError, TypeError):
        return status, False


def _answers(site: SplitResult) -> Iterator[Check]:
    status, well = _health(site)
    if well:
        yield fine("reached", f"{site.geturl()} answers and can record")
    else:
        yield wrong("reached", f"/healthz answers {status}", "the server's log says why")
    status, _, body = _ask(site, "/metrics")
    if status == 200 and b"tienlen_" in body:
        yield wrong("metrics", "/metrics can be read from outside", "let no proxy pass its port on")
    else:
        yield fine("metrics", "not told to the outside")


def _setup(site: SplitResult, recorder: Recorder) -> Iterator[Check]:
    """Check the server's settings, and what proxies do to a request and its answer."""
    status, headers, body = _ask(
        site,
        "/setup",
        Authorization=f"Bearer {recorder.host_token()}",
        Accept_Encoding="gzip",
        X_Forwarded_For=_NOBODY,
    )
    page = decompress(body) if headers.get("content-encoding") == "gzip" else body
    try:
        found = json.loads(page) if status == 200 else None
    except ValueError:
        found = None
    if found is None:
        mend = "is it this installation that is served there, in this version, with its key?"
        yield doubtful("setup", f"is not told: the answer is {status}", mend)
        return
    names = ", ".join(found["hosts"]) or "any name"
    yield fine("setup", f"{found['version']}, trusts {found['proxies']} proxies, answers to {names}")
    if site.scheme == "https":
        yield _scheme(found["scheme"])
    yield _caller(site, found["caller"], found["proxies"], {*found["forwarded"]})
    yield _host(site, found["host"])
    if len(page) > len(body):
        finding = (
            "pages that hold links are compressed on the way: their length tells strangers what is in them"
        )
        yield wrong(
            "compression", finding, "let the proxy not compress this server's answers (nginx: gzip off)"
        )
    else:
        yield fine("compression", "pages that hold links come as they are")


def _scheme(scheme: str) -> Check:
    """Check that the server knows that phones come over HTTPS."""
    if scheme == "https":
        return fine("https", "cookies go over it alone, and browsers come by it alone from now on")
    return wrong("https", "the server does not know that it is asked over HTTPS", _PROXIES)


def _caller(site: SplitResult, caller: str, proxies: int, forwarded: set[str]) -> Check:
    """Check the address by which the server counts a request with a forged `X-Forwarded-For`."""
    if caller == _NOBODY:
        finding = (
            "whoever calls can say to be anybody: no proxy sets X-Forwarded-For, and the server believes it"
        )
        return wrong("caller", finding, f"{_FOR}; where no proxy is in front, TIENLEN_PROXIES=0")
    if proxies and "x-forwarded-for" not in forwarded:
        return wrong("caller", "all phones count as one: the proxy does not say who calls", _FOR)
    if not proxies and (site.scheme == "https" or forwarded - {"x-forwarded-for"}):
        finding = "all phones count as one: a proxy is in front, and the server does not believe it"
        return wrong("caller", finding, _PROXIES)
    return fine("caller", "each address counts for itself")


def _host(site: SplitResult, host: str) -> Check:
    """Check the host that the server uses for its links and for requests from its own site."""
    usual = {"http": 80, "https": 443}[site.scheme]
    asked = f"{site.hostname}{f':{site.port}' if site.port not in (None, usual) else ''}"
    if host.lower().removesuffix(f":{usual}") == asked:
        return fine("host", f"links lead to {host}")
    finding = f"links lead to {host or 'no host'}, and phones come to {asked}"
    return wrong(
        "host",
        finding,
        "let the proxy pass the name on with its port (nginx: Host and X-Forwarded-Host $http_host)",
    )


def _stream(site: SplitResult, recorder: Recorder) -> Iterator[Check]:
    """Check that a stream begins at once: a proxy that buffers it delays what was recorded."""
    nights = recorder.nights()
    if not nights:
        yield doubtful("stream", "not looked at: there is no night yet", "tienlen demo makes one")
        return
    night = nights[0].id
    began = monotonic()
    with closing(_connect(site)) as connection:
        with recorder.night(night) as snapshot:
            token = snapshot.tokens().watch
        connection.request(
            "GET", f"/api/v1/nights/{night}/live", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            response = connection.getresponse()
            first = response.readline() if response.status == 200 else b""
        except (OSError, HTTPException):
            yield wrong("stream", "is held back on its way", _UNBUFFERED)
            return
    took = monotonic() - began
    if response.status != 200:
        finding = f"a link to the newest night is answered {response.status}"
        yield wrong("stream", finding, "is it this installation that is served there, with its key?")
    elif not first.startswith(b"retry:") or took > _STREAM_SECONDS:
        yield wrong("stream", f"begins after {took:.1f} s", _UNBUFFERED)
    else:
        yield fine("stream", f"begins after {took * 1000:.0f} ms")


def _ask(site: SplitResult, path: str, **more: str) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers by lower-case name, and the beginning of the body. `more` headers have _ for -."""
    with closing(_connect(site)) as connection:
        fields = {name.replace("_", "-"): value for name, value in more.items()}
        connection.request("GET", path, headers={"Accept": "application/json"} | fields)
        response: HTTPResponse = connection.getresponse()
        return (
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(65536),
        )


def _connect(site: SplitResult) -> HTTPConnection:
    make = HTTPSConnection if site.scheme == "https" else HTTPConnection
    assert site.hostname is not None
    return make(site.hostname, site.port, timeout=_PATIENCE)
