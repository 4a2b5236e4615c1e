"""Uploaded documents, whose parts are memories (TR-12).

Revision: 20261126_18
Follows: 20261126_17
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261126_18"
down_revision = "20261126_17"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
