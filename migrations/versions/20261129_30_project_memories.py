"""The memories of a project are found without reading all others of their person.

Revision: 20261129_30
Follows: 20261128_29
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261129_30"
down_revision = "20261128_29"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
