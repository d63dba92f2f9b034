"""The web: pages for people, JSON for programs, both on the same use cases."""

from ledger.web.app import create_app
from ledger.web.recorder import Settings
