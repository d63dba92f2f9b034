"""The HTTP interface under /api/v1, described by OpenAPI from the schemas that validate it."""

from flask import Flask

from ledger.web.api import events, nights, scoring
from ledger.web.api.blueprint import blueprint
from ledger.web.api.openapi import Api

__all__ = ["events", "nights", "register", "scoring"]


def register(app: Flask) -> None:
    """Add every call of the interface to an app."""
    Api(app).register_blueprint(blueprint)  # type: ignore[no-untyped-call]
