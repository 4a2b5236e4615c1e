"""Judge what the assistant gets on conversations with known evidence: prints `EVAL_RECALL {json}` (`make eval-recall`).

The product runs as `make run` starts it and is told everything over HTTP. Each question is then asked three times by
turns: of `POST /api/v1/recall`; of nothing but the embedder and Milvus; and of stock mem0, which holds the same
messages with the same embedder on a Milvus Lite of its own. Every question is asked once of each, so that no cache
knows it.

    python -m tests.evaluation.recall FILE [--samples N]
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import psycopg

from deploy.embedded.servers import MilvusLite
from services.cli.demo.stack import Stack
from services.cli.demo.stores import Stores
from shared.language.embedding.bundled import bundled_embedder
from shared.recall.hints import MEMORIES, TURNS
from shared.runtime.authentication import mint_person_token
from shared.stores.mem0_collections import NearestMemories
from shared.stores.milvus import EpisodeStore
from tests.bench.beside_mem0 import Mem0, mem0
from tests.bench.installation import Caller, Milvus
from tests.bench.measuring import percentile, say, significant, wait_until
from tests.evaluation.locomo import Asked, Said, Sample, evidence_recall, mean, samples

DEPTHS: Final = (5, 10, 20)
BUDGET: Final = 100_000
"""Tokens: whatever is found fits."""
WARM_UP: Final = 20
"""Questions nobody scores, asked before."""
AT_ONCE: Final = 100
"""Messages the API takes in one request."""
SETTLED_SECONDS: Final = 1800.0

AT_LEAST: Final = {"recall@10": 0.78, "gain@10": 0.18}
AT_MOST: Final = {"p95_ratio": 1.3}


@dataclass(frozen=True, slots=True)
class Found:
    """What an answer held, best first, and how long it took in milliseconds.

    Args:
        by_meaning: whether the vectors came in time.
    """

    dia_ids: Sequence[str]
    milliseconds: float
    by_meaning: bool = True


@dataclass
class Talk:
    """A sample as the product knows it."""

    sample: Sample
    api: Caller
    conversation_id: str
    namespace: UUID | None = None
    dia_ids: dict[str, str] = field(default_factory=dict)
    """By message id."""

    @property
    def user_id(self) -> str:
        return user_id_of(self.sample)

    def tell(self) -> None:
        """Record every session as an assistant's backend would; nothing is left open."""
        for session in self.sample.sessions:
            for start in range(0, len(session), AT_ONCE):
                self._record(session[start : start + AT_ONCE])
            self.post(f"/api/v1/conversations/{self.conversation_id}/session-end", {})

    def _record(self, said: Sequence[Said]) -> None:
        messages = [
            {
                "role": one.role,
                "name": one.name,
                "content": one.text,
                "client_message_id": one.dia_id,
                "spoken_at": one.at.isoformat(),
            }
            for one in said
        ]
        answer = self.post("/api/v1/messages", {"conversation_id": self.conversation_id, "messages": messages})
        for recorded, one in zip(answer["messages"], said, strict=True):
            self.dia_ids[recorded["id"]] = one.dia_id

    def recall(self, question: str) -> Found:
        """Ask for the context of a question; an item stands for the messages it comes from."""
        body = {
            "query": question,
            "conversation_id": self.conversation_id,
            "layers": ["retrieved"],
            "token_budget": BUDGET,
        }
        began = time.perf_counter()
        answer = self.post("/api/v1/recall", body)
        took = (time.perf_counter() - began) * 1000
        ids = [id_ for item in answer["items"] for id_ in item["provenance"]["message_ids"]]
        by_meaning = answer["mode"] == "semantic"
        return Found([self.dia_ids[id_] for id_ in dict.fromkeys(ids)], took, by_meaning=by_meaning)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        status, answer = self.api.call("POST", path, body)
        if status >= HTTPStatus.BAD_REQUEST:
            raise RuntimeError(f"POST {path} was answered {status}: {answer}")
        return answer


def user_id_of(sample: Sample) -> str:
    return f"{sample.user}-{sample.id}".lower()


@dataclass(frozen=True, slots=True)
class Floor:
    """The least a search by meaning can cost, in milliseconds.

    Args:
        one_search: embedding the question, and searching the episodes.
        both_searches: embedding it, and searching episodes and memories side by side, as recall must.
    """

    one_search: float = math.nan
    both_searches: float = math.nan


