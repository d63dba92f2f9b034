"""What newcomers, hosts and programmers read."""

from ledger.web.pages.help import documents, newcomers
