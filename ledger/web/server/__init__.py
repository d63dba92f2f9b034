"""The server: its worker processes, and the queue for heavy work."""
