"""Choose which rows to publish next: people take turns, so that nobody waits for another person's thousand rows."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Collection, Sequence
from functools import cache
from typing import Final, TypeAlias
from uuid import UUID

from shared.outbox.job_kinds import BATCH_DEFAULT, BATCHES, QUARANTINE_EXPIRIES, QUEUES
from shared.outbox.sql.scheduling import Due

Line: TypeAlias = "OrderedDict[UUID, deque[Due]]"
"""The rows of one priority by subject; the first subject is served next."""

MESSAGES_AHEAD: Final = 2
"""Published messages (of the queue's largest batch size) that workers may have ahead; more only delay other people."""
AHEAD_LEAST: Final = 4
"""The least number of published rows ahead: each worker thread finds another row when it finishes one."""
KEPT: Final = 20_000
"""Most rows kept per person and queue. Further rows are dropped; PostgreSQL offers them again after 12 s, so fewer
would limit how much of one person's work is done in that time."""
KEPT_ALL: Final = 200_000
"""Most rows kept of everybody together."""


@cache
def ahead(queue: str) -> int:
    """Return how many unclaimed rows of a queue may be published."""
    longest = max(BATCHES.get(kind, BATCH_DEFAULT) for kind, served_by in QUEUES.items() if served_by == queue)
    return max(AHEAD_LEAST, MESSAGES_AHEAD * longest)


class Turns:
    """Due rows not yet published, by queue, and the rows published last."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[int, Line]] = defaultdict(dict)
        self._known: set[int] = set()
        self._told: dict[str, set[int]] = defaultdict(set)

    def add(self, due: Sequence[Due]) -> None:
        """Queue rows for their person's turn; rows already queued keep their place.

        If a published row is offered again, its message was lost; it no longer counts as published.
        """
        for row in due:
            if row.id in self._known or row.kind not in QUEUES:
                continue
            self._told[QUEUES[row.kind]].discard(row.id)
            if len(self._known) >= KEPT_ALL:
                continue
            line = self._waiting[QUEUES[row.kind]].setdefault(row.priority, OrderedDict())
            of_person = line.setdefault(row.subject_id, deque())
            if len(of_person) < KEPT:
                of_person.append(row)
                self._known.add(row.id)

    def told(self) -> list[int]:
        """Return published rows that may still be unclaimed, in queues where others wait."""
        return [row_id for queue, line in self._waiting.items() if line for row_id in self._told[queue]]

    def unclaimed(self, ids: Collection[int]) -> None:
        """Record which of the `told` rows are still unclaimed."""
        for queue, line in self._waiting.items():
            if line:
                self._told[queue] &= set(ids)

    def take(self) -> list[Due]:
        """Return the rows to publish now, most urgent first, alternating between people."""
        taken = [row for queue in list(self._waiting) for row in self._take_from(queue)]
        return sorted(taken, key=lambda row: -row.priority)

    def give_back(self, ids: Collection[int]) -> None:
        """Remove rows that could not be published."""
        for told in self._told.values():
            told.difference_update(ids)

    def are_waiting(self) -> bool:
        """Return whether any row is waiting to be published."""
        return bool(self._known)

    def waiting(self) -> list[int]:
        """Return the rows waiting to be published."""
        return list(self._known)

    def _take_from(self, queue: str) -> list[Due]:
        lines, told = self._waiting[queue], self._told[queue]
        room = ahead(queue) - len(told)
        taken: list[Due] = []
        for priority in sorted(lines, reverse=True):
            line = lines[priority]
            while line and len(taken) < room:
                person, rows = line.popitem(last=False)
                taken.append(rows.popleft())
                if rows:
                    line[person] = rows  # behind all other people
            if not line:
                del lines[priority]
        ids = {row.id for row in taken}
        self._known -= ids
        told |= {row.id for row in taken if row.expiries < QUARANTINE_EXPIRIES}  # quarantine has workers of its own
        return taken
