"""Alembic's environment: migrations run on the connection that the database passes in."""

from alembic import context

from sparring.store.schema import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
