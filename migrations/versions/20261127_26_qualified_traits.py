"""Qualified traits; a view of evidence with its observations; replaced memories are no evidence any more.

Revision: 20261127_26
Follows: 20261127_25
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261127_26"
down_revision = "20261127_25"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
