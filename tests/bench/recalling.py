"""How the time of recall grows with what there is of a person: prints `BENCH_RECALL {json}` and writes a page.

python -m tests.bench.recalling [--quick] [--explain]
"""

from __future__ import annotations

import argparse
import http
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from string import Template
from typing import Any, Final

import numpy as np
from pydantic import SecretStr
from pymilvus import MilvusClient

from services.recall.app import stores_of
from services.recall.context import context_for
from services.recall.context_schemas import RecallIn
from shared.consent.rules.policy import Terms
from shared.kernel.database import Database
from shared.kernel.sensitivity import POLICIES
from shared.language import terms
from shared.recall.assemble import ContextDefaults, Sources
from shared.runtime.settings import Settings
from tests.bench.corpus import Corpus, Person, Size, copy, corpus
from tests.bench.installation import REPOSITORY, Caller, Installation, Milvus, installation, servers
from tests.bench.measuring import percentile, say, significant, wait_until
from tests.bench.report import machine
from tests.bench.statements import timed

FEW, MANY = 1_000, 200_000
"""Items: half memories, half episodes of one conversation."""
QUESTIONS, WARM_UP, TRACED = 200, 30, 40
TARGET: Final = 1.5

WORDS: Final = 20_000
IN_AN_ITEM, IN_A_QUESTION = 12, 7
COMMON: Final = 10.0
"""A word's frequency is 1 / (its rank + this), as Zipf and Mandelbrot found: stop words are not indexed."""

PAGE: Final = REPOSITORY / "docs" / "benchmarks-recall.md"
WORDING: Final = Path(__file__).with_name("recalling.md")


class Vocabulary:
    """Words of seeded frequencies, and who uses them."""

    def __init__(self, seed: int) -> None:
        self.words = [f"w{rank}" for rank in range(WORDS)]
        assert terms.words(" ".join(self.words[:1000])) == self.words[:1000]
        weights = 1 / (np.arange(WORDS) + COMMON)
        self._shares = weights / weights.sum()
        self._random = np.random.default_rng(seed)

    def question(self) -> str:
        return " ".join(self.words[rank] for rank in self._random.choice(WORDS, IN_A_QUESTION, p=self._shares)) + "?"

    def items(self, count: int, digests: Sequence[int]) -> Iterator[list[int]]:
        """Yield what so many items are found by."""
        for ranks in self._random.choice(WORDS, (count, IN_AN_ITEM), p=self._shares):
            yield [digests[rank] for rank in dict.fromkeys(ranks.tolist())]


def load(product: Installation, people: Corpus, vocabulary: Vocabulary, items: int) -> Person:
    """Write a person whose only conversation has half of the items, and who has as many memories."""
    half = items // 2
    person = people.person(Size(turns=half, episodes=half, memories=half, in_conversation=2 * half))
    (conversation_id,) = person.conversation_ids
    within = terms.digests(vocabulary.words, person.namespace, within=conversation_id)
    anywhere = terms.digests(vocabulary.words, person.namespace)
    messages = zip(person.message_ids, vocabulary.items(len(person.message_ids), within), strict=True)
    made = zip(person.memory_ids, vocabulary.items(half, anywhere), strict=True)
    memories = ((id_, person.subject_id, found_by) for id_, found_by in made)
    numbered = ((id_, person.subject_id, number + 1, found_by) for number, (id_, found_by) in enumerate(messages))
    with product.sql.transaction():
        copy(product.sql, "message_terms", ("message_id", "subject_id", "seq", "terms"), numbered)
        copy(product.sql, "memory_terms", ("memory_id", "subject_id", "terms"), memories)
    return person


def settle(milvus: Milvus, people: Corpus) -> None:
    """Let Milvus index what was loaded, as it does by itself within minutes, and PostgreSQL know how much that is."""
    people.settle()
    client = MilvusClient(milvus.uri, token=milvus.token)
    for collection in ("episodes", "mem0_memories"):
        client.flush(collection)
        (index,) = (name for name in client.list_indexes(collection) if name.startswith("vector"))
        wait_until(
            lambda name=collection, on=index: client.describe_index(name, on)["pending_index_rows"] == 0,  # type: ignore[misc]
            seconds=600,
            what=f"the index of {collection}",
            poll=1,
        )
    time.sleep(10)  # until the query node has taken over what is indexed
    client.close()


class Asking:
    """One person's questions over a kept connection."""

    def __init__(self, caller: Caller, person: Person) -> None:
        self._caller, self._conversation_id = caller, str(person.conversation_ids[0])
        self.took: list[float] = []
        self.without_vectors = 0

    def ask(self, question: str, *, counts: bool) -> None:
        began = time.perf_counter()
        status, answer = self._caller.call(
            "POST", "/api/v1/recall", {"query": question, "conversation_id": self._conversation_id}
        )
        took = (time.perf_counter() - began) * 1000
        assert status == http.HTTPStatus.OK, (status, answer)
        assert any(item["layer"] == "retrieved" for item in answer["items"]), answer["diagnostics"]
        if counts:
            self.took.append(took)
            self.without_vectors += answer["mode"] != "semantic"


