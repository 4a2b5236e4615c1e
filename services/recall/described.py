"""Searches a person's texts for the messages and memories a description means.

All texts are searched for the words of the description. The reader judges those with some of the words, and the
memories nearest in meaning. A memory also yields the passages it quotes, a message the answers that repeat it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from itertools import groupby
from typing import Final, TypeAlias, TypeVar
from uuid import UUID

from shared.erasure.rules.selection import Picked, version_of
from shared.kernel.database import Database
from shared.kernel.readers import Reader
from shared.kernel.spans import Span, cut, merged
from shared.language.descriptions import Description, Said
from shared.language.embedding.bundled import EmbedderUnavailable, Unembeddable
from shared.language.embedding.socket import EmbedderFailed
from shared.language.meaning import Meant, by_words, echoed, follows, meant_of
from shared.language.port import Readings
from shared.recall.queries.forget_candidates import all_remembered, all_turns
from shared.recall.sql import statements
from shared.recall.sql.statements import RememberedStatement, SaidStatement
from shared.recall.stores import Stores
from shared.runtime.describing import Patience
from shared.stores.port import StoreFailed, StoreMisconfigured, StoreUnavailable

T = TypeVar("T")
Item: TypeAlias = RememberedStatement | SaidStatement

NEAREST: Final = 24
"""Memories nearest in meaning that the reader judges."""
TURN_MAX: Final = 50
"""Messages before and after a message that are read to find its turn."""
READ_MAX: Final = 100
"""Most memories, and most messages, with search words that the reader judges; a repeated search finds the others."""


@dataclass(frozen=True, slots=True)
class Candidate:
    item: Item
    meant: Meant

    @property
    def picked(self) -> Picked:
        item = self.item
        return Picked(
            kind="memory" if isinstance(item, RememberedStatement) else "message",
            id=item.id,
            version=version_of(item.text, item.version if isinstance(item, RememberedStatement) else 0),
            spans=self.meant.spans,
            sure=self.meant.sure,
        )


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn of a conversation, and the one after it."""

    messages: list[SaidStatement]
    after: list[SaidStatement]


