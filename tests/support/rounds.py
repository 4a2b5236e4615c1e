"""Time that passes for a recurring part of the scheduler's work."""

from __future__ import annotations

from shared.kernel.database import Database


def time_passes(database: Database, part: str, seconds: float) -> None:
    with database.begin() as tx:
        tx.run(
            "update rounds set done_at = done_at - make_interval(secs => :seconds) where part = :part",
            seconds=seconds,
            part=part,
        )
