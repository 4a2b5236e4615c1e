"""`memory-center proxy`: memory for assistants that speak to an OpenAI-compatible API."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import SERVED, manual
from services.cli.person.options import Url

HELP = manual(
    [("proxy --http 8771 --upstream https://api.example.org/v1", "send chat requests to that API, with memory")],
    environment=SERVED | {"MEMORY_CENTER_PROXY_UPSTREAM_KEY": "a key for that API that replaces the caller's"},
)

Http = Annotated[int, typer.Option("--http", metavar="PORT", min=1, max=65_535, help="Serve here.")]
Upstream = Annotated[
    str,
    typer.Option("--upstream", envvar="MEMORY_CENTER_PROXY_UPSTREAM", help="The API that answers, with /v1."),
]
Patience = Annotated[
    float,
    typer.Option(
        "--patience",
        envvar="MEMORY_CENTER_PROXY_PATIENCE_SECONDS",
        min=0.05,
        max=10,
        help="How long a request waits for memory, in seconds.",
    ),
]
FailMode = Annotated[
    str,
    typer.Option(
        "--fail",
        envvar="MEMORY_CENTER_PROXY_FAIL",
        help="When memory is away: open lets requests go on without it, closed answers 503.",
    ),
]


def proxy(
    http: Http = 8771,
    upstream: Upstream = "",
    patience: Patience = 0.5,
    fail: FailMode = "open",
    url: Url = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Serve /openai/v1: add memories to each chat request, and record its messages so that new ones are learned."""
    if not upstream.startswith(("http://", "https://")):
        raise Refusal("--upstream: an http:// or https:// address is needed", USAGE)
    if fail not in ("open", "closed"):
        raise Refusal("--fail: open | closed", USAGE)
    import uvicorn

    from services.cli.person.connecting import place
    from services.proxy.app import proxy_app
    from services.proxy.proxy import Setup

    setup = Setup(
        gateway=place(url, data_dir),
        upstream=upstream,
        upstream_key=os.environ.get("MEMORY_CENTER_PROXY_UPSTREAM_KEY") or None,
        patience=patience,
        fail=fail,  # type: ignore[arg-type] # one of the two
    )
    uvicorn.run(
        proxy_app(setup),
        host="127.0.0.1",
        port=http,
        log_level="warning",
        access_log=False,
        server_header=False,  # the upstream's own pass
        date_header=False,
    )
