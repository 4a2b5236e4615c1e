"""Traits: what messages show of a person's habits, and what reflections made of it.

Revision: 20261126_16
Follows: 20261123_15
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261126_16"
down_revision = "20261123_15"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
