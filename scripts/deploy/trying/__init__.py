"""Tests of the files in scripts/deploy: `python -m trying`, with scripts/deploy on Python's path."""
