"""The web interface: HTML pages for people and a JSON API for programs, on the same recorder."""

from ledger.web.app import create_app
from ledger.web.recorder import Rate, Settings
