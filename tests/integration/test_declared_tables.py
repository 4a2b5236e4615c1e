"""What the product declares of its tables and views is what the migrations made."""

from __future__ import annotations

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeEngine

from shared import items
from shared.kernel.database import Database
from shared.kernel.tables import TABLES, VIEWS
from tests.support.relations import OUR_TABLES

items.register_kinds()  # imports every kind, and with it the tables of each capability


def named(type_: TypeEngine[object]) -> str:
    """Return a type as PostgreSQL writes it, without the length of texts, which only PostgreSQL minds."""
    return type_.compile(dialect=postgresql.dialect()).replace("VARCHAR(32)", "TEXT")


def test_declared_tables_and_views_are_those_of_the_migrated_schema(database: Database) -> None:
    schema = inspect(database.engine)
    tables = [row["relname"] for row in database.transact(lambda tx: tx.rows(OUR_TABLES))]
    for metadata, names in ((TABLES, tables), (VIEWS, schema.get_view_names())):
        declared = {
            name: {column.name: named(column.type) for column in table.c} for name, table in metadata.tables.items()
        }
        migrated = {
            name: {column["name"]: named(column["type"]) for column in schema.get_columns(name)}
            for name in names
            if name != "alembic_version"
        }
        assert declared == migrated
