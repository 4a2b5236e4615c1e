"""What is in the database."""

from __future__ import annotations

from typing import Final, LiteralString

OUR_TABLES: Final[LiteralString] = """
  select relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1
"""
"""Selects the names of all tables; partitions belong to one of them."""
