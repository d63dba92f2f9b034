"""The marshmallow schemas of what the interface takes, beside those of events."""
