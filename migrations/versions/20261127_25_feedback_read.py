"""Through which feedback traits were read, and one index for comparing a namespace's keys (TR-02, X-07).

Revision: 20261127_25
Follows: 20261127_24
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261127_25"
down_revision = "20261127_24"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
