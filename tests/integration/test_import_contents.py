"""What an import restores: the same state to the byte, and nothing that was forgotten here (X-09)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from shared.erasure.rebuild import rebuild_read_models
from tests.evaluation.locomo import Sample, samples
from tests.integration.test_export_contents import ada as ada  # noqa: PLC0414 # a fixture is found by its name
from tests.integration.test_export_contents import check_schemas
from tests.support.backing import Backing
from tests.support.depth import examples
from tests.support.importing import END, SAY, Elsewhere, asked, brought, compared, elsewhere, happen, preview, repacked
from tests.support.memories import deleted, edited, learned, written
from tests.support.packages import Package, download, export, packed
from tests.support.seeding import a_memory
from tests.support.workbench import Person, Workbench

LOCOMO = os.environ.get("LOCOMO")
"""A file in LoCoMo's format; its licence allows no copy here."""


@pytest.fixture
def package(ada: Person) -> Package:
    return packed(ada)


@pytest.fixture
def both(bench: Workbench, package: Package, backing: Backing) -> Iterator[Elsewhere]:
    with elsewhere(bench, backing) as found:
        yield found


@pytest.fixture
def there(both: Elsewhere) -> Person:
    return both.there.person("ada")


def test_an_account_with_a_little_of_everything_comes_back_to_the_byte(package: Package, there: Person) -> None:
    brought(there, package.raw)
    again = packed(there)
    again.check()
    check_schemas(again)
    assert compared(again) == compared(package)
    assert again.manifest["content"] == package.manifest["content"]


def test_what_is_shown_is_the_same(bench: Workbench, ada: Person, package: Package, both: Elsewhere) -> None:
    def shown(person: Person) -> dict[str, Any]:
        conversations = person.get("/api/v1/conversations")
        memories = person.get("/api/v1/memory/long_term", limit=200)
        return {
            "conversations": conversations,
            "messages": [person.get("/api/v1/messages", conversation_id=one["id"]) for one in conversations],
            "episodes": [person.get("/api/v1/memory/episodes", conversation_id=one["id"]) for one in conversations],
            "summaries": [person.get("/api/v1/memory/summary", conversation_id=one["id"]) for one in conversations],
            "memories": memories,
            "histories": [person.get(f"/api/v1/memory/long_term/{one['id']}/history") for one in memories],
            "preferences": person.get("/api/v1/memory/preferences"),
            "settings": person.get("/api/v1/memory/settings"),
        }

    before = shown(ada)
    there = both.there.person("ada")
    brought(there, package.raw)
    assert shown(there) == before


def test_read_models_folded_again_are_the_same(package: Package, there: Person) -> None:
    brought(there, package.raw)
    there.bench.database.transact(rebuild_read_models, patient=True)
    assert compared(packed(there)) == compared(package)


def test_receipts_come_along_and_are_said_to_be_anothers(package: Package, there: Person) -> None:
    brought(there, package.raw)
    api = there.bench.api
    receipts = package.every("receipt")
    assert receipts
    for receipt in receipts:
        shown = api.get(f"/api/v1/receipts/{receipt['receipt_id']}").json()
        assert shown["entries"] == receipt["entries"]
        assert "came_with_an_import" in shown["remarks"]
    assert there.bench.count("select count(*) from ledger") == 0
    there.forget("user")
    there.bench.work()
    assert api.get(f"/api/v1/receipts/{receipts[0]['receipt_id']}").status_code == 404


def test_it_goes_on_as_if_it_had_been_here_always(package: Package, there: Person) -> None:
    brought(there, package.raw)
    bench, lunch = there.bench, _lunch(there)
    [(said, _)] = there.say(lunch, ("I'm allergic to walnuts.", "Noted."))
    bench.work()
    assert any("walnuts" in one for one in there.memories())
    there.forget("message", message_id=said, cascade=True)
    edited(there, _memory(there, "peanuts"), content="I'm allergic to peanuts and cashews.")
    there.forget("conversation", conversation_id=lunch)
    bench.work()
    assert not [one for one in there.memories() if "walnuts" in one]
    assert _lunch_is_gone(there)
    assert {one["status"] for one in there.get("/api/v1/memory/ops")} == {"succeeded"}
    for canary in ("peanuts.", "绿茶"):  # of imported messages and their memories nothing is left
        assert bench.holds(canary) == []


