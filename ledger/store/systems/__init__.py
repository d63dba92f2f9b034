"""The database systems that a log can lie in: SQLite in a file, PostgreSQL on a server."""
