"""How the time of learning from a turn grows with what is remembered of its person."""

from __future__ import annotations

import http
import time
from datetime import datetime
from typing import Any
from uuid import UUID

from tests.bench.corpus import Corpus, Size
from tests.bench.installation import Caller, Installation
from tests.bench.measuring import median, say, significant, wait_until

FEW, MANY = 1_000, 50_000
TURNS, WARM_UP = 25, 3
FOODS = """
peanuts walnuts cashews almonds hazelnuts pistachios shrimp crab lobster oysters squid salmon tuna cod milk cheese
butter eggs soy sesame mustard celery wheat rye barley strawberries kiwis mangoes
""".split()
"""One for each turn: what is said of each is surely worth remembering, and says nothing of another."""


def by_memories(installation: Installation, corpus: Corpus, *, quick: bool) -> dict[str, Any]:
    """Say one thing after the other as a person with few memories, and as one with many, by turns.

    Timed from the request that records the turn until its memory is visible, search vector and all.
    """
    share = 50 if quick else 1
    sizes = {FEW: FEW, MANY: MANY // share}
    people = {key: corpus.person(Size(turns=size, memories=size)) for key, size in sizes.items()}
    corpus.settle()
    took: dict[int, list[float]] = {FEW: [], MANY: []}
    callers = {key: installation.caller(person.user_id) for key, person in people.items()}
    conversations = {key: _conversation(caller) for key, caller in callers.items()}
    for turn in range(WARM_UP + TURNS):
        for key, caller in callers.items():
            seconds = _learn(installation, caller, conversations[key], people[key].user_id, turn)
            if turn >= WARM_UP:
                took[key].append(seconds * 1000)
    for caller in callers.values():
        caller.close()
    found = {key: median(samples) for key, samples in took.items()}
    say(f"learn from a turn: {found[FEW]:.1f} ms beside {FEW} memories, {found[MANY]:.1f} ms beside {sizes[MANY]}")
    return {
        "turn_growth": significant(found[MANY] / found[FEW], 3),
        "turn_ms": {str(sizes[key]): significant(ms) for key, ms in found.items()},
    }


def _conversation(caller: Caller) -> str:
    status, made = caller.call("POST", "/api/v1/conversations", {})
    assert status == http.HTTPStatus.CREATED, (status, made)
    return str(made["id"])


def _learn(installation: Installation, caller: Caller, conversation: str, user_id: str, turn: int) -> float:
    said = f"I'm allergic to {FOODS[turn]}."
    messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "Noted."}]
    row = installation.sql.execute(
        "select id, clock_timestamp() from subjects where user_id = %s", [user_id]
    ).fetchone()
    assert row is not None
    began = time.monotonic()
    status, answer = caller.call("POST", "/api/v1/messages", {"conversation_id": conversation, "messages": messages})
    assert status == http.HTTPStatus.CREATED, (status, answer)
    wait_until(lambda: _learned_since(installation, *row), seconds=60, what="what was learned", poll=0.002)
    return time.monotonic() - began


def _learned_since(installation: Installation, subject_id: UUID, at: datetime) -> bool:
    query = "select exists (select from memories where subject_id = %s and created_at > %s)"
    row = installation.sql.execute(query, [subject_id, at]).fetchone()
    assert row is not None
    return bool(row[0])
