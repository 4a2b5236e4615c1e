"""Undoing "forget everything inferred" lets earlier messages be read again: its time is kept by operation.

Revision: 20261129_32
Follows: 20261129_31
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261129_32"
down_revision = "20261129_31"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
