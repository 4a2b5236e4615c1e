"""Tokens for one person, so that a backend need not give its own key away (X-10)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

from fastapi import Request
from pydantic import Field, StringConstraints

from services.api import CurrentCaller, UserId
from shared.runtime.authentication import TOKEN_SCOPES, Authenticator, TokenScope
from shared.runtime.body import Body
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/tokens", tags=["session"])

BODY_LIMITS: Final = {"/api/v1/tokens": 32_768}
MINUTES_MAX: Final = 60

Address = Annotated[str, StringConstraints(pattern=r"^https?://[!-~]+$", max_length=2_000)]


class TokenIn(Body):
    """For whom, how long and for what."""

    user_id: UserId
    minutes: Annotated[int, Field(ge=1, le=MINUTES_MAX, strict=True)] = MINUTES_MAX
    scopes: Annotated[list[TokenScope], Field(min_length=1, max_length=len(TOKEN_SCOPES))] = Field(
        default=sorted(TOKEN_SCOPES), description="What it is good for; default: all."
    )
    audience: Address | None = Field(
        default=None, description="The only other server that may accept it, such as an MCP server's address."
    )


class TokenOut(Body):
    """Whoever has the token is that person until it expires."""

    token: str
    user_id: str
    scopes: list[TokenScope]
    audience: str | None
    expires_at: datetime


@router.post("", status_code=201)
def issue_token(body: TokenIn, request: Request, caller: CurrentCaller) -> TokenOut:
    """Return a bearer token for one person; for services only. Nothing is stored."""
    caller.needs("tokens:issue")
    authenticator: Authenticator = request.app.state.authenticator
    now = datetime.now(UTC).replace(microsecond=0)
    expires = now + timedelta(minutes=body.minutes)
    scopes = frozenset(body.scopes)
    token = authenticator.issue(caller.user(body.user_id), expires, scopes=scopes, audience=body.audience, now=now)
    return TokenOut(
        token=token, user_id=body.user_id, scopes=sorted(scopes), audience=body.audience, expires_at=expires
    )
