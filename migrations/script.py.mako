"""${message}

Revision: ${up_revision}
Follows: ${down_revision | comma,n}
"""

from __future__ import annotations

from migrations import sql_files

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
