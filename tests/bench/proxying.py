"""`make bench-proxy`: what memory costs a request, beside the same request sent directly, in one run.

A scripted provider answers at once, in a process of its own, and counts as providers do how much of a prompt it has
seen at its beginning before. Requests of all kinds are interleaved by as many workers as there are requests at once:

- `direct` to the provider, and through the proxy with `Memory-Mode: off`: the hop;
- streamed with memory (`Memory-Mode: read`), until the first token; and `recall` alone, for comparison;
- while memory is away: its port closed, or open and silent;
- how much of a conversation's prompts the provider had seen before, and how much longer they are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Final, TypeAlias

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.e2e.conftest import Stack, running_installation, wait_for
from tests.e2e.shell import COMMAND
from tests.support.milvus_servers import free_port

AT_ONCE: Final = (1, 8, 32)
REQUESTS: Final = 40
"""Of each kind, by each worker: a 95th percentile of few would be chance."""
MEMORIES: Final = 50
INDEXED_SECONDS: Final = 900
TURNS: Final = 20
PATIENCE_SECONDS: Final = 0.5
QUESTION: Final = "What should I cook for dinner tonight?"
SYSTEM: Final = "You are a kind assistant. Answer briefly. " * 50

Ask: TypeAlias = Callable[[], Awaitable[None]]


def provider() -> Starlette:
    """Return an OpenAI-compatible API that answers at once."""
    seen: dict[str, str] = {}

    async def complete(request: Request) -> Response:
        body = await request.json()
        prompt = "".join(f"{one['role']}\n{one['content']}\n" for one in body["messages"])
        before = seen.get(body.get("user", ""), "")
        seen[body.get("user", "")] = prompt
        cached = next((at for at, pair in enumerate(zip(prompt, before, strict=False)) if pair[0] != pair[1]), None)
        cached = min(len(prompt), len(before)) if cached is None else cached
        usage = {"prompt_tokens": len(prompt), "prompt_tokens_details": {"cached_tokens": cached}}
        if not body.get("stream"):
            message = {"role": "assistant", "content": "Soup."}
            return JSONResponse({"choices": [{"index": 0, "message": message}], "usage": usage})

        async def events() -> AsyncIterator[str]:
            for _ in range(5):
                yield 'data: {"choices":[{"index":0,"delta":{"content":"Soup. "}}]}\n\n'
            yield "data: [DONE]\n\n"

        return StreamingResponse(events(), media_type="text/event-stream")

    return Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])


@contextmanager
def served(*command: str, port: int, **environment: str) -> Iterator[str]:
    """Run a server until it is not needed any more; return its address."""
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:
        try:
            wait_for(partial(_listens, port), seconds=30, what="a server's start")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def _listens(port: int) -> bool:
    with socket.socket() as looked:
        return looked.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def proxy(upstream: str, gateway: str) -> Iterator[str]:
    """Run the proxy before a gateway."""
    port = free_port()
    told = ("proxy", "--http", str(port), "--upstream", f"{upstream}/v1", "--url", gateway)
    with served(str(COMMAND), *told, "--patience", str(PATIENCE_SECONDS), port=port) as url:
        yield f"{url}/openai"


@contextmanager
def silent() -> Iterator[str]:
    """Listen, and never answer."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(512)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