def measure(product: Installation, people: dict[int, Person], vocabulary: Vocabulary, *, quick: bool) -> dict[str, Any]:
    """Let everybody ask by turns, each question once."""
    with ExitStack() as stack:
        asking = {
            items: Asking(stack.enter_context(product.caller(person.user_id)), person)
            for items, person in people.items()
        }
        for number in range(WARM_UP + QUESTIONS // (5 if quick else 1)):
            for one in asking.values():
                one.ask(vocabulary.question(), counts=number >= WARM_UP)
    few, many = asking.values()
    ratio = percentile(many.took, 0.95) / percentile(few.took, 0.95)
    return {
        "recall_growth": significant(ratio, 3),
        "recall_ms": {
            str(items): {
                "p50": significant(percentile(one.took, 0.5)),
                "p95": significant(percentile(one.took, 0.95)),
                "without_vectors": one.without_vectors,
            }
            for items, one in asking.items()
        },
        "questions": len(few.took),
    }


def trace(
    product: Installation, people: dict[int, Person], vocabulary: Vocabulary, *, explain: bool
) -> dict[str, dict[str, float]]:
    """Ask in this process, under recall's role; return each statement's median by items."""
    settings = _settings(product)
    database = Database(product.database_url, role="memory_center_searches", application="bench recall", pool_size=8)
    sources = Sources(database=database, stores=stores_of(settings))
    window = settings.retention.windows.messages
    usual = ContextDefaults(
        budget=settings.context_tokens, window=window, confirmed_only=False, sensitivity=POLICIES["default"]
    )
    terms = Terms()
    found: dict[str, dict[str, float]] = {}
    for items, person in people.items():
        with timed(database) as traced:
            for number in range(2 * TRACED):
                if number == TRACED:  # connections are open and plans are kept now
                    traced.took.clear()
                asked = RecallIn(query=vocabulary.question(), conversation_id=person.conversation_ids[0])
                context_for(sources, person.user_id, asked, usual, terms=terms)
        for label, milliseconds in traced.medians().items():
            found.setdefault(label, {})[str(items)] = significant(milliseconds, 3)
        if explain:
            for label, plan in traced.explained(database).items():
                say(f"{items} items: {label}\n{plan}")
    database.close()
    return found


def _settings(product: Installation) -> Settings:
    unused = SecretStr("only-for-benchmarks-0123456789-0123456789")
    return Settings(
        database_url=SecretStr(product.database_url),
        broker_url=SecretStr("redis://unused"),
        milvus_uri=product.milvus.uri,
        milvus_token=SecretStr(product.milvus.token),
        milvus_flavour=product.milvus.flavour,
        data_dir=product.directory,
        signing_key=unused,
        service_key=SecretStr("mc_service_only-for-benchmarks-0123456789"),
        recall_patience_seconds=10,
    )


def write(results: dict[str, Any]) -> None:
    """Write the page anew."""
    few, many = results["recall_ms"].values()
    PAGE.write_text(
        Template(WORDING.read_text()).substitute(
            machine=machine(results["load_before"]),
            growth=f"{results['recall_growth']:g}",
            verdict="met" if results["recall_growth"] <= TARGET else "**not met**",
            few=f"{few['p50']:g} / {few['p95']:g}",
            many=f"{many['p50']:g} / {many['p95']:g}",
            questions=results["questions"],
            statements="\n".join(
                f"| {label} | {took.get(str(FEW), 0):g} | {took.get(str(MANY), 0):g} |"
                for label, took in results["statement_ms"].items()
            ),
        )
    )


@contextmanager
def _product(directory: Path) -> Iterator[tuple[Installation, Corpus]]:
    from tests.support.milvus_servers import milvus_standalone  # its wheel is imported on use

    with servers(directory) as on, milvus_standalone(directory) as server:
        milvus = Milvus(uri=server.uri, flavour="server", token=server.token)
        with installation(on, milvus, directory / "product") as product, corpus(product) as people:
            yield product, people


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench-recall", description="Measure how recall grows.")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything; writes no page")
    parser.add_argument("--explain", action="store_true", help="print the plan of every statement")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that everything started here ends
    results: dict[str, Any] = {"load_before": os.getloadavg()[0]}
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-bench-", ignore_cleanup_errors=True) as directory,
        _product(Path(directory)) as (product, corpus_),
    ):
        vocabulary = Vocabulary(seed=5)
        sizes = (FEW, MANY // (10 if chosen.quick else 1))
        say("loading")
        people = {items: load(product, corpus_, vocabulary, items) for items in sizes}
        settle(product.milvus, corpus_)
        say("measuring")
        results |= measure(product, people, vocabulary, quick=chosen.quick)
        results["statement_ms"] = trace(product, people, vocabulary, explain=chosen.explain)
    if not chosen.quick:
        write(results)
    print("BENCH_RECALL " + json.dumps(results), flush=True)
    return 0 if results["recall_growth"] <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