def _lunch_is_gone(person: Person) -> bool:
    return not [one for one in person.get("/api/v1/conversations") if one["title"]]


def test_a_client_that_sends_again_is_known(bench: Workbench, backing: Backing) -> None:
    person = bench.person("ada")
    conversation = person.conversation()
    message = {"role": "user", "content": "Hello there.", "client_message_id": "c-1 ü"}
    body = {"conversation_id": conversation, "messages": [message]}
    [first] = person.post("/api/v1/messages", body)["messages"]
    raw = packed(person).raw
    with elsewhere(bench, backing) as both:
        there = both.there.person("ada")
        brought(there, raw)
        [again] = there.post("/api/v1/messages", body)["messages"]
    assert (again["id"], again["status"] if "status" in again else again["outcome"]) == (first["id"], "repeated")


def test_another_account_of_this_installation_gets_ids_of_its_own(
    bench: Workbench, ada: Person, package: Package
) -> None:
    eve = bench.person("eve")
    before = compared(packed(ada))
    brought(eve, package.raw)
    theirs = packed(eve)
    assert theirs.manifest["content"]["counts"] == package.manifest["content"]["counts"]
    check_schemas(theirs)
    theirs.check()
    for kind in ("conversation", "message", "memory", "episode", "summary", "feedback", "preference_signal"):
        ours, other = ({one["id"] for one in each.every(kind)} for each in (package, theirs))
        assert len(ours) == len(other)
        assert not ours & other, kind
    assert {one["content"] for one in theirs.every("memory")} == {one["content"] for one in package.every("memory")}
    known = {one["id"] for kind in ("message", "memory", "episode", "summary") for one in theirs.every(kind)}
    assert {edge["derived_id"] for edge in theirs.every("edge") if edge["derived_kind"] == "memory"} <= known
    named = {event["data"]["message_id"] for event in theirs.every("event") if event["type"] == "MessageRecorded"}
    assert {one["id"] for one in theirs.every("message")} <= named
    assert compared(packed(ada)) == before
    assert brought(eve, package.raw) == {"present": sum(package.manifest["content"]["counts"].values())}
    bench.database.transact(rebuild_read_models, patient=True)
    assert compared(packed(eve)) == compared(theirs)
    eve.forget("user")
    bench.work()
    assert compared(packed(ada)) == before


ERASED: dict[str, Any] = {
    "message": lambda person: person.forget("message", message_id=_message(person, "peanuts")),
    "turn": lambda person: person.forget("message", message_id=_message(person, "peanuts"), cascade=True),
    "conversation": lambda person: person.forget("conversation", conversation_id=_lunch(person)),
    "clear": lambda person: person.post("/api/v1/clear", {"conversation_id": _lunch(person)}, status=202),
    "memory": lambda person: deleted(person, _memory(person, "peanuts")),
    "preferences": lambda person: person.post("/api/v1/memory/preferences/clear", {}, status=202),
}


def _lunch(person: Person) -> str:
    [found] = [one["id"] for one in person.get("/api/v1/conversations") if one["title"]]
    return str(found)


def _message(person: Person, word: str) -> str:
    said = person.get("/api/v1/messages", conversation_id=_lunch(person))
    return str(next(one["id"] for one in said if word in one["content"]))


def _memory(person: Person, word: str) -> str:
    return str(next(one["id"] for one in person.get("/api/v1/memory/long_term") if word in one["content"]))


