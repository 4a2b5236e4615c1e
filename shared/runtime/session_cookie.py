"""Browser authentication: the person's token, in a cookie that scripts cannot read."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from fastapi import Request

COOKIE: Final = "memory_center_session"
_WITHOUT_EFFECT: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def credentials_of(request: Request) -> str | None:
    """Return the request's `Authorization` header, or one made from the session cookie.

    Any page can cause a request with the cookie. So for methods that change something the cookie counts only if the
    browser says that our own page sent it: `Origin` names this host (OWASP, CSRF prevention: verifying the origin).
    """
    header = request.headers.get("authorization")
    if header is not None:
        return header
    token = request.cookies.get(COOKIE)
    if token is None or not (request.method in _WITHOUT_EFFECT or _from_our_own_page(request)):
        return None
    return f"Bearer {token}"


def _from_our_own_page(request: Request) -> bool:
    origin = urlsplit(request.headers.get("origin", ""))
    return origin.scheme in {"http", "https"} and origin.netloc == request.headers.get("host")
