"""The HTTP interface under /api/v1, described by OpenAPI from the schemas that validate it."""

from ledger.web.api import nights, openapi
from ledger.web.api.calls import blueprint