@pytest.mark.few(4)
@pytest.mark.parametrize("forget", [name for name in ERASED if name != "preferences"])
@pytest.mark.parametrize("erased", [True, False])
def test_what_was_forgotten_here_stays_so(
    bench: Workbench, ada: Person, package: Package, forget: str, *, erased: bool
) -> None:
    ERASED[forget](ada)
    if erased:
        bench.work()
    before = compared(packed(ada)) if erased else None
    counts = brought(ada, package.raw)
    assert counts["erased"] > 0
    assert "message" not in counts
    assert "memory" not in counts
    assert before is None or compared(packed(ada)) == before
    if forget != "memory":
        assert "peanuts" not in str(ada.get("/api/v1/conversations"))
    assert not [one for one in ada.memories() if "peanuts" in one]


def test_a_forget_of_a_part_while_an_import_waits_is_obeyed(bench: Workbench, package: Package, there: Person) -> None:
    brought(there, package.raw)
    op_id = asked(there, package.raw)
    there.forget("message", message_id=_message(there, "peanuts"), cascade=True)
    there.bench.work()
    assert there.operation(op_id)["status"] == "succeeded"
    assert there.operation(op_id)["steps"][0]["counts"]["erased"] > 0
    assert not [one for one in there.memories() if "peanuts" in one]
    assert "peanuts" not in str(there.get("/api/v1/messages", conversation_id=_lunch(there)))


def test_what_was_made_from_something_forgotten_here_does_not_come(
    bench: Workbench, ada: Person, both: Elsewhere
) -> None:
    """It was learned elsewhere, from a message that came from here and was forgotten here since."""
    conversation = ada.conversation()
    [(tokyo, _)] = ada.say(conversation, ("Hm, Tokyo.", "Yes?"))
    both.work_at(bench)
    bench.work()
    first = packed(ada)
    both.work_at(both.there)
    there = both.there.person("ada")
    brought(there, first.raw)
    a_memory(both.there, there, text="They think of Tokyo.", sources=[tokyo])
    later = packed(there)
    both.work_at(bench)
    ada.forget("message", message_id=tokyo)
    bench.work()
    brought(ada, later.raw)
    assert not [one for one in ada.memories() if "Tokyo" in one]


def test_forgetting_everything_ends_an_import_that_waits(bench: Workbench, package: Package, there: Person) -> None:
    bench = there.bench
    for closes in (False, True):
        op_id = asked(there, package.raw)
        assert bench.count("select count(*) from imports") == 1
        there.forget("user", close_account=closes)
        assert bench.count("select count(*) from imports") == 0
        bench.work()
        status = "select count(*) from operations where id = %(id)s and status = 'cancelled'"
        assert bench.count(status, id=op_id) == 1
        assert bench.count("select count(*) from vector_refs where store = 'files'") == 0
        assert not [path for path in bench.settings.exports_dir.rglob("*") if path.is_file()]
        assert bench.count("select count(*) from messages") == 0


def test_after_forgetting_everything_a_package_brings_it_back(bench: Workbench, ada: Person, package: Package) -> None:
    ada.forget("user")
    op_id = asked(ada, package.raw, restore_forgotten=True)
    bench.work_once(["import.apply"])
    [step] = ada.operation(op_id)["steps"]
    assert step["last_error"].startswith("still_erasing")
    bench.work()
    bench.hurry()
    bench.work()
    assert ada.operation(op_id)["status"] == "succeeded"
    again, counts = packed(ada), package.manifest["content"]["counts"]
    restored = again.manifest["content"]["counts"]
    for kind in ("conversation", "message", "memory", "episode", "edge", "feedback"):
        assert restored[kind] == counts[kind]


