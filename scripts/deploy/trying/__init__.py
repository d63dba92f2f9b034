"""Trying what scripts/deploy holds: `python -m trying`, with scripts/deploy among Python's places."""
