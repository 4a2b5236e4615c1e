"""What other programs keep with a memory: metadata, and their own id (X-10).

Revision: 20261126_20
Follows: 20261126_19
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261126_20"
down_revision = "20261126_19"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
