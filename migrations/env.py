"""Alembic runs the migrations on a connection that `ledger.store.schema` has begun a transaction on.

Never in batch mode: it makes a table anew, which drops its triggers. Columns and tables are added, none remade.
"""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=False)
context.run_migrations()
