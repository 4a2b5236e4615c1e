"""While one person's turns wait by the hundred, and one attacks, others are served: learning takes turns, erasing waits
for nobody. Run as `python -m tests.e2e.test_waiting [turns]` it prints how long each took."""

from __future__ import annotations

import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from uuid import uuid4

import httpx
import psutil
import psycopg

from tests.e2e.conftest import Stack, running_installation, wait_for

TURNS = 240
PATIENCE_SECONDS = 60.0
BATCH = 20
ABANDONED = 45
LONG = 6_000
"""Characters of a long message."""
ATTACK_SECONDS = 4.0
KILLER = "\ufdfa" * 20
"""Overflowed a buffer of the model's tokenizer."""


class Somebody:
    def __init__(self, api: httpx.Client) -> None:
        self.api, self.id = api, f"person-{uuid4().hex[:8]}"
        self.conversation = api.post("/api/v1/conversations", json={"user_id": self.id}).json()["id"]

    def says(self, *texts: str) -> str:
        """Record turns; return the id of the first message."""
        messages = [
            message
            for text in texts
            for message in ({"role": "user", "content": text}, {"role": "assistant", "content": "…"})
        ]
        body = {"user_id": self.id, "conversation_id": self.conversation, "messages": messages}
        answer = self.api.post("/api/v1/messages", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["messages"][0]["id"])

    def memories(self) -> list[str]:
        found = self.api.get("/api/v1/memory/long_term", params={"user_id": self.id, "limit": 200}).json()
        return [one["content"] for one in found]

    def knows(self, thing: str) -> bool:
        return any(thing in text for text in self.memories())

    def forgets(self, message: str) -> str:
        body = {"user_id": self.id, "scope": "message", "message_id": message, "cascade": True}
        answer = self.api.post("/api/v1/memory/forget", json=body)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["op_id"])

    def is_forgotten(self, operation: str) -> bool:
        answer = self.api.get(f"/api/v1/memory/ops/{operation}", params={"user_id": self.id}).json()
        return bool(answer["status"] == "succeeded")


@contextmanager
def attacking(api: httpx.Client) -> Iterator[None]:
    """Say and search, every few seconds, what killed processes once."""
    over = threading.Event()
    attacker = Somebody(api)

    def attack() -> None:
        while True:
            attacker.says(f"Please remember: {KILLER}")
            api.post("/api/v1/memory/search", json={"user_id": attacker.id, "query": KILLER})
            if over.wait(ATTACK_SECONDS):
                return

    thread = threading.Thread(target=attack)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def play(stack: Stack, turns: int, *, rounds: int) -> dict[str, object]:
    """Let one person's turns wait; return how long another's took to be learned and forgotten, in seconds."""
    learned, forgotten, left = [], [], []
    with stack.client() as api:
        many, one = Somebody(api), Somebody(api)
        one.says("I live in Lyon.")
        wait_for(one.memories, seconds=PATIENCE_SECONDS, what="learning with nobody else there")
        with attacking(api):
            for start in range(0, turns, BATCH):
                many.says(*(f"My colleague number {n} likes tea number {n}." for n in range(start, start + BATCH)))
            for thing in THINGS[:rounds]:
                begun = time.monotonic()
                message = one.says(f"I love {thing}.")
                wait_for(partial(one.knows, thing), seconds=PATIENCE_SECONDS, what="learning beside many")
                learned.append(time.monotonic() - begun)
                begun = time.monotonic()
                operation = one.forgets(message)
                wait_for(partial(one.is_forgotten, operation), seconds=PATIENCE_SECONDS, what="the verified forget")
                forgotten.append(time.monotonic() - begun)
                left.append(waiting(stack))
    return {"turns": turns, "learned_s": learned, "forgotten_s": forgotten, "rows_left": left}


def waiting(stack: Stack) -> int:
    """Return how many rows wait for a worker."""
    password, port = stack.secrets["postgres_password"], stack.run["ports"]["postgres"]
    with psycopg.connect(f"postgresql://memory_center:{password}@127.0.0.1:{port}/memory_center") as connection:
        row = connection.execute("select count(*) from outbox where state = 'ready'").fetchone()
    assert row is not None
    return int(row[0])


THINGS = ("pottery", "sailing", "chess", "origami", "jazz", "opera", "figs", "cycling", "kites", "mosaics")


