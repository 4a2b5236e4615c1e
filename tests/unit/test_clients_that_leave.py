"""A client that leaves is no error of the server."""

from __future__ import annotations

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs

from shared.runtime.middleware import UnhandledErrors


async def gone(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise ClientDisconnect


def test_a_client_that_leaves_is_told_of_as_such_and_gets_no_answer() -> None:
    answered: list[Exception] = []

    async def answer(_request: Request, error: Exception) -> Response:
        answered.append(error)
        return Response(status_code=500)

    async def nowhere(*_: object) -> None:
        raise AssertionError("nobody is there to send it to")

    with capture_logs() as logs:
        anyio.run(UnhandledErrors(gone, answer), {"type": "http"}, nowhere, nowhere)
    assert answered == []
    assert [(line["event"], line["log_level"]) for line in logs] == [("http.client_left", "info")]
