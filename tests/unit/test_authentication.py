"""Who a credential proves the caller to be, and for whom they may act."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import OctKey
from pydantic import TypeAdapter, ValidationError

from shared.runtime.authentication import (
    TOKEN_SCOPES,
    Authenticator,
    NotYours,
    Principal,
    Unauthenticated,
    UserId,
    UserIdInvalid,
    UserIdRequired,
    acting_for,
    is_user_id,
    mint_person_token,
)

SIGNING_KEY = "a signing key of at least 32 bytes"
SERVICE_KEY = "a service key nobody guesses"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANNA = Principal("person", "anna", TOKEN_SCOPES)
SERVICE = Principal("service", "service", frozenset({"users:any"}))

gate = Authenticator(SIGNING_KEY, SERVICE_KEY)


def code_for(header: str | None, *, now: datetime = NOW) -> str:
    with pytest.raises(Unauthenticated) as refusal:
        gate.authenticate(header, now=now)
    return refusal.value.code


def token_without(claim: str) -> str:
    changes: dict[str, Any] = {claim: None}
    return token_with(**changes)


def token_with(*, key: str = SIGNING_KEY, algorithm: str = "HS256", **changes: Any) -> str:
    claims: dict[str, Any] = {
        "iss": "memory-center",
        "aud": "memory-center",
        "sub": "anna",
        "iat": int(NOW.timestamp()),
        "exp": int(NOW.timestamp()) + 60,
        "jti": "1",
    } | changes
    kept = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode({"alg": algorithm}, kept, OctKey.import_key(key), algorithms=[algorithm])


def unsigned(header: dict[str, str]) -> str:
    claims = json.loads(base64.urlsafe_b64decode(token_with().split(".")[1] + "=="))
    parts = (base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, claims))
    return ".".join([*parts, ""])


@pytest.mark.parametrize("user_id", ["anna", "小明", "Ωmega id/with spaces", "**", "x" * 200])
def test_a_minted_token_proves_its_person_and_grants_no_scope(user_id: str) -> None:
    token = mint_person_token(SIGNING_KEY, user_id, now=NOW)

    assert gate.authenticate(f"Bearer {token}", now=NOW) == Principal("person", user_id, TOKEN_SCOPES)


def test_two_tokens_of_one_person_differ() -> None:
    assert mint_person_token(SIGNING_KEY, "anna", now=NOW) != mint_person_token(SIGNING_KEY, "anna", now=NOW)


def test_the_service_key_proves_a_service_with_its_scopes() -> None:
    principal = gate.authenticate(f"bearer {SERVICE_KEY}")

    assert principal.kind == "service"
    assert principal.scopes == {"users:any", "debug:read", "operations:retry", "tokens:issue"}


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer   ", "Basic YTpi", SERVICE_KEY])
def test_no_bearer_token_is_missing_credentials(header: str | None) -> None:
    assert code_for(header) == "credentials_missing"


@pytest.mark.parametrize(
    "credentials",
    [
        "nonsense",
        "a.b.c",
        "ÿ.é.ü",
        SERVICE_KEY[:-1],
        SERVICE_KEY + "x",
        "x" * 100_000,
        base64.urlsafe_b64encode(b"[" * 2500).decode() + ".e30.e30",
        token_with(key="another signing key of 32 bytes!!"),
        token_with(algorithm="HS512"),
        unsigned({"alg": "none", "typ": "JWT"}),
        unsigned({"alg": "HS256", "typ": "JWT"}),
        token_with(iss="somebody-else"),
        token_with(aud="somebody-else"),
        token_with(sub="*"),
        token_with(sub="an\x00na"),
        token_with(sub="anna\n"),
        token_with(sub="\u2028"),
        token_with(sub=7),
        token_with(sub=""),
        token_with(sub="x" * 201),
        token_with(exp="tomorrow"),
        token_with(exp=10**12),
        token_with(exp=10**400),
        token_with(exp=1e300),
        token_with(exp=float("inf")),
        token_with(exp=float("nan")),
        token_with(iat=int(NOW.timestamp()) + 3600),
        token_with(nbf=int(NOW.timestamp()) + 3600),
        *(token_without(claim) for claim in ("iss", "aud", "sub", "iat", "exp", "jti")),
    ],
)
def test_credentials_that_prove_nothing_are_invalid(credentials: str) -> None:
    assert code_for(f"Bearer {credentials}") == "credentials_invalid"


def test_a_token_expires_after_its_minutes() -> None:
    header = "Bearer " + mint_person_token(SIGNING_KEY, "anna", minutes=5, now=NOW)

    assert gate.authenticate(header, now=NOW + timedelta(minutes=4, seconds=59)) == ANNA
    assert code_for(header, now=NOW + timedelta(minutes=6)) == "credentials_expired"


@pytest.mark.parametrize("user_id", ["", "*", "a\x00", "a\nb", "a\x85", "x" * 201, "\ud800"])
def test_no_token_is_minted_for_what_cannot_be_a_person(user_id: str) -> None:
    with pytest.raises(UserIdInvalid):
        mint_person_token(SIGNING_KEY, user_id)


def test_weak_keys_are_refused() -> None:
    with pytest.raises(ValueError, match="signing key"):
        Authenticator("short", SERVICE_KEY)
    with pytest.raises(ValueError, match="signing key"):
        mint_person_token("short", "anna")
    with pytest.raises(ValueError, match="service key"):
        Authenticator(SIGNING_KEY, "")


@given(st.text(max_size=210) | st.sampled_from(["*", "**", "", "\n", "a\n"]))
def test_request_models_and_tokens_accept_the_same_user_ids(user_id: str) -> None:
    try:
        TypeAdapter(UserId).validate_python(user_id)
        accepted = True
    except ValidationError:
        accepted = False

    assert accepted == is_user_id(user_id)


def test_a_person_acts_for_themselves_only() -> None:
    assert acting_for(ANNA, None) == "anna"
    assert acting_for(ANNA, "anna") == "anna"
    for other in ("ben", "Anna", "", "*", "anna "):
        with pytest.raises(NotYours):
            acting_for(ANNA, other)


def test_a_service_names_the_person_it_acts_for() -> None:
    assert acting_for(SERVICE, "ben") == "ben"
    with pytest.raises(UserIdRequired):
        acting_for(SERVICE, None)
    with pytest.raises(UserIdInvalid):
        acting_for(SERVICE, "*")


def test_a_service_without_the_scope_acts_for_nobody() -> None:
    with pytest.raises(NotYours):
        acting_for(Principal("service", "narrow"), "ben")


@pytest.mark.parametrize(
    ("claim", "scopes"),
    [
        (None, TOKEN_SCOPES),
        ("memory:read", {"memory:read"}),
        ("memory:write memory:read", {"memory:read", "memory:write"}),
        ("users:any debug:read", set()),
        ("memory:read users:any", {"memory:read"}),
        ("", set()),
    ],
)
def test_a_token_is_good_for_what_it_names_and_never_for_a_services(claim: str | None, scopes: set[str]) -> None:
    principal = gate.authenticate(f"Bearer {token_with(scope=claim)}", now=NOW)

    assert principal.scopes == scopes


@pytest.mark.parametrize("claim", [["memory:read"], 7, {"memory:read": True}])
def test_a_scope_that_is_no_text_is_refused(claim: Any) -> None:
    assert code_for(f"Bearer {token_with(scope=claim)}") == "credentials_invalid"


def test_a_token_for_another_server_is_good_here_too() -> None:
    there = "https://memory.example.org/mcp"
    issued = gate.issue("anna", NOW + timedelta(minutes=5), scopes=frozenset({"memory:read"}), audience=there, now=NOW)

    assert gate.authenticate(f"Bearer {issued}", now=NOW).scopes == {"memory:read"}
    assert code_for(f"Bearer {token_with(aud=[there])}") == "credentials_invalid"
    assert code_for(f"Bearer {issued}", now=NOW + timedelta(minutes=6)) == "credentials_expired"
