"""How capabilities declare their tables and views for SQLAlchemy Core; the migrations decide what PostgreSQL has.

Statements over one table, or over tables that the registry names, are built from these declarations. Others are named
SQL texts. A test compares the declarations with the migrated schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import (
    REAL,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.types import TypeEngine

TABLES: Final = MetaData()
VIEWS: Final = MetaData()

TYPES: Final[dict[str, TypeEngine[Any]]] = {
    "uuid": Uuid(),
    "text": Text(),
    "integer": Integer(),
    "bigint": BigInteger(),
    "boolean": Boolean(),
    "timestamptz": DateTime(timezone=True),
    "bytea": LargeBinary(),
    "jsonb": JSONB(),
    "double": Double(),
    "real": REAL(),
    "texts": ARRAY(Text()),
    "bigints": ARRAY(BigInteger()),
}


def table(name: str, **columns: str) -> Table:
    """Declare a table: the names of its columns, separated by spaces, by a type of `TYPES`."""
    return Table(name, TABLES, *_declared(columns))


def view(name: str, **columns: str) -> Table:
    """Declare a view in the same way."""
    return Table(name, VIEWS, *_declared(columns))


def _declared(columns: dict[str, str]) -> Iterator[Column[Any]]:
    for type_, names in columns.items():
        yield from (Column(name, TYPES[type_]) for name in names.split())


# Traces of requests for operators: recall and routes write them, erasure deletes them.
debug_records = table(
    "debug_records",
    text="request_id",
    uuid="subject_id conversation_id",
    integer="generation",
    jsonb="data",
    timestamptz="created_at",
)
events = table(
    "events",
    bigint="position",
    text="stream type actor",
    integer="version generation",
    jsonb="data",
    timestamptz="at",
    uuid="subject_id",
)
hosts = table("hosts", uuid="id", text="version ledger packages vectors", timestamptz="seen_at")
idempotency_keys = table(
    "idempotency_keys",
    text="principal",
    bytea="key_hash request_hash",
    uuid="subject_id",
    integer="generation",
    jsonb="answer",
    timestamptz="created_at",
)
rounds = table("rounds", text="part", timestamptz="done_at taken_until")
subjects = table(
    "subjects",
    uuid="id namespace",
    text="user_id",
    integer="generation consent_version_at_deletion",
    bytea="subject_key closed_as stub_of",
    timestamptz="created_at deleted_at",
)
visible_subjects = view("visible_subjects", uuid="id namespace", text="user_id", integer="generation")
