"""What servers of mem0 answer when their memories are brought over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.cli.exit_codes import FAILED, USAGE, Refusal
from services.cli.moving import sources
from services.cli.moving.sources import Theirs, from_mem0, from_open_memory


def answered(monkeypatch: pytest.MonkeyPatch, *answers: Any) -> list[httpx.Request]:
    """Have a server give these answers, one a request; return what it was asked."""
    asked: list[httpx.Request] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        one = left.pop(0)
        return httpx.Response(one) if isinstance(one, int) else httpx.Response(200, json=one)

    client = httpx.Client(base_url="http://there", transport=httpx.MockTransport(answer))
    monkeypatch.setattr(sources, "_server", lambda *_: client)
    return asked


def brought(*people: str) -> list[Theirs]:
    return list(from_mem0("http://there", people, None))


def test_all_pages_of_the_platform_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [{"results": [{"id": "1"}], "next": 2}, {"results": [{"id": "2"}], "next": None}]
    asked = answered(monkeypatch, *pages)
    assert brought("ada") == [("ada", {"id": "1"}), ("ada", {"id": "2"})]
    assert [json.loads(one.content) for one in asked] == [{"filters": {"user_id": "ada"}}] * 2


def test_a_server_without_pages_is_asked_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answered(monkeypatch, 404, {"results": [{"id": "1", "user_id": "ada"}]})
    assert brought("ada") == [("ada", {"id": "1", "user_id": "ada"})]
    assert asked[1].url.path == "/memories"


@pytest.mark.parametrize("count", [20, 100])
def test_as_many_as_its_limit_may_not_be_all(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    answered(monkeypatch, 404, [{"id": str(number)} for number in range(count)])
    with pytest.raises(Refusal) as refused:
        brought("ada")
    assert refused.value.exit_code == FAILED


def test_one_page_of_several_is_not_taken_for_all(tmp_path: Path) -> None:
    file = tmp_path / "page.json"
    one = {"id": "1", "memory": "I keep bees.", "user_id": "ada"}
    file.write_text(json.dumps({"count": 300, "next": "?page=2", "previous": None, "results": [one]}))
    with pytest.raises(Refusal) as refused:
        list(from_mem0(str(file), (), None))
    assert refused.value.exit_code == USAGE
    file.write_text(json.dumps({"count": 1, "next": None, "previous": None, "results": [one]}))
    assert list(from_mem0(str(file), (), None)) == [("ada", one)]


def test_somebody_elses_memories_are_not_taken_for_the_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    answered(monkeypatch, {"results": [{"id": "1", "user_id": "ada"}, {"id": "2", "user_id": "eve"}]})
    with pytest.raises(Refusal) as refused:
        brought("ada")
    assert refused.value.exit_code == FAILED


def test_an_odd_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in ({"results": ["text"]}, {"items": []}, "text"):
        answered(monkeypatch, answer)
        with pytest.raises(Refusal) as refused:
            brought("ada")
        assert refused.value.exit_code == USAGE
    answered(monkeypatch, {"items": [{"id": "1", "content": "x", "created_at": 10**30}]})
    with pytest.raises(Refusal):
        list(from_open_memory("http://there", ["ada"]))
