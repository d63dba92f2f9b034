"""The rules of a night, and other ones that its table agrees on; all presets, and a night compared under others."""

from ledger.web.pages.rules import rules, terms
