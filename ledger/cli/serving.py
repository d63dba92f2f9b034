"""Serving an installation: migrate, check, and hand over to gunicorn."""

import os
import socket
import sys
from io import StringIO
from typing import NoReturn

import click
import segno

from ledger.cli.group import Unusable, explained, main
from ledger.recorder import DATABASE_VARIABLE, KEY_VARIABLE, OWNER_VARIABLE, Installation


@main.command()
@click.pass_context
def migrate(context: click.Context) -> None:
    """Bring the database to this version's schema, or make it."""
    with explained():
        installation = Installation.find(context.obj[0])
        installation.migrate()
        click.echo(f"{installation.place}: up to date")


@main.command()
@click.option("--lan", is_flag=True, help="Listen to the network, not only to this machine.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes.")
@click.pass_context
def serve(context: click.Context, lan: bool, port: int, workers: int) -> None:
    """Migrate, check, and serve; prints the address, and a QR code of it."""
    with explained():
        installation = Installation.find(context.obj[0])
        installation.migrate()
        installation.open().check()
    host = "0.0.0.0" if lan else "127.0.0.1"
    try:
        _check_free(host, port)
    except OSError as error:
        raise Unusable(f"port {port} cannot be used: {error.strerror}; choose another with --port") from None
    address = f"http://{_address_in_network() if lan else host}:{port}/"
    click.echo(address)
    click.echo(_qr(address))
    _become_server(installation, f"{host}:{port}", workers)


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def _address_in_network() -> str:
    """This machine's address as its neighbours see it; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def _qr(address: str) -> str:
    text = StringIO()
    segno.make(address, micro=False).terminal(text, compact=True)
    return text.getvalue()


def _become_server(installation: Installation, bind: str, workers: int) -> NoReturn:
    """Replace this process by gunicorn, which loads the web; the command line does not know it."""
    environment = os.environ | {
        DATABASE_VARIABLE: installation.database_url,
        KEY_VARIABLE: installation.key.hex(),
    }
    environment.pop(OWNER_VARIABLE, None)  # whoever serves does not migrate
    settings = ["--config", "python:ledger.web.serving", "--bind", bind, "--workers", str(workers)]
    command = [sys.executable, "-m", "gunicorn", *settings, "ledger.web.serving:application()"]
    sys.stdout.flush()
    os.execve(sys.executable, command, environment)
