"""How much is remembered: every number is the length of a list a person can read (MC-05)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.workbench import Person, Workbench

OVERVIEW, LONG_TERM = "/api/v1/memory/overview", "/api/v1/memory/long_term"
TYPES, TASKS, PROJECTS = ["note", "fact", "preference", "constraint"], ["Berlin trip", "学习"], ["alpha", "beta"]
SAID = [
    ("I live in Zanzibar.", "Nice."),
    ("I'm allergic to peanuts.", "Noted."),
    ("我喜欢绿茶。", "好的。"),
    ("Actually, I live in Dayton now.", "Ok."),
    ("I work at the zoo.", "Nice."),
    ("I might move to Berlin.", "Oh."),
]


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def length(person: Person, **wanted: Any) -> int:
    """Return how long a list is, read page by page."""
    found, url = 0, str(person.bench.api.build_request("GET", LONG_TERM, params={"limit": 7, **wanted}).url)
    while True:
        answer = person.bench.api.get(url, headers=person.headers)
        assert answer.status_code == 200, answer.text
        found += len(answer.json())
        if "next" not in answer.links:
            return found
        url = answer.links["next"]["url"]


def a_life(person: Person, made_up: random.Random) -> None:
    """Let a person say, write, change, and forget things at random."""
    bench = person.bench
    conversation = person.conversation(title="Chat 4")
    person.say(conversation, *made_up.sample(SAID, 5))
    for _ in range(12):
        project = made_up.choice([None, *PROJECTS])
        task = made_up.choice([None, *TASKS])
        body: dict[str, Any] = {"content": f"Thing {made_up.random()}", "content_type": made_up.choice(TYPES)}
        body |= {"scope": "project", "project_id": project} if project else {}
        person.post(LONG_TERM, body | ({"task_hint": task} if task else {}))
    bench.work()
    memories = [one["id"] for one in person.get(LONG_TERM, limit=200)]
    for memory in made_up.sample(memories, 3):
        edit = {"content": f"Else {made_up.random()}"} if made_up.random() < 0.6 else {"disabled": True}
        bench.api.patch(f"{LONG_TERM}/{memory}", json=edit, headers=person.headers)
    standing = person.get(LONG_TERM, validity="active", limit=200)
    # Written by hand and not edited: nothing else hangs on one of these, and forgetting one takes no other along.
    newer, older, old, sure, doomed, *_ = (one["id"] for one in standing if one["content"].startswith("Thing"))
    person.post(f"{LONG_TERM}/confirm", {"memory_id": sure}, status=200)
    with bench.database.begin() as tx:  # what takes months, and what takes a disagreement
        tx.run("update memories set contradicts = :older where id = :newer", newer=newer, older=older)
        tx.run("update memories set archived = true where id = :old", old=old)
    assert bench.api.delete(f"{LONG_TERM}/{doomed}", headers=person.headers).status_code == 202
    if made_up.random() < 0.5:
        bench.work()


def claims(overview: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every number of an overview with the list it is the length of."""
    yield overview["memories"], {}
    yield overview["waiting"], {"waiting": True}
    yield overview["memories"] - overview["waiting"], {"waiting": False}
    yield overview["contradicted"], {"validity": "contradicted"}
    for mark in ("archived", "disabled", "confirmed"):
        yield overview[mark], {mark: True}
        yield overview["memories"] - overview[mark], {mark: False}
    for facet in ("content_type", "scope", "project_id", "origin", "validity"):
        for one in overview[facet]:
            yield one["count"], {facet: one["value"]}
    for one in overview["task"]:
        yield one["count"], {"task": one["key"]}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 2, 3))])
def test_every_number_is_the_length_of_a_list(bench: Workbench, ada: Person, seed: int) -> None:
    a_life(ada, random.Random(seed))
    a_life(bench.person(), random.Random(seed + 100))

    overview = ada.get(OVERVIEW)

    assert [(number, length(ada, **wanted)) for number, wanted in claims(overview)] == [
        (number, number) for number, _ in claims(overview)
    ]
    counted = {name: overview[name] for name in ("memories", "waiting", "contradicted", "archived", "confirmed")}
    assert min(counted.values()) > 0, counted
    for facet in ("content_type", "scope", "origin", "validity"):
        assert sum(one["count"] for one in overview[facet]) == overview["memories"]
        assert [one["count"] for one in overview[facet]] == sorted((o["count"] for o in overview[facet]), reverse=True)
    assert overview["conversations"] == len(ada.get("/api/v1/conversations")) == 1


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 2, 3))])
def test_of_each_facet_what_the_filters_by_the_others_leave_is_counted(
    bench: Workbench, ada: Person, seed: int
) -> None:
    a_life(ada, random.Random(seed))
    made_up = random.Random(seed)
    marks = [{mark: True} for mark in ("waiting", "archived", "disabled", "confirmed")]
    values = [wanted for _, wanted in claims(ada.get(OVERVIEW)) if wanted and not isinstance(*wanted.values(), bool)]

    for _ in range(5):
        chosen: dict[str, Any] = {}
        for wanted in made_up.sample([*values, *marks], made_up.randint(1, 3)):
            chosen |= wanted
        overview = ada.get(OVERVIEW, **chosen)
        counted = {
            (facet, one["key" if facet == "task" else "value"]): one["count"]
            for facet in ("content_type", "scope", "project_id", "origin", "validity", "task")
            for one in overview[facet]
        }
        counted |= {(mark, True): overview[mark] for wanted in marks for mark in wanted}

        assert overview["memories"] == length(ada, **chosen)
        for wanted in (*values, *marks):
            [named] = wanted.items()
            assert counted.get(named, 0) == length(ada, **chosen | wanted), (chosen, wanted)


