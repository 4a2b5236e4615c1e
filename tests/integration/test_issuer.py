"""People who signed in with an OpenID Connect issuer reach their memory with its tokens, over REST and MCP."""

from __future__ import annotations

from collections.abc import Iterator

import anyio
import httpx2
import pytest
from mcp.server.auth.provider import AccessToken

from memory_center_client import AsyncMemoryCenter
from services.mcp.http import GatewaysTokens, http_app
from tests.support.backing import Backing
from tests.support.issuers import AUDIENCE, Provider, provider
from tests.support.running import running
from tests.support.small_api import assert_problem
from tests.support.workbench import Workbench, test_settings, workbench

LONG_TERM = "/api/v1/memory/long_term"


@pytest.fixture
def issuer() -> Iterator[Provider]:
    with provider() as found:
        yield found


@pytest.fixture
def bench(backing: Backing, database_url: str, issuer: Provider) -> Iterator[Workbench]:
    settings = test_settings(backing, database_url, oidc_issuer=issuer.url, oidc_audience=AUDIENCE)
    with workbench(settings) as opened:
        yield opened


def signed_in(issuer: Provider, user_id: str, **claims: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {issuer.token(user_id, **claims)}"}


def test_an_issuers_token_is_its_person_and_nobody_else(bench: Workbench, issuer: Provider) -> None:
    ada, eve = signed_in(issuer, "ada"), signed_in(issuer, "eve")
    made = bench.api.post(LONG_TERM, json={"content": "I keep bees."}, headers=ada)
    assert made.status_code == 201
    assert [one["content"] for one in bench.person("ada").get(LONG_TERM)] == ["I keep bees."], "whichever token"
    assert bench.api.get(LONG_TERM, headers=eve).json() == []
    assert_problem(bench.api.get(f"{LONG_TERM}/{made.json()['id']}", headers=eve), 404, "not_found")
    assert_problem(bench.api.get(LONG_TERM, params={"user_id": "ada"}, headers=eve), 404, "not_found")
    read = signed_in(issuer, "ada", scope="memory:read")
    assert bench.api.get(LONG_TERM, headers=read).status_code == 200
    assert bench.api.post(LONG_TERM, json={"content": "x"}, headers=read).status_code == 403
    for claims in ({"aud": "https://other.example.org"}, {"iss": "https://other.example.org"}):
        assert_problem(bench.api.get(LONG_TERM, headers=signed_in(issuer, "ada", **claims)), 401, "credentials_invalid")


def test_the_mcp_server_sends_clients_to_the_issuer_and_takes_its_tokens(bench: Workbench, issuer: Provider) -> None:
    with running(bench.api.app, lifespan="off") as gateway:

        async def verified(token: str) -> AccessToken | None:
            async with AsyncMemoryCenter(gateway, retries=0) as center:
                return await GatewaysTokens(center, AUDIENCE).verify_token(token)

        found = anyio.run(verified, issuer.token("ada"))
        assert found is not None
        assert (found.subject, found.resource) == ("ada", AUDIENCE)
        assert anyio.run(verified, issuer.token("ada", aud="https://other.example.org")) is None

        with running(http_app(gateway, AUDIENCE, web=gateway, mode="web", issuer=issuer.url)) as url:
            about = f"{url}/.well-known/oauth-protected-resource/mcp"
            answer = httpx2.get(about, headers={"Host": "memory.example.org"}).json()
    assert [one.rstrip("/") for one in answer["authorization_servers"]] == [issuer.url]
