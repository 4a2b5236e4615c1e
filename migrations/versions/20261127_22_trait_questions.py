"""How far a language model has read each person's messages for behaviors (TR-09).

Revision: 20261127_22
Follows: 20261127_21
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261127_22"
down_revision = "20261127_21"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
