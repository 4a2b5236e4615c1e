"""Signing in: the person's token is in a cookie that scripts cannot read and other sites cannot send."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final

from fastapi import Request, Response
from pydantic import BaseModel, Field

from shared.runtime.authentication import Authenticator, Principal, Unauthenticated
from shared.runtime.body import Body
from shared.runtime.session_cookie import COOKIE
from shared.runtime.web import CurrentPrincipal, api_router

router = api_router(prefix="/api/v1/session", tags=["session"])

BODY_LIMITS: Final = {"/api/v1/session": 8_192}


class SignInIn(Body):
    """A person's token, as `memory-center token --user NAME` prints it."""

    token: Annotated[str, Field(min_length=1, max_length=4096)]


class SessionOut(BaseModel):
    """The signed-in person, and when the session expires."""

    user_id: str
    expires_at: datetime


@router.post("", responses={401: {"description": "The token is not a person's, or it has expired."}})
def sign_in(body: SignInIn, request: Request, response: Response) -> SessionOut:
    """Store a person's token in the session cookie. Service keys are refused."""
    authenticator: Authenticator = request.app.state.authenticator
    session = _session(authenticator.authenticate(f"Bearer {body.token}"))
    response.set_cookie(
        COOKIE,
        body.token,
        expires=session.expires_at,
        httponly=True,
        samesite="strict",
        # What the browser says of its page: a proxy may have ended TLS before this process.
        secure=request.headers.get("Origin", "").startswith("https://"),
    )
    return session


@router.get("")
def get_session(principal: CurrentPrincipal) -> SessionOut:
    """Return the signed-in person."""
    return _session(principal)


@router.delete("", status_code=204)
def sign_out(response: Response) -> None:
    """Delete the session cookie."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


def _session(principal: Principal) -> SessionOut:
    if principal.expires_at is None:
        raise Unauthenticated("credentials_invalid")
    return SessionOut(user_id=principal.subject, expires_at=principal.expires_at)
