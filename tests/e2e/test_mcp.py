"""The MCP server as clients start and reach it: over standard input and output, and over HTTP."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

from tests.e2e.conftest import Stack, wait_for
from tests.e2e.shell import COMMAND, Person

SECONDS = 60
T = TypeVar("T")


@pytest.fixture
def ada(stack: Stack, request: pytest.FixtureRequest) -> Person:
    return Person(stack, f"ada-{request.node.name}", [])


async def accepts(_: Any, __: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"confirm": True})


def token(person: Person) -> str:
    return person.says("token", "--user", person.name).strip()


async def remember_and_forget(client: Client) -> None:
    """Play a short life over one connection."""
    written = await client.call_tool("remember", {"content": "I keep bees."})
    assert written.structured_content
    listed = await client.call_tool("list_memories")
    assert listed.structured_content
    assert [one["content"] for one in listed.structured_content["memories"]] == ["I keep bees."]
    forgotten = await client.call_tool("forget", {"memory_ids": [written.structured_content["id"]]})
    assert forgotten.structured_content
    assert forgotten.structured_content["status"] == "accepted"
    listed = await client.call_tool("list_memories")
    assert listed.structured_content
    assert listed.structured_content["memories"] == []


def apart(work: Callable[[], Awaitable[T]]) -> T:
    """Run something asynchronous in a thread of its own: this one may have a browser's event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_standard_input_and_output(ada: Person, mode: Any) -> None:
    server = StdioServerParameters(command=str(COMMAND), args=["mcp"], env=ada.environment())

    async def play() -> None:
        async with Client(server, mode=mode, elicitation_callback=accepts) as client:
            await remember_and_forget(client)

    apart(play)


ALONE = ["-P", "-m", "memory_center_client.mcp.command"]
"""The command `memory-center-mcp` of the client's own distribution, for a machine without Memory Center."""


def test_the_client_alone_serves_a_memory_elsewhere(ada: Person) -> None:
    environment = ada.environment(MEMORY_CENTER_URL=ada.stack.url, MEMORY_CENTER_TOKEN=token(ada))
    server = StdioServerParameters(command=sys.executable, args=ALONE, env=environment)

    async def play() -> None:
        async with Client(server, elicitation_callback=accepts) as client:
            await remember_and_forget(client)

    apart(play)


@pytest.mark.parametrize(
    "wrong",
    [
        {"MEMORY_CENTER_TOKEN": ""},
        {"MEMORY_CENTER_TOKEN": "…"},
        {"MEMORY_CENTER_URL": "http://[::"},
        {"MEMORY_CENTER_MCP_FORGET": "always"},
        {},
    ],
)
def test_the_client_alone_says_in_one_line_what_it_lacks(ada: Person, wrong: dict[str, str]) -> None:
    service = ada.stack.secrets["service_key"]
    environment = ada.environment(**{"MEMORY_CENTER_URL": ada.stack.url, "MEMORY_CENTER_TOKEN": service} | wrong)

    ended = subprocess.run(
        [sys.executable, *ALONE], env=environment, capture_output=True, text=True, input="", check=False
    )

    assert ended.returncode == 2
    [line] = ended.stderr.splitlines()
    assert "MEMORY_CENTER_TOKEN" in line if wrong else "person's token" in line
    assert service not in line


def test_without_a_persons_token_nothing_is_served(ada: Person) -> None:
    assert "token" in ada.refused("mcp", code=2, MEMORY_CENTER_TOKEN=ada.stack.secrets["service_key"])
    assert "elicit | web | off" in ada.refused("mcp", "--forget", "always", code=2)


@pytest.fixture
def served(stack: Stack) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    somebody = Person(stack, "nobody-in-particular", [])
    process = subprocess.Popen([COMMAND, "mcp", "--http", str(port)], env=somebody.environment())
    url = f"http://127.0.0.1:{port}/mcp"

    def answers() -> bool:
        try:
            return httpx.post(url).status_code == 401
        except httpx.HTTPError:
            return False

    try:
        wait_for(answers, seconds=SECONDS, what="the server")
        yield url
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_http_each_with_their_own_token(ada: Person, served: str, mode: Any) -> None:
    eve = Person(ada.stack, f"eve-{mode}", [])

    async def play(person: Person) -> None:
        headers = {"Authorization": f"Bearer {token(person)}"}
        async with httpx2.AsyncClient(headers=headers, timeout=SECONDS) as http:
            transport = streamable_http_client(served, http_client=http)
            async with Client(transport, mode=mode, elicitation_callback=accepts) as client:
                await remember_and_forget(client)

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(play, ada)
            group.start_soon(play, eve)

    apart(both)


def test_a_session_in_another_persons_hands_opens_nothing(ada: Person, served: str) -> None:
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token(ada)}"}
    begun = httpx.post(served, headers=headers, json=asked)
    session = begun.headers["mcp-session-id"]
    eve = Person(ada.stack, "eve-with-a-session", [])
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    stolen = {**headers, "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
    assert httpx.post(served, headers=stolen, json=listing).status_code == 200
    assert (
        httpx.post(served, headers={**stolen, "Authorization": f"Bearer {token(eve)}"}, json=listing).status_code == 404
    )


def test_over_http_nobody_else_gets_in(ada: Person, served: str) -> None:
    for credentials in ("", "Bearer nonsense", f"Bearer {ada.stack.secrets['service_key']}"):
        answer = httpx.post(served, headers={"Authorization": credentials} if credentials else {}, json={})
        assert answer.status_code == 401
        assert "resource_metadata" in answer.headers["www-authenticate"]
    metadata = httpx.get(served.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")).json()
    assert metadata["resource"].rstrip("/") == served
    elsewhere = {"Authorization": f"Bearer {token(ada)}", "Host": "evil.example.org"}
    assert httpx.post(served, headers=elsewhere, json={}).status_code in (403, 421)


def test_over_http_a_token_of_odd_bytes_is_refused(served: str) -> None:
    assert httpx.post(served, headers={"Authorization": b"Bearer t\xe9"}, json={}).status_code == 401


def test_without_the_gateway_nobody_is_sent_to_sign_in_again() -> None:
    from services.mcp.http import http_app

    async def play() -> int:
        app = http_app("http://127.0.0.1:9", "http://memory.invalid/mcp", web="http://memory.invalid", mode="off")
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://memory.invalid") as http:
            return (await http.post("/mcp", headers={"Authorization": "Bearer x"}, json={})).status_code

    assert apart(play) == 503


def test_over_http_a_token_for_another_server_is_refused(ada: Person, served: str) -> None:
    service = {"Authorization": f"Bearer {ada.stack.secrets['service_key']}"}

    def answered(audience: str | None) -> int:
        asked = {"user_id": ada.name, "audience": audience, "minutes": 5}
        token = httpx.post(f"{ada.stack.url}/api/v1/tokens", json=asked, headers=service).json()["token"]
        return httpx.post(served, headers={"Authorization": f"Bearer {token}"}, json={}).status_code

    assert answered("https://elsewhere.example.org/mcp") == 401
    assert answered(served) != 401
    assert answered(None) != 401
