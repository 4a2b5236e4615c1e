"""What people wrote is partitioned by person, so that a purge locks a part at a time.

Revision: 20261128_27
Follows: 20261127_26
"""

from __future__ import annotations

from migrations import sql_files

revision = "20261128_27"
down_revision = "20261127_26"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sql_files.run(__file__, "upgrade")


def downgrade() -> None:
    sql_files.run(__file__, "downgrade")
