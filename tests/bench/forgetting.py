"""How the time of a forget grows: with what goes, and with what stays."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from tests.bench.beside_mem0 import forget_user
from tests.bench.corpus import Corpus, Size
from tests.bench.installation import Caller, Installation
from tests.bench.measuring import median, say, significant, spread

SIZES = (500, 2_000, 10_000, 50_000)
SMALL, LARGE = 2_000, 50_000
FEW, MANY = 1_000, 500_000
WARM_UP = 5
PEOPLE, OTHERS = 10, 2_000
"""Others around, and how many episodes and memories each of them has."""
SAMPLES, AT_LEAST, PATIENCE_SECONDS = 150, 20, 180.0
MESSAGES = 25
"""Single messages forgotten of each person."""


def by_items(installation: Installation, corpus: Corpus, *, runs: int, quick: bool) -> dict[str, Any]:
    """Forget people with more and more items, half of them memories and half episodes; time per item."""
    share = 10 if quick else 1
    per_item: dict[int, list[float]] = {items: [] for items in SIZES}
    halves = {items: items // share // 2 for items in SIZES}
    # All of them first: every size is measured beside the same others.
    people = {
        items: corpus.people(runs, Size(turns=half, episodes=half, memories=half)) for items, half in halves.items()
    }
    corpus.settle()
    for run in range(runs):
        for items, half in halves.items():
            took = forget_user(installation, people[items][run].user_id)
            per_item[items].append(took * 1000 / (2 * half))
            say(f"forget {2 * half} items, run {run + 1}: {took:.2f} s")
    found = {items: median(samples) for items, samples in per_item.items()}
    return {
        "per_item_growth": significant(found[LARGE] / found[SMALL], 3),
        "per_item_ms": {str(items // share): significant(ms) for items, ms in found.items()},
    }


def by_neighbours(installation: Installation, corpus: Corpus, *, quick: bool) -> dict[str, Any]:
    """Forget single messages of a person with few others, and of one with many, by turns."""
    share = 50 if quick else 1
    few = corpus.person(Size(turns=FEW // 2, episodes=MESSAGES, memories=MESSAGES))
    many = corpus.person(Size(turns=MANY // share // 2, episodes=MESSAGES, memories=MESSAGES))
    corpus.settle()
    took: dict[int, list[float]] = {FEW: [], MANY: []}
    with installation.caller(few.user_id) as of_few, installation.caller(many.user_id) as of_many:
        for turn in range(MESSAGES):
            for count, caller, person in ((FEW, of_few, few), (MANY, of_many, many)):
                took[count].append(forget_message(installation, caller, person.message_ids[2 * turn]))
    found = {count: median(samples) for count, samples in took.items()}
    say(f"forget one message: {found[FEW]:.1f} ms among {FEW}, {found[MANY]:.1f} ms among {MANY // share}")
    return {
        "message_growth": significant(found[MANY] / found[FEW], 3),
        "message_growth_ms": {str(FEW): significant(found[FEW]), str(MANY // share): significant(found[MANY])},
    }


def one_message(installation: Installation, corpus: Corpus, *, quick: bool) -> dict[str, Any]:
    """Forget single messages, of which one episode and one memory were made, among everything other people have."""
    samples = 20 if quick else SAMPLES
    others = OTHERS // (10 if quick else 1)
    corpus.others(PEOPLE, Size(turns=others, episodes=others, memories=others))
    person = corpus.person(Size(turns=2 * samples, episodes=samples, memories=samples))
    corpus.settle()
    took: list[float] = []
    with installation.caller(person.user_id) as caller:
        for message in person.message_ids[-2 * WARM_UP :: 2]:
            forget_message(installation, caller, message)
        began = time.monotonic()
        for message in person.message_ids[: 2 * samples : 2]:
            if len(took) >= AT_LEAST and time.monotonic() - began > PATIENCE_SECONDS:
                break
            took.append(forget_message(installation, caller, message))
    found = {**spread(took), "samples": len(took), "others": PEOPLE * others}
    say(f"forget one message on Milvus {installation.milvus.flavour}: {found} ms")
    return found


def forget_message(installation: Installation, caller: Caller, message_id: UUID) -> float:
    """Forget a message; return the milliseconds from the request to `succeeded`."""
    began = time.monotonic()
    installation.finished(caller.forget("message", message_id=str(message_id)))
    return (time.monotonic() - began) * 1000