class Person:
    """Somebody with memories, and their requests."""

    def __init__(self, api: httpx.AsyncClient, stack: Stack, name: str, token: str) -> None:
        self._api, self._stack, self._name = api, stack, name
        self._memory = {"Memory-Authorization": f"Bearer {token}", "Authorization": "Bearer none"}
        self._own = {"Authorization": f"Bearer {token}"}
        self.given: Counter[str] = Counter()

    async def complete(self, base: str, mode: str) -> None:
        answer = await self._api.post(f"{base}/v1/chat/completions", json=self._body(), headers=self._headers(mode))
        assert answer.status_code == 200, answer.text

    async def first_token(self, base: str, mode: str) -> None:
        body = {**self._body(), "stream": True}
        url = f"{base}/v1/chat/completions"
        async with self._api.stream("POST", url, json=body, headers=self._headers(mode)) as answer:
            assert answer.status_code == 200, (answer.status_code, await answer.aread())
            if mode == "read":
                self.given[answer.headers["memory-status"]] += 1
            async for _ in answer.aiter_raw():
                return

    async def recall(self) -> None:
        body = {"query": QUESTION, "layers": ["stable", "retrieved"]}
        answer = await self._api.post(f"{self._stack.url}/api/v1/recall", json=body, headers=self._own)
        assert answer.status_code == 200, answer.text

    async def is_indexed(self) -> bool:
        answer = await self._api.get(
            f"{self._stack.url}/api/v1/memory/long_term", params={"limit": 200}, headers=self._own
        )
        return all(one["found_by"] == "meaning" for one in answer.json())

    async def cached(self, base: str) -> list[tuple[int, int]]:
        """Return of each turn of a conversation how much was sent, and had been seen before."""
        found = []
        messages: list[dict[str, str]] = [{"role": "system", "content": SYSTEM}]
        for turn in range(TURNS):
            messages.append({"role": "user", "content": f"{QUESTION} It is day {turn}, and I feel like something new."})
            body = {"model": "m", "user": f"{self._name} {base}", "messages": messages}
            answer = await self._api.post(f"{base}/v1/chat/completions", json=body, headers=self._headers("read"))
            usage = answer.json()["usage"]
            found.append((usage["prompt_tokens"], usage["prompt_tokens_details"]["cached_tokens"]))
            messages.append({"role": "assistant", "content": "How about soup, with bread and a salad? " * 5})
        return found[1:]

    def _body(self) -> dict[str, Any]:
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
        return {"model": "m", "messages": messages}

    def _headers(self, mode: str) -> dict[str, str]:
        return {**self._memory, "Memory-Mode": mode}


async def people(api: httpx.AsyncClient, stack: Stack, count: int) -> list[Person]:
    """Return people with memories that can be found."""
    key = {"Authorization": f"Bearer {stack.secrets['service_key']}"}
    found = []
    for number in range(count):
        name = f"person-{number}"
        body = {"user_id": name, "minutes": 60}
        for at in range(MEMORIES):
            memory = {"user_id": name, "content": f"{_FOODS[at % len(_FOODS)]} tastes best on day {at}."}
            answer = await api.post(f"{stack.url}/api/v1/memory/long_term", json=memory, headers=key)
            assert answer.status_code == 201, answer.text
        token = (await api.post(f"{stack.url}/api/v1/tokens", json=body, headers=key)).json()["token"]
        found.append(Person(api, stack, name, token))
    return found


_FOODS: Final = ("Soup", "Risotto", "Dhal", "Ratatouille", "Sushi", "Pierogi", "Tagine")


async def settled(everybody: Iterable[Person]) -> None:
    """Wait until everything written is indexed, so that nothing else uses the processor."""
    deadline = time.monotonic() + INDEXED_SECONDS
    for person in everybody:
        while not await person.is_indexed():
            assert time.monotonic() < deadline, "indexing took too long"
            await asyncio.sleep(0.5)
    await asyncio.sleep(10)


async def interleaved(kinds: Mapping[str, Callable[[Person], Ask]], who: list[Person], rounds: int) -> dict[str, float]:
    """Return the 95th percentile of each kind of request in milliseconds; each worker is one person."""
    took: defaultdict[str, list[float]] = defaultdict(list)

    async def work(person: Person, seed: int) -> None:
        order = random.Random(seed)
        for _ in range(rounds):
            for name in order.sample(list(kinds), len(kinds)):
                began = time.perf_counter()
                await kinds[name](person)()
                took[name].append((time.perf_counter() - began) * 1000)

    await asyncio.gather(*(work(person, seed) for seed, person in enumerate(who)))
    return {name: statistics.quantiles(sorted(times), n=20)[-1] for name, times in took.items()}


