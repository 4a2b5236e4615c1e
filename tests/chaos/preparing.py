"""What every actor changes about the product: shorter waits, and with `--break` a promise it no longer keeps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog

from shared.erasure import discard_vectors
from shared.erasure.sql.purging import rewrite_tables
from shared.kernel import locks
from shared.lineage.sql import vector_keys
from shared.runtime import logging
from tests.chaos.actors import CheapEmbedder
from workers.indexer import tasks as indexer
from workers.learner import turn as learner
from workers.maintenance import purging as maintenance

WRITE_SECONDS: Final = 5.0
START_WITHIN_SECONDS: Final = 2.5
READERS_WAIT_SECONDS: Final = 1.0


CHANGES: Final[tuple[tuple[Any, str, float | str], ...]] = (
    (vector_keys, "WRITE_SECONDS", WRITE_SECONDS),
    (vector_keys, "START_WITHIN_SECONDS", START_WITHIN_SECONDS),
    (indexer, "START_WITHIN_SECONDS", START_WITHIN_SECONDS),
    (learner, "START_WITHIN_SECONDS", START_WITHIN_SECONDS),
    (discard_vectors, "ABANDONED_AFTER_SECONDS", 0.2),
    (locks, "COLLECTION_WAIT_SECONDS", 2),
    (locks, "LOCK_WAIT", "1s"),
)
"""Deadlines of the product, by module and name, and what they are here."""


def prepared(breaking: str | None = None) -> Callable[[], None]:
    """Return what an actor does first."""
    return partial(_prepare, breaking)


def _prepare(breaking: str | None) -> None:
    logging.configure("warning", "chaos")
    structlog.configure(cache_logger_on_first_use=False)
    hurry()
    if breaking is not None:
        from tests.chaos import breaking as breakages

        breakages.BREAKAGES[breaking]()


def hurry() -> None:
    """Scale the deadlines of announced writes to leases of a second, and embed and read cheaply."""
    from shared.language.embedding.socket import SocketEmbedder
    from shared.language.reader.socket import SocketReadings
    from tests.support.plain_readings import PlainReadings

    vars(maintenance)["rewrite_tables"] = partial(rewrite_tables, readers_wait=READERS_WAIT_SECONDS)
    plain = PlainReadings()
    cheap = CheapEmbedder()
    instead: dict[str, Any] = {
        "passages": lambda _, texts: cheap.passages(texts),
        "query": lambda _, text: cheap.query(text),
    }
    for name, value in instead.items():
        setattr(SocketEmbedder, name, value)
    answers: dict[str, Any] = {
        "turn": lambda _, text, before: plain.turn(text, before),
        "relations": lambda _, later, earlier: plain.relations(later, earlier),
        "meant": lambda _, description, said: plain.meant(description, said),
        "habits": lambda _, text: plain.habits(text),
    }
    for name, value in answers.items():
        setattr(SocketReadings, name, value)
    for module, name, value in CHANGES:
        assert hasattr(module, name), name
        setattr(module, name, value)
