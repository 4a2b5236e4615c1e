"""The event log: content-free, complete, and the source of the read models."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.erasure.rebuild import rebuild_read_models
from shared.kernel.database import Database
from tests.support.depth import examples
from tests.support.seeding import a_memory
from tests.support.tables import each
from tests.support.workbench import Person, Workbench


def read_models(bench: Workbench) -> dict[str, list[dict[str, Any]]]:
    """Everything a rebuild must reproduce."""
    with bench.database.begin() as tx:
        return {
            table: [dict(row) for row in tx.rows(f"select * from {table} order by 1")]
            for table in ("memories", "user_settings")
        }


def rebuild(bench: Workbench) -> None:
    owner = Database(bench.settings.database_url.get_secret_value(), transaction_seconds=None, pool_size=1)
    owner.transact(rebuild_read_models)
    owner.close()


def test_every_change_leaves_an_event_and_no_event_holds_content(bench: Workbench) -> None:
    ada = bench.person("canary-user")
    conversation = ada.conversation(title="canary-title")
    [(question, answer)] = ada.say(conversation, ("I live in canary-town.", "canary-answer"))
    ada.post("/api/v1/feedback", {"message_id": answer, "action": "accept", "evidence_ref": "canary-ref"})
    bench.api.patch("/api/v1/memory/settings", json={"summary_enabled": False}, headers=ada.headers)
    bench.api.post(f"/api/v1/conversations/{conversation}/session-end", headers=ada.headers)
    bench.work()
    ada.forget("message", message_id=question)
    ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)
    bench.work()
    with bench.database.begin() as tx:
        kinds = {row["type"] for row in tx.rows("select distinct type from events")}
    assert kinds == {
        "ConversationCreated",
        "MessageRecorded",
        "FeedbackGiven",
        "SettingsChanged",
        "SessionEnded",
        "ForgetAccepted",
        "ConversationCleared",
        "MemoryErased",
        "OperationSucceeded",
    }
    assert bench.count("select count(*) from events where position('canary' in events::text) > 0") == 0


def test_an_erased_item_leaves_one_event_and_a_person_only_operations_and_switches(bench: Workbench) -> None:
    ada = bench.person()
    conversation = ada.conversation()
    ada.say(conversation, ("I live in Berlin.", "ok"))
    bench.api.patch("/api/v1/memory/settings", json={"summary_enabled": False}, headers=ada.headers)
    bench.work()
    ada.forget("conversation", conversation_id=conversation)
    bench.work()
    with bench.database.begin() as tx:
        left = [row["type"] for row in tx.rows("select type from events where stream like 'conversation:%'")]
        memory = [row["type"] for row in tx.rows("select type from events where stream like 'memory:%'")]
    assert (left, memory) == (["ConversationErased"], ["MemoryErased"])
    ada.forget("user")
    bench.work()
    with bench.database.begin() as tx:
        streams = {row["s"] for row in tx.rows("select distinct split_part(stream, ':', 1) as s from events")}
    assert streams == {"operation", "settings"}


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), st.integers(0, 2), st.booleans()),
        st.tuples(st.just("settings"), st.sampled_from(["summary_enabled", "longterm_enabled"]), st.booleans()),
        st.tuples(st.just("forget_memory"), st.integers(0, 5), st.booleans()),
        st.tuples(st.just("forget_user"), st.just(0), st.booleans()),
    ),
    min_size=1,
    max_size=10,
)


@settings(
    max_examples=examples(6),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(actions=ACTIONS)
def test_rebuilt_read_models_equal_the_live_ones(bench: Workbench, actions: list[tuple[str, Any, bool]]) -> None:
    ada = bench.person()
    turns = ada.say(ada.conversation(), ("a", "1"), ("b", "2"), ("c", "3"))
    with bench.database.begin() as tx:
        tx.run("delete from outbox")
    made: list[Any] = []
    for kind, what, flag in actions:
        act(bench, ada, turns, made, kind, what, flag=flag)
    live = read_models(bench)
    rebuild(bench)
    assert read_models(bench) == live


def act(
    bench: Workbench, ada: Person, turns: list[tuple[str, str]], made: list[Any], kind: str, what: Any, *, flag: bool
) -> None:
    """Do one drawn action; `flag` also lets the workers run, or flips a switch."""
    match kind:
        case "remember":
            made.append(
                a_memory(
                    bench,
                    ada,
                    text=f"text {len(made)}",
                    sources=[turns[what][0]],
                    supersedes=made[-1] if made and flag else None,
                )
            )
        case "settings":
            bench.api.patch("/api/v1/memory/settings", json={what: flag}, headers=ada.headers)
        case "forget_memory":
            if made:
                bench.api.delete(f"/api/v1/memory/long_term/{made[what % len(made)]}", headers=ada.headers)
            if flag:
                bench.work()
        case "forget_user":
            ada.forget("user")
            if flag:
                bench.work()


def test_a_rebuild_while_an_account_is_being_closed_brings_nothing_of_it_back(bench: Workbench) -> None:
    ada = bench.person()
    bench.api.patch("/api/v1/memory/settings", json={"summary_enabled": False}, headers=ada.headers)
    operation = ada.forget("user", close_account=True)

    rebuild(bench)
    bench.work()

    assert bench.count("select count(*) from user_settings") == 0
    assert bench.count(f"select count(*) from operations where id = '{operation}' and status = 'succeeded'") == 1


def test_a_rebuild_waits_for_writers_and_changes_nothing_else(bench: Workbench) -> None:
    ada = bench.person()
    ada.say(ada.conversation(), ("I live in Berlin.", "ok"))
    bench.work()
    before = ada.get("/api/v1/memory/long_term")
    rebuild(bench)
    assert ada.get("/api/v1/memory/long_term") == before
    assert ada.search("where do I live?") == ["I live in Berlin."]


@each("table", ["messages", "message_contents", "memory_contents", "lineage", "vector_refs"])
def test_a_rebuild_leaves_primary_tables_alone(bench: Workbench, table: str) -> None:
    ada = bench.person()
    ada.say(ada.conversation(), ("I live in Berlin.", "ok"))
    bench.work()
    before = bench.count(f"select count(*) from {table}")
    rebuild(bench)
    assert bench.count(f"select count(*) from {table}") == before > 0
