"""Authentication: a person with a short-lived token, or a service with the deployment's key."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal, get_args

from joserfc import jws, jwt
from joserfc.errors import ExpiredTokenError, JoseError
from joserfc.jwk import OctKey
from pydantic import StringConstraints
from uuid_utils.compat import uuid7

from shared.runtime.issuer import Issuer, IssuerUnavailable, TokenExpired, TokenRefused

ALGORITHM: Final = "HS256"
ISSUER: Final = "memory-center"
ANYBODY: Final = "users:any"
SERVICE_SCOPES: Final = frozenset({ANYBODY, "debug:read", "operations:retry", "tokens:issue"})
TokenScope = Literal["memory:read", "memory:write", "memory:forget"]
TOKEN_SCOPES: Final[frozenset[TokenScope]] = frozenset(get_args(TokenScope))
"""What a person's token may be limited to; one that names none is good for all."""

USER_ID_MAX_LENGTH: Final = 200
# Control characters and line separators could forge log lines or never be stored (NUL); a lone "*" reads as "everyone".
# Without look-ahead, because pydantic's engine and JSON Schema share this pattern.
USER_ID_PATTERN: Final = (
    r"^(?:[^*\x00-\x1f\x7f-\x9f\u2028\u2029]|[^\x00-\x1f\x7f-\x9f\u2028\u2029]{2,200})$"  # the first arm is length 1
)
UserId = Annotated[str, StringConstraints(min_length=1, max_length=USER_ID_MAX_LENGTH, pattern=USER_ID_PATTERN)]

_USER_ID: Final = re.compile(USER_ID_PATTERN)
_SIGNING_KEY_MIN_BYTES: Final = 32  # RFC 7518 §3.2: an HS256 key has at least 256 bits
_SERVICE_KEY_MIN_BYTES: Final = 16
_CREDENTIALS_MAX_LENGTH: Final = 4096
_CLOCK_SKEW_SECONDS: Final = 30

CredentialsCode = Literal["credentials_missing", "credentials_invalid", "credentials_expired", "issuer_unavailable"]


@dataclass(frozen=True, slots=True)
class Principal:
    """The authenticated caller.

    `subject` is the user id of a person, or the name of a service's key; a person's token expires. `scopes` of a person
    are what the token is good for, of a service what else it may do.
    """

    kind: Literal["person", "service"]
    subject: str
    scopes: frozenset[str] = frozenset()
    expires_at: datetime | None = field(default=None, compare=False)


class Unauthenticated(Exception):
    """The caller could not be identified; `code` says why and contains nothing that was sent."""

    def __init__(self, code: CredentialsCode) -> None:
        super().__init__(code)
        self.code: CredentialsCode = code


class SignInUnavailable(Unauthenticated):
    """Whether the caller is who they say cannot be known now; signing in anew would not help."""


class NotYours(Exception):
    """The caller may not act for that person; answered like something that does not exist."""


class UserIdRequired(Exception):
    """A service must name the user it acts for."""


class UserIdInvalid(Exception):
    """The user id is empty, too long, `*`, or contains control characters."""


def is_user_id(value: str) -> bool:
    """Return whether `value` is a valid user id: 1..200 characters, no control characters, not `*`."""
    # fullmatch, because Python's "$" would accept a trailing newline. The shared pattern cannot express surrogates.
    return _USER_ID.fullmatch(value) is not None and not any("\ud800" <= character <= "\udfff" for character in value)


def mint_person_token(signing_key: str, user_id: str, *, minutes: int = 60, now: datetime | None = None) -> str:
    """Return a JWT that authenticates `user_id` for `minutes` from `now` (default: the current time).

    Raises:
        UserIdInvalid: `user_id` is not a valid user id.
        ValueError: `signing_key` is shorter than 32 bytes.
    """
    issued = now or datetime.now(UTC)
    return _minted(_signing_key(signing_key), user_id, issued, issued + timedelta(minutes=minutes))


def _minted(
    key: OctKey,
    user_id: str,
    issued: datetime,
    expires: datetime,
    *,
    scopes: frozenset[TokenScope] = TOKEN_SCOPES,
    audience: str | None = None,
) -> str:
    if not is_user_id(user_id):
        raise UserIdInvalid
    claims: dict[str, object] = {
        "iss": ISSUER,
        "aud": ISSUER if audience is None else [ISSUER, audience],
        "sub": user_id,
        "iat": int(issued.timestamp()),
        "exp": int(expires.timestamp()),
        "jti": str(uuid7()),
    }
    if scopes != TOKEN_SCOPES:
        claims["scope"] = " ".join(sorted(scopes))
    return jwt.encode({"alg": ALGORITHM}, claims, key, algorithms=[ALGORITHM])


