"""A transaction that acts for one person reaches no other person's rows, whatever its statements say (LT-09).

Revision: 20261127_21
Follows: 20261126_20
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261127_21"
down_revision = "20261126_20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
