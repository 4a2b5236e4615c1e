"""Qualified traits; evidence of traits in one view; what a replaced memory says counts no longer.

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
