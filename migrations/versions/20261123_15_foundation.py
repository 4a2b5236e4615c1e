"""The first schema: subjects and the fence, content behind visible views, event log, outbox, lineage.

Revision: 20261123_15
Follows: nothing
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "20261123_15"
down_revision = None
branch_labels = None
depends_on = None

SQL = Path(__file__).with_suffix("")


def upgrade() -> None:
    for part in ("tables", "views", "roles"):
        _run(part)


def downgrade() -> None:
    _run("downgrade")


def _run(part: str) -> None:
    sql = (SQL / f"{part}.sql").read_text(encoding="utf-8")
    op.get_bind().exec_driver_sql(sql, execution_options={"no_parameters": True})