def test_settings_are_restored_only_where_none_were_chosen(package: Package, there: Person) -> None:
    assert preview(there, package.raw)["settings"] == "restored"
    path = "/api/v1/memory/settings"
    there.bench.api.patch(path, json={"injection_enabled": False}, headers=there.headers)
    assert preview(there, package.raw)["settings"] == "kept"
    brought(there, package.raw)
    assert (there.get(path)["injection_enabled"], there.get(path)["privacy_mode_enabled"]) == (False, False)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("switch", "kind"),
    [
        ("longterm_enabled", "memory"),
        ("episodic_enabled", "episode"),
        ("summary_enabled", "summary"),
        ("preference_learning_enabled", "preference_signal"),
    ],
)
def test_what_is_switched_off_here_does_not_come(package: Package, there: Person, switch: str, kind: str) -> None:
    there.bench.api.patch("/api/v1/memory/settings", json={switch: False}, headers=there.headers)
    foreseen = preview(there, package.raw)
    count = package.manifest["content"]["counts"][kind]
    assert foreseen["switched_off"][kind] == count
    assert brought(there, package.raw)["switched_off"] == sum(foreseen["switched_off"].values())
    again = packed(there)
    assert again.every(kind) == []
    assert len(again.every("message")) == len(package.every("message"))
    flags = {"longterm_enabled": "learn", "episodic_enabled": "index_episode", "summary_enabled": "summarize"}
    if switch in flags:
        assert {one[flags[switch]] for one in again.every("message")} == {False}
    again.check()


def test_privacy_mode_keeps_quotes_out(package: Package, there: Person) -> None:
    there.bench.api.patch("/api/v1/memory/settings", json={"privacy_mode_enabled": True}, headers=there.headers)
    brought(there, package.raw)
    again = packed(there)
    assert {one["quote"] for one in again.every("preference_signal")} == {None}
    assert {one["evidence_ref"] for one in again.every("feedback")} == {None}


def test_what_is_sensitive_does_not_become_a_memory(package: Package, there: Person) -> None:
    def with_secrets(path: str, records: list[Any]) -> list[Any]:
        if path != "memories.jsonl":
            return records
        told = iter(["My password is hunter2-Zx9!kk", "Write to me at ada@example.org."])
        return [one | {"content": next(told, one["content"])} for one in records]

    raw = repacked(package, with_secrets)
    assert preview(there, raw)["withheld"]["memory"] == 1
    assert brought(there, raw)["withheld"] >= 1
    memories = there.memories()
    assert not [one for one in memories if "hunter2" in one or "ada@example.org" in one]
    assert [one for one in memories if "Write to me at" in one]
    assert "memory_contents" not in there.bench.holds("hunter2")


def test_what_does_not_come_is_bridged(bench: Workbench, backing: Backing) -> None:
    person = bench.person("ada")
    first = learned(bench, person, "I live in Rome.")
    second = learned(bench, person, "I live in Oslo.", supersedes=first)
    third = learned(bench, person, "I live in Bern.", supersedes=second)
    bench.work()

    def with_a_secret(path: str, records: list[Any]) -> list[Any]:
        secret = {"content": "My password is hunter2-Zx9!kk"}
        return [one | secret if path == "memories.jsonl" and one["id"] == second else one for one in records]

    raw = repacked(packed(person), with_a_secret)
    with elsewhere(bench, backing) as both:
        there = both.there.person("ada")
        brought(there, raw)
        found = {one["id"]: (one["supersedes_id"], one["validity"]) for one in packed(there).every("memory")}
        assert found == {first: (None, "superseded"), third: (first, "active")}
        both.there.database.transact(rebuild_read_models, patient=True)
        again = {one["id"]: (one["supersedes_id"], one["validity"]) for one in packed(there).every("memory")}
        assert again == found


def test_which_task_was_at_hand_is_known_again(bench: Workbench, ada: Person) -> None:
    eve = bench.person("eve")
    said = ("Let's fix the login bug.", "All right.")
    ada.say(ada.conversation(), said, ("Remember that the staging server is slow.", "Noted."))
    bench.work()
    brought(eve, packed(ada).raw)
    tasks = """
      select count(*) from messages m join subjects s on s.id = m.subject_id where m.names_task and s.user_id = %(who)s
    """
    assert bench.count(tasks, who="ada") == bench.count(tasks, who="eve") == 1


