"""The API of this service as a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from services.assembly import POOL_SIZE, Readiness, opened, refuse_restored
from services.edge import PROBLEMS
from services.recall import ROUTERS
from services.recall.context import Habits
from services.recall.stores import Stores
from shared.models import prompts
from shared.persistence.database import Database
from shared.runtime.restore_watch import RestoreWatch
from shared.runtime.settings import Settings
from shared.runtime.web import create_app


def app(settings: Settings) -> FastAPI:
    """Return the service's application."""
    searching = Searching(settings)
    return create_app(
        title="Memory Center · recall",
        settings=settings,
        routers=ROUTERS,
        problems=PROBLEMS,
        guard=refuse_restored,
        lifespan=searching.lifespan,
        readiness=Readiness(settings, vectors=searching.ping),
    )


class Searching:
    """Recall's own database role, and the stores it searches."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._watch: RestoreWatch | None = None
        self._database = Database(
            settings.database_url.get_secret_value(),
            role="memory_center_recall",
            application="memory-center recall",
            pool_size=POOL_SIZE,
            vet=self._vet,
        )
        self._stores = Stores(settings, self._database)

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Open what every service needs, and what only recall does."""
        async with opened(self._settings, application="memory-center recall")(app):
            self._watch = app.state.restore_watch
            app.state.recall_database = self._database
            app.state.stores = self._stores
            prompts.skeleton_tokens()  # loads the vocabulary before the first request waits for it
            app.state.context_habits = Habits(
                budget=self._settings.context_tokens,
                window=self._settings.summary_window_messages,
                confirmed_only=self._settings.sensitivity_policy == "finclaw",
            )
            yield
            self._database.close()

    def _vet(self) -> None:
        if self._watch is not None:
            self._watch.vet()

    def ping(self) -> None:
        """Raises when the vector store does not answer."""
        self._stores.episodes.ping()
