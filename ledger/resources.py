"""What comes with the code. Files: in the package when it was installed as a wheel, beside it in a checkout."""

from base64 import b64encode
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import ledger


def release() -> str:
    """Which version of the program this is."""
    return version("tienlen-ledger")


def folder(name: str) -> Path:
    """The folder of that name (`templates`, `migrations`)."""
    package = Path(ledger.__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


DOCUMENTS = ("OPERATING.md", "SECURITY.md", "INTERFACE.md", "NOTATION.md", "CONTRIBUTING.md")
"""What is written for whoever runs a server or writes programs."""


def document(name: str) -> str:
    """The text of one of `DOCUMENTS`, in Markdown."""
    inside = Path(ledger.__file__).parent / "documents" / name
    return (inside if inside.exists() else folder("documents").parent / name).read_text(encoding="utf-8")


def part(name: str) -> str:
    """A script or a style of the pages, as it may be written into one."""
    return (folder("web") / "static" / name).read_text(encoding="utf-8")


def parts_digest() -> str:
    """A name for all scripts and styles of the pages as they are: another one once any of them changes."""
    digest = sha256()
    for file in sorted((folder("web") / "static").iterdir()):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def policy_hash(part: str) -> str:
    """As a content security policy names a script or style that is written into a page."""
    return f"sha256-{b64encode(sha256(part.encode()).digest()).decode()}"
