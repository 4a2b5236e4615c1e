"""Forgets by when they were verified: their namespaces are compared with the stores soon after (X-07).

Revision: 20261127_24
Follows: 20261127_23
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261127_24"
down_revision = "20261127_23"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
