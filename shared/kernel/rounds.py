"""Recurring work that one of all schedulers does when it is due."""

from __future__ import annotations

from shared.kernel.database import Transaction


def take(tx: Transaction, part: str, *, every: float, hold: float) -> bool:
    """Return whether a part is due and nobody is doing it; then it is the caller's for a while.

    Args:
        every: seconds since it was last done.
        hold: seconds until others may take it, if the caller says nothing more.
    """
    taken = tx.row(
        """
        insert into rounds as r (part, done_at, taken_until)
        values (:part, '-infinity', now() + make_interval(secs => :hold))
        on conflict (part) do update set taken_until = excluded.taken_until
        where r.done_at <= now() - make_interval(secs => :every) and r.taken_until <= now()
        returning part
        """,
        part=part,
        every=every,
        hold=hold,
    )
    return taken is not None


def release(tx: Transaction, part: str, *, done: bool) -> None:
    """Let others take a part again: when it is due the next time, or at once if it was not done."""
    tx.run(
        """
        update rounds set taken_until = now(), done_at = case when :done then now() else done_at end
        where part = :part
        """,
        part=part,
        done=done,
    )
