"""Memories over the API: written, edited, paused, confirmed and deleted by their person (MC-05, CN-01, CN-03)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.memories import LONG_TERM, confirmed, deleted, edited, learned, memory, patched, validities, written
from tests.support.overlap import together
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

SENTENCES = {
    "en": ("I cycle to work.", "I walk to work.", "how do I get to work?"),
    "zh": ("我骑自行车上班。", "我走路上班。", "我怎么去上班？"),
}


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def switch(person: Person, **switches: bool) -> None:
    answer = person.bench.api.patch("/api/v1/memory/settings", json=switches, headers=person.headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("language", SENTENCES)
def test_a_memory_written_by_hand_is_there_at_once_and_found_once_it_is_indexed(
    bench: Workbench, ada: Person, language: str
) -> None:
    sentence, _, question = SENTENCES[language]
    answer = bench.api.post(
        LONG_TERM,
        json={"content": sentence, "content_type": "preference", "importance": 8, "task_hint": "commute"},
        headers=ada.headers,
    )
    made = answer.json()
    assert (answer.status_code, answer.headers["location"]) == (201, f"{LONG_TERM}/{made['id']}")
    assert answer.headers["etag"] == '"1"'
    shown = {name: made[name] for name in ("content", "content_type", "importance", "task_hint", "scope")}
    assert shown == {
        "content": sentence,
        "content_type": "preference",
        "importance": 8,
        "task_hint": "commute",
        "scope": "global",
    }
    assert (made["origin"], made["method"], made["validity"], made["withheld"]) == ("stated", "person", "active", [])
    assert memory(ada, made["id"]) == {k: v for k, v in made.items() if k != "withheld"}

    bench.work()

    assert ada.search(question) == [sentence]
    assert bench.count("select count(*) from vector_refs where state = 'written' and item_kind = 'memory'") == 1


def test_indexing_again_writes_nothing_more(bench: Workbench, ada: Person) -> None:
    written(ada, "I cycle to work.")
    bench.work()
    with bench.database.begin() as tx:
        tx.run(
            """insert into outbox (subject_id, kind, payload, dedupe_key)
               select subject_id, 'memory.index', jsonb_build_object('memory_id', id), id::text from memories"""
        )
    bench.work()
    assert bench.count("select count(*) from vector_refs where item_kind = 'memory'") == 1


def test_a_memory_forgotten_before_it_is_indexed_never_reaches_mem0(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to canary-street.")
    assert deleted(ada, made["id"]).status_code == 202
    bench.work()
    assert bench.count("select count(*) from vector_refs") == 0
    assert bench.holds("canary") == []
    assert bench.process.mem0.keys(bench.namespace(ada)) == set()


def test_a_memory_with_an_undoable_delete_is_indexed_only_after_the_undo(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.")
    operation = deleted(ada, made["id"], undo_seconds=60).json()["op_id"]
    bench.work_once(["memory.index"])
    assert bench.count("select count(*) from outbox where last_error = 'undo_possible'") == 1
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    bench.work()
    assert ada.search("how do I get to work?") == ["I cycle to work."]


def test_with_long_term_memory_off_nothing_is_written_and_indexing_resumes_when_on(
    bench: Workbench, ada: Person
) -> None:
    made = written(ada, "I cycle to work.")
    switch(ada, longterm_enabled=False)
    assert_problem(bench.api.post(LONG_TERM, json={"content": "x"}, headers=ada.headers), 409, "longterm_off")
    assert_problem(patched(ada, made["id"], {"content": "I walk."}), 409, "longterm_off")
    assert patched(ada, made["id"], {"disabled": True}).json()["disabled"]
    assert patched(ada, made["id"], {"disabled": False}).json()["disabled"] is False
    assert confirmed(ada, made["id"]).json()["confirmed"]
    bench.work_once(["memory.index"])
    assert bench.count("select count(*) from vector_refs") == 0
    assert bench.count("select count(*) from outbox where last_error = 'switched_off'") == 1

    switch(ada, longterm_enabled=True)
    bench.work()

    assert ada.search("how do I get to work?") == ["I cycle to work."]


@pytest.mark.parametrize("language", SENTENCES)
def test_an_edit_is_a_new_memory_in_the_place_of_the_old_one(bench: Workbench, ada: Person, language: str) -> None:
    before, after, question = SENTENCES[language]
    old = written(ada, before, content_type="fact", importance=7, task_hint="commute")
    confirmed(ada, old["id"])

    new = edited(ada, old["id"], content=after)

    assert new["id"] != old["id"]
    assert new["supersedes_id"] == old["id"]
    assert (new["importance"], new["task_hint"], new["confirmed"], new["content"]) == (7, "commute", True, after)
    assert validities(ada) == {before: "superseded", after: "active"}
    bench.work()
    assert ada.search(question) == [after]


def test_an_edit_that_changes_nothing_makes_nothing(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.")
    for body in ({}, {"content": "I cycle to work."}, {"scope": "global", "importance": 5}, {"disabled": False}):
        assert edited(ada, made["id"], **body)["id"] == made["id"]
    assert bench.count("select count(*) from events where type like 'Memory%%'") == 1


def test_a_new_scope_keeps_the_words_their_evidence_and_where_they_came_from(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    [old] = ada.get(LONG_TERM)

    new = edited(ada, old["id"], scope="project", project_id="kitchen")

    assert (new["scope"], new["project_id"]) == ("project", "kitchen")
    assert (new["origin"], new["method"], new["spoken_at"]) == (old["origin"], old["method"], old["spoken_at"])
    assert [source["message_id"] for source in new["sources"]] == [question]
    assert new["sources"] == old["sources"]
    back = edited(ada, new["id"], scope="global")
    assert (back["scope"], back["project_id"]) == ("global", None)


def test_an_edited_memory_is_a_new_statement_erased_with_the_old_ones_source_message(
    bench: Workbench, ada: Person
) -> None:
    [(question, _)] = ada.say(ada.conversation(), ("I live in Berlin, near canary-street.", "Nice."))
    bench.work()
    [old] = ada.get(LONG_TERM)
    new = edited(ada, old["id"], content="I live in Bonn, near canary-street.")
    assert (new["origin"], new["method"], new["sources"], new["provenance"]) == ("stated", "person", [], None)
    bench.work()

    ada.forget("message", message_id=question)

    assert ada.memories() == []
    bench.work()
    assert bench.holds("canary") == []


@each(
    "body",
    [
        {"scope": "project"},
        {"project_id": "kitchen"},
        {"scope": "global", "project_id": "kitchen"},
    ],
)
def test_scope_and_project_must_fit_each_other(bench: Workbench, ada: Person, body: dict[str, Any]) -> None:
    made = written(ada, "I cycle to work.")
    answer = bench.api.post(LONG_TERM, json={"content": "x", **body}, headers=ada.headers)
    assert_problem(answer, 422, "validation_failed")
    if body.get("scope") != "global":
        assert_problem(patched(ada, made["id"], body), 422, "scope_incomplete")


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": ""},
        {"content": " \n\t "},
        {"content": "x" * 2_001},
        {"content_type": "Fact"},
        {"content_type": "x" * 41},
        {"content_type": "a b"},
        {"content_type": "trait"},
        {"content_type": "insight"},
        {"content_type": "general"},
        {"scope": "world"},
        {"importance": 0},
        {"importance": 11},
        {"importance": "5"},
        {"taboo": "yes"},
        {"task_hint": ""},
        {"origin": "imported"},
        {"nonsense": 1},
    ],
)
def test_bad_input_is_refused_by_name_and_stores_nothing(bench: Workbench, ada: Person, wrong: dict[str, Any]) -> None:
    made = written(ada, "I cycle to work.")
    for answer in (
        bench.api.post(LONG_TERM, json={"content": "x", **wrong}, headers=ada.headers),
        patched(ada, made["id"], wrong),
    ):
        assert_problem(answer, 422, "validation_failed")
    assert ada.memories() == ["I cycle to work."]


SAID = "Well, I cycle to work, mostly."


def append(bench: Workbench, person: Person, **more: Any) -> Any:
    body = {"user_id": person.user_id, "content": "Cycles to work.", "content_type": "fact", **more}
    return bench.api.post(LONG_TERM, json=body, headers=bench.service)


def test_a_service_says_where_a_memory_comes_from_and_it_goes_with_that(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, (SAID, "Nice."))
    claim = {"message_id": question, "session_id": conversation, "source_type": "user", "turn_index": 1}
    claim |= {"quote_start": 6, "quote_end": 21}

    made = append(bench, ada, provenance=claim)

    assert made.status_code == 201, made.text
    assert {name: made.json()["provenance"][name] for name in claim} == claim
    assert (made.json()["sources"][0]["quote"], made.json()["origin"]) == ("I cycle to work", "extracted")
    ada.forget("message", message_id=question)
    assert ada.memories() == []
    bench.work()
    assert bench.holds("Cycles to work.") == []


def test_a_memory_of_several_turns_goes_with_any_of_them(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    said = ada.say(conversation, *[(f"{SAID} {number}", "Nice.") for number in range(4)])
    claim = {"message_id": said[2][0], "turn_range": [2, 3]}

    made = append(bench, ada, provenance=claim).json()

    assert made["provenance"]["turn_range"] == [2, 3]
    assert {one["message_id"] for one in made["sources"]} == {one for turn in said[1:3] for one in turn}
    ada.forget("message", message_id=said[3][0])
    assert ada.memories() == ["Cycles to work."]
    ada.forget("message", message_id=said[1][1])
    assert ada.memories() == []
    many = {"message_id": said[0][0], "turn_range": [1, 51]}
    assert_problem(append(bench, ada, provenance=many), 422, "provenance_wrong")


def test_half_a_quote_is_one_with_both_ends(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), (SAID, "Nice."))
    for half, whole in (({"quote_start": 6}, (6, len(SAID))), ({"quote_end": 4}, (0, 4))):
        made = append(bench, ada, provenance={"message_id": question, **half}).json()["provenance"]
        assert (made["quote_start"], made["quote_end"]) == whole
    found = ada.post("/api/v1/memory/forget/find", {"description": "cycling to work"}, status=200)
    assert found["candidates"]


def test_in_privacy_mode_a_service_keeps_nothing_that_identifies_somebody(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), (SAID, "Nice."))
    private = {"privacy_mode_enabled": True}
    assert bench.api.patch("/api/v1/memory/settings", json=private, headers=ada.headers).status_code == 200
    told = append(bench, ada, content="Anna Keller lives in Graz.", provenance={"message_id": question})
    assert_problem(told, 409, "not_to_be_learned")
    assert append(bench, ada, provenance={"message_id": question}).status_code == 201


def test_a_service_says_what_a_memory_replaces(bench: Workbench, ada: Person) -> None:
    old = written(ada, "Walks to work.")

    newer = append(bench, ada, supersedes_id=old["id"]).json()

    assert newer["supersedes_id"] == old["id"]
    assert ada.get(f"{LONG_TERM}/{old['id']}")["validity"] == "superseded"
    assert_problem(append(bench, ada, supersedes_id=old["id"]), 409, "memory_superseded")
    assert_problem(append(bench, ada, supersedes_id=written(bench.person(), "x")["id"]), 404, "not_found")


def test_a_provenance_that_is_not_so_or_not_theirs_to_give_stores_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, answer)] = ada.say(conversation, (SAID, "Nice."))
    [(elsewhere, _)] = (eve := bench.person()).say(eve.conversation(), (SAID, "Nice."))
    [(private, _)] = ada.say(ada.conversation(remember=False), (SAID, "Nice."))
    for wrong in (
        {"session_id": ada.conversation()},
        {"source_type": "model"},
        {"message_id": answer, "source_type": "user"},
        {"turn_index": 2},
        {"turn_range": [2, 3]},
        {"quote_start": 6, "quote_end": 200},
        {"quote_start": 21, "quote_end": 6},
    ):
        assert_problem(append(bench, ada, provenance={"message_id": question, **wrong}), 422, "provenance_wrong")
    assert_problem(append(bench, ada, provenance={"message_id": elsewhere}), 404, "not_found")
    assert_problem(append(bench, ada, provenance={"message_id": private}), 409, "not_to_be_learned")
    for members in ({"provenance": {"message_id": question}}, {"supersedes_id": question}):
        answer = bench.api.post(LONG_TERM, json={"content": "x", **members}, headers=ada.headers)
        assert_problem(answer, 422, "service_only")
    assert bench.count("select count(*) from memories") == 0


def test_a_service_cannot_bring_back_what_was_deleted(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), (SAID, "Nice."))
    claim = {"message_id": question, "quote_start": 6, "quote_end": 21}
    made = append(bench, ada, provenance=claim).json()
    assert bench.api.delete(f"{LONG_TERM}/{made['id']}", headers=ada.headers).status_code == 202
    bench.work()

    assert_problem(append(bench, ada, provenance=claim), 409, "not_to_be_learned")
    assert_problem(append(bench, ada, provenance={"message_id": question}), 409, "not_to_be_learned")


def test_a_type_nobody_knows_yet_breaks_no_old_data(bench: Workbench, ada: Person) -> None:
    written(ada, "I cycle to work.", content_type="preference")
    written(ada, "Her ring is size 52.", content_type="ring_size")
    bench.work()
    assert [one["content_type"] for one in ada.get(LONG_TERM)] == ["ring_size", "preference"]
    assert [one["content"] for one in ada.get(LONG_TERM, content_type="ring_size")] == ["Her ring is size 52."]
    assert "Her ring is size 52." in ada.search("what is her ring size?")


def test_pausing_changes_the_memory_itself_and_keeps_it_out_of_search(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.")
    bench.work()
    paused = edited(ada, made["id"], disabled=True)
    assert (paused["id"], paused["disabled"], paused["version"]) == (made["id"], True, 2)
    assert ada.search("how do I get to work?") == []
    assert [one["id"] for one in ada.get(LONG_TERM, disabled=True)] == [made["id"]]
    again = edited(ada, made["id"], disabled=False)
    assert (again["disabled"], again["version"]) == (False, 3)
    assert ada.search("how do I get to work?") == ["I cycle to work."]


def test_an_edit_keeps_a_memory_paused_and_may_pause_the_new_one(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.")
    edited(ada, made["id"], disabled=True)
    new = edited(ada, made["id"], content="I walk to work.")
    assert new["disabled"]
    third = edited(ada, new["id"], content="I run to work.", disabled=False)
    assert not third["disabled"]


def test_only_the_version_that_was_read_is_changed(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.")
    assert_problem(patched(ada, made["id"], {"content": "x"}, If_Match='"7"'), 412, "precondition_failed")
    assert_problem(patched(ada, made["id"], {"content": "x"}, If_Match="nonsense"), 412, "precondition_failed")
    confirmed(ada, made["id"])
    assert_problem(patched(ada, made["id"], {"disabled": True}, If_Match='"1"'), 412, "precondition_failed")
    tag = bench.api.get(f"{LONG_TERM}/{made['id']}", headers=ada.headers).headers["etag"]
    new = patched(ada, made["id"], {"content": "I walk to work."}, If_Match=tag)
    assert new.status_code == 200
    assert new.headers["etag"] == f'"{new.json()["version"]}"'
    assert_problem(patched(ada, made["id"], {"content": "y"}, If_Match=tag), 412, "precondition_failed")
    assert_problem(patched(ada, made["id"], {"content": "y"}), 409, "memory_superseded")
    assert_problem(patched(ada, made["id"], {"disabled": True}), 409, "memory_superseded")
    assert_problem(confirmed(ada, made["id"]), 409, "memory_superseded")
    assert patched(ada, new.json()["id"], {"importance": 9}, If_Match="*").status_code == 200


def test_of_two_edits_at_once_one_wins_and_the_other_is_told(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.")

    def edit(content: str) -> Any:
        return lambda: patched(ada, made["id"], {"content": content}, If_Match='"1"')

    answers = together(ada, edit("I walk to work."), edit("I run to work."))

    assert sorted(answer.status_code for answer in answers) == [200, 412]
    assert sorted(validities(ada).values()) == ["active", "superseded"]


def test_deleting_an_edited_memory_takes_the_versions_it_was_edited_from(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), ("I live in Berlin.", "Nice."))
    bench.work()
    [old] = ada.get(LONG_TERM)
    middle = edited(ada, old["id"], content="I live in Bonn.")
    newest = edited(ada, middle["id"], importance=9)
    bench.work()

    answer = deleted(ada, newest["id"])

    assert (answer.status_code, answer.json()["status"]) == (202, "accepted")
    assert answer.json()["receipt_id"]
    assert answer.headers["location"] == f"/api/v1/memory/ops/{answer.json()['op_id']}"
    assert ada.memories() == []
    bench.work()
    assert ada.operation(answer.json()["op_id"])["status"] == "succeeded"
    assert ada.memories() == []
    assert bench.holds("Bonn") == []


def test_deleting_a_memory_restores_the_older_one_it_superseded_in_a_conversation(
    bench: Workbench, ada: Person
) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", supersedes=rome)
    edit = edited(ada, oslo, content="In Oslo, by the sea.")
    bench.work()
    assert validities(ada) == {"In Rome.": "superseded", "In Oslo.": "superseded", "In Oslo, by the sea.": "active"}

    deleted(ada, edit["id"])

    assert validities(ada) == {"In Rome.": "active"}
    bench.work()
    assert validities(ada) == {"In Rome.": "active"}
    assert ada.search("where are they?") == ["In Rome."]


def test_nothing_is_told_of_a_chain_after_its_person_forgot_everything(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", supersedes=rome)
    learned(bench, ada, "In Paris.", supersedes=oslo)
    deleted(ada, oslo)
    ada.forget("user")
    bench.work()
    assert bench.count("select count(*) from events where stream like 'memory:%%'") == 0


def test_of_contradicting_memories_one_is_given_and_why_says_so(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)
    effects = [ada.get(f"{LONG_TERM}/{one}/explanation")["effect"] for one in (rome, oslo)]
    assert [(one["given_now"], one["reasons"]) for one in effects] == [(False, ["conflict"]), (True, [])]
    bench.work()
    found = ada.post("/api/v1/memory/search", {"query": "where are they?"}, status=200)["items"]
    assert {one["id"]: one["contradicted_by"] for one in found} == {rome: oslo, oslo: None}


def test_another_that_contradicts_the_old_one_is_still_to_be_decided(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)
    paris = learned(bench, ada, "In Paris.", contradicts=rome)
    assert confirmed(ada, oslo, "replaces").status_code == 200
    assert memory(ada, paris)["contradicts_id"] == oslo
    assert ada.get(f"{LONG_TERM}/{paris}/explanation")["effect"]["reasons"] == ["conflict"]


def test_the_person_decides_that_the_newer_of_two_is_right(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)
    assert validities(ada) == {"In Rome.": "contradicted", "In Oslo.": "active"}
    assert memory(ada, oslo)["contradicts_id"] == rome

    decided = confirmed(ada, oslo, "replaces").json()

    assert (decided["confirmed"], decided["contradicts_id"], decided["supersedes_id"]) == (True, None, rome)
    assert validities(ada) == {"In Rome.": "superseded", "In Oslo.": "active"}
    deleted(ada, oslo)
    bench.work()
    assert validities(ada) == {"In Rome.": "active"}


def test_the_person_decides_that_the_older_of_two_is_right(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)

    assert confirmed(ada, rome, "replaces").json()["confirmed"]

    assert validities(ada) == {"In Rome.": "active", "In Oslo.": "active"}
    assert (memory(ada, rome)["disabled"], memory(ada, oslo)["disabled"]) == (False, True)
    assert memory(ada, oslo)["contradicts_id"] is None


def test_what_was_decided_to_be_wrong_may_be_true_later(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "I live in Rome.")
    oslo = learned(bench, ada, "I live in Oslo.", contradicts=rome)
    confirmed(ada, rome, "replaces")
    early = {"role": "user", "content": "I live in Oslo.", "spoken_at": "2020-01-01T00:00:00Z"}
    talk = ada.conversation()
    ada.post("/api/v1/messages", {"conversation_id": talk, "messages": [early, {"role": "assistant", "content": "."}]})
    bench.work()
    assert {one["id"] for one in ada.get(LONG_TERM)} == {rome, oslo}, "that was before they decided"
    ada.say(ada.conversation(), ("I live in Oslo.", "Since when?"))
    bench.work()
    [again] = [one for one in ada.get(LONG_TERM) if one["id"] not in (rome, oslo)]
    assert (again["content"], again["disabled"]) == ("I live in Oslo.", False)
    assert memory(ada, oslo)["disabled"], "that one was paused by its person"


@pytest.mark.parametrize("side", ["older", "newer"])
def test_the_person_decides_that_both_are_right(bench: Workbench, ada: Person, side: str) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)
    assert confirmed(ada, rome if side == "older" else oslo, "both").status_code == 200
    assert validities(ada) == {"In Rome.": "active", "In Oslo.": "active"}
    assert not memory(ada, oslo)["disabled"]


def test_confirming_without_deciding_leaves_the_contradiction_open(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)
    assert confirmed(ada, oslo).json()["contradicts_id"] == rome
    assert confirmed(ada, oslo).json()["version"] == 2
    assert validities(ada)["In Rome."] == "contradicted"


def test_there_must_be_something_to_decide(bench: Workbench, ada: Person) -> None:
    made = written(ada, "In Rome.")
    assert_problem(confirmed(ada, made["id"], "both"), 409, "not_disputed")
    assert not memory(ada, made["id"])["confirmed"]


def test_a_contradiction_outlives_edits_of_either_side(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)
    new_rome = edited(ada, rome, content="In Rome, by the river.")["id"]
    new_oslo = edited(ada, oslo, content="In Oslo, by the sea.")["id"]
    assert memory(ada, new_oslo)["contradicts_id"] == new_rome
    assert memory(ada, new_rome)["validity"] == "contradicted"

    assert confirmed(ada, new_oslo, "replaces").status_code == 200

    assert [text for text, validity in validities(ada).items() if validity != "superseded"] == ["In Oslo, by the sea."]
    deleted(ada, new_oslo)
    bench.work()
    assert validities(ada) == {"In Rome.": "superseded", "In Rome, by the river.": "active"}


def test_a_contradiction_with_something_that_was_forgotten_is_none(bench: Workbench, ada: Person) -> None:
    rome = learned(bench, ada, "In Rome.")
    oslo = learned(bench, ada, "In Oslo.", contradicts=rome)
    deleted(ada, rome)
    assert memory(ada, oslo)["contradicts_id"] is None
    bench.work()
    assert_problem(confirmed(ada, oslo, "replaces"), 409, "not_disputed")


def test_the_list_is_filtered_by_everything_it_shows(bench: Workbench, ada: Person) -> None:
    first = written(ada, "one", content_type="fact")
    second = written(ada, "two", scope="project", project_id="kitchen")
    third = edited(ada, first["id"], content="three")
    learned(bench, ada, "four", contradicts=second["id"])
    edited(ada, third["id"], disabled=True)
    with bench.database.begin() as tx:
        tx.run("update memories set archived = true where id = :id", id=third["id"])

    def listed(**wanted: Any) -> list[str]:
        return sorted(one["content"] for one in ada.get(LONG_TERM, **wanted))

    assert listed(validity="active") == ["four", "three"]
    assert listed(validity="superseded") == ["one"]
    assert listed(validity="contradicted") == ["two"]
    assert listed(origin="extracted") == ["four"]
    assert listed(archived=True) == listed(disabled=True) == ["three"]
    assert listed(archived=False, disabled=False) == ["four", "one", "two"]
    assert listed(scope="project", project_id="kitchen") == ["two"]
    assert listed(content_type="fact", validity="active") == ["four", "three"]
    moment = second["created_at"]
    assert listed(created_after=moment) == ["four", "three", "two"]
    assert listed(created_before=moment) == ["one"]
    assert listed(created_after="2000-01-01", created_before="2001-01-01") == []


def test_pages_of_the_list_miss_and_repeat_nothing_while_memories_are_written(bench: Workbench, ada: Person) -> None:
    there = [written(ada, f"number {i}")["id"] for i in range(7)]
    found: list[str] = []
    url: str | None = f"{LONG_TERM}?limit=2"
    while url:
        answer = bench.api.get(url, headers=ada.headers)
        found += [one["id"] for one in answer.json()]
        link = answer.headers.get("link")
        url = link.split(">")[0].removeprefix("<") if link else None
        written(ada, f"late {len(found)}")
    assert found == there[::-1]


@pytest.mark.parametrize(
    "text", ["My card is 4111 1111 1111 1111.", "my password is hunter2-canary", "我的密码是canary88"]
)
def test_what_is_sensitive_is_refused_by_its_kind_and_stored_nowhere(bench: Workbench, ada: Person, text: str) -> None:
    made = written(ada, "I cycle to work.")
    before = bench.count("select count(*) from memories")
    for answer in (
        bench.api.post(LONG_TERM, json={"content": text}, headers=ada.headers),
        bench.api.post(LONG_TERM, json={"content": "x", "task_hint": text}, headers=ada.headers),
        patched(ada, made["id"], {"content": text}),
    ):
        problem = assert_problem(answer, 422, "sensitive_content")
        assert problem["details"]["categories"]
        assert text not in answer.text
    assert bench.count("select count(*) from memories") == before


@pytest.mark.parametrize("text", ["Write to me at ada@example.com.", "请发邮件到 ada@example.com。"])
def test_what_is_redacted_is_stored_without_it_and_the_answer_says_so(bench: Workbench, ada: Person, text: str) -> None:
    made = written(ada, text)
    assert made["withheld"] == ["email"]
    assert "ada@example.com" not in made["content"]
    new = edited(ada, made["id"], content=text + " Thanks.")
    assert (new["withheld"], "ada@example.com" in new["content"]) == (["email"], False)
    bench.work()
    assert bench.holds("ada@example.com") == []


def test_what_a_repeated_request_made_is_gone_for_good_once_it_was_forgotten(bench: Workbench, ada: Person) -> None:
    headers = ada.headers | {"Idempotency-Key": "key-1"}
    body = {"content": "I cycle to work."}
    made = bench.api.post(LONG_TERM, json=body, headers=headers).json()
    deleted(ada, made["id"])
    bench.work()
    assert_problem(bench.api.post(LONG_TERM, json=body, headers=headers), 404, "not_found")
    assert ada.memories() == []
