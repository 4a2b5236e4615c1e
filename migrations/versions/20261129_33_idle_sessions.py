"""The scheduler ends idle sessions whose last message is unanswered: an index finds them.

Revision: 20261129_33
Follows: 20261129_32
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261129_33"
down_revision = "20261129_32"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
