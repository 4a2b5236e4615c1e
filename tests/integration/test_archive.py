"""Memories nobody needed for long rest: out of the assistant's context, still listed and forgotten (LT-10)."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from shared.erasure.rebuild import rebuild_read_models
from shared.kernel import subjects
from shared.kernel.events import MemoryConfirmed, MemoryDisabled, MemoryDisputed, MemorySupported, MemoryUnarchived
from shared.kernel.locks import close_fence
from shared.kernel.new_ids import new_id
from shared.memories.archive import archive_unused
from shared.memories.change import change_memory
from shared.memories.rules.archiving import ArchivePolicy
from shared.memories.rules.memories import MemoryChange
from shared.memories.sql import memories
from tests.support.policies import policy_file
from tests.support.rounds import time_passes
from tests.support.seeding import a_memory
from tests.support.workbench import Person, Workbench
from workers.scheduler.memories import archive
from workers.scheduler.periodic import parts_of

POLICY = ArchivePolicy(unused_days=180, superseded_days=90)
BERLIN, ROME = "I live in Berlin.", "I live in Rome."


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def said(ada: Person) -> list[str]:
    """Ids of two messages something can be learned from."""
    [one, other] = ada.say(ada.conversation(), ("Hello.", "Hi."), ("你好。", "你好!"))
    ada.bench.work()
    return [one[0], other[0]]


def days_go_by(bench: Workbench, days: float) -> None:
    """Move everything that happened to memories into the past."""
    with bench.database.begin() as tx:
        for column in ("created_at", "updated_at", "last_supported_at"):
            tx.run(f"update memories set {column} = {column} - make_interval(days => 1) * :days", days=days)
        tx.run("update events set at = at - make_interval(days => 1) * :days where stream like 'memory:%'", days=days)


def happens(bench: Workbench, person: Person, memory_id: UUID, event: MemoryChange) -> None:
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, person.user_id)
        memory = memories.for_change(tx, subject, memory_id)
        assert memory is not None
        change_memory(tx, subject, memory_id, memory, event, actor="test")


def archived(bench: Workbench, person: Person) -> set[str]:
    with bench.database.begin() as tx:
        rows = tx.rows(
            "select m.text from visible_memories m join subjects s on s.id = m.subject_id"
            " where s.user_id = :user and m.archived",
            user=person.user_id,
        )
    return {row["text"] for row in rows}


def rest(bench: Workbench, **more: Any) -> int:
    return archive(bench.database, POLICY, **more)


@pytest.mark.parametrize("text", [BERLIN, "我住在上海。"])
def test_what_rested_long_enough_leaves_the_context_and_stays_listed(
    bench: Workbench, ada: Person, said: list[str], text: str
) -> None:
    a_memory(bench, ada, text=text, sources=said)
    days_go_by(bench, 179)
    assert rest(bench) == 0
    assert ada.search(text) == [text]

    days_go_by(bench, 2)
    assert rest(bench) == 1

    assert archived(bench, ada) == {text}
    assert ada.search(text) == []
    assert ada.search("") == []  # the fixed order has none either
    assert ada.memories() == [text]


def test_what_an_assistant_is_given_does_not_rest(bench: Workbench, ada: Person, said: list[str]) -> None:
    a_memory(bench, ada, text=BERLIN, sources=said)
    a_memory(bench, ada, text="I keep bees.", sources=said)
    days_go_by(bench, 200)
    for _ in range(2):
        found = ada.post("/api/v1/recall", {"query": BERLIN, "limit": 1, "layers": ["retrieved"]}, status=200)
        assert [one["content"] for one in found["items"]] == [BERLIN]
    uses = "select count(*) from memory_uses where used_at > now() - interval '1 minute'"
    bench.database.transact(rebuild_read_models, patient=True)
    assert bench.count(uses) == 1
    rest(bench)
    assert archived(bench, ada) == {"I keep bees."}
    ada.forget("user")
    bench.work()
    assert bench.count("select count(*) from memory_uses") == 0


def test_archiving_is_one_event_that_rebuilding_reads_again(bench: Workbench, ada: Person, said: list[str]) -> None:
    memory_id = a_memory(bench, ada, text=BERLIN, sources=said)
    days_go_by(bench, 200)
    assert [rest(bench), rest(bench)] == [1, 0]
    stream = "select type, actor from events where stream = :stream order by version"
    with bench.database.begin() as tx:
        rows = tx.rows(stream, stream=f"memory:{memory_id}")
        before = tx.rows("select * from memories")
        rebuild_read_models(tx)
        after = tx.rows("select * from memories")
    assert [(row["type"], row["actor"]) for row in rows] == [
        ("MemoryLearned", "test"),
        ("MemoryArchived", "system:scheduler"),
    ]
    assert [dict(row) for row in after] == [dict(row) for row in before]


@pytest.mark.parametrize(
    "event", [MemorySupported(message_id=new_id()), MemoryConfirmed()], ids=["said again", "confirmed"]
)
def test_saying_it_again_or_confirming_it_brings_it_back(
    bench: Workbench, ada: Person, said: list[str], event: MemoryChange
) -> None:
    memory_id = a_memory(bench, ada, text=BERLIN, sources=said)
    days_go_by(bench, 200)
    rest(bench)
    happens(bench, ada, memory_id, event)

    assert rest(bench) == 0
    assert ada.search(BERLIN) == [BERLIN]


@pytest.mark.parametrize(
    "event", [MemorySupported(message_id=new_id()), MemoryUnarchived()], ids=["said again", "taken out"]
)
def test_the_time_begins_again_with_whatever_happens_to_it(
    bench: Workbench, ada: Person, said: list[str], event: MemoryChange
) -> None:
    memory_id = a_memory(bench, ada, text=BERLIN, sources=said)
    days_go_by(bench, 170)
    happens(bench, ada, memory_id, event)
    days_go_by(bench, 170)
    assert rest(bench) == 0

    days_go_by(bench, 11)
    assert rest(bench) == 1


@pytest.mark.parametrize(
    ("change", "rests"),
    [
        ("set importance = 7", 1),
        ("set importance = 8", 0),
        ("set taboo = true", 0),
    ],
)
def test_what_matters_never_rests(bench: Workbench, ada: Person, said: list[str], change: str, rests: int) -> None:
    a_memory(bench, ada, text=BERLIN, sources=said)
    with bench.database.begin() as tx:
        tx.run(f"update memories {change}")
    days_go_by(bench, 1_000)

    assert rest(bench) == rests


@pytest.mark.parametrize(
    "event",
    [MemoryConfirmed(), MemoryDisabled(), MemoryDisputed(contradicts=new_id())],
    ids=["confirmed", "paused", "disputed"],
)
def test_what_its_person_decided_or_must_decide_never_rests(
    bench: Workbench, ada: Person, said: list[str], event: MemoryChange
) -> None:
    memory_id = a_memory(bench, ada, text=BERLIN, sources=said)
    happens(bench, ada, memory_id, event)
    days_go_by(bench, 1_000)

    assert rest(bench) == 0


def test_the_older_side_of_an_open_contradiction_never_rests(bench: Workbench, ada: Person, said: list[str]) -> None:
    older = a_memory(bench, ada, text=BERLIN, sources=said[:1])
    newer = a_memory(bench, ada, text=ROME, sources=said[1:])
    happens(bench, ada, newer, MemoryDisputed(contradicts=older))
    days_go_by(bench, 1_000)

    assert rest(bench) == 0


def test_what_was_superseded_long_ago_rests_whatever_it_is(bench: Workbench, ada: Person, said: list[str]) -> None:
    older = a_memory(bench, ada, text=BERLIN, sources=said[:1])
    with bench.database.begin() as tx:
        tx.run("update memories set importance = 9, taboo = true where id = :id", id=older)
    days_go_by(bench, 500)
    a_memory(bench, ada, text=ROME, sources=said[1:], supersedes=older)
    days_go_by(bench, 89)
    assert rest(bench) == 0  # not superseded for long, however old

    days_go_by(bench, 2)
    assert rest(bench) == 1
    assert archived(bench, ada) == {BERLIN}
    assert ada.search("Where do I live?") == [ROME]


def test_what_replaced_it_is_forgotten_and_it_comes_back(bench: Workbench, ada: Person, said: list[str]) -> None:
    older = a_memory(bench, ada, text=BERLIN, sources=said[:1])
    a_memory(bench, ada, text=ROME, sources=said[1:], supersedes=older)
    days_go_by(bench, 100)
    assert rest(bench) == 1
    assert ada.search("Where do I live?") == [ROME]

    ada.forget("message", message_id=said[1])
    bench.work()

    assert ada.search("Where do I live?") == [BERLIN]
    assert rest(bench) == 0  # its time begins again


def test_what_is_between_two_stays_when_only_the_middle_goes(bench: Workbench, ada: Person, said: list[str]) -> None:
    first = a_memory(bench, ada, text=BERLIN, sources=said[:1])
    middle = a_memory(bench, ada, text="I live in Oslo.", sources=said[1:], supersedes=first)
    a_memory(bench, ada, text=ROME, sources=said[:1], supersedes=middle)
    days_go_by(bench, 100)
    assert rest(bench) == 2

    ada.forget("message", message_id=said[1])
    bench.work()

    assert archived(bench, ada) == {BERLIN}
    assert ada.search("Where do I live?") == [ROME]


def test_what_rests_takes_nobodys_place_in_a_search(bench: Workbench, ada: Person, said: list[str]) -> None:
    for text in ("I live in Berlin, in the old town.", "I live in Berlin, near the park.", "I live in Berlin again."):
        a_memory(bench, ada, text=text, sources=said)
    days_go_by(bench, 200)
    a_memory(bench, ada, text="My bicycle is green.", sources=said)
    assert rest(bench) == 3

    assert ada.search("I live in Berlin", limit=1) == ["My bicycle is green."]


def test_what_rests_is_forgotten_everywhere(bench: Workbench, ada: Person, said: list[str]) -> None:
    a_memory(bench, ada, text=BERLIN, sources=said)
    days_go_by(bench, 200)
    rest(bench)

    operation = ada.forget("user")
    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds(BERLIN) == []
    assert bench.process.mem0.keys(bench.namespace(ada)) == set()


def test_a_round_is_bounded_and_the_next_goes_on(bench: Workbench, ada: Person, said: list[str]) -> None:
    lin = bench.person()
    [[message, _]] = lin.say(lin.conversation(), ("你好。", "你好!"))
    bench.work()
    for n in range(3):
        a_memory(bench, ada, text=f"{BERLIN} {n}", sources=said)
    for n in range(2):
        a_memory(bench, lin, text=f"我住在上海。{n}", sources=[message])
    days_go_by(bench, 200)

    assert [rest(bench, most=2) for _ in range(4)] == [2, 2, 1, 0]
    assert (len(archived(bench, ada)), len(archived(bench, lin))) == (3, 2)


def test_who_is_busy_has_their_turn_later_and_holds_up_nobody(bench: Workbench, ada: Person, said: list[str]) -> None:
    lin = bench.person()
    [[message, _]] = lin.say(lin.conversation(), ("你好。", "你好!"))
    bench.work()
    a_memory(bench, ada, text=BERLIN, sources=said)
    a_memory(bench, lin, text="我住在上海。", sources=[message])
    days_go_by(bench, 200)
    with bench.database.begin() as tx:
        close_fence(tx, subjects.find_or_create(tx, ada.user_id).id)  # as a forget does
        assert rest(bench) == 1
    assert (archived(bench, ada), archived(bench, lin)) == (set(), {"我住在上海。"})

    assert rest(bench) == 1


def test_what_changed_since_it_was_looked_at_is_left_alone(
    bench: Workbench, ada: Person, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = a_memory(bench, ada, text=BERLIN, sources=said)
    days_go_by(bench, 200)
    look = memories.for_change

    def look_late(*arguments: Any) -> Any:
        monkeypatch.undo()
        happens(bench, ada, memory_id, MemorySupported(message_id=new_id()))  # said again in between
        return look(*arguments)

    monkeypatch.setattr(memories, "for_change", look_late)
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, ada.user_id)
    assert bench.database.transact(lambda tx: archive_unused(tx, subject.id, POLICY, limit=10)) == 0

    assert archived(bench, ada) == set()


def test_the_scheduler_archives_by_the_policy_file(
    bench: Workbench, ada: Person, said: list[str], tmp_path: Path
) -> None:
    a_memory(bench, ada, text=BERLIN, sources=said)
    days_go_by(bench, 200)
    longer = policy_file(tmp_path, {"archive": {"unused": "365d"}})
    settings = bench.settings.model_copy(update={"policy_file": longer})
    assert parts_of(settings, bench.database)["archive"]() == 0
    time_passes(bench.database, "archive", 3_600)

    assert parts_of(bench.settings, bench.database)["archive"]() == 1
    assert archived(bench, ada) == {BERLIN}