def test_who_says_little_waits_for_nobody_and_no_process_dies_of_an_attack(stack: Stack) -> None:
    before = {name: stack.pid(name) for name in ("gateway", "worker", "eraser", "scheduler", "embedder")}
    children = {child.pid for child in psutil.Process(before["embedder"]).children()}
    seen = play(stack, TURNS, rounds=1)
    assert seen["rows_left"][0] > 0, "everything was done already: nothing was waited for"  # type: ignore[index]
    assert {name: stack.pid(name) for name in before} == before
    assert {child.pid for child in psutil.Process(before["embedder"]).children()} == children


def test_long_and_strange_messages_of_one_do_not_keep_another_from_being_learned(stack: Stack) -> None:
    pieces = ('"', "\\", ".", "@", "a", "1", "http://", "a@a.", "I live in Paris, and ", "我住在上海，", "😀", "Yes. ")
    with stack.client() as api:
        attacker, one = Somebody(api), Somebody(api)
        for piece in pieces:
            attacker.says((piece * LONG)[:LONG])
        one.says("I love pottery.")
        wait_for(lambda: one.knows("pottery"), seconds=2 * PATIENCE_SECONDS, what="learning beside long messages")

        def is_read() -> bool:
            return bool(api.get("/api/v1/memory/learning", params={"user_id": attacker.id}).json()["messages"] == 0)

        wait_for(is_read, seconds=2 * PATIENCE_SECONDS, what="the long messages")


def test_descriptions_whose_client_left_cost_nobody_anything(stack: Stack) -> None:
    """Many ask at once for something long to be found, and hang up; what reads for them ends with them."""
    long = " ".join(f"My sister Anna has {n} dogs and said it was fine," for n in range(180))
    described = ("everything about " + ", ".join(f"Anna {n} dogs" for n in range(100)))[:1_000]
    with stack.client() as api:
        people = [Somebody(api) for _ in range(ABANDONED)]
        for somebody in people:  # nothing of it is learned: it is the reading for them that is looked at
            switches = {"user_id": somebody.id, "longterm_enabled": False, "episodic_enabled": False}
            assert api.patch("/api/v1/memory/settings", json=switches).status_code == 200
            somebody.says(long)
        gateway = stack.pid("gateway")
        sent = threading.Barrier(ABANDONED + 1)

        hung_up = []

        def hang_up(person: str) -> None:
            sent.wait()
            body = {"user_id": person, "description": described}
            try:
                api.post("/api/v1/memory/forget/find", json=body, timeout=httpx.Timeout(60, read=0.05))
            except httpx.ReadTimeout:
                hung_up.append(person)

        threads = [threading.Thread(target=hang_up, args=(somebody.id,)) for somebody in people]
        for thread in threads:
            thread.start()
        sent.wait()
        for thread in threads:
            thread.join()
        assert len(hung_up) > ABANDONED // 2, "most were answered before they could hang up"
        one = Somebody(api)
        message = one.says("I live in Lyon.")
        found = api.post("/api/v1/memory/forget/find", json={"user_id": one.id, "description": "Lyon"})
        assert found.status_code == 200, found.text
        wait_for(lambda: one.knows("Lyon"), seconds=PATIENCE_SECONDS, what="learning after them")
        wait_for(partial(one.is_forgotten, one.forgets(message)), seconds=PATIENCE_SECONDS, what="the forget")
        wait_for(lambda: not readers(gateway), seconds=PATIENCE_SECONDS, what="the end of what read for nobody")
    assert stack.pid("gateway") == gateway


def readers(gateway: int) -> list[int]:
    """Return the processes that read descriptions: the children of the gateway's fork server."""
    children = [child for child in psutil.Process(gateway).children() if "forkserver" in " ".join(child.cmdline())]
    return [one.pid for child in children for one in child.children() if one.status() != psutil.STATUS_ZOMBIE]


def main() -> int:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    with running_installation() as stack:
        seen = play(stack, turns, rounds=len(THINGS))
    for name in ("learned_s", "forgotten_s"):
        times = sorted(seen[name])  # type: ignore[call-overload]
        seen[name] = {"median": round(statistics.median(times), 2), "max": round(times[-1], 2)}
    sys.stdout.write(f"BENCH_WAITING {json.dumps(seen)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
