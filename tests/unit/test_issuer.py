"""Whose an issuer's token is: signed with one of its public keys, for this audience, in time; and nothing else."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from shared.runtime import issuer as issuers
from shared.runtime.authentication import (
    TOKEN_SCOPES,
    Authenticator,
    Principal,
    SignInUnavailable,
    Unauthenticated,
    mint_person_token,
)
from shared.runtime.issuer import Issuer, IssuerUnavailable, check_address
from tests.support.issuers import AUDIENCE, Provider
from tests.support.milvus_servers import wait_until

SIGNING_KEY, SERVICE_KEY = "a signing key of at least 32 bytes", "a service key nobody guesses"


@pytest.fixture(scope="module")
def key() -> RSAKey:
    return RSAKey.generate_key(2048, parameters={"kid": "first", "use": "sig"})


@pytest.fixture
def provider(key: RSAKey) -> Provider:
    return Provider(key=key)


@pytest.fixture
def issuer(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Issuer]:
    def answer(request: httpx.Request) -> httpx.Response:
        document = provider.document(request.url.path)
        return httpx.Response(503) if document is None else httpx.Response(200, json=document)

    monkeypatch.setattr(issuers, "SOONEST_SECONDS", 0.05)
    made = Issuer(provider.url, AUDIENCE, transport=httpx.MockTransport(answer))
    yield made
    made.stop()


@pytest.fixture
def gate(issuer: Issuer) -> Authenticator:
    return Authenticator(SIGNING_KEY, SERVICE_KEY, issuer=issuer)


def code_for(gate: Authenticator, token: str) -> str:
    with pytest.raises(Unauthenticated) as refusal:
        gate.authenticate(f"Bearer {token}")
    return refusal.value.code


def is_known(gate: Authenticator, token: str) -> bool:
    try:
        gate.authenticate(f"Bearer {token}")
    except Unauthenticated:
        return False
    return True


def test_somebody_who_signed_in_there_is_known_by_their_subject(
    issuer: Issuer, gate: Authenticator, provider: Provider
) -> None:
    issuer.start()
    anna = Principal("person", "anna", TOKEN_SCOPES)
    assert gate.authenticate(f"Bearer {provider.token()}") == anna
    assert gate.authenticate(f"Bearer {provider.token(aud=['other', AUDIENCE], scope='openid email')}") == anna
    limited = gate.authenticate(f"Bearer {provider.token(scope='openid memory:read')}")
    assert limited.scopes == {"memory:read"}
    assert gate.authenticate(f"Bearer {mint_person_token(SIGNING_KEY, 'anna')}") == anna, "ours are good as before"
    assert gate.authenticate(f"Bearer {SERVICE_KEY}").kind == "service"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://other.example.org"},
        {"iss": None},
        {"aud": "https://other.example.org/mcp"},
        {"aud": None},
        {"aud": []},
        {"sub": None},
        {"sub": ""},
        {"sub": "*"},
        {"sub": 7},
        {"sub": "a\nb"},
        {"exp": None},
        {"exp": "soon"},
        {"exp": 10**30},
        {"nbf": 10**11},
    ],
)
def test_a_token_with_other_claims_is_refused(
    issuer: Issuer, gate: Authenticator, provider: Provider, changes: dict[str, Any]
) -> None:
    issuer.start()
    assert code_for(gate, provider.token(**changes)) == "credentials_invalid"


def test_an_expired_token_says_so(issuer: Issuer, gate: Authenticator, provider: Provider) -> None:
    issuer.start()
    assert code_for(gate, provider.token(now=datetime.now(UTC) - timedelta(minutes=5))) == "credentials_expired"


def test_only_the_issuers_own_keys_sign(issuer: Issuer, gate: Authenticator, provider: Provider, key: RSAKey) -> None:
    issuer.start()
    stranger = Provider(key=RSAKey.generate_key(2048, parameters={"kid": "first"}))
    assert code_for(gate, stranger.token()) == "credentials_invalid"
    public = json.dumps(key.as_dict(private=False)).encode()
    claims = {"iss": provider.url, "aud": AUDIENCE, "sub": "anna", "exp": int(time.time()) + 60}
    for secret in (public, b"secret" * 8):
        forged = jwt.encode({"alg": "HS256", "kid": "first"}, claims, OctKey.import_key(secret), algorithms=["HS256"])
        assert code_for(gate, forged) == "credentials_invalid"
    head, body, signature = provider.token().split(".")
    none = base64.urlsafe_b64encode(b'{"alg":"none","kid":"first"}').rstrip(b"=").decode()
    changed = f"{head}.{body}.{signature[:-4]}AAAA"
    for token in (f"{none}.{body}.", f"{head}.{body}.", changed, f"{head}..{signature}", "a.b.c"):
        assert code_for(gate, token) == "credentials_invalid"


def test_a_new_key_is_fetched_when_a_token_names_it(issuer: Issuer, gate: Authenticator, provider: Provider) -> None:
    issuer.start()
    provider.rotate()
    token = provider.token()
    wait_until(lambda: is_known(gate, token), seconds=10, what="the new key")


def test_bad_tokens_do_not_make_it_ask_at_each(
    issuer: Issuer, gate: Authenticator, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(issuers, "SOONEST_SECONDS", 30.0)
    issuer.start()
    before = provider.asked
    for _ in range(200):
        code_for(gate, provider.token(aud="other"))
    time.sleep(0.3)
    assert provider.asked == before


def test_while_it_is_away_what_was_known_stays_good(issuer: Issuer, gate: Authenticator, provider: Provider) -> None:
    provider.answers = False
    issuer.start()
    with pytest.raises(SignInUnavailable):
        gate.authenticate(f"Bearer {provider.token()}")
    assert gate.authenticate(f"Bearer {mint_person_token(SIGNING_KEY, 'anna')}").subject == "anna"
    provider.answers = True
    wait_until(lambda: is_known(gate, provider.token()), seconds=10, what="the issuer's keys")
    provider.answers = False
    code_for(gate, provider.token(aud="other"))  # makes it look again
    time.sleep(0.2)
    assert gate.authenticate(f"Bearer {provider.token()}").subject == "anna"


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://other.example.org", "jwks_uri": "https://id.example.org/keys", "keys": []},
        {"issuer": "https://id.example.org", "jwks_uri": "http://id.example.org/keys", "keys": []},
        {"issuer": "https://id.example.org", "keys": []},
        {"issuer": "https://id.example.org", "jwks_uri": "https://id.example.org/keys", "keys": []},
        {"issuer": "https://id.example.org", "jwks_uri": "https://id.example.org/keys", "keys": "x" * 1_000_001},
        {"issuer": "https://id.example.org", "jwks_uri": "https://id.example.org/keys", "keys": ["x", 5]},
        [],
        "text",
    ],
)
def test_an_issuer_that_answers_wrongly_is_none(document: Any) -> None:
    made = Issuer(
        "https://id.example.org", AUDIENCE, transport=httpx.MockTransport(lambda _: httpx.Response(200, json=document))
    )
    made.start()
    with pytest.raises(IssuerUnavailable):
        made.claims("a.b.c", datetime.now(UTC))
    made.stop()


def test_a_key_of_an_unknown_kind_keeps_nobody_out(provider: Provider) -> None:
    good = provider.key.as_dict(private=False)
    odd: list[Any] = ["x", 5, None, {"kty": ["RSA"]}, {"kty": "EC", "crv": "unheard-of", "x": "AA", "y": "AA"}, {}]
    document = {"issuer": provider.url, "jwks_uri": f"{provider.url}/keys", "keys": [*odd, good]}
    made = Issuer(provider.url, AUDIENCE, transport=httpx.MockTransport(lambda _: httpx.Response(200, json=document)))
    made.start()
    assert made.claims(provider.token(), datetime.now(UTC))["sub"] == "anna"
    made.stop()


@pytest.mark.parametrize("url", ["http://id.example.org", "ftp://id.example.org", "id.example.org", "", "https://"])
def test_an_issuer_is_reached_safely(url: str) -> None:
    with pytest.raises(ValueError, match="https"):
        check_address(url)
