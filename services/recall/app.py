"""This service's API as a separate process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from services.assembly import Readiness, opened, service_app
from services.recall import BODY_LIMITS, ROUTERS
from shared.kernel.sensitivity import POLICIES
from shared.recall import prompts
from shared.recall.answering.language_model import AnsweringModel
from shared.recall.assemble import ContextDefaults
from shared.recall.stores import Stores
from shared.runtime.databases import database_of
from shared.runtime.settings import Settings


def app(settings: Settings) -> FastAPI:
    """Return the service's application."""
    searching = Searching(settings)
    return service_app(
        settings,
        title="Memory Center · recall",
        routers=ROUTERS,
        body_limits=BODY_LIMITS,
        lifespan=searching.lifespan,
        readiness=searching.readiness,
    )


def stores_of(settings: Settings) -> Stores:
    """Return the configured stores; none is opened yet."""
    return Stores(
        milvus_uri=settings.milvus_uri,
        milvus_token=settings.milvus_token.get_secret_value(),
        milvus_flavour=settings.milvus_flavour,
        timeout=settings.store_timeout_seconds,
        embedder_folder=settings.embedder_folder,
        patience=settings.recall_patience_seconds,
    )


class Searching:
    """Recall's own database role, and the stores it searches."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.readiness = Readiness(settings, vectors=self.ping)
        self._database = database_of(
            settings,
            role="memory_center_searches",
            application="memory-center recall",
            pool_size=settings.database_connections,
            validate=self._validate,
        )
        self._stores = stores_of(settings)

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Open the resources every service needs, and those only recall needs."""
        async with opened(self._settings, application="memory-center recall", readiness=self.readiness)(app):
            app.state.recall_database = self._database
            app.state.stores = self._stores
            prompts.skeleton_tokens()  # load the vocabulary before the first request
            app.state.context_defaults = ContextDefaults(
                budget=self._settings.context_tokens,
                window=self._settings.retention.windows.messages,
                confirmed_only=self._settings.retention.memories.confirmed_only,
                sensitivity=POLICIES[self._settings.sensitivity],
            )
            app.state.answering_model = model = _answering_model(self._settings)
            yield
            if model is not None:
                await model.close()
            self._stores.close()
            self._database.close()

    def _validate(self) -> None:
        if self.readiness.watch is not None:
            self.readiness.watch.validate()

    def ping(self) -> None:
        """Raise if the vector store does not answer."""
        self._stores.episodes.ping()


def _answering_model(settings: Settings) -> AnsweringModel | None:
    if settings.llm_base_url is None or settings.llm_model is None:
        return None
    key = settings.llm_api_key
    return AnsweringModel(
        base_url=settings.llm_base_url,
        model=settings.llm_model,
        api_key=key.get_secret_value() if key else "none",
    )
