"""When a gateway that was started is taken for ready."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from deploy.embedded import readiness


@pytest.mark.parametrize(
    ("status", "parts", "ready"),
    [
        (200, {"database": "ok", "ledger": "ok"}, True),
        (503, {"database": "ok", "ledger": "replay_needed"}, True),
        (503, {"database": "unavailable", "ledger": "unavailable"}, False),
        (404, None, False),
    ],
)
def test_a_gateway_that_says_why_it_serves_nothing_has_started(
    status: int, parts: dict[str, str] | None, ready: bool
) -> None:
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps({"parts": parts} if parts else []).encode())

        def log_message(self, *_: object) -> None:
            pass

    told: list[str] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert readiness.asks(server.server_port, told.append)(0) is ready
        server.shutdown()
    assert ["replay_needed" in one for one in told] == ([True] if ready and status == 503 else [])
