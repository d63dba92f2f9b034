"""Alembic runs the migrations on a connection whose transaction `ledger.store.schema` has begun.

Never in batch mode: it recreates a table, which drops its triggers. Columns and tables are only added.
"""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=False)
context.run_migrations()
