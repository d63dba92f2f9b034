"""The ledger of a night of tiến lên: its rules, its log, its payments and its pages."""
