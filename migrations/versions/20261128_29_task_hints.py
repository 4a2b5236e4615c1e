"""A memory loses the name of its task with the words of a message that may have named it.

Revision: 20261128_29
Follows: 20261128_28
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261128_29"
down_revision = "20261128_28"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
