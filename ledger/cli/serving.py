"""Commands that serve an installation: migrate; and serve, which migrates, checks and becomes the server."""

import gc
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from math import isnan
from shutil import rmtree
from tempfile import mkdtemp
from types import ModuleType
from typing import Final, NoReturn

import click

from ledger.cli.group import Unusable, explained, leads_to_a_server, main
from ledger.recorder import (
    ADDRESS_VARIABLE,
    AUDIT_VARIABLE,
    DATABASE_VARIABLE,
    HOSTS_VARIABLE,
    KEY_VARIABLE,
    METRICS_VARIABLE,
    OWNER_VARIABLE,
    Installation,
    StoreStandbyAway,
    require_key,
    served_at,
)
from ledger.recorder.operations.damaged_logs import HOW_TO_FIX, tell_log

_LOOPBACK: Final = "127.0.0.1"
_PLAIN_HTTP: Final = """\
Over plain HTTP a phone cannot open a page again without a network, install it, or keep its screen awake.
OPERATING.md, "HTTPS at home", says how it can.
"""
_IN_MEMORY: Final = "/dev/shm"
_REPLACES_VARIABLE: Final = "TIENLEN_REPLACES"


def _number(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Refuse NaN, which passes click's check of a range."""
    if value is not None and isnan(value):
        raise click.BadParameter(f"{value} is not a number.", context, option)
    return value


@main.command()
@click.option(
    "--new-key",
    is_flag=True,
    help="Make links with this installation's key from now on; those of before are void.",
)
@click.pass_context
def migrate(context: click.Context, new_key: bool) -> None:
    """Bring the database to this version's schema, or make it."""
    with explained():
        installation = Installation.find(context.obj[0])
        installation.migrate(_say)
        if new_key:
            installation.take_key()
        click.echo(f"{installation.place}: up to date")
        if new_key:
            key = installation.key_file or KEY_VARIABLE
            click.echo(f"links are made with the key in {key} from now on: those of before are void")


@main.command()
@click.option("--lan", is_flag=True, help="Listen to the network, not only to this machine.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--host",
    "hosts",
    metavar="NAME",
    multiple=True,
    help="Answer to this name alone; may be given more than once.",
)
@click.option(
    "--address",
    metavar="URL",
    envvar=ADDRESS_VARIABLE,
    callback=leads_to_a_server,
    help="Where phones reach the server through a proxy or a container: printed, and links begin with it.",
)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes.")
@click.option(
    "--metrics-port",
    type=click.IntRange(1, 65535),
    envvar=METRICS_VARIABLE,
    help="Tell /metrics and /status there, to this machine alone.",
)
@click.option(
    "--audit-every",
    type=click.FloatRange(min=0, min_open=True),
    metavar="HOURS",
    envvar=AUDIT_VARIABLE,
    callback=_number,
    help="Audit all nights so often, at low priority; the log and the metrics say what was found.",
)
@click.pass_context
def serve(
    context: click.Context,
    lan: bool,
    port: int,
    hosts: tuple[str, ...],
    address: str | None,
    workers: int,
    metrics_port: int | None,
    audit_every: float | None,
) -> None:
    """Migrate, check, and serve; prints the address, and for other phones a QR code of it."""
    if replaces := os.environ.pop(_REPLACES_VARIABLE, ""):
        with explained():
            installation = Installation.find(context.obj[0])
        _server_of(installation).replace_process(*map(int, replaces.split()), processes=workers)
    settings = {HOSTS_VARIABLE: ",".join(hosts)} if hosts else {}
    with ExitStack() as held:
        with explained():
            installation = Installation.find(context.obj[0], os.environ | settings)
            require_key(installation.key)
            public = held.enter_context(_bound("" if lan else _LOOPBACK, port, "--port"))
            if metrics_port == port:
                raise Unusable(f"port {port} is where the nights are: choose another with --metrics-port")
            metrics = (
                held.enter_context(_bound(_LOOPBACK, metrics_port, "--metrics-port"))
                if metrics_port
                else None
            )
            _prepare(installation)
        address = address or _address(installation, _address_in_network() if lan else _LOOPBACK, port)
        click.echo(address)
        if lan:
            click.echo(_qr(address) + (_PLAIN_HTTP if address.startswith("http:") else ""))
        else:
            click.echo("Other phones: start with --lan")
        os.environ[HOSTS_VARIABLE] = ",".join(installation.hosts)
        if audit_every:
            os.environ[AUDIT_VARIABLE] = str(audit_every)
        counts = held.enter_context(_counting())
        if metrics_port:
            os.environ |= {METRICS_VARIABLE: str(metrics_port), "PROMETHEUS_MULTIPROC_DIR": counts}
        file = held.enter_context(served_at(address, installation.database_url))
        # Never returns: what is left then, the supervisor removes.
        _server_of(installation).serve(public, metrics, workers, [counts, *([str(file)] if file else [])])


def _prepare(installation: Installation) -> None:
    """Migrate and check the database. If the owner's URL is set, then restart without it."""
    installation.migrate(_say)
    if installation.owner_url:
        _begin_again_without_owner()
    recorder = installation.open()
    try:
        for log in recorder.store.damaged_logs():
            _say(f"{tell_log(log)}: {HOW_TO_FIX}")
        recorder.store.check()
    except StoreStandbyAway:
        pass  # nights can be read until the standby is back; the log reports it
    finally:
        recorder.store.close()


def _say(sentence: str) -> None:
    """Tell the host on standard error, where a server's log is, too."""
    click.echo(sentence, err=True)


def _begin_again_without_owner() -> NoReturn:
    """Restart this command without the database owner's URL, so that no process that serves ever had it."""
    environment = {name: value for name, value in os.environ.items() if name != OWNER_VARIABLE}
    os.execve(sys.executable, sys.orig_argv, environment)


def _bound(host: str, port: int, option: str) -> socket.socket:
    """A socket bound to a port but not listening. Without a host it is bound to all addresses of this machine,
    including IPv6 if available."""
    both = not host and socket.has_dualstack_ipv6()
    bound = socket.socket(socket.AF_INET6 if both else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if both:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise Unusable(
            f"port {port} cannot be used: {error.strerror}; choose another with {option}"
        ) from None
    return bound


@contextmanager
def _counting() -> Iterator[str]:
    """Make a folder in which the processes of a server share what they counted; it is deleted at the end."""
    # In memory: writing to a mapped file on a full disk would kill the process.
    place = _IN_MEMORY if "TMPDIR" not in os.environ and os.access(_IN_MEMORY, os.W_OK) else None
    folder = os.environ["TIENLEN_RECENT"] = mkdtemp(prefix="tienlen-counts-", dir=place)
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


def _address(installation: Installation, host: str, port: int) -> str:
    """The probable address for phones: the first configured host name, else `host` and port; over HTTPS if the name
    is behind a proxy."""
    name = next((name for name in installation.hosts if not name.startswith(".")), None)
    if name and installation.proxies:
        return f"https://{name}/"
    return f"http://{name or host}:{port}/"


def _address_in_network() -> str:
    """This machine's address in its local network; found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def _qr(address: str) -> str:
    import segno  # imported late, as `ledger.web.server.serve.preload` says

    text = StringIO()
    segno.make(address, micro=False).terminal(text, compact=True)
    return text.getvalue()


def _server_of(installation: Installation) -> ModuleType:
    """The module that serves an installation, loaded late: it takes longer than any other command."""
    gc.disable()  # objects loaded from here on are never garbage; the server freezes them
    os.environ[DATABASE_VARIABLE] = installation.database_url
    sys.modules["rich"] = None  # type: ignore[assignment]  # the log would import it, and never use it
    sys.stdout.flush()
    from ledger.web.server import serve as server

    return server
