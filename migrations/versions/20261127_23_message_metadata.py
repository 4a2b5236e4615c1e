"""What other programs keep with a message, for the memories learned from it (X-10).

Revision: 20261127_23
Follows: 20261127_22
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261127_23"
down_revision = "20261127_22"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
