"""A transaction that acts for one person reaches no other person's rows, whatever its statements say (LT-09).

Revision: 20261127_21
Follows: 20261126_20
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "20261127_21"
down_revision = "20261126_20"
branch_labels = None
depends_on = None

SQL = Path(__file__).with_suffix("")


def upgrade() -> None:
    _run("upgrade")


def downgrade() -> None:
    _run("downgrade")


def _run(part: str) -> None:
    sql = (SQL / f"{part}.sql").read_text(encoding="utf-8")
    op.get_bind().exec_driver_sql(sql, execution_options={"no_parameters": True})
