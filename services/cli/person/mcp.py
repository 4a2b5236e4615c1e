"""`memory-center mcp`: memory for assistants that speak the Model Context Protocol."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import Annotated

import typer

from memory_center_client.mcp.command import MODES
from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import of_person
from services.cli.person.options import Url, User
from services.cli.terminal import said

HELP = of_person(
    [
        ("mcp", "over standard input and output, for one person: the command of a client's configuration"),
        ("mcp --http 8770", "for everybody, each with their own token"),
        ("mcp --http 8770 --public-url https://memory.example.org/mcp", "behind a proxy"),
    ],
)

Http = Annotated[int | None, typer.Option("--http", metavar="PORT", min=1, max=65_535, help="Serve over HTTP here.")]
PublicUrl = Annotated[
    str | None,
    typer.Option("--public-url", help="The server's address as clients name it.", show_default="this machine's"),
]
Web = Annotated[
    str | None,
    typer.Option(
        "--web",
        help="Address of the web app, where people confirm what their client cannot ask.",
        show_default="the same as --url",
    ),
]
ModeName = Annotated[
    str,
    typer.Option(
        "--forget",
        envvar="MEMORY_CENTER_MCP_FORGET",
        help="elicit: the person is asked in their client; web: in the web app; off: these tools are not offered.",
    ),
]
IssuerUrl = Annotated[
    str | None,
    typer.Option(
        "--issuer",
        envvar="MEMORY_CENTER_OIDC_ISSUER",
        help="Where people sign in (OpenID Connect), if the gateway takes its tokens.",
    ),
]


def mcp(
    http: Http = None,
    public_url: PublicUrl = None,
    web: Web = None,
    forget: ModeName = "elicit",
    issuer: IssuerUrl = None,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Serve a person's memory to assistants over the Model Context Protocol: recall, remember, explain, forget."""
    from services.cli.person.connecting import place_and_tokens  # slow to import

    if forget not in MODES:
        raise Refusal(f"--forget: {' | '.join(MODES)}", USAGE)
    if find_spec("mcp") is None:
        raise Refusal(said("install memory-center[mcp]", "请安装 memory-center[mcp]"), USAGE)
    if http is not None:
        from services.cli.person.connecting import place

        where = place(url, data_dir)
        _serve(where, http, public_url or f"http://127.0.0.1:{http}/mcp", web or where, forget, issuer)
        return
    where, token_of = place_and_tokens(url, user, data_dir)
    from memory_center_client.mcp.stdio import NotAPerson, run

    try:
        asyncio.run(run(where, token_of, web=web or where, mode=forget))  # type: ignore[arg-type] # one of MODES
    except NotAPerson:
        raise Refusal(
            said("a person's token is needed, and a running gateway", "需要个人令牌，以及正在运行的服务"), USAGE
        ) from None


def _serve(where: str, port: int, public_url: str, web: str, mode: str, issuer: str | None) -> None:
    import uvicorn

    from services.mcp.http import http_app

    app = http_app(where, public_url, web=web, mode=mode, issuer=issuer)  # type: ignore[arg-type] # one of MODES
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)
