"""The hosts of an installation, and forked branches of the ledger (X-03).

Revision: 20261126_19
Follows: 20261126_18
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261126_19"
down_revision = "20261126_18"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
