"""Every door with the clients it is for: after a forget each answers without it, in the next request."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openai import OpenAI

from memory_center_client import MemoryCenter
from tests.clients.conftest import ROOT, Installation, Person, Upstream, door
from tests.clients.provider import chat, response, streamed

NODE = ROOT / ".venv/bin/node"
SCRIPTS = Path(__file__).parent / "node"
PEANUTS = "Ada is allergic to peanuts."


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def script(name: str, **environment: str) -> Any:
    """Run a program in Node and return what it printed."""
    told = subprocess.run(
        [NODE, name],
        cwd=SCRIPTS,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout.strip().splitlines()[-1])


@pytest.fixture
def proxy(installation: Installation, upstream: Upstream) -> Iterator[str]:
    with door(installation, "proxy", "--upstream", f"{upstream.url}/v1", port=free_port()) as url:
        yield url


@pytest.fixture
def peanuts(center: MemoryCenter) -> str:
    memory = center.memories.create(PEANUTS, content_type="constraint", taboo=True)
    return str(memory["id"])


def through(proxy: str, person: Person, conversation: str) -> OpenAI:
    headers = {
        "Memory-Authorization": f"Bearer {person.installation.token(person.user_id)}",
        "Memory-Conversation": conversation,
    }
    return OpenAI(base_url=f"{proxy}/openai/v1", api_key="none", default_headers=headers)


def test_openai_in_python_through_the_proxy(
    ada: Person, eve: Person, center: MemoryCenter, upstream: Upstream, proxy: str, peanuts: str
) -> None:
    asked: list[Any] = [{"role": "user", "content": "May I eat satay?"}]
    with through(proxy, ada, "lunch") as client, through(proxy, eve, "lunch") as hers:
        upstream.script = [chat("No."), streamed("Better not, Ada."), response("No."), chat("Yes."), chat("Yes.")]
        assert client.chat.completions.create(model="m", messages=asked).choices[0].message.content == "No."
        stream = client.chat.completions.create(model="m", messages=asked, stream=True)
        assert "".join(one.choices[0].delta.content or "" for one in stream).strip() == "Better not, Ada."
        assert client.responses.create(model="m", input="May I eat satay?").output_text == "No."
        assert [PEANUTS in json.dumps(one) for one in upstream.asked] == [True, True, True]

        hers.chat.completions.create(model="m", messages=asked)
        assert PEANUTS not in json.dumps(upstream.asked[-1]), "two people never meet"
        center.memories.delete(peanuts)
        client.chat.completions.create(model="m", messages=asked)
        assert PEANUTS not in json.dumps(upstream.asked[-1]), "in the next request"


def test_openai_in_node_through_the_proxy(
    ada: Person, center: MemoryCenter, upstream: Upstream, proxy: str, peanuts: str
) -> None:
    told = {"PROXY": proxy, "TOKEN": ada.installation.token(ada.user_id), "CONVERSATION": "lunch"}
    for has_memory in (True, False):
        upstream.script = [chat("No."), streamed("Better not."), response("No.")]
        assert script("openai.mjs", **told) == {"whole": "No.", "streamed": "Better not.", "response": "No."}
        assert [PEANUTS in json.dumps(one) for one in upstream.asked[-3:]] == [has_memory] * 3
        if has_memory:
            center.memories.delete(peanuts)


def test_the_ai_sdk_with_the_middleware(ada: Person, center: MemoryCenter, upstream: Upstream, peanuts: str) -> None:
    conversation = center.conversations.create()
    told = {
        "UPSTREAM": upstream.url,
        "URL": ada.installation.url,
        "TOKEN": ada.installation.token(ada.user_id),
        "CONVERSATION": conversation,
    }
    upstream.script = [chat("No."), streamed("Better not, Ada.")]
    assert script("ai-sdk.ts", **told) == {"whole": "No.", "streamed": "Better not, Ada.", "problems": []}
    for one in upstream.asked:
        system, user = one["messages"]
        assert system["content"].startswith("You are kind.\n\n")
        assert PEANUTS in system["content"]
        assert PEANUTS not in json.dumps(user)
    recorded = [(one["role"], one["content"].strip()) for one in center.messages.list(conversation)]
    assert recorded[::-1] == [
        ("user", "May I eat satay?"),
        ("assistant", "No."),
        ("user", "I moved to Lisbon last week. May I eat satay there?"),
        ("assistant", "Better not, Ada."),
    ]
    assert any("Lisbon" in one for one in ada.learned("Lisbon"))

    center.memories.delete(peanuts)
    upstream.script = [chat("Yes."), streamed("Yes.")]
    script("ai-sdk.ts", **told)
    assert not any(PEANUTS in json.dumps(one) for one in upstream.asked[2:])
    upstream.script = [chat("Yes."), streamed("Yes.")]
    away = script("ai-sdk.ts", **told, MEMORY_URL="http://127.0.0.1:9")
    assert (away["whole"], set(away["problems"])) == ("Yes.", {"ConnectionFailed"}), "it goes on without memory"


def test_mem0s_client_in_typescript(installation: Installation) -> None:
    with door(installation, "mem0", port=free_port()) as host:
        told = script(
            "mem0.mjs",
            HOST=host,
            KEY=installation.service_key,
            MEM0_TELEMETRY="false",
            WHO=f"ada-{uuid.uuid4().hex[:8]}",
        )
    assert told == {"all": ["I keep bees."], "metadata": {"topic": "hobby"}, "found": told["found"], "after": []}


def test_the_inspector_lists_and_calls_the_tools_of_the_mcp_server(ada: Person, center: MemoryCenter) -> None:
    center.memories.create("Ada keeps bees.")
    told = {
        "MEMORY_CENTER_URL": ada.installation.url,
        "MEMORY_CENTER_TOKEN": ada.installation.token(ada.user_id),
    }
    environment = {**os.environ, "PATH": f"{NODE.parent}:{os.environ['PATH']}"}

    def inspected(*arguments: str) -> Any:
        given = [part for name, value in told.items() for part in ("-e", f"{name}={value}")]
        command = ["node_modules/.bin/mcp-inspector", "--cli", *given, str(ROOT / ".venv/bin/memory-center"), "mcp"]
        ended = subprocess.run(
            [*command, *arguments],
            cwd=SCRIPTS,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)

    tools = inspected("--method", "tools/list")["tools"]
    assert {one["name"] for one in tools} >= {"recall", "remember", "forget", "list_memories"}
    listed = inspected("--method", "tools/call", "--tool-name", "list_memories")
    assert "Ada keeps bees." in json.dumps(listed)
