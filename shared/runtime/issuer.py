"""Tokens of an OpenID Connect issuer: people who have signed in elsewhere need no token of ours.

The issuer's public keys are fetched by a thread of their own, every few minutes and when a token names an unknown one,
so that no request waits for the issuer.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import structlog
from joserfc import jwt
from joserfc.errors import ExpiredTokenError, JoseError
from joserfc.jwk import Key, KeySet

from shared.runtime import logging

log = structlog.get_logger()

ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
)
"""Asymmetric ones only: with a shared secret the issuer's public key could sign."""
KINDS: Final = ("jwt", "at+jwt", "application/at+jwt")
"""A token of another kind, such as one for signing out, signs nobody in."""
DISCOVERY: Final = "/.well-known/openid-configuration"
REFRESH_SECONDS: Final = 300.0
SOONEST_SECONDS: Final = 10.0
"""Unknown keys are looked for no more often than this, however many tokens name one."""
FETCH_SECONDS: Final = 5.0
DOCUMENT_MAX: Final = 1_000_000
CLOCK_SKEW_SECONDS: Final = 30

_TYPES: Final = frozenset({"RSA", "EC", "OKP"})


class IssuerUnavailable(Exception):
    """No keys of the issuer are known yet."""


class TokenExpired(Exception):
    """The token was good, and is no more."""


class TokenRefused(Exception):
    """The token is not one of this issuer for this audience."""


class Issuer:
    """Verifies the tokens of one issuer. Safe to share between threads.

    Args:
        url: the issuer, as its tokens name it (`iss`): https, or http on this machine.
        audience: what tokens for this installation name as `aud`.
        transport: how it is reached; default: over the network.

    Raises:
        ValueError: the address is neither.
    """

    def __init__(self, url: str, audience: str, *, transport: httpx.BaseTransport | None = None) -> None:
        check_address(url)
        self.url, self._audience, self._transport = url, audience, transport
        self._keys: KeySet | None = None
        self._wanted, self._first, self._ended = threading.Event(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep_fetching, name="issuer-keys", daemon=True)

    def start(self) -> None:
        """Begin to fetch keys; wait for the first ones, but not long."""
        self._thread.start()
        self._first.wait(FETCH_SECONDS)

    def stop(self) -> None:
        """End the thread."""
        self._ended.set()
        self._wanted.set()

    def claims(self, token: str, now: datetime) -> Mapping[str, Any]:
        """Return the claims of a token of this issuer for this audience.

        Raises:
            TokenExpired, TokenRefused: it is not good.
            IssuerUnavailable: nothing is known of the issuer yet.
        """
        keys = self._keys
        if keys is None:
            self._wanted.set()
            raise IssuerUnavailable
        needed = jwt.JWTClaimsRegistry(
            now=int(now.timestamp()),
            leeway=CLOCK_SKEW_SECONDS,
            iss={"essential": True, "value": self.url},
            aud={"essential": True, "value": self._audience},
            sub={"essential": True},
            exp={"essential": True},
        )
        try:
            decoded = jwt.decode(token, keys, algorithms=list(ALGORITHMS))
            if str(decoded.header.get("typ", "JWT")).lower() not in KINDS:
                raise TokenRefused
            claims = decoded.claims
            needed.validate(claims)
        except ExpiredTokenError as error:
            raise TokenExpired from error
        except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
            self._wanted.set()  # it may be signed with a new key
            raise TokenRefused from error
        return claims

    def _keep_fetching(self) -> None:
        while not self._ended.is_set():
            began = time.monotonic()
            self._wanted.clear()
            try:
                self._keys = self._fetched()
            except Exception as problem:  # noqa: BLE001 # whatever it answers, the keys that are known stay good
                log.warning("issuer.unavailable", **logging.failure(problem))
            self._first.set()
            self._wanted.wait(REFRESH_SECONDS)
            self._ended.wait(max(0.0, began + SOONEST_SECONDS - time.monotonic()))

    def _fetched(self) -> KeySet:
        with httpx.Client(timeout=FETCH_SECONDS, transport=self._transport) as http:
            found = _document(http, self.url.rstrip("/") + DISCOVERY)
            if found["issuer"] != self.url:
                raise ValueError("it names another issuer")
            place = str(found["jwks_uri"])
            check_address(place)
            given = _document(http, place)["keys"]
        keys = [key for one in given if (key := _key(one)) is not None]
        if not keys:
            raise ValueError("it has no keys")
        return KeySet(keys)


def _key(given: Any) -> Key | None:
    """Return a public key that signs; None if it is of another kind, as RFC 7517 section 5 asks."""
    try:
        if given["kty"] in _TYPES and given.get("use", "sig") == "sig":
            return KeySet.import_key_set({"keys": [given]}).keys[0]
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        return None
    return None


def _document(http: httpx.Client, url: str) -> dict[str, Any]:
    with http.stream("GET", url) as answer:
        answer.raise_for_status()
        read = bytearray()
        for chunk in answer.iter_bytes():
            read += chunk
            if len(read) > DOCUMENT_MAX:
                raise ValueError("it is too long")
    found = json.loads(read)
    if not isinstance(found, dict):
        raise TypeError("it is no object")
    return found


def check_address(url: str) -> None:
    """Check an issuer's address.

    Raises:
        ValueError: it is neither https nor http on this machine.
    """
    place = urlsplit(url)
    local = place.hostname in ("localhost", "127.0.0.1", "::1")
    if not place.hostname or place.scheme not in ("https", "http") or (place.scheme == "http" and not local):
        raise ValueError("an issuer's address is https, or http on this machine")
