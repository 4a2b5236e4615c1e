"""A text that ends the embedder's process is stored without a vector, found by its words, and says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.backing import Backing, embedder_process
from tests.support.memories import written
from tests.support.mortal_embedder import DEADLY
from tests.support.workbench import Workbench, test_settings, workbench


@pytest.fixture
def bench(backing: Backing, database_url: str, tmp_path: Path) -> Iterator[Workbench]:
    with (
        embedder_process(tmp_path, module="tests.support.mortal_embedder"),
        workbench(test_settings(backing, database_url, embedder_dir=tmp_path)) as opened,
    ):
        yield opened


def test_what_has_no_vector_is_kept_and_found_by_its_words(bench: Workbench) -> None:
    ada, bob = bench.person(), bench.person()
    said = ada.conversation()
    ada.say(said, (f"My novel is about {DEADLY}.", "Noted."), ("I'm allergic to peanuts.", "Noted."))
    written(ada, f"The novel mentions {DEADLY}.")
    bob.say(bob.conversation(), ("I'm allergic to hazelnuts.", "Noted."))
    bench.work()

    episodes = ada.get("/api/v1/memory/episodes", conversation_id=said)
    assert {DEADLY in (one["user_message"] or ""): one["found_by"] for one in episodes} == {
        True: "words",
        False: "meaning",
    }
    memories = ada.get("/api/v1/memory/long_term", limit=200)
    assert {DEADLY in one["content"]: one["found_by"] for one in memories} == {True: "words", False: "meaning"}
    assert [one["found_by"] for one in bob.get("/api/v1/memory/long_term")] == ["meaning"]
    assert any(DEADLY in text for text in ada.search("which novel is it"))


def test_a_question_that_kills_it_is_answered_by_words(bench: Workbench) -> None:
    ada = bench.person()
    written(ada, "The novel is called Sparkling.")
    bench.work()

    answer = ada.post("/api/v1/memory/search", {"query": f"the novel with {DEADLY}"}, status=200)
    assert [one["content"] for one in answer["items"]] == ["The novel is called Sparkling."]
    assert answer["diagnostics"]["reasons"] == ["no_conversation", "embedder_failed"]
    assert ada.search("the novel") == ["The novel is called Sparkling."]


def test_what_has_no_vector_is_forgotten_and_exported_like_the_rest(bench: Workbench) -> None:
    ada = bench.person()
    said = ada.conversation()
    ada.say(said, (f"My novel is about {DEADLY}.", "Noted."))
    memory = written(ada, f"The novel mentions {DEADLY}.")["id"]
    bench.work()
    assert bench.api.delete(f"/api/v1/memory/long_term/{memory}", headers=ada.headers).status_code == 202
    ada.forget("conversation", conversation_id=said)
    bench.work()
    assert bench.holds(DEADLY) == []
