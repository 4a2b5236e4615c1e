"""Whose work the workers are told of next: people take turns, so that nobody waits for another's thousand rows."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Collection, Sequence
from functools import cache
from typing import Final, TypeAlias
from uuid import UUID

from shared.outbox.job_kinds import BATCH_DEFAULT, BATCHES, QUEUES
from shared.outbox.sql.scheduling import Due

Line: TypeAlias = "OrderedDict[UUID, deque[Due]]"
"""The rows of one priority by person; who is first has the next turn."""

MESSAGES_AHEAD: Final = 2
"""Messages of the longest kind of a queue that workers may have before them: more only let the next person wait."""
AHEAD_LEAST: Final = 4
"""Rows, in queues whose messages are short: every thread of a worker finds another one when it is done."""
KEPT: Final = 2_000
"""Rows of one person and queue. More are forgotten here: PostgreSQL offers them again when their mark is old."""


@cache
def ahead(queue: str) -> int:
    """Return how many rows of a queue may be published that nobody has claimed yet."""
    longest = max(BATCHES.get(kind, BATCH_DEFAULT) for kind, served_by in QUEUES.items() if served_by == queue)
    return max(AHEAD_LEAST, MESSAGES_AHEAD * longest)


class Turns:
    """Rows that are due, by queue, of which no worker was told yet, and those that workers were told of last."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[int, Line]] = defaultdict(dict)
        self._known: set[int] = set()
        self._told: dict[str, set[int]] = defaultdict(set)

    def add(self, due: Sequence[Due]) -> None:
        """Let rows wait for their person's turn; those that wait already stay where they are.

        A row workers were told of, and that is offered again, was lost on the way: it holds no place any more.
        """
        for row in due:
            if row.id in self._known or row.kind not in QUEUES:
                continue
            self._told[QUEUES[row.kind]].discard(row.id)
            line = self._waiting[QUEUES[row.kind]].setdefault(row.priority, OrderedDict())
            of_person = line.setdefault(row.subject_id, deque())
            if len(of_person) < KEPT:
                of_person.append(row)
                self._known.add(row.id)

    def told(self) -> list[int]:
        """Return the rows workers were told of and that may be unclaimed, in queues where others wait."""
        return [row_id for queue, line in self._waiting.items() if line for row_id in self._told[queue]]

    def unclaimed(self, ids: Collection[int]) -> None:
        """Note which of the `told` rows nobody has claimed yet."""
        for queue, line in self._waiting.items():
            if line:
                self._told[queue] &= set(ids)

    def take(self) -> list[Due]:
        """Return the rows workers are told of now, the most urgent first, one person after the other."""
        taken = [row for queue in list(self._waiting) for row in self._take_from(queue)]
        return sorted(taken, key=lambda row: -row.priority)

    def give_back(self, ids: Collection[int]) -> None:
        """Forget rows that workers could not be told of."""
        for told in self._told.values():
            told.difference_update(ids)

    def are_waiting(self) -> bool:
        """Whether there are rows no worker was told of yet."""
        return bool(self._known)

    def waiting(self) -> list[int]:
        """Return these rows."""
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
                    line[person] = rows  # behind everybody else
            if not line:
                del lines[priority]
        ids = {row.id for row in taken}
        self._known -= ids
        told |= ids
        return taken