@dataclass
class Vectors:
    """The embedder and Milvus with nothing around them."""

    episodes: EpisodeStore
    memories: NearestMemories
    threads: ThreadPoolExecutor

    def find(self, talk: Talk, question: str) -> Floor:
        """Measure what finding costs."""
        began = time.perf_counter()
        vector = bundled_embedder().query(question)
        embedding = time.perf_counter() - began
        alone = self._seconds(lambda: self._episodes(talk, vector))
        both = self._seconds(lambda: self._both(talk, vector))
        return Floor(one_search=(embedding + alone) * 1000, both_searches=(embedding + both) * 1000)

    def _both(self, talk: Talk, vector: Sequence[float]) -> None:
        assert talk.namespace is not None
        other = self.threads.submit(self.memories.nearest, talk.namespace, vector, limit=MEMORIES)
        self._episodes(talk, vector)
        other.result()

    def _episodes(self, talk: Talk, vector: Sequence[float]) -> None:
        assert talk.namespace is not None
        self.episodes.search(talk.namespace, vector, limit=TURNS, conversation_id=UUID(talk.conversation_id))

    @staticmethod
    def _seconds(work: Callable[[], None]) -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began


@dataclass
class Judged:
    """One question, and what was found for it."""

    asked: Asked
    ours: Found | None = None
    mem0: Found | None = None
    floor: Floor = Floor()


def judge(talks: Sequence[Talk], vectors: Vectors, peer: Mem0) -> Iterator[Judged]:
    """Ask every question of all three, who take turns at being first."""
    questions = [(talk, asked) for talk in talks for asked in talk.sample.questions]
    turns: list[Callable[[Talk, Judged], None]] = [_ask_us, partial(_ask_vectors, vectors), partial(_ask_mem0, peer)]
    for number, (talk, asked) in enumerate(questions):
        judged = Judged(asked)
        first = number % len(turns)
        for ask in turns[first:] + turns[:first]:
            ask(talk, judged)
        yield judged


def _ask_us(talk: Talk, judged: Judged) -> None:
    judged.ours = talk.recall(judged.asked.text)


def _ask_vectors(vectors: Vectors, talk: Talk, judged: Judged) -> None:
    judged.floor = vectors.find(talk, judged.asked.text)


