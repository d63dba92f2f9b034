"""Which languages there are."""

LANGUAGES = ("vi", "en")
"""The first is spoken where nothing else is asked for."""
