"""Ask a language model, if there is one, what a person's messages show of their behavior (TR-09).

Two phases, as in Generative Agents. First the model reads the new messages and asks questions. Then older messages are
searched by meaning with these questions, and the model names the messages, old and new, that show a behavior.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from shared.kernel.locks import CollectionBusy
from shared.language import sensitivity
from shared.language.candidates import Utterance
from shared.language.embedding.bundled import EmbedderUnavailable, Unembeddable
from shared.language.embedding.socket import EmbedderFailed
from shared.language.habits import SHORTEST
from shared.language.port import Habit
from shared.language.rules.own_words import own_words
from shared.language.sensitivity.special import special_categories
from shared.runtime import telemetry
from shared.stores.port import StoreFailed, StoreMisconfigured, StoreUnavailable
from shared.traits.catalogue import catalogue
from shared.traits.propose import Askable, askable, confirm_asked, said_in
from shared.traits.rules.confidence import MODEL_SURE, MODEL_SURE_OF_ADDED
from shared.traits.sql.asking import Said
from workers.process import process

NEAREST: Final = 8
"""Episodes looked up for each question."""
LONGEST: Final = 4_000
"""Longest message that is read, in characters. A longer one is left out, not cut: its end may be sensitive."""
TEXT_MAX: Final = 600
"""Characters of a message that the model is shown."""
ROOM: Final = 4_000
"""The same of all new messages of a request, and of all found ones: small models have no more beside the patterns."""
AWAY: Final = (
    *(CollectionBusy, EmbedderFailed, EmbedderUnavailable),
    *(StoreFailed, StoreMisconfigured, StoreUnavailable, Unembeddable),
)
"""Why nothing is found for a question; the model is then asked about the new messages alone."""


@dataclass(frozen=True, slots=True)
class Material:
    """Words of a message that the model is shown."""

    message: UUID
    text: str


def propose(subject_id: UUID) -> None:
    """Observe what a language model finds in a person's messages; nothing if there is none or it does not answer."""
    endpoint = process().reflecting_endpoint
    if endpoint is None:
        return
    database, terms = process().database.of(subject_id), process().terms
    asked = database.transact(lambda tx: askable(tx, subject_id, terms=terms))
    if asked is None:
        return
    from shared.language.model.patterns import ModelPatterns  # noqa: PLC0415 # only who has a model pays for its client

    model = ModelPatterns(
        endpoint, asked.patterns, lambda question, outcome: telemetry.READINGS.labels(question, outcome).inc()
    )
    proposed: list[tuple[UUID, Habit]] = []
    try:
        new = _still(asked, _material(reversed(asked.said), counting=True))[::-1]
        questions = model.questions([one.text for one in new]) if new else {}
        if questions:
            ids = [one.source.id for one in asked.said]
            episodes = _found(asked, questions)
            said = database.transact(lambda tx: said_in(tx, asked.subject, (), episodes=episodes, terms=terms))
            shown = _still(asked, [*new, *_material(one for one in said if one.source.id not in ids)])
            pieces = model.evidence(questions, [one.text for one in shown]) if shown else []
            proposed = [
                (shown[piece.place].message, Habit(piece.key, _sure(piece.key), "told", piece.context))
                for piece in pieces
            ]
    except StoreUnavailable:
        return  # it is asked again at the next reflection
    database.transact(partial(confirm_asked, asked=asked, proposed=proposed, terms=terms))


def _sure(key: str) -> float:
    return MODEL_SURE_OF_ADDED if catalogue()[key].added else MODEL_SURE


def _found(asked: Askable, questions: Mapping[str, str]) -> list[UUID]:
    """Return episodes near the questions."""
    found: dict[UUID, None] = {}
    try:
        for question in questions.values():
            vector = process().embedder.query(question)
            hits = process().episodes.search(asked.subject.namespace, vector, limit=NEAREST)
            found |= dict.fromkeys(hit.item for hit in hits if hit.item is not None)
    except AWAY:
        pass
    return list(found)


def _material(said: Iterable[Said], *, counting: bool = False) -> list[Material]:
    """Return the words of messages that a model may be shown, from the first on, as far as there is room for them.

    Args:
        counting: whether refused messages are counted.
    """
    found: list[Material] = []
    room = ROOM
    for one in said:
        text = one.text
        if len(text) > LONGEST:
            continue
        if refused := special_categories(text):
            for category in refused if counting else ():
                telemetry.TRAIT_REFUSED.labels(category).inc()
            continue
        # Covered before quotations are left out: the word that gives a secret away may stand in one.
        covered = tuple((part.start, part.end) for part in sensitivity.find(text))
        own = own_words(Utterance(role="user", text=text, covered=covered).shown)[:TEXT_MAX]
        room -= len(own)
        if room < 0:
            break
        if len(own) >= SHORTEST:
            found.append(Material(one.source.id, own))
    return found


def _still(asked: Askable, material: list[Material]) -> list[Material]:
    """Leave out what was forgotten since it was read: looking for sensitive words takes seconds."""
    ids = [one.message for one in material]
    terms = process().terms
    said = process().database.of(asked.subject.id).transact(lambda tx: said_in(tx, asked.subject, ids, terms=terms))
    there = {one.source.id for one in said}
    return [one for one in material if one.message in there]