@dataclass(slots=True)
class Finding:
    """The search for one description among a person's texts."""

    database: Database
    stores: Stores
    readings: Readings
    reader: Reader
    description: Description
    project_id: str | None
    patience: Patience
    most: int
    found: dict[UUID, Candidate] = field(default_factory=dict)
    more: bool = False

    def run(self) -> list[Candidate]:
        """Return the items meant, memories before messages, newest first."""
        transact, subject_id, project = self.database.transact, self.reader.subject_id, self.project_id
        memories = self._best(([one], one) for one in all_remembered(transact, subject_id, project_id=project))
        turns = self._best((turn.messages, turn) for turn in self._turns())
        known = {one.id for one in memories}
        self._read([*memories, *(one for one in self._nearest() if one.id not in known)])
        self._read([message for turn in turns for message in turn.messages if self._share(message)])
        quoted = self._quoted()
        seen = {message.id for turn in turns for message in turn.messages}
        for message, _ in quoted.values():
            if message.id not in seen:
                turns.append(self._turn_of(message))
                seen |= {one.id for one in turns[-1].messages}
        for turn in turns:
            self._add_quoted(turn, quoted)
            self._add_following(turn)
            self._add_answers(turn)
        return sorted(self.found.values(), key=lambda one: isinstance(one.item, SaidStatement))

    def _best(self, offered: Iterable[tuple[Sequence[Item], T]]) -> list[T]:
        """Return the items with most words of the description, in their original order.

        If the description names only a time, return all items from that time.
        """
        shares = (
            (share, -place, thing)
            for place, (items, thing) in enumerate(offered)
            if (share := max(map(self._share, items), default=0.0))
        )
        most = READ_MAX if self.description.words else self.most
        best = nlargest(most + 1, shares, key=lambda one: one[:2])
        self.more |= len(best) > most
        return [thing for _, _, thing in sorted(best[:most], key=lambda one: -one[1])]

    def _share(self, item: Item) -> float:
        """Return the share of the description's words an item contains; 0 if it is from another time."""
        self.patience.check()
        said = _said(item)
        if not self.description.could_mean(said):
            return 0.0
        if not self.description.words:
            return 1.0
        return max(self.description.share(said.text), self.description.share(said.label))

    def _turns(self) -> Iterator[_Turn]:
        transact = self.database.transact
        before: list[SaidStatement] = []
        for turn in all_turns(transact, transact, self.reader.subject_id, project_id=self.project_id):
            if before:
                goes_on = turn[0].conversation_id == before[0].conversation_id
                yield _Turn(before, turn if goes_on else [])
            before = turn
        if before:
            yield _Turn(before, [])

    def _turn_of(self, message: SaidStatement) -> _Turn:
        """Return the turn of a message, and the next one."""
        near = self.database.transact(
            lambda tx: statements.said(
                tx, message.conversation_id, after=max(0, message.seq - TURN_MAX), limit=2 * TURN_MAX
            )
        )
        turns = [list(some) for _, some in groupby(near, key=lambda one: one.turn)]
        place = next(place for place, one in enumerate(turns) if one[0].turn == message.turn)
        return _Turn(turns[place], turns[place + 1] if place + 1 < len(turns) else [])

    def _nearest(self) -> list[RememberedStatement]:
        """Return the memories nearest in meaning; none while the stores are down, since words were already searched."""
        try:
            vector = self.stores.query_vector(self.description.about)
            hits = self.stores.ask(
                {"memories": lambda: self.stores.memories.nearest(self.reader.namespace, vector, limit=NEAREST)}
            )["memories"]
        except (StoreUnavailable, StoreFailed, StoreMisconfigured, EmbedderUnavailable, EmbedderFailed, Unembeddable):
            return []
        keys = [hit.key for hit in hits]
        return self.database.transact(
            lambda tx: statements.behind_vectors(tx, self.reader.subject_id, keys, project_id=self.project_id)
        )

    def _read(self, items: Sequence[Item]) -> None:
        """Add the items that are meant; if the reader is unavailable, those with all search words, none as sure."""
        said = list(map(_said, items))
        try:
            found = meant_of(self.description, said, self.readings, between=self.patience.check)
        except (EmbedderUnavailable, EmbedderFailed, Unembeddable):
            found = by_words(self.description, said)
        for item, meant in zip(items, found, strict=True):
            if meant is not None:
                self._add(item, meant)

    def _add(self, item: Item, meant: Meant) -> None:
        """Add an item. A message still being written will change, so it is added as a whole."""
        completed = isinstance(item, RememberedStatement) or item.completed
        self.found[item.id] = Candidate(item, meant if completed else replace(meant, spans=()))

    def _quoted(self) -> dict[UUID, tuple[SaidStatement, list[tuple[Span, Meant]]]]:
        """Return by message the passages quoted by the memories found."""
        memories = {one.item.id: one for one in self.found.values() if isinstance(one.item, RememberedStatement)}
        rows = self.database.transact(lambda tx: statements.quoted(tx, list(memories), project_id=self.project_id))
        found: dict[UUID, tuple[SaidStatement, list[tuple[Span, Meant]]]] = {}
        for memory_id, start, end, message in rows:
            _, places = found.setdefault(message.id, (message, []))
            memory = memories[memory_id]
            places.append((_part_of(message.text, (start, end), memory), memory.meant))
        return found

    def _add_quoted(self, turn: _Turn, quoted: dict[UUID, tuple[SaidStatement, list[tuple[Span, Meant]]]]) -> None:
        """Add the passages of a turn's messages that belong to the memories found."""
        for message in turn.messages:
            _, places = quoted.get(message.id, (message, []))
            if not places:
                continue
            here = self.found.get(message.id)
            if here is not None and not here.meant.spans:
                continue
            spans = merged([*(span for span, _ in places), *(here.meant.spans if here else ())])
            sure = all(meant.sure for _, meant in places) and (here is None or here.meant.sure)
            reason = here.meant.reason if here else places[0][1].reason
            left = any(character.isalnum() for character in cut(message.text, spans))
            self._add(message, Meant(reason=reason, sure=sure, spans=spans if left else ()))

    def _add_following(self, turn: _Turn) -> None:
        """Add the part of the next turn that continues the passage found ("He has two dogs.")."""
        said = [one for one in turn.messages if one.role == "user"]
        next_said = next((one for one in turn.after if one.role == "user"), None)
        if not said or next_said is None or said[-1].id not in self.found or next_said.id in self.found:
            return
        before = self.found[said[-1].id].meant
        meant = follows(said[-1].text, before, next_said.text)
        if meant is not None:
            self._add(next_said, meant)

    def _add_answers(self, turn: _Turn) -> None:
        """Add the parts of a turn's answers that repeat passages found."""
        said = [one for one in turn.messages if one.role == "user"]
        gone = [self.found[one.id] for one in said if one.id in self.found]
        if not gone:
            return
        stays = [cut(one.item.text, one.meant.spans) for one in gone if one.meant.spans]
        stays += [one.text for one in said if one.id not in self.found]
        goes = ["\n".join(one.item.text[slice(*span)] for span in one.meant.spans) or one.item.text for one in gone]
        for message in turn.messages:
            if message.role != "user" and (meant := echoed(message.text, goes, stays)) is not None:
                self._add_repeated(message, replace(meant, sure=all(one.meant.sure for one in gone)))

    def _add_repeated(self, answer: SaidStatement, repeated: Meant) -> None:
        """Add the parts that an answer repeats; a doubtful part never makes a sure one doubtful."""
        here = self.found.get(answer.id)
        if here is None:
            self._add(answer, repeated)
        elif here.meant.spans and (repeated.sure or not here.meant.sure):
            self._add(answer, _together(answer.text, here.meant, repeated))


def _together(text: str, one: Meant, other: Meant) -> Meant:
    """Return what two reasons together mean of a text; the first one is told."""
    spans = merged([*one.spans, *other.spans]) if other.spans else []
    left = bool(spans) and any(character.isalnum() for character in cut(text, spans))
    return replace(one, sure=one.sure and other.sure, spans=tuple(spans) if left else ())


def _part_of(text: str, quote: Span, memory: Candidate) -> Span:
    """Return the part of a message that belongs to a memory: the same words, or the whole quote."""
    spans = memory.meant.spans
    if len(spans) == 1:
        words = memory.item.text[slice(*spans[0])].strip()
        place = text.find(words, *quote)
        if place >= 0:
            return place, place + len(words)
    return quote


def _said(item: Item) -> Said:
    at = item.said_at if isinstance(item, RememberedStatement) else item.spoken_at
    return Said(text=item.text, at=at, label="\n".join(item.labels))
