"""The table of a night: recording a round move by move or as its result, notes of customs, settling."""

from ledger.web.pages.table import noting, result, settle, table