def _ask_mem0(peer: Mem0, talk: Talk, judged: Judged) -> None:
    answer = peer.ask("find", talk.user_id, judged.asked.text)
    judged.mem0 = Found(answer["dia_ids"], answer["seconds"] * 1000)


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return what is printed."""
    ours = {f"recall@{k}": _recall(judged, lambda one: one.ours, k) for k in DEPTHS}
    theirs = {f"mem0_recall@{k}": _recall(judged, lambda one: one.mem0, k) for k in DEPTHS}
    times = [one.ours.milliseconds for one in judged if one.ours]
    theirs_times = [one.mem0.milliseconds for one in judged if one.mem0]
    floors = [one.floor.one_search for one in judged]
    floors_of_both = [one.floor.both_searches for one in judged]
    categories = sorted({one.asked.category for one in judged})
    return {
        **ours,
        "p50_ms": significant(percentile(times, 0.5)),
        "p95_ms": significant(percentile(times, 0.95)),
        **theirs,
        "gain@10": round(ours["recall@10"] - theirs["mem0_recall@10"], 4),
        "mem0_p50_ms": significant(percentile(theirs_times, 0.5)),
        "mem0_p95_ms": significant(percentile(theirs_times, 0.95)),
        "embed_plus_milvus_p50_ms": significant(percentile(floors, 0.5)),
        "embed_plus_milvus_p95_ms": significant(percentile(floors, 0.95)),
        "p95_ratio": significant(percentile(times, 0.95) / percentile(floors, 0.95), 3),
        "p95_ratio_both_searches": significant(percentile(times, 0.95) / percentile(floors_of_both, 0.95), 3),
        "by_category@10": {
            str(category): _recall([one for one in judged if one.asked.category == category], lambda one: one.ours, 10)
            for category in categories
        },
        "without_vectors": sum(not one.ours.by_meaning for one in judged if one.ours),
        "questions": len(judged),
    }


def _recall(judged: Sequence[Judged], found: Callable[[Judged], Found | None], k: int) -> float:
    return mean(evidence_recall(answer.dia_ids, one.asked.evidence, at=k) for one in judged if (answer := found(one)))


def missed(results: dict[str, Any]) -> list[str]:
    """Return which figures are not what they should be."""
    low = [key for key, limit in AT_LEAST.items() if results[key] < limit]
    high = [key for key, limit in AT_MOST.items() if results[key] > limit]
    return [*low, *high, *(["mem0_p95_ms"] if results["p95_ms"] >= results["mem0_p95_ms"] else [])]


def run(chosen: Sequence[Sample], directory: Path) -> list[Judged]:
    """Start everything, tell everybody everything, then ask."""
    with ExitStack() as stack:
        product = stack.enter_context(Stack(directory / "product"))
        other = stack.enter_context(MilvusLite(directory / "mem0-milvus"))
        peer = stack.enter_context(
            mem0(Milvus(uri=other.url(), flavour="lite"), directory, "tests.evaluation.mem0_search")
        )
        say("telling the product")
        talks = [stack.enter_context(_talk(product, sample)) for sample in chosen]
        for talk in talks:
            talk.tell()
        say("telling mem0")
        _tell_mem0(peer, talks)
        stores = stack.enter_context(closing(Stores(product)))
        wait_until(lambda: not stores.unfinished(), seconds=SETTLED_SECONDS, what="the end of learning", poll=0.5)
        for talk in talks:
            talk.namespace = UUID(_namespace(product, talk.user_id))
        bare = EpisodeStore(product.milvus_uri, flavour="lite", lock=lambda _: nullcontext())
        memories = NearestMemories(product.milvus_uri)
        vectors = Vectors(bare, memories, stack.enter_context(ThreadPoolExecutor(1)))
        say("asking")
        _warm_up(talks, vectors, peer)
        return list(judge(talks, vectors, peer))


@contextmanager
def _talk(product: Stack, sample: Sample) -> Iterator[Talk]:
    token = mint_person_token(product.secrets.signing_key, user_id_of(sample), minutes=600)
    with Caller(product.url, token) as api:
        status, opened = api.call("POST", "/api/v1/conversations", {"title": sample.id})
        assert status < HTTPStatus.BAD_REQUEST, opened
        yield Talk(sample, api, opened["id"])


def _namespace(product: Stack, user_id: str) -> str:
    with psycopg.connect(product.database_url) as connection:
        row = connection.execute("select namespace from subjects where user_id = %s", [user_id]).fetchone()
    assert row is not None
    return str(row[0])


def _tell_mem0(peer: Mem0, talks: Sequence[Talk]) -> None:
    for talk in talks:
        for session in talk.sample.sessions:
            for one in session:
                made = peer.ask("remember", talk.user_id, one.role, one.name, one.text, one.dia_id)
                assert made == 1, made
    peer.ask("settle")


def _warm_up(talks: Sequence[Talk], vectors: Vectors, peer: Mem0) -> None:
    for talk in talks:
        for question in islice(talk.sample.unscored, WARM_UP):
            talk.recall(question)
            vectors.find(talk, question)
            peer.ask("find", talk.user_id, question)


def main() -> int:
    """Judge, print, and return 0 if every target is met, 1 if not, 2 if there is nothing to judge by."""
    parser = argparse.ArgumentParser(prog="make eval-recall", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, help="a file in LoCoMo's format (make eval-recall DATA=…)")
    parser.add_argument("--samples", type=int, help="only the first so many; judged by no target")
    chosen = parser.parse_args()
    if chosen.data is None or not chosen.data.is_file():
        where = chosen.data or "no file was named"
        print(f"eval-recall: there is nothing to judge by ({where}): make eval-recall DATA=a file in LoCoMo's format")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that everything started here ends
    with tempfile.TemporaryDirectory(prefix="memory-center-recall-", ignore_cleanup_errors=True) as directory:
        judged = run(samples(chosen.data)[: chosen.samples], Path(directory))
    results = figures(judged)
    if chosen.samples is None:
        results["missed"] = missed(results)
    print("EVAL_RECALL " + json.dumps(results), flush=True)
    return 1 if results.get("missed") else 0


if __name__ == "__main__":
    sys.exit(main())
