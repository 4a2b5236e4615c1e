"""What decides the fate of things an import brings, where it was wrong once (X-09)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from shared.consent.rules.switches import Switches
from shared.erasure.rebuild import rebuild_read_models
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.new_ids import new_id
from shared.portability.sql import import_resolution, import_staging
from shared.portability.sql.import_staging import Thing
from tests.integration.test_export_contents import ada as ada  # noqa: PLC0414 # a fixture is found by its name
from tests.support import handmade_packages
from tests.support.backing import Backing
from tests.support.importing import Elsewhere, brought, compared, elsewhere, preview, repacked
from tests.support.memories import deleted, written
from tests.support.packages import Package, packed
from tests.support.seeding import a_memory, a_summary
from tests.support.workbench import Person, Workbench

KINDS = ("conversation", "message", "memory", "episode", "summary", "feedback", "preference_signal")
FORGET = "/api/v1/memory/forget"


@pytest.fixture
def package(ada: Person) -> Package:
    return packed(ada)


@pytest.fixture
def both(bench: Workbench, backing: Backing) -> Iterator[Elsewhere]:
    with elsewhere(bench, backing) as found:
        yield found


def _id_of(person: Person, word: str) -> str:
    return str(next(one["id"] for one in person.get("/api/v1/memory/long_term") if word in one["content"]))


def _all_of(package: Package, kind: str) -> set[str]:
    return {one["id"] for one in package.every(kind)}


def _kept_elsewhere(both: Elsewhere, raw: bytes) -> Person:
    """Bring a package to the other installation."""
    both.work_at(both.there)
    there = both.there.person("ada")
    brought(there, raw)
    return there


def _forget_described(person: Person, description: str) -> None:
    found = person.post(f"{FORGET}/find", {"description": description}, status=200)
    person.post(FORGET, {"scope": "selection", "token": found["token"]}, status=202)


def test_what_came_under_other_ids_keeps_them_when_the_first_owner_is_gone(
    bench: Workbench, ada: Person, package: Package
) -> None:
    eve = bench.person("eve")
    brought(eve, package.raw)
    deleted(eve, _id_of(eve, "peanuts"))
    said = next(one for one in packed(eve).every("message") if "Berlin" in one["content"])
    eve.forget("message", message_id=said["id"], cascade=True)
    bench.work()
    before = packed(eve)
    ada.forget("user")
    bench.work()
    counts = brought(eve, package.raw)
    after = packed(eve)
    assert {kind: _all_of(after, kind) for kind in KINDS} == {kind: _all_of(before, kind) for kind in KINDS}
    assert compared(after) == compared(before)
    assert set(counts) == {"present", "erased"}
    assert not [one for one in eve.memories() if "peanuts" in one or "Berlin" in one]
    brought(ada, package.raw, restore_forgotten=True)  # the ids are Ada's own again
    assert _all_of(packed(ada), "memory") == _all_of(package, "memory")


def test_what_its_first_owner_forgot_comes_to_another_account(bench: Workbench, ada: Person, package: Package) -> None:
    deleted(ada, _id_of(ada, "peanuts"))
    said = next(one for one in package.every("message") if "Berlin" in one["content"])
    ada.forget("message", message_id=said["id"], cascade=True)
    bench.work()
    before = compared(packed(ada))
    eve = bench.person("eve")
    brought(eve, package.raw)
    assert [one for one in eve.memories() if "peanuts" in one]
    theirs = packed(eve)
    assert len(theirs.every("memory")) == len(package.every("memory"))
    assert not _all_of(theirs, "message") & {said["id"]}
    assert compared(packed(ada)) == before
    eve.forget("user")
    bench.work()
    bench.database.transact(rebuild_read_models, patient=True)
    assert compared(packed(ada)) == before


class Counting(Transaction):
    """A transaction that counts what changes something."""

    statements = 0

    def run(self, sql: str, **values: Any) -> int:
        self.statements += 1
        return super().run(sql, **values)


def test_a_long_chain_of_what_was_made_from_each_other_takes_one_statement(bench: Workbench) -> None:
    person = bench.person("ada")
    first = written(person, "I live in Rome.")["id"]
    deleted(person, first)
    bench.work()
    length = 1000
    ids = [UUID(first), *(new_id() for _ in range(length - 1))]
    chain = [{"derived_kind": "memory", "source_kind": "memory", "edge": "text_from", "context": False}] * (length - 1)

    def decide(tx: Transaction) -> tuple[int, dict[str, int]]:
        counting = Counting(tx._connection)
        import_staging.create(counting)
        import_staging.add(counting, "memory", [Thing(id=id_, conversation_id=None, record={}) for id_ in ids])
        edges = [
            {**edge, "derived_id": str(made), "source_id": str(source)}
            for edge, source, made in zip(chain, ids, ids[1:], strict=False)
        ]
        import_staging.add_edges(counting, edges)
        import_staging.complete(counting)
        counting.statements = 0
        import_resolution.decide(counting, subjects.find_or_create(tx, "ada"), Switches(), restore=False)
        return counting.statements, {
            fate: count for kind, fate, count in import_resolution.tally(tx) if kind == "memory"
        }

    statements, counts = bench.database.transact(decide)
    assert counts == {"erased": length}
    assert statements < 30


def test_an_old_summary_does_not_come_back_into_a_conversation_that_is_here(bench: Workbench) -> None:
    ada = bench.person("ada")
    conversation = ada.conversation()
    [(said, heard)] = ada.say(conversation, ("I drive a canary-Skoda and I work at the zoo.", "OK."))
    bench.work()
    a_summary(bench, ada, conversation, text="They drive a canary-Skoda.", covers=[said, heard])
    package = packed(ada)
    assert [one for one in package.every("summary") if "canary-Skoda" in one["text"]]
    _forget_described(ada, "forget the canary-Skoda")
    bench.work()
    assert bench.holds("canary-Skoda") == []
    before = compared(packed(ada))
    brought(ada, package.raw)
    assert bench.holds("canary-Skoda") == []
    assert compared(packed(ada)) == before


def test_what_was_made_of_a_message_before_a_part_of_it_was_forgotten_does_not_come(
    bench: Workbench, both: Elsewhere
) -> None:
    both.work_at(bench)
    person = bench.person("ada")
    [(said, _)] = person.say(person.conversation(), ("I drive a canary-Skoda and I work at the zoo.", "OK."))
    bench.work()
    there = _kept_elsewhere(both, packed(person).raw)
    a_memory(both.there, there, text="They own a canary-Skoda.", sources=[said])
    later = packed(there)
    both.work_at(bench)
    _forget_described(person, "forget the canary-Skoda")
    bench.work()
    brought(person, later.raw)
    assert bench.holds("canary-Skoda") == []
    assert person.memories() == ["I work at the zoo."]


@pytest.mark.few(2)
@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize("erased", [False, True])
def test_an_import_skips_items_whose_forgotten_source_is_missing_from_the_package(
    bench: Workbench, both: Elsewhere, *, erased: bool, renamed: bool
) -> None:
    both.work_at(bench)
    person = bench.person("ada")
    [(tokyo, _)] = person.say(person.conversation(), ("Hm, Tokyo.", "Yes?"))
    bench.work()
    first = packed(person)
    there = _kept_elsewhere(both, first.raw)
    a_memory(both.there, there, text="They think of Tokyo.", sources=[tokyo])
    part = packed(there, "selection", ids=[_id_of(there, "Tokyo")])
    assert part.every("message") == []
    both.work_at(bench)
    if renamed:
        person = bench.person("eve")
        brought(person, first.raw)
        [tokyo] = [one["id"] for one in packed(person).every("message") if "Tokyo" in one["content"]]
    person.forget("message", message_id=tokyo)
    if erased:
        bench.work()
    counts = brought(person, part.raw)
    assert counts.get("erased", 0) > 0
    assert not [one for one in person.memories() if "Tokyo" in one]


def test_a_selection_comes_where_its_messages_were_never_forgotten(bench: Workbench, both: Elsewhere) -> None:
    both.work_at(bench)
    person = bench.person("ada")
    person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    memory = _id_of(person, "peanuts")
    part = packed(person, "selection", ids=[memory])
    eve = bench.person("eve")
    assert "erased" not in brought(eve, part.raw)
    assert eve.memories() == ["I'm allergic to peanuts."]
    there = _kept_elsewhere(both, part.raw)
    assert there.memories() == ["I'm allergic to peanuts."]


def test_feedback_about_a_message_that_was_forgotten_here_does_not_come(bench: Workbench, both: Elsewhere) -> None:
    both.work_at(bench)
    person = bench.person("ada")
    conversation = person.conversation()
    [(said, _)] = person.say(conversation, ("Thanks a lot.", "Yes?"))
    bench.work()
    there = _kept_elsewhere(both, packed(person).raw)
    there.post("/api/v1/feedback", {"message_id": said, "rating": 1, "comment": "Not Tokyo."})

    def without_the_message(path: str, records: list[Any]) -> list[Any]:
        """Leave the feedback, as of a message that was forgotten after it was given."""
        if path.endswith(("episodes.jsonl", "lineage.jsonl")):
            return []
        return [one for one in records if one.get("id") != said]

    later = repacked(packed(there), without_the_message)
    both.work_at(bench)
    person.forget("message", message_id=said)
    bench.work()
    assert preview(person, later)["erased"]["feedback"] == 1
    brought(person, later)
    assert bench.holds("Not Tokyo.") == []


def test_what_a_package_says_without_lineage_goes_with_its_source(bench: Workbench) -> None:
    made = handmade_packages.draft().drop("lineage.jsonl")
    made.change("documents.jsonl", parts=[str(handmade_packages.OTHER)], part_pages=[None])
    there = bench.person("ada")
    brought(there, made.zip())
    [document] = there.get("/api/v1/documents")
    assert document["parts"] == 1
    assert bench.api.delete(f"/api/v1/documents/{document['id']}", headers=there.headers).status_code == 202
    [message] = [edge["source_id"] for edge in packed(there).every("edge") if edge["derived_kind"] == "observation"]
    there.forget("message", message_id=message, cascade=True)
    bench.work()
    assert bench.count("select count(*) from document_parts") == 0
    assert bench.count("select count(*) from trait_observations") == 0
