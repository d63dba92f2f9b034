"""Observability for hosts: logs, metrics, health, setup and periodic audits."""
