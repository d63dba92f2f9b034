"""Tasks of the host of an installation: audit, backup and restore, import and export, doctor."""
