"""The files that come with the code: in the package if installed from a wheel, next to it in a checkout."""

import re
from base64 import b64encode
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import ledger


def release() -> str:
    """The version of the program."""
    return version("tienlen-ledger")


def folder(name: str) -> Path:
    """The path of a folder (`templates`, `migrations`)."""
    package = Path(ledger.__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


DOCUMENTS = ("OPERATING.md", "SECURITY.md", "INTERFACE.md", "NOTATION.md", "CONTRIBUTING.md")
"""The documents for hosts and programmers."""


def document(name: str) -> str:
    """The text of one of `DOCUMENTS`, in Markdown."""
    inside = Path(ledger.__file__).parent / "documents" / name
    return (inside if inside.exists() else folder("documents").parent / name).read_text(encoding="utf-8")


def part(name: str) -> str:
    """The text of a script or style of the pages."""
    return (folder("web") / "static" / name).read_text(encoding="utf-8")


_FOR_READERS = re.compile(
    r"^[ \t]*(?:(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/)[ \t]*\n|\n)?|(?<=[;{]) // [^\n]*", re.MULTILINE
)
"""Indentation, an empty line, or a comment: on lines of its own, or after a statement. No string of a script has
any."""


def as_sent(part: str) -> str:
    """A script or style as phones get it: without what only readers need."""
    return _FOR_READERS.sub("", part)


def parts_digest() -> str:
    """A digest of all scripts and styles of the pages: it changes when any of them does."""
    digest = sha256()
    static = folder("web") / "static"
    for file in sorted(path for path in static.rglob("*") if path.is_file()):
        digest.update(file.relative_to(static).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def policy_hash(part: str) -> str:
    """The source expression by which a content security policy allows an inline script or style."""
    return f"sha256-{b64encode(sha256(part.encode()).digest()).decode()}"
