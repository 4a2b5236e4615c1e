"""An OpenID Connect issuer on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.support.running import running

AUDIENCE = "https://memory.example.org/mcp"


@dataclass
class Provider:
    """An issuer with one key after another."""

    url: str = "https://id.example.org"
    key: Any = field(default_factory=lambda: RSAKey.generate_key(2048, parameters={"kid": "first", "use": "sig"}))
    answers: bool = True
    asked: int = 0

    def rotate(self) -> None:
        self.key = ECKey.generate_key("P-256", parameters={"kid": "second", "use": "sig"})

    def token(self, sub: Any = "anna", *, now: datetime | None = None, **more: Any) -> str:
        """Return a token of this issuer; a claim that is None is left out."""
        at = int((now or datetime.now(UTC)).timestamp())
        claims = {"iss": self.url, "aud": AUDIENCE, "sub": sub, "iat": at, "exp": at + 60, **more}
        algorithm = "RS256" if self.key.key_type == "RSA" else "ES256"
        kept = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": algorithm, "kid": self.key.kid}, kept, self.key, algorithms=[algorithm])

    def document(self, path: str) -> dict[str, Any] | None:
        """Return what it serves at a path; None while it does not answer."""
        self.asked += 1
        if not self.answers:
            return None
        if path == "/keys":
            symmetric = {"kty": "oct", "k": "c2VjcmV0", "kid": "shared"}
            return {"keys": [symmetric, self.key.as_dict(private=False), {"kty": "unheard-of"}]}
        return {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}


@contextmanager
def provider() -> Iterator[Provider]:
    """Serve an issuer on a port of this machine."""
    found = Provider()

    async def answer(request: Request) -> Response:
        document = found.document(request.url.path)
        return Response(status_code=503) if document is None else JSONResponse(document)

    app = Starlette(routes=[Route("/{path:path}", answer)])
    with running(app) as url:
        found.url = url
        yield found
