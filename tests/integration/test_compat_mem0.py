"""mem0's own, unmodified clients with the real gateway."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import anyio
import httpx
import pytest

import shared.stores.mem0_library  # noqa: F401 # first: it switches off what mem0 would tell its makers

from mem0 import AsyncMemoryClient, MemoryClient  # isort: skip
from mem0.client.utils import APIError
from mem0.exceptions import MemoryError as Mem0Error
from mem0.exceptions import MemoryNotFoundError

from memory_center_client.mem0_forms import Refused, filter_of
from services.compat.mem0.app import mem0_app
from tests.support.running import running
from tests.support.workbench import SERVICE_KEY, Person, Workbench


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def host(bench: Workbench, stack: ExitStack) -> str:
    gateway = stack.enter_context(running(bench.api.app, lifespan="off"))
    return stack.enter_context(running(mem0_app(gateway.replace("127.0.0.1", "localhost"))))


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


@pytest.fixture
def client(host: str, stack: ExitStack) -> MemoryClient:
    return connected(stack, host, SERVICE_KEY)


def connected(stack: ExitStack, host: str, key: str) -> MemoryClient:
    made = MemoryClient(api_key=key, host=host)
    stack.callback(made.client.close)
    return made


def of(user_id: str, **more: Any) -> dict[str, Any]:
    return {"filters": {"user_id": user_id, **more}}


def remembered(client: MemoryClient, user_id: str, **more: Any) -> list[str]:
    return [one["memory"] for one in client.get_all(**of(user_id, **more))["results"]]


def test_feedback_is_kept_about_its_memory_and_bad_feedback_is_refused(
    host: str, stack: ExitStack, ada: Person, bench: Workbench
) -> None:
    memory = ada.post("/api/v1/memory/long_term", {"content": "I keep bees."})
    client = connected(stack, host, ada.headers["Authorization"].removeprefix("Bearer "))

    given = client.feedback(memory["id"], feedback="NEGATIVE", feedback_reason="long ago")

    assert (given["feedback"], given["feedback_reason"]) == ("NEGATIVE", "long ago")
    [kept] = bench.database.transact(lambda tx: tx.rows("select rating_word, related_object_ref from visible_feedback"))
    assert (kept["rating_word"], kept["related_object_ref"]) == ("not_helpful", memory["id"])
    assert client.feedback(memory["id"], feedback="very_negative")["feedback"] == "VERY_NEGATIVE"
    other = bench.person("eve").post("/api/v1/memory/long_term", {"content": "I row."})
    for id_, said, status in (
        (memory["id"], "MEH", 422),
        (memory["id"], None, 501),
        (other["id"], "POSITIVE", 404),
        ("nobody", "POSITIVE", 404),
        (memory["id"], "", 501),
    ):
        body = {"memory_id": id_, "feedback": said}
        answer = httpx.post(f"{host}/v1/feedback/", json=body, headers=ada.headers)
        assert answer.status_code == status, answer.text
    service = {"Authorization": f"Token {SERVICE_KEY}"}
    for user_id, status in ((None, 422), ("eve", 404), ("ada", 200)):
        body = {"memory_id": memory["id"], "feedback": "POSITIVE", **({"user_id": user_id} if user_id else {})}
        answer = httpx.post(f"{host}/v1/feedback/", json=body, headers=service)
        assert answer.status_code == status, answer.text

    client.delete(memory["id"])
    bench.work()

    # Feedback about a memory is erased with the memory.
    assert bench.database.transact(lambda tx: tx.value("select count(*) from feedback")) == 0


def test_what_is_added_is_learned_found_changed_and_forgotten(client: MemoryClient, bench: Workbench) -> None:
    said = [{"role": "user", "content": "I'm allergic to peanuts."}, {"role": "assistant", "content": "Noted."}]
    added = client.add(said, user_id="ada")
    assert added["status"] == "PENDING"
    bench.work()
    assert remembered(client, "ada") == ["I'm allergic to peanuts."]
    [found] = client.search("peanuts", **of("ada"))["results"]
    assert found["memory"] == "I'm allergic to peanuts."
    assert isinstance(found["score"], float)
    assert client.get(found["id"])["memory"] == "I'm allergic to peanuts."

    client.update(found["id"], text="I'm allergic to peanuts and soya.")
    bench.work()
    [changed] = client.get_all(**of("ada"))["results"]
    assert changed["memory"] == "I'm allergic to peanuts and soya."
    assert [one["event"] for one in client.history(changed["id"])] == ["ADD", "UPDATE"]

    deleted = client.delete(changed["id"])
    assert deleted["message"] == "Memory deleted successfully!"
    assert client.search("peanuts", **of("ada"))["results"] == []
    bench.work()
    assert bench.person("ada").operation(deleted["op_id"])["status"] == "succeeded"
    assert bench.api.get(f"/api/v1/receipts/{deleted['receipt_id']}").status_code == 200


def test_what_is_learned_has_its_agent_and_metadata(client: MemoryClient, bench: Workbench) -> None:
    client.add("I'm allergic to peanuts.", user_id="ada", agent_id="cook", metadata={"topic": "food"})
    client.add("I live in Oslo.", user_id="ada", app_id="travel")
    bench.work()
    assert remembered(client, "ada", agent_id="cook") == ["I'm allergic to peanuts."]
    assert remembered(client, "ada", metadata={"topic": "food"}) == ["I'm allergic to peanuts."]
    assert remembered(client, "ada", app_id="travel") == ["I live in Oslo."]
    assert remembered(client, "ada", agent_id="travel") == []


def test_what_nobody_answers_is_learned_too(client: MemoryClient, bench: Workbench) -> None:
    event = client.add("I'm allergic to peanuts.", user_id="ada")["event_id"]
    bench.work()
    client.add([{"role": "user", "content": "Remember that I row on Sundays."}], user_id="ada")
    bench.work()
    assert len(remembered(client, "ada")) == 2
    answer = client.client.get(f"/v1/event/{event}/").json()
    assert (answer["status"], [one["event"] for one in answer["results"]]) == ("SUCCEEDED", ["ADD"])


def test_what_is_not_to_be_inferred_is_kept_verbatim(client: MemoryClient) -> None:
    added = client.add("The code of the bike shed is on the note.", user_id="ada", infer=False)
    assert [one["event"] for one in added["results"]] == ["ADD"]
    assert remembered(client, "ada") == ["The code of the bike shed is on the note."]


def test_a_run_is_a_conversation(client: MemoryClient, bench: Workbench) -> None:
    for run, said in (
        ("a", "I'm allergic to peanuts."),
        ("b", "I'm allergic to walnuts."),
        ("a", "Remember that I row."),
    ):
        client.add(
            [{"role": "user", "content": said}, {"role": "assistant", "content": "Noted."}], user_id="ada", run_id=run
        )
        bench.work()
    assert len(Person(bench, "ada", bench.person("ada").headers).get("/api/v1/conversations")) == 2
    assert remembered(client, "ada", run_id="b") == ["I'm allergic to walnuts."]
    assert len(remembered(client, "ada", run_id="a")) == 2
    assert remembered(client, "ada", run_id="c") == []
    found = client.search("allergic", filters={"AND": [{"user_id": "ada"}, {"run_id": "b"}]})["results"]
    assert [one["memory"] for one in found] == ["I'm allergic to walnuts."]

    client.delete_all(user_id="ada", run_id="a")

    assert remembered(client, "ada") == ["I'm allergic to walnuts."]
    client.delete_all(user_id="ada")
    assert remembered(client, "ada") == []
    bench.work()
    assert bench.holds("peanuts") == bench.holds("walnuts") == []


def test_an_id_stays_while_the_memory_changes_and_all_of_it_goes(client: MemoryClient, bench: Workbench) -> None:
    [one] = client.add([{"role": "user", "content": "I keep bees."}], user_id="ada", infer=False)["results"]
    for text in ("I keep wasps.", "I keep ants."):
        assert client.update(one["id"], text=text)["id"] == one["id"]
    assert (client.get(one["id"])["id"], client.get(one["id"])["memory"]) == (one["id"], "I keep ants.")
    assert [each["new_memory"] for each in client.history(one["id"])] == [
        "I keep bees.",
        "I keep wasps.",
        "I keep ants.",
    ]
    assert remembered(client, "ada") == ["I keep ants."]

    client.delete(one["id"])

    bench.work()
    assert remembered(client, "ada") == []
    assert bench.holds("I keep") == []


def test_a_run_stays_one_whatever_the_person_calls_its_conversation(client: MemoryClient, bench: Workbench) -> None:
    person = Person(bench, "ada", bench.person("ada").headers)
    of_lunch = {"user_id": "ada", "run_id": "lunch"}
    noted = {"role": "assistant", "content": "Noted."}
    client.add([{"role": "user", "content": "I'm allergic to peanuts."}, noted], **of_lunch)
    [conversation] = person.get("/api/v1/conversations")
    path = f"/api/v1/conversations/{conversation['id']}"
    assert bench.api.patch(path, json={"title": "Nuts"}, headers=person.headers).status_code == 200

    client.add([{"role": "user", "content": "I'm allergic to walnuts."}, noted], **of_lunch)
    bench.work()
    assert [one["title"] for one in person.get("/api/v1/conversations")] == ["Nuts"]
    assert len(remembered(client, "ada", run_id="lunch")) == 2

    assert client.delete_all(**of_lunch)["op_id"]
    assert "op_id" not in client.delete_all(**of_lunch)
    bench.work()
    assert person.get("/api/v1/conversations") == []


def test_a_run_begun_again_after_it_was_forgotten_is_a_new_one(client: MemoryClient, bench: Workbench) -> None:
    for _ in range(2):
        client.add([{"role": "user", "content": "I'm allergic to peanuts."}], user_id="ada", run_id="lunch")
        bench.work()
        assert len(remembered(client, "ada", run_id="lunch")) == 1
        client.delete_all(user_id="ada", run_id="lunch")
        bench.work()


def test_the_next_page_has_the_same_filter(client: MemoryClient) -> None:
    for agent in ("lunch", "dinner"):
        for number in range(3):
            client.add(f"At {agent} table {number} is mine.", user_id="ada", agent_id=agent, infer=False)
    first = client.client.get("/v1/memories/?user_id=ada&agent_id=lunch&page_size=2").json()
    following = client.client.get(f"/v1/memories/{first['next']}").json()
    assert [one["memory"] for one in (*first["results"], *following["results"])] == [
        f"At lunch table {number} is mine." for number in (2, 1, 0)
    ]
    assert following["next"] is None


def test_older_clients_name_their_tenants_in_lists(host: str, client: MemoryClient) -> None:
    client.add("I keep bees.", user_id="ada", infer=False)
    theirs = {"org_id": "acme", "project_id": "shop", "user_id": "ada"}
    answer = httpx.get(f"{host}/v1/memories/", params=theirs, headers={"Authorization": f"Token {SERVICE_KEY}"})
    assert [one["memory"] for one in answer.json()["results"]] == ["I keep bees."]


def test_lists_have_pages(client: MemoryClient) -> None:
    for number in range(5):
        client.add(f"My locker number {number} is full.", user_id="ada", infer=False)
    page = client.get_all(**of("ada"), page=2, page_size=2)
    assert (page["count"], page["next"], page["previous"]) == (5, "?page=3&page_size=2", "?page=1&page_size=2")
    assert [one["memory"][17] for one in page["results"]] == ["2", "1"]
    later = {"created_at": {"gte": page["results"][0]["created_at"]}}
    assert [one["memory"][17] for one in client.get_all(**of("ada", **later))["results"]] == ["4", "3", "2"]


def test_batches(client: MemoryClient) -> None:
    ids = [
        client.add(f"My locker number {n} is full.", user_id="ada", infer=False)["results"][0]["id"] for n in range(3)
    ]
    client.batch_update([{"memory_id": ids[0], "text": "My locker is empty."}])
    assert "My locker is empty." in remembered(client, "ada")
    deleted = client.batch_delete([{"memory_id": one} for one in ids[1:]])
    assert len(deleted["op_ids"]) == 2
    assert remembered(client, "ada") == ["My locker is empty."]


def test_a_persons_token_is_that_person(host: str, ada: Person, bench: Workbench, stack: ExitStack) -> None:
    hers = connected(stack, host, ada.headers["Authorization"].removeprefix("Bearer "))
    eve = bench.person("eve")
    his = connected(stack, host, eve.headers["Authorization"].removeprefix("Bearer "))
    [written] = hers.add("I keep bees.", user_id="ada", infer=False)["results"]

    assert remembered(his, "eve") == []
    for refused in (
        lambda: remembered(his, "ada"),
        lambda: his.get(written["id"]),
        lambda: his.delete(written["id"]),
        lambda: his.update(written["id"], text="I keep wasps."),
        lambda: his.delete_all(user_id="ada"),
    ):
        with pytest.raises(MemoryNotFoundError):
            refused()
    assert remembered(hers, "ada") == ["I keep bees."]
    ping = httpx.get(f"{host}/v1/ping/", headers={"Authorization": "Token nonsense"})
    assert (ping.status_code, ping.json()["code"]) == (401, "credentials_invalid")


@pytest.mark.parametrize(
    "filters",
    [
        {"OR": [{"user_id": "ada"}, {"user_id": "eve"}]},
        {"NOT": [{"user_id": "ada"}]},
        {"user_id": "ada", "agent_id": {"ne": "x"}},
        {"user_id": "ada", "metadata": {"a": {"gt": 1}}},
        {"user_id": "ada", "categories": {"in": ["food", "drink"]}},
        {"user_id": "*"},
        {"user_id": {"in": ["ada", "eve"]}},
        {"user_id": {"ne": "ada"}},
        {"user_id": "ada", "created_at": {"gt": "2026-01-01"}},
        {"AND": [{"user_id": "ada"}, {"user_id": "eve"}]},
        {"AND": [{"OR": []}]},
    ],
)
def test_no_filter_is_widened(client: MemoryClient, filters: dict[str, Any]) -> None:
    client.add("I keep bees.", user_id="ada", infer=False)
    for ask in (lambda: client.get_all(filters=filters), lambda: client.search("bees", filters=filters)):
        with pytest.raises((APIError, Mem0Error)) as refused:
            ask()
        assert "Not supported here" in str(refused.value)


def test_what_is_not_built_is_said_by_name(host: str, client: MemoryClient) -> None:
    key = {"Authorization": f"Token {SERVICE_KEY}"}
    for method, path, named in (
        ("GET", "/v1/entities/", "entities"),
        ("POST", "/v1/exports/", "exports"),
        ("GET", "/mem0/v2/profiles/settings/", "profiles"),
        ("GET", "/api/v1/webhooks/projects/x/", "webhooks"),
    ):
        answer = httpx.request(method, f"{host}{path}", headers=key)
        assert (answer.status_code, answer.json()["code"]) == (501, "mem0_unsupported")
        assert named in answer.json()["detail"]
    answer = httpx.post(
        f"{host}/v3/memories/add/",
        json={"messages": "I row.", "user_id": "ada", "includes": "boats", "expiration_date": "2027-01-01"},
        headers=key,
    )
    assert (answer.status_code, answer.json()["detail"]) == (501, "Not supported here: expiration_date, includes.")


def test_metadata_agents_and_apps_narrow_and_are_shown(bench: Workbench, client: MemoryClient) -> None:
    client.add("I keep bees.", user_id="ada", agent_id="gardener", metadata={"topic": "hobby"}, infer=False)
    client.add("I keep hens.", user_id="ada", app_id="farm", infer=False)
    client.add("I keep quiet.", user_id="ada", infer=False)
    bench.work()

    assert remembered(client, "ada", agent_id="gardener") == ["I keep bees."]
    assert remembered(client, "ada", metadata={"topic": "hobby"}) == ["I keep bees."]
    assert remembered(client, "ada", metadata={"topic": "work"}) == []
    assert remembered(client, "ada", categories={"in": ["note"]}) == ["I keep quiet.", "I keep hens.", "I keep bees."]
    assert remembered(client, "ada", categories={"in": ["fact"]}) == []
    found = client.search("keep", filters={"AND": [{"user_id": "ada"}, {"app_id": "farm"}]})["results"]
    assert [(one["memory"], one["app_id"], one["metadata"]) for one in found] == [("I keep hens.", "farm", None)]

    [bees] = client.get_all(**of("ada", agent_id="gardener"))["results"]
    assert (bees["agent_id"], bees["metadata"]) == ("gardener", {"topic": "hobby"})
    changed = client.update(bees["id"], text="I keep many bees.", metadata={"topic": "work"})
    assert (changed["memory"], changed["agent_id"], changed["metadata"]) == (
        "I keep many bees.",
        "gardener",
        {"topic": "work"},
    )
    assert client.delete_all(user_id="ada", agent_id="nobody") == {
        "message": "There is nothing that this filter means."
    }
    with pytest.raises((APIError, Mem0Error)):  # a text, not a flat object: nothing is guessed, and nothing deleted
        client.delete_all(user_id="ada", metadata="topic")
    assert len(remembered(client, "ada")) == 3
    assert client.delete_all(user_id="ada", agent_id="gardener")["op_id"]
    bench.work()
    assert remembered(client, "ada") == ["I keep quiet.", "I keep hens."]
    assert bench.holds("many bees") == bench.holds("keep bees") == []  # with all it was before


def test_what_a_filter_means_goes_and_nothing_else(bench: Workbench, host: str, client: MemoryClient) -> None:
    key = {"Authorization": f"Token {SERVICE_KEY}"}

    def deleted(**given: Any) -> httpx.Response:
        return httpx.request("DELETE", f"{host}/v1/memories/", json={"user_id": "ada", **given}, headers=key)

    for said, of_it in (
        ("I keep bees.", {"agent_id": "gardener", "metadata": {"topic": "hobby"}}),
        ("I keep hens.", {"app_id": "farm"}),
        ("I keep quiet.", {}),
    ):
        client.add(said, user_id="ada", infer=False, **of_it)
    [bees] = client.get_all(**of("ada", agent_id="gardener"))["results"]
    client.update(bees["id"], metadata={"topic": "work"})
    bench.work()

    assert "op_id" not in deleted(metadata={"topic": "hobby"}).json()  # it was: what it is now counts
    for empty in ({"metadata": {}}, {"agent_id": ""}, {"run_id": []}, {"app_id": False}):
        assert deleted(**empty).status_code == 422
    assert deleted(metadata={"mail": "ada@example.com"}).status_code == 422  # would find nothing: stored without
    assert len(remembered(client, "ada")) == 3
    client.add(
        [{"role": "user", "content": "I'm allergic to peanuts."}, {"role": "assistant", "content": "Noted."}],
        user_id="ada",
        metadata={"topic": "hobby"},
    )
    bench.work()
    [learned] = client.get_all(**of("ada", metadata={"topic": "hobby"}))["results"]
    client.update(learned["id"], metadata={"topic": "health"})  # learned, and not reworded
    assert "op_id" not in deleted(metadata={"topic": "hobby"}).json()
    assert len(remembered(client, "ada")) == 4
    assert deleted(metadata={"topic": "work"}).json()["op_id"]
    assert deleted(app_id="farm").json()["op_id"]
    assert deleted(metadata={"topic": "health"}).json()["op_id"]
    assert remembered(client, "ada") == ["I keep quiet."]


def test_a_memory_that_replaced_one_of_another_agent_leaves_that_to_it(bench: Workbench, client: MemoryClient) -> None:
    noted = {"role": "assistant", "content": "Noted."}
    for agent, said in (("gardener", "I live in Oslo."), ("cook", "I moved: now I live in Riga, not in Oslo.")):
        client.add([{"role": "user", "content": said}, noted], user_id="ada", agent_id=agent)
        bench.work()
    person = Person(bench, "ada", bench.person("ada").headers)
    [oslo] = [one for one in person.get("/api/v1/memory/long_term") if one["content"] == "I live in Oslo."]
    assert oslo["validity"] == "superseded"
    assert "op_id" not in client.delete_all(user_id="ada", agent_id="gardener")  # nothing of it holds

    assert client.delete_all(user_id="ada", agent_id="cook")["op_id"]
    bench.work()
    assert [one["content"] for one in person.get("/api/v1/memory/long_term")] == ["I live in Oslo."]
    assert client.delete_all(user_id="ada", agent_id="gardener")["op_id"]
    assert person.get("/api/v1/memory/long_term") == []


def test_an_agent_is_forgotten_within_a_run_and_the_run_stays(bench: Workbench, client: MemoryClient) -> None:
    for agent, said in (("cook", "I'm allergic to peanuts."), ("guide", "I live in Oslo.")):
        client.add(
            [{"role": "user", "content": said}, {"role": "assistant", "content": "Noted."}],
            user_id="ada",
            run_id="lunch",
            agent_id=agent,
        )
        bench.work()
    client.add("I keep hens.", user_id="ada", agent_id="cook", infer=False)

    client.delete_all(user_id="ada", run_id="lunch", agent_id="cook")

    assert remembered(client, "ada") == ["I keep hens.", "I live in Oslo."]
    assert remembered(client, "ada", run_id="lunch") == ["I live in Oslo."]
    assert len(Person(bench, "ada", bench.person("ada").headers).get("/api/v1/conversations")) == 1


def test_deleting_everything_needs_to_be_said(host: str, client: MemoryClient) -> None:
    client.add("I keep bees.", user_id="ada", infer=False)
    key = {"Authorization": f"Token {SERVICE_KEY}"}
    for query, status in (("", 400), ("?user_id=", 422), ("?user_id=*", 501), ("?agent_id=x", 422)):
        assert httpx.delete(f"{host}/v1/memories/{query}", headers=key).status_code == status
    assert remembered(client, "ada") == ["I keep bees."]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/v3/memories/add/", b"{", 400),
        ("POST", "/v3/memories/add/", b"[]", 422),
        ("POST", "/v3/memories/add/", b"{}", 422),
        ("POST", "/v3/memories/add/", b'{"messages": "a\\ud83d", "user_id": "ada"}', 400),
        ("POST", "/v3/memories/add/", b'{"messages": [{"role": "boss", "content": "x"}], "user_id": "ada"}', 422),
        ("POST", "/v3/memories/add/", b'{"messages": "x"}', 422),
        ("POST", "/v3/memories/add/", b'{"messages": "' + b"x" * 2_100_000 + b'"}', 413),
        ("POST", "/v3/memories/search/", b'{"query": "", "filters": {"user_id": "ada"}}', 422),
        ("POST", "/v3/memories/search/", b'{"query": "x", "top_k": 0, "filters": {"user_id": "ada"}}', 422),
        ("POST", "/v3/memories/search/", b'{"query": "x", "threshold": "a", "filters": {"user_id": "ada"}}', 422),
        ("POST", "/v3/memories/search/", b'{"query": "x"}', 422),
        ("POST", "/v3/memories/search/", b'{"query": "x", "top_k": 1e999, "filters": {"user_id": "ada"}}', 422),
        ("POST", "/v3/memories/search/", b'{"query": "x", "user_id": "ada", "run_id": []}', 422),
        ("POST", "/v3/memories/", b'{"filters": {"user_id": "ada"}, "page_size": 1e999}', 422),
        (
            "POST",
            "/v3/memories/add/",
            b'{"messages": "x", "user_id": "ada", "infer": false, "metadata": {"a": 1e999}}',
            501,
        ),
        ("GET", "/v1/memories/nonsense/", b"", 404),
        ("GET", "/v1/memories/0192f0c1-0000-7000-8000-000000000001/", b"", 404),
        ("PUT", "/v1/memories/0192f0c1-0000-7000-8000-000000000001/", b'{"text": 7}', 422),
        ("PUT", "/v1/batch/", b'{"memories": [7]}', 422),
    ],
)
def test_bad_input_is_refused_with_its_reason(host: str, method: str, path: str, body: bytes, status: int) -> None:
    answer = httpx.request(method, f"{host}{path}", content=body, headers={"Authorization": f"Token {SERVICE_KEY}"})
    assert answer.status_code == status, answer.text
    assert answer.json()["detail"]


def test_a_query_narrows_what_a_body_says_and_never_contradicts_it(host: str, client: MemoryClient) -> None:
    key = {"Authorization": f"Token {SERVICE_KEY}"}
    [written] = client.add("I keep bees.", user_id="ada", infer=False)["results"]
    client.add("I keep goats.", user_id="eve", infer=False)

    def asked(method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        return httpx.request(method, f"{host}{path}", json=body, headers=key)

    for method, path, body, status in (
        ("POST", "/memories?user_id=eve", {"messages": "I row.", "user_id": "ada", "infer": False}, 422),
        ("POST", "/search?user_id=eve", {"query": "bees", "user_id": "ada"}, 422),
        ("POST", "/v3/memories/?user_id=eve&user_id=ada", {}, 422),
        ("DELETE", "/v1/memories/?user_id=eve", {"user_id": "ada"}, 422),
        ("POST", "/memories?infer=false&user_id=ada", {"messages": "I row."}, 422),
        ("PUT", f"/memories/{written['id']}?user_id=ada", {"text": "I keep wasps."}, 501),
        ("GET", f"/memories/{written['id']}?user_id=eve", None, 501),
        ("DELETE", f"/memories/{written['id']}?user_id=eve", None, 501),
        ("POST", "/search?project_id=p&org_id=o", {"query": "bees", "user_id": "ada"}, 200),
    ):
        assert asked(method, path, body).status_code == status, (method, path)
    listed = asked("POST", "/v3/memories/?user_id=eve", {"page_size": 5}).json()["results"]
    assert [one["memory"] for one in listed] == ["I keep goats."]
    assert remembered(client, "ada") == ["I keep bees."]


def test_the_open_source_servers_paths_are_the_same(host: str, ada: Person, bench: Workbench) -> None:
    key = {"X-API-Key": SERVICE_KEY}
    added = httpx.post(
        f"{host}/memories", json={"messages": "I'm allergic to peanuts.", "user_id": "ada", "infer": False}, headers=key
    )
    [written] = added.json()["results"]
    listed = httpx.get(f"{host}/memories", params={"user_id": "ada"}, headers=key).json()
    assert [one["id"] for one in listed["results"]] == [written["id"]]
    bench.work()
    found = httpx.post(f"{host}/search", json={"query": "peanuts", "user_id": "ada"}, headers=key).json()
    assert [one["memory"] for one in found["results"]] == ["I'm allergic to peanuts."]
    assert httpx.delete(f"{host}/memories/{written['id']}", headers=key).status_code == 200
    assert ada.memories() == []
    assert httpx.get(f"{host}/memories", params={"user_id": "ada"}).status_code == 401


def test_the_async_client_does_the_same(host: str) -> None:
    async def play() -> list[str]:
        client = AsyncMemoryClient(api_key=SERVICE_KEY, host=host)
        await client.add("I keep bees.", user_id="ada", infer=False)
        found = [one["memory"] for one in (await client.get_all(filters={"user_id": "ada"}))["results"]]
        await client.async_client.aclose()
        return found

    assert anyio.run(play) == ["I keep bees."]


def test_a_filter_says_what_is_meant() -> None:
    found = filter_of(
        {"AND": [{"user_id": {"in": ["ada"]}}, {"created_at": {"gte": "2026-01-01", "lte": "2026-02-01"}}]}
    )
    assert found.user_id == "ada"
    assert found.holds("2026-01-15T00:00:00Z")
    assert not found.holds("2026-02-02T00:00:00Z")
    with pytest.raises(Refused):
        filter_of("user_id = ada")