async def measured(stack: Stack, upstream: str, through: str, closed: str, hanging: str, rounds: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=3)
    async with httpx.AsyncClient(timeout=60, limits=limits) as api:
        everybody = await people(api, stack, max(AT_ONCE))
        await settled(everybody)
        hop: dict[str, Callable[[Person], Ask]] = {
            "direct": lambda person: lambda: person.complete(upstream, "off"),
            "off": lambda person: lambda: person.complete(through, "off"),
        }
        memory: dict[str, Callable[[Person], Ask]] = {
            "memory_first": lambda person: lambda: person.first_token(through, "read"),
            "recall": lambda person: person.recall,
        }
        await interleaved({**hop, **memory}, everybody[:2], 5)  # warm
        for count in AT_ONCE:
            for person in everybody:
                person.given.clear()
            # Apart: beside recalls, which take a core each, even a direct request waits for a processor.
            p95 = await interleaved(hop, everybody[:count], rounds) | await interleaved(
                memory, everybody[:count], rounds
            )
            found[f"at_once_{count}"] = {
                "hop_ms": round(p95["off"] - p95["direct"], 1),
                "first_token_over_recall_ms": round(p95["memory_first"] - p95["recall"], 1),
                "memory": dict(sum((one.given for one in everybody), Counter())),  # unavailable: out of patience
                "p95_ms": {name: round(one, 1) for name, one in p95.items()},
            }
        away = await interleaved(
            {
                "direct": hop["direct"],
                "closed": lambda person: lambda: person.complete(closed, "read"),
                "hanging": lambda person: lambda: person.complete(hanging, "read"),
            },
            everybody[:1],
            rounds // 2,
        )
        found["memory_away_ms"] = round(away["closed"] - away["direct"], 1)
        found["memory_silent_ms"] = round(away["hanging"] - away["direct"], 1)
        direct, given = await everybody[0].cached(upstream), await everybody[0].cached(through)
        found["cached_prefix_ratio"] = round(sum(one for _, one in given) / sum(one for _, one in direct), 3)
        found["prompt_ratio"] = round(sum(sent for sent, _ in given) / sum(sent for sent, _ in direct), 3)
    return found


def importing() -> float:
    """Return how long importing the client takes, in seconds."""
    command = [sys.executable, "-c", "import memory_center_client"]
    took = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run(command, check=True)
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def first_tools(stack: Stack) -> float:
    """Return how long it takes from starting the MCP server to its list of tools, in seconds."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    environment = {**os.environ, "MEMORY_CENTER_DATA_DIR": str(stack.data_dir), "MEMORY_CENTER_USER": "person-0"}

    async def ask() -> float:
        began = time.perf_counter()
        async with Client(StdioServerParameters(command=str(COMMAND), args=["mcp"], env=environment)) as client:
            await client.list_tools()
            return time.perf_counter() - began

    return statistics.median(asyncio.run(ask()) for _ in range(5))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=REQUESTS)
    options.add_argument("--provide", type=int, help=argparse.SUPPRESS)
    told = options.parse_args()
    if told.provide:
        import uvicorn

        uvicorn.run(provider(), port=told.provide, log_level="error")
        return 0
    port = free_port()
    with ExitStack() as stack:
        installation = stack.enter_context(running_installation())
        command = (sys.executable, "-m", "tests.bench.proxying", "--provide", str(port))
        upstream = stack.enter_context(served(*command, port=port))
        through = stack.enter_context(proxy(upstream, installation.url))
        closed = stack.enter_context(proxy(upstream, f"http://127.0.0.1:{free_port()}"))
        hanging = stack.enter_context(proxy(upstream, stack.enter_context(silent())))
        found = asyncio.run(measured(installation, upstream, through, closed, hanging, told.rounds))
        found["first_tools_s"] = round(first_tools(installation), 2)
        found["import_s"] = round(importing(), 3)
    print(f"BENCH_PROXY {json.dumps(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
