"""nginx in front of a server, configured as OPERATING.md prints it or as other hosts configure it."""

import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.processes import running

DOCUMENT = Path(__file__).parent.parent.parent / "OPERATING.md"
NAME = "localhost"
"""The host name that phones use, without the port."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Proxy:
    """A running proxy; `folder` holds its logs, `certificate` is its TLS certificate."""

    folder: Path
    port: int
    certificate: Path

    @property
    def url(self) -> str:
        return f"https://{NAME}:{self.port}/"

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request on a new connection; in header names, _ stands for -."""
        trusted = ssl.create_default_context(cafile=str(self.certificate))
        with closing(HTTPSConnection(NAME, self.port, context=trusted)) as connection:
            request_headers = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, request_headers)
            response = connection.getresponse()
            fields = {name: ", ".join(response.headers.get_all(name, [])) for name in response.headers}
            return Answer(response.status, fields, response.read())

    def logged(self) -> str:
        return "".join(log.read_text(errors="replace") for log in self.folder.glob("*.log"))


def printed_block() -> str:
    """The server block printed in OPERATING.md."""
    found = re.search(r"^server \{.*?^\}", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


@contextmanager
def proxied(
    folder: Path, server_port: int, changed: Callable[[str], str] = lambda block: block
) -> Iterator[Proxy]:
    """Run nginx in front of a server: the printed block with this machine's ports and certificate, `changed` by the
    test. As in Debian, pages are compressed and requests logged."""
    nginx, openssl = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"), shutil.which("openssl")
    if nginx is None or openssl is None:
        pytest.skip("no nginx or no openssl found: install Debian's nginx-light and openssl packages")
    port, certificate, key = free_port(), folder / "certificate.pem", folder / "key.pem"
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    making = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "60", *names]
    subprocess.run([*making, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    block = changed(printed_block())
    for printed, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        (r"ssl_certificate \S+;", f"ssl_certificate {certificate};"),
        (r"ssl_certificate_key \S+;", f"ssl_certificate_key {key};"),
        ("127.0.0.1:8000", f"127.0.0.1:{server_port}"),
    ):
        block, times = re.subn(printed, here, block)
        assert times
    kept = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"{'user root;' if os.geteuid() == 0 else ''}\ndaemon off;\nworker_processes 1;\npid {folder}/pid;\n"
        f"error_log {folder}/error.log;\nevents {{}}\nhttp {{\n{kept}"
        f"access_log {folder}/access.log;\ngzip on;\n{block}\n}}\n"
    )
    proxy = Proxy(folder, port, certificate)

    def answers() -> bool:
        return bool(proxy.ask("GET", "/healthz").status)

    command: list[str | Path] = [nginx, "-p", folder, "-e", folder / "error.log", "-c", configuration]
    with running(command, folder / "error.log", ready=answers, what="nginx to answer"):
        yield proxy
