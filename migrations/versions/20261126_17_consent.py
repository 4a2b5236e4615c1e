"""Consent, contexts of tasks and threads, drift, and candidates for training (FC-01 to FC-16).

Revision: 20261126_17
Follows: 20261126_16
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261126_17"
down_revision = "20261126_16"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
