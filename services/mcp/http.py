"""The server over streamable HTTP: an OAuth resource server whose tokens are Memory Center's own."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.types import ASGIApp

from services.mcp.gateway import TIMEOUT, Gateway, Refused
from services.mcp.server import memory_server
from services.mcp.serving import Mode, Settings


class GatewaysTokens(TokenVerifier):
    """Asks the gateway whether a token is one person's; a service key is not."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            person = await Gateway(self._http, token).whose()
        except Refused:
            return None
        if person is None:
            return None
        # The subject binds a session to its person: a session's id in somebody else's hands opens nothing.
        return AccessToken(token=token, client_id="memory-center", scopes=[], subject=person)


def http_app(gateway_url: str, public_url: str, *, web: str, mode: Mode) -> ASGIApp:
    """Return the application.

    Clients of the protocol of 2026 are served without a session. Those before it have one, in this process, because
    they can only be asked through it.

    Args:
        gateway_url: where the gateway is reached from here.
        public_url: the address of this server as clients name it, with its path.
        web: the web app's address.
    """
    http = httpx.AsyncClient(base_url=gateway_url, timeout=TIMEOUT)
    server = memory_server(
        Settings(http=http, token_of=None, web=web, mode=mode),
        auth=AuthSettings(issuer_url=AnyHttpUrl(web), resource_server_url=AnyHttpUrl(public_url)),
        token_verifier=GatewaysTokens(http),
    )
    address = urlsplit(public_url)
    return server.streamable_http_app(
        streamable_http_path=address.path or "/mcp",
        transport_security=TransportSecuritySettings(
            allowed_hosts=[address.netloc], allowed_origins=[f"{address.scheme}://{address.netloc}"]
        ),
    )
