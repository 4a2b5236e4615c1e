"""Accepting a forget beside a bare committed insert, over the same HTTP stack, by turns."""

from __future__ import annotations

import http.client
import time
from typing import Any
from uuid import UUID

from tests.bench.corpus import Corpus, Size
from tests.bench.gateway import CREATE_TABLE
from tests.bench.installation import Caller, Installation
from tests.bench.measuring import percentile, say, significant, spread

SAMPLES = 300
WARM_UP = 20


def measure(installation: Installation, corpus: Corpus, *, quick: bool) -> dict[str, Any]:
    """Forget one message and insert one row, by turns, each when nothing else is going on."""
    samples = 40 if quick else SAMPLES
    installation.sql.execute(CREATE_TABLE.encode())
    person = corpus.person(Size(turns=2 * (samples + WARM_UP), memories=samples + WARM_UP))
    corpus.settle()
    accepts: list[float] = []
    inserts: list[float] = []
    with installation.caller(person.user_id) as caller:
        for number, message_id in enumerate(person.message_ids[::2][: samples + WARM_UP]):
            by_turns = [_forget, _insert] if number % 2 else [_insert, _forget]
            for ask in by_turns:
                began = time.perf_counter()
                op_id = ask(caller, message_id)
                took = (time.perf_counter() - began) * 1000
                if ask is _forget:
                    installation.finished(op_id)
                if number >= WARM_UP:
                    (accepts if ask is _forget else inserts).append(took)
    ratio = percentile(accepts, 0.5) / percentile(inserts, 0.5)
    say(f"accept p50 {percentile(accepts, 0.5):.2f} ms, insert p50 {percentile(inserts, 0.5):.2f} ms: {ratio:.2f}")
    return {
        "accept_vs_insert_p50": significant(ratio, 3),
        "accept_ms": spread(accepts),
        "insert_ms": spread(inserts),
        "accept_samples": len(accepts),
    }


def _forget(caller: Caller, message_id: UUID) -> str:
    return caller.forget("message", message_id=str(message_id))


def _insert(caller: Caller, message_id: UUID) -> str:
    status, answer = caller.call("POST", "/bench/insert", {"scope": "message", "message_id": str(message_id)})
    assert status == http.client.ACCEPTED, (status, answer)
    return str(answer["op_id"])
