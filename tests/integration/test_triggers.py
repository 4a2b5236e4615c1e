"""Turns are learned from every so many, when their person asks, when a session ends, or once nobody talks (LT-05)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.support.backing import Backing
from tests.support.workbench import Person, Workbench, test_settings, workbench
from workers.scheduler.sessions import end_idle

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
SHANGHAI = ("我住在上海。", "上海很美。")
BERLIN = ("I grew up in Berlin.", "A fine city.")


@pytest.fixture
def slow(backing: Backing, database_url: str) -> Iterator[Workbench]:
    """An installation that learns from every third turn, or once a conversation was idle for five minutes."""
    with workbench(test_settings(backing, database_url, learn_every_turns=3, learn_idle_seconds=300)) as opened:
        yield opened


@pytest.fixture
def ada(slow: Workbench) -> Person:
    return slow.person()


def time_goes_by(bench: Workbench, seconds: float) -> None:
    with bench.database.begin() as tx:
        tx.run("update outbox set available_at = available_at - make_interval(secs => :seconds)", seconds=seconds)


def post(person: Person, conversation: str, role: str, content: str) -> None:
    message = {"role": role, "content": content}
    person.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})


def episodes(person: Person, conversation: str) -> int:
    return len(person.get("/api/v1/memory/episodes", conversation_id=conversation))


def test_every_third_turn_teaches_what_the_two_before_it_said_too(slow: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for turn in (PEANUTS, SHANGHAI):
        ada.say(conversation, turn)
        slow.work()
    assert ada.memories() == []
    assert episodes(ada, conversation) == 2  # an episode waits for nobody

    ada.say(conversation, BERLIN)
    slow.work()

    assert ada.memories() == sorted([PEANUTS[0], SHANGHAI[0], BERLIN[0]])


def test_turns_of_another_conversation_do_not_count(slow: Workbench, ada: Person) -> None:
    one, other = ada.conversation(), ada.conversation()
    ada.say(one, PEANUTS, SHANGHAI)
    ada.say(other, BERLIN)
    slow.work()

    assert ada.memories() == []


@pytest.mark.parametrize("wish", ["Remember that my bike is green.", "请记住,我的自行车是绿色的。"])
@pytest.mark.parametrize("in_one_batch", [True, False])
def test_a_wish_to_be_remembered_is_learned_at_once_with_what_waits(
    slow: Workbench, ada: Person, wish: str, in_one_batch: bool
) -> None:
    conversation, other = ada.conversation(), ada.conversation()
    ada.say(conversation, PEANUTS)
    ada.say(other, BERLIN)
    slow.work()
    assert ada.memories() == []

    if in_one_batch:
        ada.say(conversation, (wish, "好的。"))
    else:
        post(ada, conversation, "user", wish)
        post(ada, conversation, "assistant", "好的。")
    slow.work()

    learned = ada.memories()
    assert len(learned) == 2
    assert PEANUTS[0] in learned
    assert BERLIN[0] not in learned


def test_only_the_person_can_ask(slow: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, (PEANUTS[0], "I will remember that. 我会记住的。"))
    slow.work()

    assert ada.memories() == []


def test_the_end_of_a_session_lets_nothing_wait(slow: Workbench, ada: Person) -> None:
    conversation, other = ada.conversation(), ada.conversation()
    ada.say(conversation, PEANUTS)
    post(ada, conversation, "user", SHANGHAI[0])
    ada.say(other, BERLIN)
    slow.work()
    assert ada.memories() == []

    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    slow.work()

    assert ada.memories() == sorted([PEANUTS[0], SHANGHAI[0]])


def test_a_conversation_that_was_idle_is_learned_from(slow: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    time_goes_by(slow, 290)
    slow.work()
    assert ada.memories() == []

    time_goes_by(slow, 10)
    slow.work()

    assert ada.memories() == [PEANUTS[0]]


def test_a_message_nobody_answers_is_learned_from_after_a_while(bench: Workbench) -> None:
    ada, idle = bench.person(), timedelta(minutes=30)
    alone, answered, forgotten = (ada.conversation() for _ in range(3))
    post(ada, alone, "user", PEANUTS[0])
    ada.say(answered, SHANGHAI)
    post(ada, forgotten, "user", BERLIN[0])
    ada.forget("conversation", conversation_id=forgotten)
    bench.work()
    assert end_idle(bench.database, idle) == 0
    with bench.database.begin() as tx:
        tx.run("update conversations set updated_at = updated_at - interval '31 minutes'")
    assert [end_idle(bench.database, idle) for _ in range(2)] == [1, 0]
    post(ada, ada.conversation(), "user", "I keep bees.")
    with bench.database.begin() as tx:
        tx.run("update conversations set updated_at = updated_at - interval '9 days'")
    assert end_idle(bench.database, idle) == 0, "nobody expects that to be learned now"
    bench.work()
    assert ada.memories() == sorted([PEANUTS[0], SHANGHAI[0]])
    post(ada, alone, "assistant", PEANUTS[1])  # late, and recorded all the same
    assert len(ada.get("/api/v1/messages", conversation_id=alone)) == 2


def test_who_goes_on_talking_is_not_idle(slow: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    time_goes_by(slow, 290)
    post(ada, conversation, "user", BERLIN[0])
    time_goes_by(slow, 290)
    slow.work()
    assert ada.memories() == []

    time_goes_by(slow, 10)
    slow.work()

    assert ada.memories() == [PEANUTS[0]]


def test_what_waits_survives_everything_but_a_forget(slow: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    (_, _), (question, _) = ada.say(conversation, PEANUTS, SHANGHAI)
    waiting = "select count(*) from outbox where kind = 'memory.learn' and state = 'ready' and available_at > now()"
    assert slow.count(waiting) == 2  # rows, committed with the messages: no process remembers them

    ada.forget("message", message_id=question, cascade=True)
    slow.work()
    time_goes_by(slow, 600)
    slow.work()

    assert ada.memories() == [PEANUTS[0]]


def test_a_turn_that_waits_for_a_store_is_not_hurried_by_others(slow: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    with slow.database.begin() as tx:
        tx.run("update outbox set last_error = 'milvus_unavailable' where kind = 'memory.learn'")
    ada.say(conversation, ("Remember that my bike is green.", "Done."))
    slow.work()

    learned = ada.memories()
    assert len(learned) == 1
    assert PEANUTS[0] not in learned


def test_by_default_every_turn_is_learned_from_at_once(bench: Workbench) -> None:
    lin = bench.person()
    conversation = lin.conversation()
    lin.say(conversation, SHANGHAI)
    assert bench.count("select count(*) from outbox where available_at > now()") == 0
    bench.work()

    assert lin.memories() == [SHANGHAI[0]]
