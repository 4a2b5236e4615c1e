"""Recall answers in time from PostgreSQL whatever is wrong with vectors, and says what that is (CN-08)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from shared.language.embedding.socket import SocketEmbedder
from shared.runtime.settings import Settings
from shared.stores.breaker import FAILURES_TO_OPEN, PROBE_SECONDS
from tests.support.backing import Backing
from tests.support.milvus_servers import LiteServer, milvus_lite, wait_until
from tests.support.smaller_vectors import fill_with_smaller_vectors
from tests.support.workbench import Person, Workbench, test_settings, workbench

RECALL, PREVIEW, SEARCH = "/api/v1/recall", "/api/v1/memory/injection/preview", "/api/v1/memory/search"
QUESTIONS = {RECALL: "query", PREVIEW: "query_text", SEARCH: "query"}
ASKED = "Who is my dentist?"
PATIENCE = Settings.model_fields["recall_patience_seconds"].default
BUSY = 1.0


@pytest.fixture(scope="module")
def lite() -> Iterator[LiteServer]:
    with milvus_lite() as server:
        yield server


@pytest.fixture
def bench(backing: Backing, database_url: str, lite: LiteServer, tmp_path: Path) -> Iterator[Workbench]:
    with workbench(_settings(backing, database_url, lite, tmp_path)) as opened:
        yield opened


def _settings(backing: Backing, database_url: str, lite: LiteServer, data_dir: Path) -> Settings:
    return test_settings(
        backing,
        database_url,
        milvus_uri=lite.uri,
        milvus_flavour="lite",
        recall_patience_seconds=PATIENCE,
        data_dir=data_dir,
    )


class Somebody:
    """A person whose dentist was told long ago, of whom much was said since; and how fast they are answered."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.conversation = person.conversation()
        person.say(self.conversation, ("My dentist is Dr. Okafor.", "I'll remember Dr. Okafor, the dentist."))
        person.say(self.conversation, *[(f"What is {number} plus two?", "A sum.") for number in range(11)])
        person.post("/api/v1/memory/long_term", {"content": "My dentist is Dr. Okafor.", "content_type": "fact"})
        for kind in ("green", "black", "mint", "oolong"):
            person.post("/api/v1/memory/long_term", {"content": f"I love {kind} tea.", "content_type": "fact"})
        person.bench.work()

    def ask(self, path: str = RECALL, question: str = ASKED) -> tuple[dict[str, Any], float]:
        """Ask one of recall's questions; return the answer and how many seconds it took."""
        body = {QUESTIONS[path]: question, "conversation_id": self.conversation, "limit": 3}
        if path == PREVIEW:
            del body["limit"]
        begun = time.perf_counter()
        answer = self.person.post(path, body, status=200)
        return answer, time.perf_counter() - begun

    def warmed(self) -> float:
        """Ask until nothing is done for the first time; return the longest of ten healthy answers, in seconds."""
        wait_until(lambda: self.ask()[0]["mode"] == "semantic", seconds=10, what="a first answer by meaning")
        for path in QUESTIONS:
            self.ask(path)
        return max(self.ask(question=f"{ASKED} {number}")[1] for number in range(10))


@pytest.fixture
def ada(bench: Workbench) -> Somebody:
    return Somebody(bench.person())


def given(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["kind"], one["content"]) for one in answer["items"]]


def assert_it_knows_the_dentist(answer: dict[str, Any], *reasons: str) -> None:
    assert answer["mode"] == "deterministic"
    assert [reason for reason in answer["diagnostics"]["reasons"] if reason != "no_conversation"] == list(reasons)
    kinds = {kind for kind, content in given(answer) if "Okafor" in content}
    assert "episode" in kinds, "found by its words, under newer ones"


def in_time(healthy: float) -> float:
    """Return the most seconds an answer without its vectors may take: all the patience there is, and twice what a
    healthy answer takes; and BUSY, since the machine has other tests to run. A store that was waited for takes longer.
    """
    return float(PATIENCE) + 2 * healthy + BUSY


