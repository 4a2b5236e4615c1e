"""The day on which an assistant was last given a memory: memories in use are not archived.

Revision: 20261129_34
Follows: 20261129_33
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261129_34"
down_revision = "20261129_33"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
