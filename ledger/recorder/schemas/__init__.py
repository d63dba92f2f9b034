"""What every schema is made of: the fields, the texts that people type, and how a log is read."""