class Authenticator:
    """Turns an `Authorization` header into a principal. Safe to share between threads."""

    def __init__(
        self, signing_key: str, service_key: str, *, service_name: str = "service", issuer: Issuer | None = None
    ) -> None:
        """Keep the keys of this deployment.

        Args:
            issuer: whose tokens are good too.

        Raises:
            ValueError: the signing key is shorter than 32 bytes, or the service key shorter than 16.
        """
        if len(service_key.encode()) < _SERVICE_KEY_MIN_BYTES:
            raise ValueError(f"the service key must have at least {_SERVICE_KEY_MIN_BYTES} bytes")
        self._key = _signing_key(signing_key)
        self._service_digest = _digest(service_key)
        self._service_name = service_name
        self._issuer = issuer

    def authenticate(self, authorization_header: str | None, *, now: datetime | None = None) -> Principal:
        """Return the principal of `authorization_header` (`Bearer <token or service key>`).

        Raises:
            Unauthenticated: credentials are missing, invalid or expired.
            SignInUnavailable: it seems to be an issuer's token, and nothing is known of the issuer yet.
        """
        if not authorization_header:
            raise Unauthenticated("credentials_missing")
        scheme, _, credentials = authorization_header.partition(" ")
        credentials = credentials.strip()
        if scheme.lower() != "bearer" or not credentials:
            raise Unauthenticated("credentials_missing")
        if len(credentials) > _CREDENTIALS_MAX_LENGTH:
            raise Unauthenticated("credentials_invalid")
        if hmac.compare_digest(_digest(credentials), self._service_digest):
            return Principal("service", self._service_name, SERVICE_SCOPES)
        now = now or datetime.now(UTC)
        if self._issuer is not None and not _is_ours(credentials):
            return _person_elsewhere(self._issuer, credentials, now)
        return self._person_of(credentials, now)

    def issue(
        self, user_id: str, expires: datetime, *, scopes: frozenset[TokenScope], audience: str | None, now: datetime
    ) -> str:
        """Return a token for one person.

        Args:
            scopes: what it is good for; at least one.
            audience: the only other server that may accept it, such as the MCP server's address; None: any.

        Raises:
            UserIdInvalid: `user_id` is not a valid user id.
        """
        return _minted(self._key, user_id, now, expires, scopes=scopes, audience=audience)

    def _person_of(self, token: str, now: datetime) -> Principal:
        claims_we_need = jwt.JWTClaimsRegistry(
            now=int(now.timestamp()),
            leeway=_CLOCK_SKEW_SECONDS,
            iss={"essential": True, "value": ISSUER},
            aud={"essential": True, "value": ISSUER},
            sub={"essential": True},
            iat={"essential": True},
            exp={"essential": True},
            jti={"essential": True},
        )
        try:
            claims = jwt.decode(token, self._key, algorithms=[ALGORITHM]).claims
            claims_we_need.validate(claims)
        except ExpiredTokenError as error:
            raise Unauthenticated("credentials_expired") from error
        # A forged header may contain anything, including JSON nested too deeply for the parser.
        except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
            raise Unauthenticated("credentials_invalid") from error
        return _person_in(claims, _scopes_of(claims.get("scope")))


def _is_ours(token: str) -> bool:
    """Return whether a token's header says that it is signed as we sign; whether it is, is decided later."""
    try:
        return bool(jws.extract_compact(token.encode()).headers()["alg"] == ALGORITHM)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return True


def _person_elsewhere(issuer: Issuer, token: str, now: datetime) -> Principal:
    """Return who signed in with the issuer. A token that names none of our scopes is good for all."""
    try:
        claims = issuer.claims(token, now)
    except TokenExpired as error:
        raise Unauthenticated("credentials_expired") from error
    except TokenRefused as error:
        raise Unauthenticated("credentials_invalid") from error
    except IssuerUnavailable as error:
        raise SignInUnavailable("issuer_unavailable") from error
    return _person_in(claims, _scopes_of(claims.get("scope")) or TOKEN_SCOPES)


def _person_in(claims: Mapping[str, Any], scopes: frozenset[str]) -> Principal:
    user_id = claims["sub"]
    if not isinstance(user_id, str) or not is_user_id(user_id):
        raise Unauthenticated("credentials_invalid")
    try:
        expires_at = datetime.fromtimestamp(claims["exp"], UTC)
    except (ValueError, OverflowError, OSError, TypeError) as error:  # out of range
        raise Unauthenticated("credentials_invalid") from error
    return Principal("person", user_id, scopes, expires_at)


def _scopes_of(claim: object) -> frozenset[str]:
    """Return what a token is good for (RFC 9068, `scope`); whatever else it names counts for nothing."""
    if claim is None:
        return TOKEN_SCOPES
    if not isinstance(claim, str):
        raise Unauthenticated("credentials_invalid")
    return TOKEN_SCOPES & frozenset(claim.split(" "))


def acting_for(principal: Principal, user_id: str | None) -> str:
    """Return the person whose memory a request is about.

    A person acts for themselves, and naming themselves is optional; a service with `users:any` must name the person.

    Raises:
        NotYours: a person named somebody else, or a service lacks `users:any`.
        UserIdRequired: a service named nobody.
        UserIdInvalid: a service named an invalid user id.
    """
    if principal.kind == "person":
        if user_id is None or user_id == principal.subject:
            return principal.subject
        raise NotYours
    if user_id is None:
        raise UserIdRequired
    if ANYBODY not in principal.scopes:
        raise NotYours
    if not is_user_id(user_id):
        raise UserIdInvalid
    return user_id


def _signing_key(text: str) -> OctKey:
    if len(text.encode()) < _SIGNING_KEY_MIN_BYTES:
        raise ValueError(f"the signing key must have at least {_SIGNING_KEY_MIN_BYTES} bytes")
    return OctKey.import_key(text)


def _digest(credentials: str) -> bytes:
    # Comparing digests hides the key's length and how much of it was right.
    return hashlib.sha256(credentials.encode("utf-8", "surrogatepass")).digest()