def test_a_refusing_milvus_costs_nothing(ada: Somebody, lite: LiteServer) -> None:
    healthy = ada.warmed()
    lite.kill()
    try:
        for path in QUESTIONS:
            for _ in range(FAILURES_TO_OPEN):
                answer, seconds = ada.ask(path)
                assert_it_knows_the_dentist(answer, "milvus_unavailable")
                assert seconds < in_time(healthy)
    finally:
        lite.start()
    wait_until(lambda: ada.ask()[0]["mode"] == "semantic", seconds=10, what="recall by meaning again")


def test_a_hanging_milvus_is_waited_for_by_three_and_then_by_one_a_second(ada: Somebody, lite: LiteServer) -> None:
    healthy = ada.warmed()
    lite.freeze()
    try:
        for number in range(FAILURES_TO_OPEN):
            answer, seconds = ada.ask(tuple(QUESTIONS)[number])
            assert_it_knows_the_dentist(answer, "milvus_unavailable")
            assert PATIENCE <= seconds < in_time(healthy)
        for path in QUESTIONS:
            answers = [ada.ask(path) for _ in range(5)]
            assert median(seconds for _, seconds in answers) < PATIENCE
            for answer, seconds in answers:
                assert_it_knows_the_dentist(answer, "milvus_unavailable")
                assert seconds < in_time(healthy)
        time.sleep(PROBE_SECONDS)
        probed = [ada.ask()[1] for _ in range(3)]
        assert probed[0] >= PATIENCE > median(probed)
    finally:
        lite.thaw()
    wait_until(lambda: ada.ask()[0]["mode"] == "semantic", seconds=10, what="recall by meaning again")


def test_many_who_ask_a_hanging_milvus_leave_threads_for_those_who_come_after(ada: Somebody, lite: LiteServer) -> None:
    healthy = ada.warmed()
    lite.freeze()
    try:
        with ThreadPoolExecutor(24) as asking:
            answers = list(asking.map(lambda number: ada.ask(question=f"{ASKED} {number}")[0], range(24)))
        after = [ada.ask() for _ in range(5)]
    finally:
        lite.thaw()
    for answer in [*answers, *(answer for answer, _ in after)]:
        assert_it_knows_the_dentist(answer, "milvus_unavailable")
    assert max(seconds for _, seconds in after) < in_time(healthy)


def test_a_question_nobody_asked_waits_for_no_store(ada: Somebody, lite: LiteServer) -> None:
    healthy = ada.warmed()
    lite.freeze()
    try:
        for path in QUESTIONS:
            for question in ("", " \n\t"):
                answer, seconds = ada.ask(path, question)
                assert seconds < in_time(healthy)
                assert answer["diagnostics"]["reasons"] == ["empty_query"]
                assert answer["mode"] == "deterministic"
                memories = [content for kind, content in given(answer) if kind == "memory"]
                assert memories[:3] == [f"I love {kind} tea." for kind in ("oolong", "mint", "black")]
    finally:
        lite.thaw()


def test_a_failing_model_takes_only_its_own_part_away(ada: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    healthy = ada.warmed()

    def fail(*_: object) -> list[float]:
        raise RuntimeError("the model ran out of memory over: My dentist")

    monkeypatch.setattr(SocketEmbedder, "query", fail)
    for path in QUESTIONS:
        answer, seconds = ada.ask(path, f"{ASKED} I forgot.")
        assert_it_knows_the_dentist(answer, "embedder_failed")
        assert seconds < in_time(healthy)


def test_a_store_of_another_dimension_is_named_with_what_to_do(
    backing: Backing, database_url: str, lite: LiteServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        bench = stack.enter_context(workbench(_settings(backing, database_url, lite, tmp_path)))
        somebody = Somebody(bench.person("ada"))
        namespace = bench.namespace(somebody.person)
        healthy = somebody.warmed()
    with milvus_lite() as smaller:
        fill_with_smaller_vectors(smaller.uri, str(namespace), monkeypatch)
        with workbench(_settings(backing, database_url, smaller, tmp_path)) as bench:
            somebody.person = bench.person("ada")
            somebody.ask()
            for path in QUESTIONS:
                answer, seconds = somebody.ask(path)
                assert_it_knows_the_dentist(answer, "store_misconfigured")
                assert seconds < in_time(healthy)
                if path != SEARCH:
                    [sentence] = answer["diagnostics"]["sentences"]
                    assert "memory-center doctor" in sentence
                    assert "reindex" in sentence