def test_projects_stay_apart(bench: Workbench, backing: Backing) -> None:
    person = bench.person("ada")
    written(person, "The flat has blue walls.", scope="project", project_id="flat")
    bench.work()
    raw = packed(person).raw
    with elsewhere(bench, backing) as both:
        there = both.there.person("ada")
        brought(there, raw)
        assert there.search("walls", project_id="flat") == ["The flat has blue walls."]
        assert there.search("walls", project_id="car") == []
        assert there.search("walls") == []


@pytest.mark.parametrize("scope", ["conversation", "selection"])
def test_a_part_of_an_account_is_imported_as_well(
    bench: Workbench, ada: Person, package: Package, both: Elsewhere, scope: str
) -> None:
    both.work_at(bench)
    lunch = _lunch(ada)
    target = (
        {"conversation_id": lunch}
        if scope == "conversation"
        else {"ids": [_message(ada, "peanuts"), _memory(ada, "Tuesdays")]}
    )
    part = packed(ada, scope, **target)
    both.work_at(both.there)
    there = both.there.person("ada")
    brought(there, part.raw)
    again = packed(there)
    for kind in ("message", "memory", "summary", "episode", "feedback"):
        assert {one["id"] for one in again.every(kind)} == {one["id"] for one in part.every(kind)}
    for derived in ("summary", "episode"):  # a forget must find what is made of what it takes
        sources = {edge["derived_id"] for edge in again.every("edge") if edge["derived_kind"] == derived}
        assert sources == {one["id"] for one in part.every(derived)}
    brought(there, package.raw)  # the rest follows
    whole = packed(there)
    for kind in ("conversation", "message", "memory", "episode"):
        assert {one["id"] for one in whole.every(kind)} == {one["id"] for one in package.every(kind)}
    there.bench.database.transact(rebuild_read_models, patient=True)
    assert compared(packed(there)) == compared(whole)


@settings(
    max_examples=examples(4),
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(st.tuples(st.integers(SAY, END), st.integers(0, 4)), min_size=4, max_size=14))
def test_whatever_happened_to_an_account_it_comes_back_to_the_byte(
    generated: Elsewhere, happened: list[tuple[int, int]]
) -> None:
    generated.work_at(generated.here)
    person = generated.here.person()
    happen(person, happened)
    package = packed(person)
    generated.work_at(generated.there)
    there = generated.there.person(person.user_id)
    brought(there, package.raw)
    assert compared(packed(there)) == compared(package)


@pytest.fixture
def generated(bench: Workbench, backing: Backing) -> Iterator[Elsewhere]:
    with elsewhere(bench, backing) as found:
        yield found


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("sample", samples(Path(LOCOMO)) if LOCOMO else [], ids=lambda sample: sample.id)
def test_a_long_conversation_of_real_people_comes_back_to_the_byte(generated: Elsewhere, sample: Sample) -> None:
    generated.work_at(generated.here)
    person = generated.here.person()
    conversation = person.conversation(title=sample.id)
    for session in sample.sessions:
        said = [
            {"role": one.role, "name": one.name, "content": one.text, "spoken_at": one.at.isoformat()}
            for one in session
        ]
        person.post("/api/v1/messages", {"conversation_id": conversation, "messages": said})
        path = f"/api/v1/conversations/{conversation}/session-end"
        assert generated.here.api.post(path, headers=person.headers).status_code == 200
    generated.here.work(rounds=500)
    package = packed(person)
    generated.work_at(generated.there)
    there = generated.there.person(person.user_id)
    asked(there, package.raw)
    generated.there.work_once(["import.apply"])
    op_id = export(there)
    generated.there.work_once(["export.build"])
    assert compared(Package(download(there, op_id).content)) == compared(package)
