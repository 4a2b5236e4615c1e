"""Consents that came with an import may have the same numbers: those of several installations are kept.

Revision: 20261129_31
Follows: 20261129_30
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261129_31"
down_revision = "20261129_30"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
