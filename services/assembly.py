"""Opens and closes the resources that the routes of a service need."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final

import redis
from fastapi import APIRouter, FastAPI, Request

from services.aliases import ALIASES
from services.problems import PROBLEMS
from services.scopes import refuse_out_of_scope
from shared.conversations.rules.triggers import LearningSchedule
from shared.items import register_kinds
from shared.kernel.connection_limits import Role
from shared.kernel.database_errors import DatabaseUnavailable
from shared.kernel.sensitivity import POLICIES
from shared.language.reader.socket import SocketReadings
from shared.outbox.wakeups import Notifier
from shared.runtime import logging
from shared.runtime.databases import database_of, refuse_wrong_connections
from shared.runtime.describing import Describing
from shared.runtime.installation import watch_of
from shared.runtime.open_streams import OpenStreams
from shared.runtime.package_files import package_files
from shared.runtime.rates import Rates
from shared.runtime.restore_watch import RestoreWatch
from shared.runtime.selection_tokens import SelectionTokens
from shared.runtime.serving import serve
from shared.runtime.settings import Settings, settings
from shared.runtime.web import Lifespan, create_app

register_kinds()

READER_PATIENCE_SECONDS: Final = 2.0
"""Timeout of a request for the bundled reader."""
OPENAPI: Final = Path(__file__).with_name("openapi.json")
"""The OpenAPI document of the whole API, written by `make openapi`; building it would dominate the start time."""


def opened(
    settings: Settings, *, application: str, readiness: Readiness
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Return a lifespan that gives an app its database, terms and notifications.

    Args:
        readiness: told of the watch over the ledger.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        notifier = Notifier(settings.direct_url)
        watch = watch_of(settings)
        app.state.restore_watch = readiness.watch = watch
        app.state.database = database_of(
            settings,
            role="memory_center_requests",
            application=application,
            pool_size=settings.database_connections,
            after_commit=notifier.wake,
            validate=watch.validate,
        )
        app.state.packages = package_files(settings)
        app.state.terms = settings.terms
        app.state.selections = SelectionTokens(settings.signing_key.get_secret_value())
        app.state.sensitivity = POLICIES[settings.sensitivity]
        app.state.learning_schedule = LearningSchedule(
            every_turns=settings.learn_every_turns, idle_seconds=settings.learn_idle_seconds
        )
        app.state.retention = settings.retention
        app.state.describing = Describing()
        app.state.readings = SocketReadings(settings.embedder_folder, patience=READER_PATIENCE_SECONDS)
        app.state.open_streams = OpenStreams(settings)
        try:
            yield
        finally:
            app.state.restore_watch.close()
            app.state.database.close()
            notifier.close()

    return lifespan


def service_app(
    settings: Settings,
    *,
    title: str,
    routers: Sequence[APIRouter],
    body_limits: Mapping[str, int | None],
    lifespan: Lifespan,
    readiness: Readiness,
    description: str = "",
) -> FastAPI:
    """Return an application with what all services share: one document, aliases, problems, guard and rates."""
    return create_app(
        title=title,
        description=description,
        settings=settings,
        routers=routers,
        document=OPENAPI,
        aliases=ALIASES,
        problems=PROBLEMS,
        body_limits=body_limits,
        guard=guard,
        rates=Rates(settings),
        lifespan=lifespan,
        readiness=readiness,
    )


def plain_app(
    settings: Settings, name: str, *, routers: Sequence[APIRouter], body_limits: Mapping[str, int | None]
) -> FastAPI:
    """Return the application of a service that needs nothing but the database."""
    readiness = Readiness(settings)
    return service_app(
        settings,
        title=f"Memory Center · {name}",
        routers=routers,
        body_limits=body_limits,
        lifespan=opened(settings, application=f"memory-center {name}", readiness=readiness),
        readiness=readiness,
    )


def run(name: str, app: Callable[[Settings], FastAPI], *, roles: Sequence[Role]) -> int:
    """Run a service in this process until it is told to stop; return its exit code."""
    configuration = settings()
    logging.configure(configuration.log_level, name)
    refuse_wrong_connections(configuration, f"memory-center {name}", roles=roles)
    serve(app(configuration), configuration)
    return 0


def guard(request: Request) -> None:
    """Refuse what a token is not good for, and to serve from a restored backup or beside hosts with another ledger.

    A guard for `create_app`.

    Raises:
        ApiProblem: as `refuse_out_of_scope`.
        NotServing, DatabaseUnavailable: as `RestoreWatch.check`.
    """
    refuse_out_of_scope(request)
    watch: RestoreWatch = request.app.state.restore_watch
    watch.check()


class Readiness:
    """Checks each component and reports its state in fixed words."""

    def __init__(
        self,
        settings: Settings,
        *,
        vectors: Callable[[], None] | None = None,
    ) -> None:
        self._database = database_of(
            settings, role="memory_center_requests", application="memory-center readiness", pool_size=1
        )
        self._broker = redis.Redis.from_url(
            settings.broker_url.get_secret_value(), socket_timeout=1, socket_connect_timeout=1
        )
        self._vectors = vectors
        self.watch: RestoreWatch | None = None
        """The watch over the ledger, once it is there."""

    def __call__(self) -> dict[str, str]:
        return {
            "database": self._ask_database(),
            "broker": self._ask_broker(),
            "vectors": self._ask_vectors(),
            "ledger": self._ask_ledger(),
        }

    def _ask_database(self) -> str:
        try:
            self._database.ping()
        except DatabaseUnavailable:
            return "unavailable"
        return "ok"

    def _ask_broker(self) -> str:
        try:
            self._broker.ping()
        except redis.RedisError:
            return "unavailable"
        return "ok"

    def _ask_vectors(self) -> str:
        if self._vectors is None:
            return "ok"
        try:
            self._vectors()
        except Exception:  # noqa: BLE001 # whatever is wrong with it, search is degraded
            return "unavailable"
        return "ok"

    def _ask_ledger(self) -> str:
        if self.watch is None:
            return "ok"
        return self.watch.problem or ("ok" if self.watch.damage is None else "damaged")
