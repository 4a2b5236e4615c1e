"""Alembic's entry point: one connection, one transaction per migration, a lock timeout against blocked tables."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, make_url, pool, text

url = make_url(context.config.attributes["url"]).set(drivername="postgresql+psycopg")
engine = create_engine(url, poolclass=pool.NullPool)

with engine.connect() as connection:
    connection.execute(text("set lock_timeout = '1s'"))
    # Two processes that start at once must not migrate at once.
    connection.execute(text("select pg_advisory_lock(hashtextextended('memory-center.migrations', 0))"))
    connection.commit()
    context.configure(connection=connection, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()

engine.dispose()
