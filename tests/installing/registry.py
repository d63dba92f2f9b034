"""A package registry on loopback whose packages are empty, but have the requirements of the real ones."""

import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@dataclass(frozen=True)
class Asks:
    """The requirements of a package, from its metadata."""

    requires: tuple[str, ...]
    extras: tuple[str, ...]


@dataclass
class Registry:
    """The wheels of a registry, by normalised package name and file name."""

    wheels: dict[str, dict[str, bytes]] = field(default_factory=dict)

    def publish(self, name: str, version: str, asks: Asks) -> str:
        """Add an empty wheel of a package; returns its SHA-256 in hexadecimal."""
        stem = f"{re.sub('[^a-z0-9]+', '_', name.lower())}-{version}"
        content = _wheel(stem, _metadata(name, version, asks))
        self.wheels.setdefault(normalised(name), {})[f"{stem}-py3-none-any.whl"] = content
        return hashlib.sha256(content).hexdigest()

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Serve it on loopback; yields the index URL for pip."""
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = registry.answer(self.path)
                self.send_response(404 if content is None else 200)
                self.send_header(
                    "Content-Type", "text/html" if self.path.endswith("/") else "application/zip"
                )
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, format: str, *args: object) -> None:
                """Print nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/simple/"
            finally:
                server.shutdown()

    def answer(self, path: str) -> bytes | None:
        """A package's page, or one of its wheels; None for anything else."""
        match path.strip("/").split("/"):
            case ["simple", name] if name in self.wheels:
                links = (f'<a href="{file}">{file}</a>' for file in self.wheels[name])
                return f"<!DOCTYPE html><html><body>{' '.join(links)}</body></html>".encode()
            case ["simple", name, file]:
                return self.wheels.get(name, {}).get(file)
        return None


def normalised(name: str) -> str:
    """A package's normalised name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def published(pins: Iterable[tuple[str, str]], asks: Mapping[str, Asks]) -> tuple[Registry, dict[str, str]]:
    """A registry with each pinned version and a newer one; and the hash of each pinned wheel by name."""
    registry = Registry()
    hashes = {name: registry.publish(name, version, asks[name]) for name, version in pins}
    for name in hashes:
        registry.publish(name, "9999.0", asks[name])
    return registry, hashes


def _metadata(name: str, version: str, asks: Asks) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Provides-Extra: {extra}" for extra in asks.extras]
    lines += [f"Requires-Dist: {requirement}" for requirement in asks.requires]
    return "\n".join(lines) + "\n"


def _wheel(stem: str, metadata: str) -> bytes:
    files = {f"{stem}.dist-info/METADATA": metadata, f"{stem}.dist-info/WHEEL": WHEEL}
    record = "".join(f"{file},,\n" for file in (*files, f"{stem}.dist-info/RECORD"))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for file, text in (*files.items(), (f"{stem}.dist-info/RECORD", record)):
            archive.writestr(zipfile.ZipInfo(file), text)
    return content.getvalue()
