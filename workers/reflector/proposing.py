"""Ask a language model, if there is one, what a person's messages show of their behavior (TR-09).

Two phases, as in Generative Agents: the model asks questions about what is new; what the person said about them is
found by meaning, among everything they said; and of what was found the model says what it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final
from uuid import UUID

from shared.language import sensitivity
from shared.language.candidates import COVER
from shared.language.embedding.bundled import EmbedderUnavailable, Unembeddable
from shared.language.habits import SHORTEST, own_words
from shared.language.port import Habit
from shared.language.sensitivity.special import special_categories
from shared.runtime import telemetry
from shared.stores.port import StoreUnavailable
from shared.traits.catalogue import catalogue
from shared.traits.propose import Askable, askable, observe_proposed, said_now
from shared.traits.rules.confidence import MODEL_SURE, MODEL_SURE_OF_ADDED
from shared.traits.sql.asking import Said
from workers.process import process

NEAREST: Final = 8
"""Episodes looked up for each question."""


def propose(subject_id: UUID) -> None:
    """Observe what a language model finds in a person's messages; nothing if there is none or it does not answer."""
    endpoint = process().endpoint
    if endpoint is None:
        return
    database, terms = process().database, process().terms
    asked = database.transact(lambda tx: askable(tx, subject_id, terms=terms))
    if asked is None:
        return
    from shared.language.model.patterns import ModelPatterns  # noqa: PLC0415 # only who has a model pays for its client

    model = ModelPatterns(
        endpoint, asked.patterns, lambda question, outcome: telemetry.READINGS.labels(question, outcome).inc()
    )
    texts = [text for one in asked.said if (text := _shown(one))]
    questions = model.questions(texts) if texts else {}
    if not questions:
        return
    said = database.transact(
        lambda tx: said_now(
            tx, asked.subject, [one.source.id for one in asked.said], _found(asked, questions), terms=terms
        )
    )
    shown = [(one, text) for one in said if (text := _shown(one))]
    if not shown:
        return
    pieces = model.evidence(questions, [text for _, text in shown])
    proposed = [
        (shown[piece.place][0].source.id, Habit(piece.key, _sure(piece.key), piece.shown, piece.context))
        for piece in pieces
    ]
    if proposed:
        database.transact(partial(observe_proposed, subject=asked.subject, proposed=proposed, terms=terms))


def _sure(key: str) -> float:
    return MODEL_SURE_OF_ADDED if catalogue()[key].added else MODEL_SURE


def _found(asked: Askable, questions: Mapping[str, str]) -> list[UUID]:
    """Return episodes near the questions; none while the embedder or Milvus is away."""
    found: dict[UUID, None] = {}
    try:
        for question in questions.values():
            vector = process().embedder.query(question)
            hits = process().episodes.search(asked.subject.namespace, vector, limit=NEAREST)
            found |= dict.fromkeys(hit.item for hit in hits if hit.item is not None)
    except (EmbedderUnavailable, Unembeddable, StoreUnavailable):
        pass
    return list(found)


def _shown(said: Said) -> str:
    """Return the words of a message that a model is shown: the person's own, if they touch no sensitive matter."""
    own = own_words(said.text)
    if len(own) < SHORTEST:
        return ""
    if refused := special_categories(said.text):
        for category in refused:
            telemetry.TRAIT_REFUSED.labels(category).inc()
        return ""
    for one in sensitivity.find(own):
        own = own[: one.start] + COVER * (one.end - one.start) + own[one.end :]
    return own
