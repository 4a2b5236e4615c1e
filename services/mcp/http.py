"""The server over streamable HTTP: an OAuth resource server; tokens are Memory Center's own, or its issuer's."""

from __future__ import annotations

import json
from contextvars import ContextVar
from http import HTTPStatus
from urllib.parse import urlsplit

from joserfc import jws
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_center_client import AsyncMemoryCenter, MemoryCenterError
from memory_center_client.mcp.server import memory_server
from memory_center_client.mcp.serving import Mode, Settings
from shared.runtime.authentication import ISSUER

_away: ContextVar[bool] = ContextVar("_away")
"""Whether the gateway could not say whose the token of this request is."""


class GatewaysTokens(TokenVerifier):
    """Asks the gateway whether a token is one person's; a service key is not.

    Args:
        here: this server's address; a token for another server's is refused (RFC 8707).
    """

    def __init__(self, center: AsyncMemoryCenter, here: str) -> None:
        self._center, self._here = center, here

    async def verify_token(self, token: str) -> AccessToken | None:
        if not token.isascii():
            return None
        try:
            person = await self._center.for_user(None, token=token).whose()
        except MemoryCenterError:
            _away.set(True)
            return None
        if person is None:
            return None
        # The subject binds a session to its person: a session's id in somebody else's hands opens nothing.
        return AccessToken(
            token=token,
            client_id="memory-center",
            scopes=[],
            subject=person,
            resource=_meant_for(token, self._here) or self._here,
        )


def http_app(gateway_url: str, public_url: str, *, web: str, mode: Mode, issuer: str | None = None) -> ASGIApp:
    """Return the application.

    Clients of the protocol of 2026 are served without a session. Those before it have one, in this process, because
    they can only be asked through it.

    Args:
        gateway_url: where the gateway is reached from here.
        public_url: the address of this server as clients name it, with its path.
        web: the web app's address.
        issuer: where people sign in, which clients are sent to; default: the web app.
    """
    center = AsyncMemoryCenter(gateway_url)
    server = memory_server(
        Settings(center=center, token_of=None, web=web, mode=mode),
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(issuer or web),
            resource_server_url=AnyHttpUrl(public_url),
            validate_token_resource=True,
        ),
        token_verifier=GatewaysTokens(center, public_url),
    )
    address = urlsplit(public_url)
    app = server.streamable_http_app(
        streamable_http_path=address.path or "/mcp",
        transport_security=TransportSecuritySettings(
            allowed_hosts=[address.netloc], allowed_origins=[f"{address.scheme}://{address.netloc}"]
        ),
    )

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        _away.set(False)

        async def told(message: Message) -> None:
            if (
                message["type"] == "http.response.start"
                and message["status"] == HTTPStatus.UNAUTHORIZED
                and _away.get()
            ):
                message = {**message, "status": HTTPStatus.SERVICE_UNAVAILABLE}  # a 401 would make clients sign in anew
            await send(message)

        await app(scope, receive, told)

    return serve


def _meant_for(token: str, here: str) -> str | None:
    """Return the server a token that the gateway accepted is for: this one, if it names it; None if it names none."""
    audience: str | list[str] = json.loads(jws.extract_compact(token.encode()).payload)["aud"]
    named = [one for one in ([audience] if isinstance(audience, str) else audience) if one != ISSUER]
    return here if here in named else next(iter(named), None)
