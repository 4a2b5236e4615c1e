"""Runs an HTTP app until its process is told to stop."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from shared.runtime import logging
from shared.runtime.connections import Crowd, Patience, protocol
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import Settings

_TICKS_PER_LOOK: Final = 10  # uvicorn ticks ten times a second
_SHUTDOWN_SECONDS: Final = 5
_START_FAILED: Final = 3


class _Server(uvicorn.Server):
    """Announces readiness once it listens, and checks its connections every second."""

    def __init__(self, config: uvicorn.Config, crowd: Crowd) -> None:
        super().__init__(config)
        self._crowd = crowd

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS_PER_LOOK == 0:
            self._crowd.look(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            announce_ready()


def serve(app: ASGIApp, settings: Settings) -> None:
    """Serve `settings.host:port` until the process is told to stop; running requests then get 5 s.

    Raises:
        SystemExit: the app could not start, or the port is taken.
    """
    patience = Patience(connections=settings.connections, per_address=settings.connections_per_address)
    server = _server(app, settings, patience)
    if not logging.is_configured():  # otherwise exception messages would be printed
        logging.configure(settings.log_level, "web")
    try:
        server.run()
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(_START_FAILED)


def _server(app: ASGIApp, settings: Settings, patience: Patience) -> _Server:
    crowd = Crowd(patience)
    config = uvicorn.Config(
        app,
        http=protocol(crowd),
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    return _Server(config, crowd)
