"""The first schema: subjects and the fence, content behind visible views, event log, outbox, lineage.

Revision: 20261123_15
Follows: nothing
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261123_15"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "tables", "views", "roles")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