def test_filters_that_nothing_is_counted_by_hold_for_all_numbers(ada: Person) -> None:
    for number in range(3):
        body = {"content": f"I keep {number} bees.", "taboo": number == 0, "external_id": f"bees-{number}"}
        ada.post("/api/v1/memory/long_term", body | ({"metadata": {"from": "crm"}} if number else {}))
    metadata = {"metadata": '{"from": "crm"}'}
    for wanted in ({"taboo": True}, {"level": "L2"}, {"external_id": "bees-1"}, metadata, {"metadata": "{}"}):
        assert ada.get(OVERVIEW, **wanted)["memories"] == length(ada, **wanted), wanted
    assert [length(ada, **wanted) for wanted in (metadata, {"metadata": "{}"})] == [2, 3]


def test_of_somebody_nothing_is_known_about_everything_is_zero(bench: Workbench, ada: Person) -> None:
    overview = ada.get(OVERVIEW)

    assert {number for number, _ in claims(overview)} == {0}
    assert length(ada, task="0" * 32) == 0
    assert bench.count("select count(*) from subjects where user_id is not null") == 0


def test_the_name_of_a_task_is_in_no_url(ada: Person) -> None:
    ada.post(LONG_TERM, {"content": "Book the train.", "task_hint": "Berlin trip"})
    [task] = ada.get(OVERVIEW)["task"]

    assert (task["value"], task["count"]) == ("Berlin trip", 1)
    assert [one["task_hint"] for one in ada.get(LONG_TERM, task=task["key"])] == ["Berlin trip"]
    assert ada.get(LONG_TERM, task="f" * 32) == []


def test_what_a_message_and_a_conversation_taught_can_be_listed(bench: Workbench, ada: Person) -> None:
    first, second = ada.conversation(title="Chat 4"), ada.conversation()
    [(home, _), (work, _)] = ada.say(first, ("I live in Zanzibar.", "Nice."), ("I work at the zoo.", "Nice."))
    ada.say(second, ("I'm allergic to peanuts.", "Noted."))
    bench.work()

    assert [one["content"] for one in ada.get(LONG_TERM, message_id=home)] == ["I live in Zanzibar."]
    of_first = ada.get(LONG_TERM, conversation_id=first)
    assert {one["sources"][0]["message_id"] for one in of_first} == {home, work}
    assert {one["sources"][0]["conversation_title"] for one in of_first} == {"Chat 4"}
    assert [one["sources"][0]["conversation_title"] for one in ada.get(LONG_TERM, conversation_id=second)] == [None]
    assert ada.get(LONG_TERM, message_id=home, conversation_id=second) == []
    explained = ada.get(f"{LONG_TERM}/{of_first[0]['id']}/explanation")
    assert explained["memory"]["evidence"][0]["conversation_title"] == "Chat 4"


def test_a_conversation_can_be_called_something_else_or_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(title="canary")
    path = f"/api/v1/conversations/{conversation}"

    def renamed(title: str | None) -> Any:
        answer = bench.api.patch(path, json={"title": title}, headers=ada.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()["title"]

    assert renamed("柏林之行") == "柏林之行"
    assert ada.get(path)["title"] == "柏林之行"
    assert bench.holds("canary") == []
    assert renamed("柏林之行") == "柏林之行"
    assert bench.count("select count(*) from events where type = 'ConversationRenamed'") == 1
    assert ada.get(path)["remember"] is True
    ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)
    assert ada.get(path)["title"] is None
    assert renamed("After all") == "After all"
    assert renamed(None) is None
    assert bench.api.patch(path, json={}, headers=ada.headers).status_code == 422
    ada.forget("conversation", conversation_id=conversation)
    assert bench.api.patch(path, json={"title": "x"}, headers=ada.headers).status_code == 410
