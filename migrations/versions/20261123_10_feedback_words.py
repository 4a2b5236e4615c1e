"""Feedback in the words of those who give it: ratings that are words, and reasons in free text.

Revision: 20261123_10
Follows: 20261122_09
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "20261123_10"
down_revision = "20261122_09"
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
