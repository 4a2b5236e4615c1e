"""Forget what a description means: found, previewed, and erased exactly as it was shown (X-06)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from services.recall import described
from shared.language import meaning
from shared.language.embedding.bundled import EmbedderUnavailable
from shared.language.reader.socket import SocketReadings
from shared.runtime import selection_tokens
from tests.support.memories import deleted, validities, written
from tests.support.overlap import together
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

FORGET = "/api/v1/memory/forget"
JAZZ_AND_FRANK = ("My cousin Frank lives in Dayton. I love canary-jazz.", "OK.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def found(person: Person, description: str, **more: Any) -> Any:
    return person.post(f"{FORGET}/find", {"description": description, **more}, status=200)


def contents(answer: Any) -> list[str]:
    return sorted(one["content"] for one in answer["candidates"])


def forgotten(person: Person, token: str, **more: Any) -> Any:
    body = {"scope": "selection", "token": token, **more}
    return person.bench.api.post(FORGET, json=body, headers=person.headers)


def messages(person: Person, conversation: str) -> list[str]:
    return [one["content"] for one in person.get("/api/v1/messages", conversation_id=conversation)]


def stored(bench: Workbench) -> list[int]:
    tables = ("messages", "memories", "episodes", "hides", "operations", "outbox", "events", "subjects", "lineage")
    return [bench.count(f"select count(*) from {table}") for table in tables]


def test_finding_names_every_place_and_changes_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("My cousin Frank lives in Dayton.", "Frank, noted."), ("My cousin Nora lives there.", "OK."))
    bench.work()
    before = stored(bench)
    answer = found(ada, "everything about Frank")
    assert contents(answer) == ["Frank, noted.", "My cousin Frank lives in Dayton.", "My cousin Frank lives in Dayton."]
    assert {one["kind"] for one in answer["candidates"]} == {"memory", "message"}
    reasons = {one["reasons"][0]["code"] for one in answer["candidates"]}
    assert reasons <= {"words", "answer"}
    assert stored(bench) == before


@each(
    ("description", "why"),
    [("forget everything", "everything"), ("forget that", "nothing_named"), ("关于鲸鱼的一切", "nothing_matches")],
)
def test_what_names_nothing_finds_nothing_and_says_why(ada: Person, description: str, why: str) -> None:
    ada.say(ada.conversation(), JAZZ_AND_FRANK)
    answer = found(ada, description)
    assert (answer["candidates"], answer["token"], answer["nothing"]) == ([], None, why)


def test_what_meets_only_a_part_of_a_description_is_not_sure(ada: Person) -> None:
    ada.say(ada.conversation(), ("Grandma Lu makes vinegar.", "OK."))
    assert all(not one["sure"] for one in found(ada, "nothing of Grandma Lu's xylophone")["candidates"])
    [candidate] = found(ada, "Grandma Lu")["candidates"]
    assert candidate["sure"]


def test_reasons_are_in_the_language_of_the_description(ada: Person) -> None:
    ada.say(ada.conversation(), ("高歌搬去青岛了。", "好的。"))
    [candidate] = found(ada, "关于高歌的一切")["candidates"]
    assert candidate["reasons"] == [{"code": "words", "words": "说的是这件事。"}]


def test_more_than_the_limit_is_said_and_found_next_time(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, *((f"Frank came on day {day}.", "OK.") for day in range(3)))
    first = found(ada, "Frank", limit=2)
    assert (len(first["candidates"]), first["more"]) == (2, True)
    assert forgotten(ada, first["token"]).status_code == 202
    second = found(ada, "Frank", limit=2)
    assert (len(second["candidates"]), second["more"]) == (1, False)


def test_what_is_too_much_to_read_at_once_is_said_and_found_next_time(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(described, "READ_MAX", 2)
    ada.say(ada.conversation(), *((f"Frank came on day {day}.", "OK.") for day in range(3)))
    first = found(ada, "Frank")
    assert (len(first["candidates"]), first["more"]) == (2, True)


def test_what_goes_on_about_it_in_the_next_turn_goes_too(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("My cousin Frank lives in Dayton.", "OK."), ("He has two canaries. I have none.", "OK."))
    [parts] = [one["parts"] for one in found(ada, "everything about Frank")["candidates"] if "He has" in one["content"]]
    assert [part["text"] for part in parts] == ["He has two canaries. "]


def test_exactly_what_was_found_is_hidden_at_once_and_then_erased(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("canary-Frank lives in Dayton.", "OK."), ("I work at the zoo.", "OK."))
    bench.work()
    answer = found(ada, "everything about canary-Frank")
    accepted = forgotten(ada, answer["token"])
    assert accepted.status_code == 202
    assert messages(ada, conversation) == ["OK.", "I work at the zoo.", "OK."]
    assert ada.memories() == ["I work at the zoo."]
    bench.work()
    operation = ada.operation(accepted.json()["op_id"])
    assert (operation["status"], operation["type"]) == ("succeeded", "forget_selection")
    assert bench.holds("canary-Frank") == []
    assert ada.memories() == ["I work at the zoo."]


def test_of_a_message_with_two_facts_the_other_one_survives(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, ("I drive a canary-Skoda and I work at the zoo.", "OK."))
    bench.work()
    answer = found(ada, "forget the canary-Skoda")
    parts = [one["parts"] for one in answer["candidates"] if one["kind"] == "message"]
    assert [[part["text"] for part in of_one] for of_one in parts] == [["I drive a canary-Skoda and "]]
    assert forgotten(ada, answer["token"]).status_code == 202
    assert messages(ada, conversation) == ["OK."]  # hidden at once, until its rest is written
    bench.work()
    assert messages(ada, conversation) == ["I work at the zoo.", "OK."]
    assert bench.holds("canary-Skoda") == []
    [kept] = ada.get("/api/v1/memory/long_term")
    assert kept["content"] == "I work at the zoo."
    [source] = kept["sources"]
    assert (source["message_id"], source["quote"]) == (question, "I work at the zoo.")
    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert (episode["user_message_id"], episode["user_message"]) == (question, "I work at the zoo.")


def test_a_memory_that_quotes_the_other_fact_keeps_its_id_and_its_quote(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I have a parrot called canary-Kiwi. I work night shifts.", "OK."))
    bench.work()
    [work] = [one for one in ada.get("/api/v1/memory/long_term") if "night" in one["content"]]
    forgotten(ada, found(ada, "forget my parrot")["token"])
    assert ada.memories() == ["I work night shifts."]
    bench.work()
    [kept] = ada.get("/api/v1/memory/long_term")
    assert kept["id"] == work["id"]
    assert [source["quote"] for source in kept["sources"]] == ["I work night shifts."]
    assert bench.holds("canary-Kiwi") == []


def test_of_a_memory_by_hand_with_two_facts_the_rest_becomes_a_memory_of_its_own(bench: Workbench, ada: Person) -> None:
    memory = written(ada, "I drive a canary-Skoda and I can't stand karaoke.", content_type="fact", importance=8)
    bench.work()
    forgotten(ada, found(ada, "forget the canary-Skoda")["token"])
    assert ada.memories() == []
    bench.work()
    [kept] = ada.get("/api/v1/memory/long_term")
    assert (kept["content"], kept["importance"], kept["origin"]) == ("I can't stand karaoke.", 8, "stated")
    assert kept["id"] != memory["id"]
    assert bench.holds("canary-Skoda") == []
    assert ada.search("karaoke") == ["I can't stand karaoke."]


def test_of_a_memory_with_two_facts_the_rest_keeps_no_metadata(bench: Workbench, ada: Person) -> None:
    labels: dict[str, Any] = {"metadata": {"car": "canary-Octavia"}, "external_id": "canary-garage"}
    written(ada, "I drive a canary-Skoda and I can't stand karaoke.", content_type="fact", **labels)
    bench.work()
    forgotten(ada, found(ada, "forget the canary-Skoda")["token"])
    bench.work()
    [kept] = ada.get("/api/v1/memory/long_term")
    assert (kept["content"], kept["metadata"], kept["external_id"]) == ("I can't stand karaoke.", None, None)
    assert bench.holds("canary-Octavia") == bench.holds("canary-garage") == []


def test_the_rest_of_a_memory_stays_where_it_stood_in_its_chain(bench: Workbench, ada: Person) -> None:
    old = written(ada, "I drive a canary-Skoda and I live in Rome.")
    edited = bench.api.patch(
        f"/api/v1/memory/long_term/{old['id']}", json={"content": "I live in Oslo."}, headers=ada.headers
    )
    assert edited.status_code == 200
    answer = found(ada, "the canary-Skoda")
    assert contents(answer) == ["I drive a canary-Skoda and I live in Rome."]
    forgotten(ada, answer["token"])
    bench.work()
    assert bench.holds("canary-Skoda") == []
    assert validities(ada) == {"I live in Oslo.": "active", "I live in Rome.": "superseded"}
    rest = next(one for one in ada.get("/api/v1/memory/long_term") if one["content"] == "I live in Rome.")
    assert deleted(ada, rest["id"]).status_code == 202
    assert ada.memories() == []  # an edit goes with what it was edited from


def test_an_undo_brings_back_the_whole_message(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, JAZZ_AND_FRANK)
    bench.work()
    before = (messages(ada, conversation), ada.memories())
    accepted = forgotten(ada, found(ada, "Frank")["token"], undo_seconds=60).json()
    bench.work()
    assert messages(ada, conversation) == ["OK."]
    ada.post(f"/api/v1/memory/ops/{accepted['op_id']}/cancel", {}, status=200)
    bench.work()
    assert (messages(ada, conversation), ada.memories()) == before


def test_the_preview_says_exactly_what_goes_and_changes_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, JAZZ_AND_FRANK, ("Frank bakes bread.", "OK."))
    bench.work()
    token = found(ada, "Frank")["token"]
    before = stored(bench)
    preview = ada.post(f"{FORGET}/preview", {"token": token}, status=200)
    assert stored(bench) == before
    picked = [one for one in preview["items"] if one["because"] == "picked"]
    assert {(one["kind"], one["what_is_left"]) for one in picked} >= {("message", True), ("message", False)}
    assert {one["kind"] for one in preview["items"] if one["because"] == "made_from_it"} == {"episode"}
    operation = forgotten(ada, token).json()["op_id"]
    bench.work()
    steps = {step["name"]: step["counts"] for step in ada.operation(operation)["steps"]}
    assert steps["postgres"]["erased"] == sum(preview["counts"]["postgres"].values())
    assert steps["milvus"]["erased"] == preview["counts"]["milvus"]["keys"]


def test_only_the_candidates_that_are_asked_for_go(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("Frank bakes bread.", "OK."), ("Frank has a canoe.", "OK."))
    bench.work()
    answer = found(ada, "Frank")
    wanted = [one["id"] for one in answer["candidates"] if "canoe" in one["content"]]
    preview = ada.post(f"{FORGET}/preview", {"token": answer["token"], "ids": wanted}, status=200)
    assert {one["id"] for one in preview["items"] if one["because"] == "picked"} == set(wanted)
    assert forgotten(ada, answer["token"], ids=wanted).status_code == 202
    bench.work()
    assert messages(ada, conversation) == ["Frank bakes bread.", "OK.", "OK."]


def test_a_memory_alone_is_not_learned_again_from_the_message_that_stays(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "OK."))
    bench.work()
    answer = found(ada, "that I'm allergic to peanuts")
    [memory] = [one["id"] for one in answer["candidates"] if one["kind"] == "memory"]
    forgotten(ada, answer["token"], ids=[memory])
    bench.work()
    ada.say(conversation, ("Peanuts again?", "No."))
    bench.work()
    assert ada.memories() == []
    assert messages(ada, conversation)[0] == "I'm allergic to peanuts."


def test_what_changed_since_it_was_found_is_refused(bench: Workbench, ada: Person) -> None:
    memory = written(ada, "Frank has a canoe.")
    token = found(ada, "Frank")["token"]
    bench.api.post("/api/v1/memory/long_term/confirm", json={"memory_id": memory["id"]}, headers=ada.headers)
    for answer in (
        forgotten(ada, token),
        bench.api.post(f"{FORGET}/preview", json={"token": token}, headers=ada.headers),
    ):
        assert_problem(answer, 422, "selection_changed")
    assert ada.memories() == ["Frank has a canoe."]


def test_what_is_gone_since_it_was_found_is_refused(ada: Person) -> None:
    memory = written(ada, "Frank has a canoe.")
    written(ada, "Frank bakes bread.")
    token = found(ada, "Frank")["token"]
    assert deleted(ada, memory["id"]).status_code == 202
    assert_problem(forgotten(ada, token), 422, "selection_changed")
    assert ada.memories() == ["Frank bakes bread."]


def test_a_selection_is_forgotten_once_however_often_it_is_sent(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), JAZZ_AND_FRANK)
    token = found(ada, "Frank")["token"]
    body = {"scope": "selection", "token": token}
    headers = ada.headers | {"Idempotency-Key": "once"}
    answers = [bench.api.post(FORGET, json=body, headers=headers) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert_problem(forgotten(ada, token), 422, "selection_changed")


def test_two_at_once_forget_it_once(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, JAZZ_AND_FRANK)
    bench.work()
    token = found(ada, "Frank")["token"]
    codes = sorted(answer.status_code for answer in together(ada, *[lambda: forgotten(ada, token)] * 2))
    assert codes == [202, 422]
    bench.work()
    assert messages(ada, conversation) == ["I love canary-jazz.", "OK."]


@each("token", ["", "nonsense", "gAAAAABk" + "A" * 200])
def test_a_token_that_is_not_ours_is_refused(ada: Person, token: str) -> None:
    assert_problem(forgotten(ada, token), 422, "selection_invalid")


def test_an_old_token_is_refused(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    written(ada, "Frank has a canoe.")
    token = found(ada, "Frank")["token"]
    monkeypatch.setattr(selection_tokens, "VALID_SECONDS", -1)
    assert_problem(forgotten(ada, token), 422, "selection_invalid")


def test_an_id_the_token_does_not_stand_for_is_refused(ada: Person) -> None:
    written(ada, "Frank has a canoe.")
    other = written(ada, "I work at the zoo.")
    assert_problem(forgotten(ada, found(ada, "Frank")["token"], ids=[other["id"]]), 422, "selection_invalid")


def test_another_persons_token_is_answered_like_one_that_was_made_up(bench: Workbench, ada: Person) -> None:
    memory = written(ada, "Frank has a canoe.")
    token = found(ada, "Frank")["token"]
    eve = bench.person()

    def answers(tried: str) -> list[tuple[int, dict[str, object]]]:
        more: list[dict[str, object]] = [{}, {"ids": [memory["id"]]}, {"ids": [str(uuid4())]}]
        given = [forgotten(eve, tried, **one) for one in more]
        given += [bench.api.post(f"{FORGET}/preview", json={"token": tried} | one, headers=eve.headers) for one in more]
        return [(one.status_code, one.json() | {"request_id": ""}) for one in given]

    assert answers(token) == answers("nonsense")
    assert {status for status, _ in answers(token)} == {422}
    assert ada.memories() == ["Frank has a canoe."]


def test_a_token_says_nothing_of_what_it_stands_for(ada: Person) -> None:
    memory = written(ada, "Frank has a canoe.")
    token = found(ada, "Frank")["token"]
    assert "Frank" not in token
    assert memory["id"] not in token


def test_a_client_that_sends_a_rewritten_message_again_changes_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    body = {
        "conversation_id": conversation,
        "messages": [{"role": "user", "content": JAZZ_AND_FRANK[0], "client_message_id": "m1"}],
    }
    ada.post("/api/v1/messages", body)
    forgotten(ada, found(ada, "Frank")["token"])
    bench.work()
    bench.api.post("/api/v1/messages", json=body, headers=ada.headers)
    assert messages(ada, conversation) == ["I love canary-jazz."]


def test_another_forget_of_the_same_message_wins_over_its_rest(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, JAZZ_AND_FRANK)
    bench.work()
    first = forgotten(ada, found(ada, "Frank")["token"]).json()["op_id"]
    second = ada.forget("message", message_id=question)
    bench.work()
    assert [ada.operation(one)["status"] for one in (first, second)] == ["succeeded", "succeeded"]
    assert messages(ada, conversation) == ["OK."]
    assert bench.holds("canary-jazz") == []


def test_a_clear_that_is_undone_does_not_bring_back_what_was_cut(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("My cousin canary-Frank lives in Dayton. I love jazz.", "OK."))
    bench.work()
    forgotten(ada, found(ada, "everything about canary-Frank")["token"])
    clear = ada.post("/api/v1/clear", {"conversation_id": conversation, "undo_seconds": 60}, status=202)["op_id"]
    bench.work()
    ada.post(f"/api/v1/memory/ops/{clear}/cancel", {}, status=200)
    assert "canary-Frank" not in str(messages(ada, conversation))
    bench.hurry()
    bench.work()
    assert messages(ada, conversation) == ["I love jazz.", "OK."]
    assert bench.holds("canary-Frank") == []


def test_a_project_is_looked_at_alone_when_it_is_named(ada: Person) -> None:
    written(ada, "Frank has a canoe.")
    written(ada, "Frank is the tester.", scope="project", project_id="p1")
    assert contents(found(ada, "Frank", project_id="p1")) == ["Frank is the tester."]


def test_what_shares_no_word_with_the_description_is_found_by_meaning(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I keep bees on the roof of a hotel in Ghent.", "Lovely."), ("I drink oat milk.", "OK."))
    bench.work()
    answer = found(ada, "the stuff about insects")
    assert contents(answer) == ["I keep bees on the roof of a hotel in Ghent."] * 2
    assert {one["kind"] for one in answer["candidates"]} == {"memory", "message"}
    assert all(one["reasons"] == [{"code": "meaning", "words": "Its meaning fits."}] for one in answer["candidates"])
    picked = [one["id"] for one in answer["candidates"]]
    assert forgotten(ada, answer["token"], ids=picked).status_code == 202
    bench.work()
    assert messages(ada, conversation) == ["Lovely.", "I drink oat milk.", "OK."]


def test_what_is_not_sure_goes_only_when_it_is_named(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "SURE_FROM", 1.1)
    ada.say(ada.conversation(), ("I keep bees on the roof of a hotel in Ghent.", "Lovely."))
    bench.work()
    answer = found(ada, "the stuff about insects")
    assert [one["sure"] for one in answer["candidates"]] == [False, False]
    assert_problem(forgotten(ada, answer["token"]), 422, "nothing_sure")
    assert forgotten(ada, answer["token"], ids=[answer["candidates"][0]["id"]]).status_code == 202


def test_while_nobody_can_read_what_holds_every_word_is_found_and_not_sure(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_away(_readings: SocketReadings, _question: str, _about: object) -> None:
        raise EmbedderUnavailable

    ada.say(ada.conversation(), JAZZ_AND_FRANK, ("I keep bees on a roof in Ghent.", "Lovely."))
    ada.bench.work()
    monkeypatch.setattr(SocketReadings, "_ask", is_away)
    assert found(ada, "the stuff about insects")["nothing"] == "nothing_matches"
    answer = found(ada, "everything about Frank")
    assert {one["content"] for one in answer["candidates"] if one["kind"] == "memory"} == {
        "My cousin Frank lives in Dayton."
    }
    assert not any(one["sure"] for one in answer["candidates"])


def test_an_answer_that_also_repeats_it_in_other_words_goes_with_it(bench: Workbench, ada: Person) -> None:
    answer = "Bergen is a fine place for your sister's bakery; Ingrid must love it."
    ada.say(ada.conversation(), ("My sister Ingrid runs a bakery in Bergen.", answer), ("I row.", "Good for you."))
    bench.work()
    selected = found(ada, "anything about Ingrid")
    [repeated] = [one for one in selected["candidates"] if one["role"] == "assistant"]
    assert (repeated["content"], repeated["parts"], repeated["sure"]) == (answer, None, True)
    forgotten(ada, selected["token"])
    bench.work()
    assert bench.holds("bakery") == bench.holds("Bergen") == []
