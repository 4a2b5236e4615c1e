"""What to tell a client that watches a person's memory, derived from each read of the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.kernel.events import EVENTS
from shared.outbox.change_scopes import ALL, OF_EVENTS, OF_WORK, Area
from shared.outbox.sql.changes import EVENTS_MAX, WORK_MAX, Known, Look
from shared.outbox.sql.operations import Operation

UNFINISHED: Final = frozenset({"pending", "running"})


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Changes to report.

    Args:
        position: of the person's newest known event.
        areas: the parts of the view that changed, in a fixed order.
        operations: those that changed, oldest first.
        resume_from: everything up to this position was reported; later events may be reported twice.
        busy: whether work is in progress, so that the next read should be soon.
    """

    position: int
    areas: tuple[Area, ...]
    operations: tuple[Operation, ...]
    resume_from: int
    busy: bool


class Watch:
    """The state of one client.

    Args:
        known: the position it was told before it lost its connection; None for a new client, which reads
            everything.
    """

    def __init__(self, known: int | None) -> None:
        self.since = known
        self.subject_id: UUID | None = None
        self._began = False
        self._resumed = known
        self._position = known or 0
        self._told: frozenset[int] = frozenset()
        self._work: dict[int, str] = {}
        self._operations: dict[UUID, Operation] = {}

    @property
    def watched(self) -> list[UUID]:
        """The operations not known to have ended."""
        return [one.id for one in self._operations.values() if one.status in UNFINISHED]

    def known(self, user_id: str) -> Known | None:
        """Return what to compare with while nothing is going on; None while something is, or may be.

        Work that waits for a later time, such as the end of a session, is nothing going on.
        """
        if self.watched or self.since is None:
            return None
        return Known(
            user_id=user_id,
            subject_id=self.subject_id,
            since=self.since,
            above=len(self._told),
            waiting=sum(self._work),
        )

    def notice(self, look: Look) -> News:
        """Process a read of the database; return the changes for this client."""
        areas = self._moved(look) | self._worked(look)
        operations = self._changed(look)
        if self._began and operations:
            areas.add("operations")
        self._began = True
        return News(
            position=self._position,
            areas=tuple(area for area in ALL if area in areas),
            operations=operations,
            resume_from=self.since or 0,
            busy=look.due or bool(self.watched),
        )

    def _moved(self, look: Look) -> set[Area]:
        new = [event for event in look.moved if event.position not in self._told]
        areas = {area for event in new for area in OF_EVENTS[EVENTS[event.type]]}
        lost = self._resumed is not None and not self._began and self._resumed > look.last
        another = self._began and look.subject_id != self.subject_id
        if lost or another or len(look.moved) == EVENTS_MAX:
            areas = set(ALL)
        if not self._began and self._resumed is None:
            areas = set()  # a new client reads everything
        self.subject_id = look.subject_id
        self.since = look.settled if lost else max(self.since or 0, look.settled)
        newest = max((event.position for event in look.moved), default=self.since)
        self._position = newest if lost else max(self._position, newest)
        self._told = frozenset(event.position for event in look.moved if event.position > self.since)
        return areas

    def _worked(self, look: Look) -> set[Area]:
        if len(look.work) == WORK_MAX:
            return set()  # the list is incomplete, so it is unknown which of them ended
        done = self._work.keys() - look.work.keys()
        areas = {area for row in done for area in OF_WORK.get(self._work[row], ())}
        self._work = dict(look.work)
        return areas

    def _changed(self, look: Look) -> tuple[Operation, ...]:
        named = (
            {event.stream.removeprefix("operation:") for event in look.moved} if self._resumed is not None else set()
        )
        changed = [
            one
            for one in look.operations
            if self._operations.get(one.id) != one and (self._began or one.status in UNFINISHED or str(one.id) in named)
        ]
        self._operations = {one.id: one for one in look.operations}
        return tuple(changed)
