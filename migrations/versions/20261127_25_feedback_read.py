"""Marks for reading feedback and for daily reflections, an index of vector keys, names and tasks of completed messages.

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
