"""What a host does with an installation: audit, backup and restore, import and export, the doctor."""
