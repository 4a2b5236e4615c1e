"""Browser authentication: the person's token, in a cookie that scripts cannot read."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request

COOKIE: Final = "memory_center_session"
_WITHOUT_EFFECT: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_WITH_EFFECT: Final = re.compile(r"/api/v1/users/[^/]+/export")
"""The path that begins an export by GET, as a source wants it."""


def credentials_of(request: Request) -> str | None:
    """Return the request's `Authorization` header, or one made from the session cookie.

    Any page can cause a request with the cookie. So for methods that change something the cookie counts only if the
    browser says that our own page sent it: `Origin` names this host (OWASP, CSRF prevention: verifying the origin).
    """
    header = request.headers.get("authorization")
    if header is not None:
        return header
    token = request.cookies.get(COOKIE)
    if token is None or not (_is_without_effect(request) or _from_our_own_page(request)):
        return None
    return f"Bearer {token}"


def _is_without_effect(request: Request) -> bool:
    return request.method in _WITHOUT_EFFECT and not _WITH_EFFECT.fullmatch(request.url.path)


def _from_our_own_page(request: Request) -> bool:
    if request.headers.get("sec-fetch-site") == "same-origin":  # of a GET a browser says nothing else
        return True
    try:
        origin = urlsplit(request.headers.get("origin", ""))
    except ValueError:  # a bracket without its end, or what is in it is no address
        return False
    return origin.scheme in {"http", "https"} and origin.netloc == request.headers.get("host")
