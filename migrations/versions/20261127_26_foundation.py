"""The schema: people and the fence, content behind visible views, event log, outbox, lineage, and who may reach what.

Revision: 20261127_26
Follows: nothing
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261127_26"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "tables", "views", "roles", "traits", "consent", "documents", "hosts", "row_security")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
