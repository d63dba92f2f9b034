"""The HTTP API under /api/v1, described in OpenAPI by the schemas that validate it."""

from ledger.web.api import nights, openapi
from ledger.web.api.calls import blueprint
