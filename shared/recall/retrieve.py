"""Hybrid retrieval: words and vectors find items, PostgreSQL decides, one formula ranks (LT-06, MC-04)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Final
from uuid import UUID

from shared.kernel.database import Database, Transaction
from shared.kernel.readers import Reader
from shared.language import terms
from shared.recall.hints import Hints, names_in
from shared.recall.queries.context import LISTED_MAX, Remembered, Said, impressions, remembered, said
from shared.recall.rules import ranking
from shared.recall.rules.asked_dates import asked_date
from shared.recall.rules.items import Candidate, Question, Retrieved
from shared.recall.rules.state import Impression
from shared.recall.sql import retrieval

UNUSABLE: Final = 5
"""Maximum number of memories reported as found but not usable."""

_REMEMBERING: Final = ThreadPoolExecutor(16, thread_name_prefix="recall-memories")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Visible items related to a question, with their scores.

    Args:
        retrieved: best first, without a limit on memories; `Bounds.limit` is for those that are given.
        memories: those that may be given.
        said: the conversation, if there is one.
    """

    retrieved: Retrieved
    memories: Remembered
    said: Said
    impressions: tuple[Impression, ...] = ()


def find(
    database: Database,
    reader: Reader,
    question: Question,
    hints: Hints | None,
    *,
    window: int,
    list_others: bool = False,
) -> Found:
    """Read the hinted items, rank them, and read the content of the best.

    Everything is read after the stores answered, so items forgotten meanwhile are missing. Memories are read in
    parallel to the conversation, over a second connection, because both take about as long.

    Args:
        hints: None if nothing is searched.
        window: as for `said`.
        list_others: whether to list all other memories, with reasons.
    """
    remembering = _REMEMBERING.submit(
        database.transact,
        lambda tx: (_remembered(tx, reader, question, hints, list_others), impressions(tx, reader)),
    )
    episodes, spoken = database.transact(lambda tx: _said(tx, question.conversation_id, hints, window=window))
    memories, inferred = remembering.result()
    if hints is None:
        return Found(retrieved=Retrieved(), memories=memories, said=spoken, impressions=inferred)
    ranked = _ranked([*episodes, *_memories(hints, memories)])
    reasons = hints.meaning.reasons
    retrieved = Retrieved(candidates=tuple(ranked), semantic=not reasons, reasons=reasons)
    return Found(retrieved=retrieved, memories=memories, said=spoken, impressions=inferred)


def _remembered(
    tx: Transaction,
    reader: Reader,
    question: Question,
    hints: Hints | None,
    list_others: bool,  # noqa: FBT001 # as in `find`
) -> Remembered:
    by_meaning = hints is not None and not hints.meaning.reasons
    return remembered(
        tx,
        reader,
        hints.meaning.memories if hints else {},
        hints.words.memories.best(ranking.MATCHES) if hints else (),
        project_id=question.project_id,
        first=0 if by_meaning else question.limit,
        listed=LISTED_MAX if list_others else 0,
    )


def _said(
    tx: Transaction, conversation_id: UUID | None, hints: Hints | None, *, window: int
) -> tuple[Sequence[Candidate], Said]:
    if conversation_id is None:
        return (), Said()
    episodes = _episodes(tx, conversation_id, hints) if hints and hints.question.conversation_id else ()
    return episodes, said(tx, conversation_id, episodes, window=window)


def _episodes(tx: Transaction, conversation_id: UUID, hints: Hints) -> list[Candidate]:
    """Return the episodes of the best messages; each has the score of its best message and cites those that were
    found.
    """
    question, words, cosines = hints.question, hints.words.messages, hints.meaning.episodes
    behind = retrieval.messages_of(tx, conversation_id, cosines) if cosines else ()
    rows = {row.id: row for row in (*hints.words.around, *behind)}.values()
    seqs = {row.seq for row in rows}
    farthest = min((cosines[row.episode_id] for row in rows if row.episode_id in cosines), default=-1.0)
    speakers = names_in(hints.talk.names, question.text)
    when = asked_date(question.text)
    scored = []
    for row in rows:
        scores = {
            "lexical": words.score(ranking.counts_near(row.seq, words.of_items, seqs.__contains__)),
            "semantic": ranking.MEANING * ranking.meaning(cosines.get(row.episode_id, farthest)),
            "name": ranking.SPEAKER * (len(speakers) == 1 and row.name == speakers[0]),
            "date": ranking.DATE * (when.match(row.said_at.astimezone(UTC).date()) if when else 0.0),
            "recency": ranking.RECENCY * ranking.recency(row.said_at, hints.words.today),
        }
        scored.append((row, scores))
    totals = ranking.settled({row.seq: sum(scores.values()) for row, scores in scored})
    scored.sort(key=lambda one: (-totals[one[0].seq], one[0].seq))
    episodes: dict[UUID, Candidate] = {}
    for row, scores in scored[: question.limit]:
        known = episodes.get(row.episode_id)
        episodes[row.episode_id] = (
            replace(known, cited=(*known.cited, row.id))
            if known
            else Candidate(kind="episode", id=row.episode_id, scores=scores, total=totals[row.seq], cited=(row.id,))
        )
    return list(episodes.values())


def _memories(hints: Hints, visible: Remembered) -> list[Candidate]:
    """Return all usable memories that were found, and the best unusable ones, for which a reason is given."""
    words = hints.words.memories
    named = {*visible.cosines, *words.best(ranking.MATCHES)}
    farthest = min(visible.cosines.values(), default=-1.0)
    task = terms.words(hints.question.task or "")
    usable: list[Candidate] = []
    others: list[Candidate] = []
    for row in (visible.memories[id_] for id_ in named if id_ in visible.memories):
        scores = {
            "lexical": words.score(dict.fromkeys(words.of_items.get(row.id, ()), 1.0)),
            "semantic": ranking.MEANING * ranking.need(visible.cosines.get(row.id, farthest)),
            "task": ranking.TASK * ranking.task_match(task, terms.words(row.task_hint or "")),
            "recency": ranking.RECENCY * ranking.recency(row.said_at, hints.words.today),
            "level": ranking.LEVEL * (row.level == "L2"),
        }
        candidate = Candidate(kind="memory", id=row.id, scores=scores, total=sum(scores.values()))
        (usable if row.usable(hints.question.superseded) else others).append(candidate)
    return [*usable, *_ranked(others)[:UNUSABLE]]


def _ranked(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates best first, ties by id."""
    totals = ranking.settled({one.id: one.total or 0.0 for one in candidates})
    candidates = [replace(one, total=totals[one.id]) for one in candidates]
    return sorted(candidates, key=lambda one: (-totals[one.id], one.id))
