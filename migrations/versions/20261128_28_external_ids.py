"""Conversations have an external id, by which another program finds them again whatever people call them.

Revision: 20261128_28
Follows: 20261128_27
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261128_28"
down_revision = "20261128_27"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
