"""The switches: what they are set to, and that OFF stops writing and searching but deletes nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest

from shared.kernel import event_log, subjects
from shared.kernel.locks import close_fence
from tests.support.backing import Backing
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench, test_settings, workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")
DEFAULTS = {
    "summary_enabled": True,
    "episodic_enabled": True,
    "longterm_enabled": True,
    "injection_enabled": True,
    "preference_learning_enabled": True,
    "traits_enabled": True,
    "time_zone": None,
    "privacy_mode_enabled": False,
    "preference_learning_threshold": 3,
}
THREE = ("summary_enabled", "episodic_enabled", "longterm_enabled")
SETTINGS = "/api/v1/memory/settings"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def off_by_default(backing: Backing, database_url: str) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, longterm_default=False)) as opened:
        yield opened


def change(person: Person, method: str = "PATCH", **wanted: Any) -> Any:
    answer = person.bench.api.request(method, SETTINGS, json=wanted, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def reasons(person: Person, query: str = "anything", **more: Any) -> list[str]:
    found = person.post("/api/v1/memory/search", {"query": query, **more}, status=200)
    told: list[str] = found["diagnostics"]["reasons"]
    return told


def test_everything_but_privacy_mode_is_on_by_default(ada: Person) -> None:
    assert ada.get(SETTINGS) == {"user_id": ada.user_id, "updated_at": None, **DEFAULTS}


def test_put_sets_the_three_switches_and_leaves_the_others(ada: Person) -> None:
    change(ada, privacy_mode_enabled=True, preference_learning_threshold=7)

    answered = change(ada, "PUT", **dict.fromkeys(THREE, False))

    expected = DEFAULTS | dict.fromkeys(THREE, False)
    expected |= {"privacy_mode_enabled": True, "preference_learning_threshold": 7}
    assert {name: answered[name] for name in DEFAULTS} == expected
    assert answered == ada.get(SETTINGS)
    assert datetime.fromisoformat(answered["updated_at"]).tzinfo is not None


def test_patch_changes_only_what_it_names(ada: Person) -> None:
    now = dict(DEFAULTS)
    for name, value in DEFAULTS.items():
        other = {"preference_learning_threshold": 100, "time_zone": "Europe/Paris"}
        wanted = other.get(name, not value)
        now[name] = wanted
        answered = change(ada, **{name: wanted})
        assert {one: answered[one] for one in DEFAULTS} == now
        assert answered == ada.get(SETTINGS)
    both = change(ada, summary_enabled=True, preference_learning_threshold=1)
    assert {one: both[one] for one in DEFAULTS} == now | {"summary_enabled": True, "preference_learning_threshold": 1}


def test_a_change_that_changes_nothing_is_no_change(bench: Workbench, ada: Person) -> None:
    assert change(ada)["updated_at"] is None
    first = change(ada, summary_enabled=False)
    assert change(ada, summary_enabled=False) == first
    assert bench.count("select count(*) from events where type = 'SettingsChanged'") == 1


def test_switches_belong_to_one_person(bench: Workbench, ada: Person) -> None:
    change(ada, summary_enabled=False)

    assert bench.person().get(SETTINGS)["summary_enabled"] is True


@each(
    ("method", "body"),
    [
        ("PUT", {"summary_enabled": False, "episodic_enabled": False}),
        ("PUT", {**dict.fromkeys(THREE, False), "privacy_mode_enabled": True}),
        ("PUT", {**dict.fromkeys(THREE, False), "summary_enabled": None}),
        ("PUT", {}),
        ("PATCH", {"summary_enabled": None}),
        ("PATCH", {"preference_learning_threshold": None}),
        ("PATCH", {"preference_learning_threshold": 0}),
        ("PATCH", {"preference_learning_threshold": 101}),
        ("PATCH", {"preference_learning_threshold": 2.5}),
        ("PATCH", {"preference_learning_threshold": "5"}),
        ("PATCH", {"preference_learning_threshold": True}),
        ("PATCH", {"summary_enabled": "no"}),
        ("PATCH", {"summary_enabled": 0}),
        ("PATCH", {"summary_enabled": False, "sumary_enabled": False}),
        ("PATCH", []),
    ],
)
def test_an_unusable_change_is_refused_and_changes_nothing(ada: Person, method: str, body: Any) -> None:
    answer = ada.bench.api.request(method, SETTINGS, json=body, headers=ada.headers)

    assert_problem(answer, 422, "validation_failed")
    assert ada.get(SETTINGS) == {"user_id": ada.user_id, "updated_at": None, **DEFAULTS}


def test_what_is_said_while_episodes_are_off_never_becomes_one(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    change(ada, episodic_enabled=False)
    ada.say(conversation, PEANUTS)
    bench.work()
    assert ada.get("/api/v1/memory/episodes", conversation_id=conversation) == []
    assert ada.memories() == [PEANUTS[0]]

    change(ada, episodic_enabled=True)
    ada.say(conversation, BERLIN)
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    bench.work()

    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert episode["user_message"] == BERLIN[0]


def test_what_is_said_while_long_term_memory_is_off_is_never_learned(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    change(ada, longterm_enabled=False)
    ada.say(conversation, PEANUTS)
    bench.work()
    assert ada.memories() == []
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1

    change(ada, longterm_enabled=True)
    ada.say(conversation, BERLIN)
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    bench.work()

    assert ada.memories() == [BERLIN[0]]


def test_a_question_asked_while_off_is_not_learned_even_if_answered_while_on(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for switch, role, text in ((False, "user", PEANUTS[0]), (True, "assistant", PEANUTS[1])):
        change(ada, longterm_enabled=switch, episodic_enabled=switch)
        message = {"role": role, "content": text}
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    ada.say(conversation, BERLIN)
    bench.work()

    assert ada.memories() == [BERLIN[0]]
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1


def test_an_unanswered_question_asked_while_off_is_not_learned_at_session_end(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    change(ada, longterm_enabled=False)
    message = {"role": "user", "content": PEANUTS[0]}
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    change(ada, longterm_enabled=True)
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    ada.say(conversation, BERLIN)
    bench.work()

    assert ada.memories() == [BERLIN[0]]


def test_words_added_while_off_are_not_learned_even_if_the_message_began_while_on(
    bench: Workbench, ada: Person
) -> None:
    conversation = ada.conversation()
    begun = {"role": "user", "content": "I'm", "completed": False, "client_message_id": "q"}
    done = begun | {"content": PEANUTS[0], "completed": True}
    for switch, message in ((True, begun), (False, done), (True, {"role": "assistant", "content": PEANUTS[1]})):
        change(ada, longterm_enabled=switch)
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    ada.say(conversation, BERLIN)
    bench.work()

    assert ada.memories() == [BERLIN[0]]


def test_work_that_waits_when_a_switch_goes_off_is_not_done(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    change(ada, longterm_enabled=False, episodic_enabled=False)
    bench.work()
    change(ada, longterm_enabled=True, episodic_enabled=True)
    ada.say(conversation, BERLIN)
    bench.work()

    assert ada.memories() == [BERLIN[0]]
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1


def test_off_refuses_search_with_its_reason_and_deletes_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    bench.work()
    everything = ada.search("peanuts", conversation_id=conversation)
    assert len(everything) == 2

    change(ada, longterm_enabled=False)
    assert reasons(ada, conversation_id=conversation) == ["longterm_off"]
    assert all(text.startswith("user: ") for text in ada.search("peanuts", conversation_id=conversation))
    change(ada, episodic_enabled=False)
    assert sorted(reasons(ada, conversation_id=conversation)) == ["episodic_off", "longterm_off"]
    assert ada.search("peanuts", conversation_id=conversation) == []
    assert ada.search("", conversation_id=conversation) == []
    assert ada.memories() == [PEANUTS[0]]
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1

    change(ada, longterm_enabled=True, episodic_enabled=True)
    assert ada.search("peanuts", conversation_id=conversation) == everything


@pytest.mark.parametrize("said", [(PEANUTS, "peanuts"), (("我对花生过敏。", "好的,记下了。"), "花生")])
def test_without_injection_assistants_get_only_the_window_and_learning_continues(
    bench: Workbench, ada: Person, said: tuple[tuple[str, str], str]
) -> None:
    turn, query = said
    conversation = ada.conversation()
    ada.say(conversation, turn)
    bench.work()
    everything = ada.search(query, conversation_id=conversation)
    assert len(everything) == 2

    change(ada, injection_enabled=False)
    assert reasons(ada, query, conversation_id=conversation) == ["injection_off"]
    assert ada.search(query, conversation_id=conversation) == []
    assert ada.search("", conversation_id=conversation) == []
    window = ada.get("/api/v1/messages", conversation_id=conversation, completed_only=True)
    assert [one["content"] for one in window] == list(turn)
    ada.say(conversation, BERLIN)
    bench.work()
    assert ada.memories() == sorted([turn[0], BERLIN[0]])
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 2

    change(ada, injection_enabled=True)
    assert set(everything) <= set(ada.search(query, conversation_id=conversation))


def test_what_is_said_while_summaries_are_off_is_never_to_be_summarised(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for switch, turn in ((True, PEANUTS), (False, BERLIN), (True, ("Hi.", "Hello."))):
        change(ada, summary_enabled=switch)
        ada.say(conversation, turn)

    with bench.database.begin() as tx:
        rows = tx.rows("select text, summarize from visible_messages order by seq")
    assert [row["text"] for row in rows if not row["summarize"]] == list(BERLIN)


def test_privacy_mode_keeps_what_names_nobody_and_the_conversation_as_it_is(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    change(ada, privacy_mode_enabled=True)
    ada.say(conversation, PEANUTS)
    bench.work()

    assert ada.memories() == [PEANUTS[0]]
    assert len(ada.search("peanuts", conversation_id=conversation)) == 2


def test_a_change_that_cannot_be_made_says_so_with_a_stable_code_and_changes_nothing(
    bench: Workbench, ada: Person
) -> None:
    change(ada, summary_enabled=False)
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, ada.user_id)
    with bench.database.begin() as tx:
        close_fence(tx, subject.id)  # as a forget that counts does
        answer = bench.api.patch(SETTINGS, json={"summary_enabled": True}, headers=ada.headers)

    assert_problem(answer, 503, "busy")
    assert ada.get(SETTINGS)["summary_enabled"] is False


def test_a_deployment_may_leave_long_term_memory_off_until_a_person_turns_it_on(off_by_default: Workbench) -> None:
    ada = off_by_default.person()
    assert ada.get(SETTINGS) == {"user_id": ada.user_id, "updated_at": None, **DEFAULTS, "longterm_enabled": False}
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    off_by_default.work()
    assert ada.memories() == []
    assert reasons(ada, conversation_id=conversation) == ["longterm_off"]

    assert change(ada, longterm_enabled=True)["longterm_enabled"] is True
    ada.say(conversation, BERLIN)
    off_by_default.work()

    assert ada.memories() == [BERLIN[0]]


def test_changing_another_switch_keeps_the_deployments_default(off_by_default: Workbench) -> None:
    ada = off_by_default.person()

    assert change(ada, summary_enabled=False)["longterm_enabled"] is False


def test_the_same_change_made_at_once_is_made_once(ada: Person) -> None:
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: change(ada, summary_enabled=False), range(8)))

    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["summary_enabled"] is False
    assert ada.bench.count("select count(*) from events where type = 'SettingsChanged'") == 1


def test_two_changes_of_different_switches_at_once_both_hold(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    ada.conversation()
    append, has_read, other_is_done = event_log.append, threading.Event(), threading.Event()

    def append_late(*arguments: Any, **more: Any) -> None:
        if not has_read.is_set():
            has_read.set()
            other_is_done.wait(1)  # in vain where the other one has to wait for us
        append(*arguments, **more)

    monkeypatch.setattr(event_log, "append", append_late)
    with ThreadPoolExecutor(1) as threads:
        late = threads.submit(change, ada, privacy_mode_enabled=True)
        assert has_read.wait(5)
        change(ada, summary_enabled=False)
        other_is_done.set()
        late.result()

    found = ada.get(SETTINGS)
    assert (found["summary_enabled"], found["privacy_mode_enabled"]) == (False, True)


def test_choosing_the_default_is_a_choice_that_outlives_it(backing: Backing, database_url: str) -> None:
    with workbench(test_settings(backing, database_url)) as bench:
        ada = bench.person("ada")
        change(ada, longterm_enabled=True)
    with workbench(test_settings(backing, database_url, longterm_default=False)) as bench:
        assert bench.person("ada").get("/api/v1/memory/settings")["longterm_enabled"] is True
        assert bench.person("lin").get("/api/v1/memory/settings")["longterm_enabled"] is False
